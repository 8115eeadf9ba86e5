package script

import (
	"encoding/json"
	"strconv"
	"strings"
)

// expression evaluates up to the next comma, semicolon or closing bracket.
func (s *Script) expression() (any, error) {
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
		return nil, errNoValue
	}
	no, err := s.expression()
	if truthy(v) {
		return yes, err
	}
	return no, err
}

// binary evaluates sums and alternatives. Data is not written with other operators.
func (s *Script) binary() (any, error) {
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
			return nil, errNoValue
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
	if len(a)+len(b) > maxText {
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

func (s *Script) unary() (any, error) {
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
		return nil, errNoValue
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

// postfix evaluates a value and what is taken from it: members, and the few calls that make data.
func (s *Script) postfix() (any, error) {
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
				return nil, errNoValue
			}
			name += "." + member
			v = Member(v, member)
		case '[':
			s.at++
			var key any
			if key, err = s.expression(); err != nil || !s.take("]") {
				return nil, errNoValue
			}
			v, name = Member(v, Key(key)), ""
		case '(':
			v, err = s.call(v, name)
			name = ""
		case '`':
			return nil, errNoValue
		default:
			return v, nil
		}
	}
	return nil, err
}

// Member is the member of an object, or the entry of a list, with this key; nil when there is none.
func Member(v any, key string) any {
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

// Key is the member name that a value stands for: a text itself, a number as it is written; empty for anything else.
func Key(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// primary evaluates one operand. For a name it also returns the name.
func (s *Script) primary() (v any, name string, err error) {
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
			return nil, "", errNoValue
		}
		v = n
	case c == '(':
		v, err = s.group()
	case c == '/':
		err = s.pattern()
	case isNamePart(c):
		return s.named()
	default:
		err = errNoValue
	}
	return v, "", err
}

// named evaluates what begins with a word.
func (s *Script) named() (v any, name string, err error) {
	start := s.at
	name = s.name()
	switch name {
	case "true":
		return true, "", nil
	case "false":
		return false, "", nil
	case "null", "undefined", "NaN", "Infinity":
		return nil, "", nil
	}
	if s.strict {
		return nil, "", errNoValue
	}
	switch name {
	case "new":
		v, err = s.unary()
		return v, "", err
	case "function", "async", "class":
		s.at = start
		v, err = s.function()
		return v, "", err
	case "return", "var", "let", "const", "if", "for", "while", "do", "switch", "throw", "try", "yield", "await", "delete", "import", "export":
		return nil, "", errNoValue
	}
	if s.take("=>") {
		return nil, "", s.skipBody()
	}
	return s.bound[name], name, nil
}
