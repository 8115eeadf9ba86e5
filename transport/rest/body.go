package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// MaxBody is how long the body of a request may be, in bytes.
const MaxBody = 64 << 10

// object is a JSON object of texts, read strictly: names are matched as they are, and what is unknown, given twice, null
// or not text is named, beside what its readers find wrong.
type object struct {
	names  []string // in order
	values map[string]json.RawMessage
	known  []string
	faults
}

// Whether a field must be there.
const (
	required = true
	optional = false
)

var errNoObject = errors.New("must be one JSON object")

// readObject takes a body apart. Its error is a sentence about the whole body, for the caller.
func readObject(body io.ReadCloser) (*object, error) {
	raw, err := io.ReadAll(http.MaxBytesReader(nil, body, MaxBody))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, errors.New("must be at most " + strconv.Itoa(MaxBody) + " bytes")
	}
	switch {
	case err != nil:
		return nil, errors.New("ended too early, or came too slowly")
	case !utf8.Valid(raw):
		return nil, errors.New("is not valid UTF-8")
	case !json.Valid(raw):
		return nil, errNoObject
	}
	o := &object{values: map[string]json.RawMessage{}}
	d := json.NewDecoder(bytes.NewReader(raw))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return nil, errNoObject
	}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return nil, errNoObject
		}
		key, _ := name.(string)
		if _, repeated := o.values[key]; repeated {
			o.add(key, "is given more than once")
		}
		o.names, o.values[key] = append(o.names, key), value
	}
	return o, nil
}

// text is a field of at most so many characters; one that must be there must not be empty either.
func (o *object) text(name string, must bool, limit int) string {
	o.known = append(o.known, name)
	raw, ok := o.values[name]
	if !ok {
		if must {
			o.add(name, "is required")
		}
		return ""
	}
	var value string
	if raw[0] != '"' || json.Unmarshal(raw, &value) != nil {
		o.add(name, "must be a string")
		return ""
	}
	switch {
	case loneSurrogate(string(raw), value):
		o.add(name, "is not valid UTF-8")
	case must && value == "":
		o.add(name, "must not be empty")
	case utf8.RuneCountInString(value) > limit:
		o.add(name, track.MustBeAtMost(limit))
	default:
		o.add(name, track.TextFault(value))
	}
	return value
}

// unknown names the fields that nobody asked for.
func (o *object) unknown() {
	for _, name := range o.names {
		if !slices.Contains(o.known, name) {
			o.add(name, "is not a field of this request")
		}
	}
}

// loneSurrogate reports whether the JSON of a text holds half of a character, for which the decoder has put the
// replacement character.
func loneSurrogate(raw, decoded string) bool {
	meant := strings.Count(raw, "\uFFFD") + strings.Count(strings.ToLower(raw), `\ufffd`)
	return strings.Count(decoded, "\uFFFD") > meant
}
