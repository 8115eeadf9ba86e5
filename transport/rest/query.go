package rest

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/transport"
)

// query is a request's query, read strictly: what is unknown, given twice, empty or not text is named, beside what its
// readers find wrong.
type query struct {
	transport.FieldErrors

	values map[string]string
}

// readQuery takes a query apart. Only the known parameters may be in it.
func readQuery(raw string, known ...string) *query {
	q := &query{values: map[string]string{}}
	for pair := range strings.SplitSeq(raw, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		name, nameErr := url.QueryUnescape(name)
		value, valueErr := url.QueryUnescape(value)
		_, repeated := q.values[name]
		switch {
		case nameErr != nil || !slices.Contains(known, name):
			q.Add(name, "is not a parameter of this request")
		case repeated:
			q.Add(name, "is given more than once")
		case valueErr != nil:
			q.Add(name, "is not encoded as a URL demands")
		case value == "":
			q.Add(name, "must not be empty")
		default:
			q.Add(name, track.TextFault(value))
		}
		q.values[name] = value
	}
	return q
}

// text is a parameter of at most so many characters, or empty.
func (q *query) text(name string, limit int) string {
	value, ok := q.value(name)
	if ok && utf8.RuneCountInString(value) > limit {
		q.Add(name, track.MustBeAtMost(limit))
	}
	return value
}

// choice is a parameter that takes one of a few values, or the default.
func (q *query) choice(name, def string, allowed ...string) string {
	value, ok := q.value(name)
	if !ok {
		return def
	}
	if !slices.Contains(allowed, value) {
		q.Add(name, track.MustBeOneOf(allowed...))
	}
	return value
}

// integer is a parameter of digits in a range, or the default.
func (q *query) integer(name string, def, least, most int64) int64 {
	value, ok := q.value(name)
	if !ok {
		return def
	}
	n, err := strconv.ParseUint(value, 10, 63)
	if err != nil || int64(n) < least || int64(n) > most {
		q.Add(name, track.MustBeFrom(least, most))
	}
	return int64(n)
}

// boardID is a parameter with a board's id, or empty.
func (q *query) boardID(name string) string {
	value, ok := q.value(name)
	if ok && !boardwatch.ValidID(value) {
		q.Add(name, track.MustBeID)
	}
	return value
}

// instant is a parameter with a moment, or zero.
func (q *query) instant(name string) time.Time {
	value, ok := q.value(name)
	if !ok {
		return time.Time{}
	}
	if at, ok := track.ParseInstant(value); ok {
		return at
	}
	message := track.MustBeInstant
	if _, ok := track.ParseInstant(strings.Replace(value, " ", "+", 1)); ok {
		message += "; the plus sign of an offset is written %2B in a URL"
	}
	q.Add(name, message)
	return time.Time{}
}

// value is a parameter that was given and has no fault yet.
func (q *query) value(name string) (string, bool) {
	value, ok := q.values[name]
	return value, ok && q.Fine(name)
}
