package track

import (
	"regexp"
	"strings"
	"time"
)

// instantForm is what time.Parse takes too loosely: RFC 3339 with digits in full and an offset that can be.
var instantForm = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// ParseInstant reads a moment as the published interface writes it, and reports whether it is one.
func ParseInstant(s string) (time.Time, bool) {
	s = strings.ToUpper(s)
	at, err := time.Parse(time.RFC3339, s)
	return at, err == nil && instantForm.MatchString(s)
}
