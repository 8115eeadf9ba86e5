package boardwatch

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// Lists are long and requested often, so their entries are written without reflection. The bytes are the same as those
// of encoding/json.

// Appender writes its published JSON itself.
type Appender interface {
	// AppendJSON appends the object to b and returns the longer slice.
	AppendJSON(b []byte) []byte
}

const usualEntry = 512 // bytes

// AppendList appends the entries as an array. An empty list is an empty array.
func AppendList[T Appender](b []byte, list []T) []byte {
	b = append(slices.Grow(b, usualEntry*len(list)), '[')
	for i, entry := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = entry.AppendJSON(b)
	}
	return append(b, ']')
}

// AppendJSON appends the published Job object: every field is present, and unknown values are null.
func (j Job) AppendJSON(b []byte) []byte {
	b = appendText(append(b, `{"id":`...), j.ID)
	b = appendText(append(b, `,"boardId":`...), j.BoardID)
	b = appendTextOrNull(append(b, `,"company":`...), j.Company)
	b = appendText(append(b, `,"title":`...), j.Title)
	b = appendTextOrNull(append(b, `,"location":`...), j.Location)
	b = appendTextOrNull(append(b, `,"department":`...), j.Department)
	b = appendTextOrNull(append(b, `,"url":`...), j.URL)
	b = appendText(append(b, `,"status":`...), string(j.Status))
	b = appendTimeOrNull(append(b, `,"firstSeenAt":`...), j.FirstSeenAt)
	b = appendTimeOrNull(append(b, `,"lastSeenAt":`...), j.LastSeenAt)
	b = appendTimeOrNull(append(b, `,"closedAt":`...), j.ClosedAt)
	return append(b, '}')
}

// AppendStated appends the Job object with two additional fields: facts, which holds only what is stated, and text.
func (j Job) AppendStated(b []byte) []byte {
	b = j.AppendJSON(b)
	b = append(append(b[:len(b)-1], `,"facts":`...), j.Facts.JSON()...)
	return append(appendTextOrNull(append(b, `,"text":`...), j.Text), '}')
}

// AppendJSON appends the published Board object: every field is present, and unknown values are null.
func (v BoardView) AppendJSON(b []byte) []byte { return append(v.appendFields(b), '}') }

// AppendExplained appends the Board object with two additional fields, cause and reason.
func (v BoardView) AppendExplained(b []byte) []byte {
	b = appendTextOrNull(append(v.appendFields(b), `,"cause":`...), string(v.Cause))
	return append(appendTextOrNull(append(b, `,"reason":`...), v.Reason), '}')
}

func (v BoardView) appendFields(b []byte) []byte {
	b = appendText(append(b, `{"id":`...), v.ID)
	b = appendTextOrNull(append(b, `,"company":`...), v.Company)
	b = appendTextOrNull(append(b, `,"domain":`...), v.Domain)
	b = appendText(append(b, `,"careersUrl":`...), v.CareersURL)
	b = appendText(append(b, `,"status":`...), string(v.Status))
	b = appendText(append(b, `,"tracking":`...), string(v.Tracking))
	b = strconv.AppendInt(append(b, `,"openJobs":`...), int64(v.OpenJobs), 10)
	b = strconv.AppendInt(append(b, `,"closedJobs":`...), int64(v.ClosedJobs), 10)
	b = appendTimeOrNull(append(b, `,"lastCheckedAt":`...), v.LastCheckedAt)
	b = appendTimeOrNull(append(b, `,"lastSuccessAt":`...), v.LastSuccessAt)
	return appendTimeOrNull(append(b, `,"addedAt":`...), v.AddedAt)
}

func appendTimeOrNull(b []byte, t time.Time) []byte {
	if t.IsZero() {
		return append(b, "null"...)
	}
	return t.UTC().AppendFormat(b, `"`+TimeFormat+`"`)
}

func appendTextOrNull(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return appendText(b, s)
}

func appendText(b []byte, s string) []byte {
	if !unescaped(s) {
		raw, _ := json.Marshal(s) // never fails: it is a text
		return append(b, raw...)
	}
	return append(append(append(b, '"'), s...), '"')
}

// unescaped reports whether a text needs no escaping in JSON.
func unescaped(s string) bool {
	ascii := true
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&':
			return false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	if ascii {
		return true
	}
	for _, r := range s {
		if r == utf8.RuneError || r == '\u2028' || r == '\u2029' {
			return false
		}
	}
	return true
}
