package scraper

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// Limits of evaluating a script. They bound time and memory by the length of what was sent.
const (
	maxScript       = 8 << 20
	maxScriptDepth  = 200
	maxScriptText   = 4 << 20 // of one text that is put together
	maxScriptParams = 20_000
	stepsPerByte    = 3
)

var (
	errScript  = errors.New("not a plain value")
	errTooMuch = errors.New("too much work")
)

// script evaluates the part of JavaScript in which pages write their data: literals, and a function that is called at
// once with the values that occur more than once. It runs nothing else: no loops, no calls of what the page defines, no
// access to anything. Unknown names, functions and calls are nil.
type script struct {
	src   string
	at    int
	depth int
	steps int // left
	bound map[string]any
}

func newScript(src string) *script {
	return &script{src: src, steps: stepsPerByte*len(src) + 10_000}
}

// value evaluates the expression at position at. It returns the position after it.
func (s *script) value(at int) (v any, end int, err error) {
	s.at, s.depth = at, 0
	v, err = s.expression()
	return v, s.at, err
}

func (s *script) step() error {
	if s.steps--; s.steps < 0 {
		return errTooMuch
	}
	return nil
}

// enter guards the recursion.
func (s *script) enter() error {
	if s.depth++; s.depth > maxScriptDepth {
		return errTooMuch
	}
	return s.step()
}

// space skips white space and comments.
func (s *script) space() {
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

// after is the position behind the next occurrence of mark.
func (s *script) after(mark string) int {
	i := strings.Index(s.src[s.at:], mark)
	if i < 0 {
		return len(s.src)
	}
	return s.at + i + len(mark)
}

// take consumes the mark when it comes next.
func (s *script) take(mark string) bool {
	s.space()
	if !strings.HasPrefix(s.src[s.at:], mark) {
		return false
	}
	s.at += len(mark)
	return true
}

func (s *script) peek() byte {
	s.space()
	if s.at >= len(s.src) {
		return 0
	}
	return s.src[s.at]
}

// expression evaluates up to the next comma, semicolon or closing bracket.
func (s *script) expression() (any, error) {
	if err := s.enter(); err != nil {
		return nil, err
	}
	defer func() { s.depth-- }()
	v, err := s.binary()
	if err != nil {
		return nil, err
	}
	if s.peek() != '?' || strings.HasPrefix(s.src[s.at:], "?.") || strings.HasPrefix(s.src[s.at:], "??") {
		return v, nil
	}
	s.at++
	yes, err := s.expression()
	if err != nil {
		return nil, err
	}
	if !s.take(":") {
		return nil, errScript
	}
	no, err := s.expression()
	if truthy(v) {
		return yes, err
	}
	return no, err
}

// binary evaluates sums and alternatives. Other operators make no data.
func (s *script) binary() (any, error) {
	v, err := s.unary()
	for err == nil {
		var w any
		switch {
		case s.take("||"), s.take("??"):
			if w, err = s.unary(); !truthy(v) {
				v = w
			}
		case s.take("&&"):
			if w, err = s.unary(); truthy(v) {
				v = w
			}
		case s.peek() == '+' && !strings.HasPrefix(s.src[s.at:], "++") && !strings.HasPrefix(s.src[s.at:], "+="):
			s.at++
			if w, err = s.unary(); err == nil {
				v, err = sum(v, w)
			}
		case s.peek() == '=' && !strings.HasPrefix(s.src[s.at:], "=>"):
			return nil, errScript
		default:
			return v, nil
		}
		if err == nil {
			err = s.step()
		}
	}
	return nil, err
}

func sum(v, w any) (any, error) {
	a, ok := v.(string)
	b, also := w.(string)
	if !ok || !also {
		return nil, nil //nolint:nilnil // a sum of anything else is no text that anyone needs
	}
	if len(a)+len(b) > maxScriptText {
		return nil, errTooMuch
	}
	return a + b, nil
}

func truthy(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case json.Number:
		f, err := v.Float64()
		return err != nil || f != 0
	}
	return true
}

func (s *script) unary() (any, error) {
	switch c := s.peek(); {
	case c == '!':
		s.at++
		if err := s.enter(); err != nil {
			return nil, err
		}
		v, err := s.unary()
		s.depth--
		return !truthy(v), err
	case c == '-' || c == '+':
		s.at++
		if n, ok := s.number(); ok {
			if c == '-' {
				n = "-" + n
			}
			return n, nil
		}
		return nil, errScript
	case s.word("void"), s.word("typeof"):
		if err := s.enter(); err != nil {
			return nil, err
		}
		_, err := s.unary()
		s.depth--
		return nil, err
	}
	return s.postfix()
}

// word consumes a keyword.
func (s *script) word(word string) bool {
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

// postfix evaluates a value and what is taken from it: members, and the few calls that make data.
func (s *script) postfix() (any, error) {
	v, name, err := s.primary()
	for err == nil {
		if err = s.step(); err != nil {
			break
		}
		switch s.peek() {
		case '.':
			s.at++
			member := s.name()
			if member == "" {
				return nil, errScript
			}
			name += "." + member
			v = memberOf(v, member)
		case '[':
			s.at++
			var key any
			if key, err = s.expression(); err != nil || !s.take("]") {
				return nil, errScript
			}
			v, name = memberOf(v, keyText(key)), ""
		case '(':
			v, err = s.call(v, name)
			name = ""
		case '`':
			return nil, errScript
		default:
			return v, nil
		}
	}
	return nil, err
}

func memberOf(v any, key string) any {
	switch v := v.(type) {
	case map[string]any:
		return v[key]
	case []any:
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(v) {
			return v[i]
		}
	}
	return nil
}

func keyText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// primary evaluates one operand. For a name it also returns the name.
func (s *script) primary() (v any, name string, err error) {
	switch c := s.peek(); {
	case c == '{':
		v, err = s.object()
	case c == '[':
		v, err = s.array()
	case c == '"' || c == '\'' || c == '`':
		v, err = s.text()
	case c >= '0' && c <= '9' || c == '.':
		n, ok := s.number()
		if !ok {
			return nil, "", errScript
		}
		v = n
	case c == '(':
		v, err = s.group()
	case c == '/':
		err = s.pattern()
	case isNamePart(c):
		return s.named()
	default:
		err = errScript
	}
	return v, "", err
}

// named evaluates what begins with a word.
func (s *script) named() (v any, name string, err error) {
	start := s.at
	name = s.name()
	switch name {
	case "true":
		return true, "", nil
	case "false":
		return false, "", nil
	case "null", "undefined", "NaN", "Infinity":
		return nil, "", nil
	case "new":
		v, err = s.unary()
		return v, "", err
	case "function", "async", "class":
		s.at = start
		v, err = s.function()
		return v, "", err
	case "return", "var", "let", "const", "if", "for", "while", "do", "switch", "throw", "try", "yield", "await", "delete", "import", "export":
		return nil, "", errScript
	}
	if s.take("=>") {
		return nil, "", s.skipBody()
	}
	return s.bound[name], name, nil
}

func (s *script) name() string {
	s.space()
	start := s.at
	for s.at < len(s.src) && isNamePart(s.src[s.at]) {
		s.at++
	}
	return s.src[start:s.at]
}

// number reads a number as JSON writes it; others than decimal ones become decimal.
func (s *script) number() (json.Number, bool) {
	s.space()
	start := s.at
	for s.at < len(s.src) {
		c := s.src[s.at]
		sign := (c == '-' || c == '+') && s.at > start && s.src[s.at-1]|0x20 == 'e' && !strings.HasPrefix(s.src[start:], "0x")
		if !isNamePart(c) && c != '.' && !sign {
			break
		}
		s.at++
	}
	raw := s.src[start:s.at]
	if raw == "" || raw[0] != '.' && (raw[0] < '0' || raw[0] > '9') {
		return "", false
	}
	raw = strings.TrimSuffix(strings.ReplaceAll(raw, "_", ""), "n")
	if raw[0] == '.' {
		raw = "0" + raw
	}
	if n, err := strconv.ParseInt(raw, 0, 64); err == nil && len(raw) > 1 && raw[0] == '0' {
		return json.Number(strconv.FormatInt(n, 10)), true
	}
	if _, err := strconv.ParseFloat(raw, 64); err != nil {
		return "", false
	}
	return json.Number(strings.TrimSuffix(raw, ".")), true
}

func (s *script) object() (any, error) {
	s.at++ // {
	o := make(map[string]any)
	for {
		switch s.peek() {
		case '}':
			s.at++
			return o, nil
		case ',':
			s.at++
			continue
		case 0:
			return nil, errScript
		}
		if err := s.member(o); err != nil {
			return nil, err
		}
		if c := s.peek(); c != ',' && c != '}' {
			return nil, errScript
		}
	}
}

// member evaluates one member of an object.
func (s *script) member(o map[string]any) error {
	if s.take("...") {
		v, err := s.expression()
		if from, ok := v.(map[string]any); ok && len(from) <= 1000 {
			for k, w := range from {
				if err := s.step(); err != nil {
					return err
				}
				o[k] = w
			}
		}
		return err
	}
	key, err := s.key()
	if err != nil {
		return err
	}
	switch c := s.peek(); {
	case c == '(': // a method
		if err := s.skipBrackets(); err != nil {
			return err
		}
		return s.skipBody()
	case c == ',' || c == '}':
		if v, ok := s.bound[key]; ok {
			o[key] = v
		}
		return nil
	case c != ':':
		if key == "get" || key == "set" || key == "async" {
			if _, err := s.key(); err != nil {
				return err
			}
			if s.peek() == '(' && s.skipBrackets() == nil {
				return s.skipBody()
			}
		}
		return errScript
	}
	s.at++
	v, err := s.expression()
	o[key] = v
	return err
}

func (s *script) key() (string, error) {
	switch c := s.peek(); {
	case c == '"' || c == '\'':
		v, err := s.text()
		return keyText(v), err
	case c == '[':
		s.at++
		v, err := s.expression()
		if err != nil || !s.take("]") {
			return "", errScript
		}
		return keyText(v), nil
	case isNamePart(c):
		return s.name(), nil
	}
	return "", errScript
}

func (s *script) array() (any, error) {
	s.at++ // [
	list := []any{}
	for {
		switch s.peek() {
		case ']':
			s.at++
			return list, nil
		case ',':
			s.at++
			continue
		case 0:
			return nil, errScript
		}
		spread := s.take("...")
		v, err := s.expression()
		if err != nil {
			return nil, err
		}
		if more, ok := v.([]any); spread && ok {
			if s.steps -= len(more); s.steps < 0 {
				return nil, errTooMuch
			}
			list = append(list, more...)
		} else {
			list = append(list, v)
		}
		if c := s.peek(); c != ',' && c != ']' {
			return nil, errScript
		}
	}
}
