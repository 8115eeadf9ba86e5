package track

import (
	"errors"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// URLFault says in one sentence why an address cannot be tracked, judging by its form; empty if it can.
func (t *Tracker) URLFault(url string) string {
	_, err := t.recognize(strings.TrimSpace(url))
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*boardwatch.Error](invalidURL(err)); ok {
		if fields, ok := e.Details.([]boardwatch.FieldError); ok && len(fields) > 0 {
			return fields[0].Message
		}
	}
	return err.Error()
}
