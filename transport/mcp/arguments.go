package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// arguments are what a tool is called with, read strictly and with every fault named at once. Names are matched as they
// are, and what is unknown, given twice or of another kind is a fault. Bounds of texts are the services' to judge.
type arguments struct {
	names  []string // in order
	values map[string]json.RawMessage
	known  []string
	wrong  []boardwatch.FieldError
}

// readArguments takes the arguments of a call apart; none at all are an empty object.
func readArguments(raw json.RawMessage) (*arguments, error) {
	a := &arguments{values: map[string]json.RawMessage{}}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return a, nil
	}
	noObject := boardwatch.Invalid("arguments", "must be one JSON object")
	d := json.NewDecoder(bytes.NewReader(raw))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return nil, noObject
	}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return nil, noObject
		}
		key, _ := name.(string)
		if _, repeated := a.values[key]; repeated {
			a.add(key, "is given more than once")
		}
		a.names, a.values[key] = append(a.names, key), value
	}
	return a, nil
}

// text is a string, or empty. One that must be there must not be empty either.
func (a *arguments) text(name string, must bool) string {
	raw, ok := a.value(name)
	if !ok {
		if must {
			a.add(name, "is required")
		}
		return ""
	}
	var value string
	if raw[0] != '"' || json.Unmarshal(raw, &value) != nil {
		a.add(name, "must be a string")
		return ""
	}
	switch {
	case !utf8.Valid(raw) || loneSurrogate(string(raw), value):
		a.add(name, "is not valid UTF-8")
	case must && value == "":
		a.add(name, "must not be empty")
	}
	return value
}

// boardID is the id of a board, or empty when none has to be given.
func (a *arguments) boardID(must bool) string {
	const name = "boardId"
	value := a.text(name, must)
	if _, given := a.values[name]; given && !boardwatch.ValidID(value) {
		a.add(name, track.MustBeID)
	}
	return value
}

// choice is one of a few strings, or the first of them.
func (a *arguments) choice(name string, allowed ...string) string {
	if _, given := a.values[name]; !given {
		a.known = append(a.known, name)
		return allowed[0]
	}
	value := a.text(name, false)
	if !slices.Contains(allowed, value) {
		a.add(name, track.MustBeOneOf(allowed...))
	}
	return value
}

// integer is a whole number in a range, or the default. 50.0 is a whole number too.
func (a *arguments) integer(name string, def, least, most int64) int64 {
	raw, ok := a.value(name)
	if !ok {
		return def
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		f, floatErr := strconv.ParseFloat(string(raw), 64)
		if err = floatErr; f != math.Trunc(f) || math.Abs(f) > track.MaxSkip {
			err = strconv.ErrRange
		}
		n = int64(f)
	}
	if err != nil || n < least || n > most {
		a.add(name, track.MustBeFrom(least, most))
		return def
	}
	return n
}

// instant is a moment, or zero.
func (a *arguments) instant(name string) time.Time {
	if _, given := a.values[name]; !given {
		a.known = append(a.known, name)
		return time.Time{}
	}
	at, ok := track.ParseInstant(a.text(name, false))
	if !ok {
		a.add(name, track.MustBeInstant)
	}
	return at
}

// judged adds what a service finds wrong with what was read.
func (a *arguments) judged(err error) {
	e, ok := errors.AsType[*boardwatch.Error](err)
	if !ok {
		return
	}
	if fields, ok := e.Details.([]boardwatch.FieldError); ok {
		for _, f := range fields {
			a.add(f.Field, f.Message)
		}
	}
}

// err names every fault, also the arguments that nobody asked for.
func (a *arguments) err() error {
	for _, name := range a.names {
		if !slices.Contains(a.known, name) {
			a.add(name, "is not an argument of this tool")
		}
	}
	return boardwatch.InvalidFields(a.wrong)
}

// value is an argument that was given.
func (a *arguments) value(name string) (json.RawMessage, bool) {
	a.known = append(a.known, name)
	raw, ok := a.values[name]
	return raw, ok
}

// longestName is how much of a name that somebody made up is repeated to them, in bytes.
const longestName = 100

// add notes a fault, unless the argument has one already.
func (a *arguments) add(name, message string) {
	if len(name) > longestName {
		name = name[:longestName] + "..."
	}
	name = strings.ToValidUTF8(name, "\uFFFD")
	if message == "" || !a.fine(name) {
		return
	}
	a.wrong = append(a.wrong, boardwatch.FieldError{Field: name, Message: message})
}

func (a *arguments) fine(name string) bool {
	return !slices.ContainsFunc(a.wrong, func(f boardwatch.FieldError) bool { return f.Field == name })
}

// loneSurrogate reports whether the JSON of a text holds half of a character, for which the decoder has put the
// replacement character.
func loneSurrogate(raw, decoded string) bool {
	meant := strings.Count(raw, "\uFFFD") + strings.Count(strings.ToLower(raw), `\ufffd`)
	return strings.Count(decoded, "\uFFFD") > meant
}
