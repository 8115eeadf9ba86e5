// Package script evaluates literals of JavaScript without running any code: the objects, lists and strings in which pages
// write their data, and a function that is called once with values that occur more than once. It has no loops, does not
// call functions that the page defines, and has no access to anything outside the script.
package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// MaxSize is the size of scripts, in bytes, up to which evaluating is worth its time. Callers skip longer ones.
const MaxSize = 8 << 20

// Limits of evaluating. They bound time and memory by the length of the script.
const (
	maxDepth     = 200
	maxText      = 4 << 20 // bytes of one text that is put together
	maxParams    = 20_000
	stepsPerByte = 3
	bytesPerStep = 16 // of a comment that is skipped
)

var (
	errNoValue = errors.New("not a plain value")
	errTooMuch = errors.New("too much work")
)

// Script is a text of JavaScript. Values in it are what encoding/json makes of JSON with UseNumber: maps, lists, strings,
// json.Numbers, booleans and nil. Unknown names and calls are nil. A function is a value that holds nothing.
// A Script is not safe for concurrent use.
type Script struct {
	src   string
	at    int
	depth int
	steps int // left
	bound map[string]any

	strict bool // names, calls and functions are errors, not nil
}

// New is a script that has not been evaluated yet.
func New(src string) *Script {
	return &Script{src: src, steps: stepsPerByte*len(src) + 10_000}
}

// Value evaluates the expression that begins at a position. It returns the position after it.
func (s *Script) Value(at int) (v any, end int, err error) {
	s.at, s.depth, s.bound = at, 0, nil
	v, err = s.expression()
	return v, s.at, err
}

// Spent reports whether the script has used up the work that its length allows. From then on every Value is an error.
func (s *Script) Spent() bool { return s.steps <= 0 }

// JSON is the object or list that the text begins with, as JSON. What follows it does not matter. Names, calls and functions
// are errors: what they stand for would be missing.
func JSON(src string) ([]byte, error) {
	s := New(src)
	s.strict = true
	var v any
	var err error
	switch s.peek() {
	case '{':
		v, err = s.object()
	case '[':
		v, err = s.array()
	default:
		err = errNoValue
	}
	if err != nil {
		return nil, err
	}
	document, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("write as JSON: %w", err)
	}
	return document, nil
}

func decodeJSON(text string) (any, error) {
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	err := d.Decode(&v)
	return v, err
}

func (s *Script) step() error {
	if s.steps--; s.steps < 0 {
		return errTooMuch
	}
	return nil
}

// enter bounds the recursion.
func (s *Script) enter() error {
	if s.depth++; s.depth > maxDepth {
		return errTooMuch
	}
	return s.step()
}

// space skips white space and comments.
func (s *Script) space() {
	for s.at < len(s.src) {
		switch c := s.src[s.at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			s.at++
		case c == '/' && strings.HasPrefix(s.src[s.at:], "//"):
			s.at = s.after("\n")
		case c == '/' && strings.HasPrefix(s.src[s.at:], "/*"):
			s.at = s.after("*/")
		case c == 0xc2 && strings.HasPrefix(s.src[s.at:], "\u00a0"):
			s.at += 2
		case c == 0xef && strings.HasPrefix(s.src[s.at:], "\ufeff"):
			s.at += 3
		default:
			return
		}
	}
}

// after is the position after the next occurrence of mark.
func (s *Script) after(mark string) int {
	end := len(s.src)
	if i := strings.Index(s.src[s.at:], mark); i >= 0 {
		end = s.at + i + len(mark)
	}
	s.steps -= (end - s.at) / bytesPerStep
	return end
}

// take consumes the mark when it comes next.
func (s *Script) take(mark string) bool {
	s.space()
	if !strings.HasPrefix(s.src[s.at:], mark) {
		return false
	}
	s.at += len(mark)
	return true
}

func (s *Script) peek() byte {
	s.space()
	if s.at >= len(s.src) {
		return 0
	}
	return s.src[s.at]
}

// word consumes a keyword.
func (s *Script) word(word string) bool {
	s.space()
	if !strings.HasPrefix(s.src[s.at:], word) || s.at+len(word) < len(s.src) && isNamePart(s.src[s.at+len(word)]) {
		return false
	}
	s.at += len(word)
	return true
}

func isNamePart(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

func (s *Script) name() string {
	s.space()
	start := s.at
	for s.at < len(s.src) && isNamePart(s.src[s.at]) {
		s.at++
	}
	return s.src[start:s.at]
}
