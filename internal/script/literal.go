package script

import (
	"encoding/json"
	"strconv"
	"strings"
)

// number reads a number as JSON writes it; others than decimal ones become decimal.
func (s *Script) number() (json.Number, bool) {
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

func (s *Script) object() (any, error) {
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
			return nil, errNoValue
		}
		if err := s.member(o); err != nil {
			return nil, err
		}
		if c := s.peek(); c != ',' && c != '}' {
			return nil, errNoValue
		}
	}
}

// member evaluates one member of an object.
func (s *Script) member(o map[string]any) error {
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
	case s.strict && c != ':':
		return errNoValue
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
		return errNoValue
	}
	s.at++
	v, err := s.expression()
	o[key] = v
	return err
}

func (s *Script) key() (string, error) {
	switch c := s.peek(); {
	case c == '"' || c == '\'':
		v, err := s.text()
		return Key(v), err
	case c == '[':
		s.at++
		v, err := s.expression()
		if err != nil || !s.take("]") {
			return "", errNoValue
		}
		return Key(v), nil
	case isNamePart(c):
		return s.name(), nil
	}
	return "", errNoValue
}

func (s *Script) array() (any, error) {
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
			return nil, errNoValue
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
			return nil, errNoValue
		}
	}
}
