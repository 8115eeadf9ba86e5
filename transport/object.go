package transport

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// Object is a JSON object sent by a caller, read strictly: names are case-sensitive, and a field that is repeated, of
// the wrong type or unknown is an error, in addition to those that its readers find.
type Object struct {
	FieldErrors

	names  []string // in order
	values map[string]json.RawMessage
	known  []string
}

// ReadObject parses valid JSON; false means that it is not an object.
func ReadObject(raw []byte) (*Object, bool) {
	o := &Object{values: map[string]json.RawMessage{}}
	d := json.NewDecoder(bytes.NewReader(raw))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return nil, false
	}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return nil, false
		}
		key, _ := name.(string)
		if _, repeated := o.values[key]; repeated {
			o.Add(key, "is given more than once")
		}
		o.names, o.values[key] = append(o.names, key), value
	}
	return o, true
}

// Value is a field that was given.
func (o *Object) Value(name string) (json.RawMessage, bool) {
	o.known = append(o.known, name)
	raw, ok := o.values[name]
	return raw, ok
}

// Text returns a string field, or "" if it is missing. A required field must not be empty either.
func (o *Object) Text(name string, must bool) string {
	raw, ok := o.Value(name)
	if !ok {
		if must {
			o.Add(name, "is required")
		}
		return ""
	}
	var value string
	if raw[0] != '"' || json.Unmarshal(raw, &value) != nil {
		o.Add(name, "must be a string")
		return ""
	}
	switch {
	case !utf8.Valid(raw) || loneSurrogate(string(raw), value):
		o.Add(name, "is not valid UTF-8")
	case must && value == "":
		o.Add(name, "must not be empty")
	}
	return value
}

// Unknown records an error for every field that was not read.
func (o *Object) Unknown(message string) {
	for _, name := range o.names {
		if !slices.Contains(o.known, name) {
			o.Add(name, message)
		}
	}
}

// loneSurrogate reports whether the JSON of a text contains half of a surrogate pair, which the decoder has replaced.
func loneSurrogate(raw, decoded string) bool {
	meant := strings.Count(raw, "\uFFFD") + strings.Count(strings.ToLower(raw), `\ufffd`)
	return strings.Count(decoded, "\uFFFD") > meant
}
