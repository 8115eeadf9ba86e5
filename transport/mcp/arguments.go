package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/transport"
)

// arguments are what a tool is called with, with every fault named at once. Bounds of texts are the services' to judge.
type arguments struct{ *transport.Object }

// readArguments takes the arguments of a call apart; none at all are an empty object.
func readArguments(raw json.RawMessage) (*arguments, error) {
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || string(raw) == "null" {
		raw = json.RawMessage("{}")
	}
	o, ok := transport.ReadObject(raw)
	if !ok {
		return nil, boardwatch.Invalid("arguments", "must be one JSON object")
	}
	return &arguments{o}, nil
}

// boardID is the id of a board, or empty when none has to be given.
func (a *arguments) boardID(must bool) string {
	const name = "boardId"
	value := a.Text(name, must)
	if _, given := a.Value(name); given && !boardwatch.ValidID(value) {
		a.Add(name, track.MustBeID)
	}
	return value
}

// choice is one of a few strings, or the default.
func (a *arguments) choice(name, def string, allowed ...string) string {
	if _, given := a.Value(name); !given {
		return def
	}
	value := a.Text(name, false)
	if !slices.Contains(allowed, value) {
		a.Add(name, track.MustBeOneOf(allowed...))
	}
	return value
}

// flag is true or false; false when it is not given.
func (a *arguments) flag(name string) bool {
	raw, given := a.Value(name)
	if given && string(raw) != "true" && string(raw) != "false" {
		a.Add(name, "must be true or false")
	}
	return string(raw) == "true"
}

// integer is a whole number in a range, or the default. 50.0 is a whole number too.
func (a *arguments) integer(name string, def, least, most int64) int64 {
	raw, ok := a.Value(name)
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
		a.Add(name, track.MustBeFrom(least, most))
		return def
	}
	return n
}

// instant is a moment, or zero.
func (a *arguments) instant(name string) time.Time {
	if _, given := a.Value(name); !given {
		return time.Time{}
	}
	at, ok := track.ParseInstant(a.Text(name, false))
	if !ok {
		a.Add(name, track.MustBeInstant)
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
			a.Add(f.Field, f.Message)
		}
	}
}

// err names every fault, also the arguments that nobody asked for.
func (a *arguments) err() error {
	a.Unknown("is not an argument of this tool")
	return a.Err()
}
