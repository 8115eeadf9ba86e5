package rest

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"unicode/utf8"

	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/transport"
)

// maxBody is how long the body of a request may be, in bytes.
const maxBody = 64 << 10

// object is the body of a request: a JSON object of texts.
type object struct{ *transport.Object }

// Whether a field must be there.
const (
	required = true
	optional = false
)

var errNoObject = errors.New("must be one JSON object")

// readObject takes a body apart. Its error is a sentence about the whole body, for the caller.
func readObject(body io.ReadCloser) (object, error) {
	raw, err := io.ReadAll(http.MaxBytesReader(nil, body, maxBody))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return object{}, errors.New("must be at most " + strconv.Itoa(maxBody) + " bytes")
	}
	switch {
	case err != nil:
		return object{}, errors.New("ended too early, or came too slowly")
	case !utf8.Valid(raw):
		return object{}, errors.New("is not valid UTF-8")
	case !json.Valid(raw):
		return object{}, errNoObject
	}
	o, ok := transport.ReadObject(raw)
	if !ok {
		return object{}, errNoObject
	}
	return object{o}, nil
}

// text is a field of at most so many characters; one that must be there must not be empty either.
func (o object) text(name string, must bool, limit int) string {
	value := o.Text(name, must)
	if utf8.RuneCountInString(value) > limit {
		o.Add(name, track.MustBeAtMost(limit))
	}
	o.Add(name, track.TextFault(value))
	return value
}
