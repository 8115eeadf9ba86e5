package script

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// text reads a string or a template without parts to fill in.
func (s *Script) text() (any, error) {
	quote := s.src[s.at]
	s.at++
	start := s.at
	for i := start; i < len(s.src); i++ {
		switch c := s.src[i]; {
		case c == quote:
			s.at = i + 1
			return s.src[start:i], nil
		case c == '\\', c == '$' && quote == '`':
			return s.escaped(quote, start)
		case c == '\n' && quote != '`':
			return nil, errNoValue
		}
	}
	return nil, errNoValue
}

func (s *Script) escaped(quote byte, start int) (any, error) {
	var b strings.Builder
	for i := start; i < len(s.src); i++ {
		c := s.src[i]
		switch {
		case c == quote:
			s.at = i + 1
			return b.String(), nil
		case c == '\n' && quote != '`':
			return nil, errNoValue
		case c == '$' && quote == '`' && strings.HasPrefix(s.src[i:], "${"):
			s.at = i + 2
			v, err := s.expression()
			if err != nil || !s.take("}") {
				return nil, errNoValue
			}
			if b.WriteString(Key(v)); b.Len() > maxText {
				return nil, errTooMuch
			}
			i = s.at - 1
		case c == '\\' && i+1 < len(s.src):
			r, size := unescape(s.src[i:])
			if r >= 0 {
				b.WriteRune(r)
			}
			i += size - 1
		default:
			b.WriteByte(c)
		}
	}
	return nil, errNoValue
}

// unescape is the character that an escape stands for, -1 when for none, and the escape's length.
func unescape(text string) (r rune, size int) {
	switch c := text[1]; c {
	case 'n':
		return '\n', 2
	case 't':
		return '\t', 2
	case 'r':
		return '\r', 2
	case 'b', 'f', 'v', '0':
		return ' ', 2
	case '\n':
		return -1, 2
	case 'x':
		return codePoint(text, 2, 2)
	case 'u':
		if strings.HasPrefix(text[2:], "{") {
			end := strings.IndexByte(text, '}')
			if end < 0 || end > 10 {
				return -1, 2
			}
			r, _ = codePoint(text, 3, end-3)
			return r, end + 1
		}
		r, size = codePoint(text, 2, 4)
		if r >= 0xd800 && r < 0xdc00 && strings.HasPrefix(text[size:], `\u`) {
			if low, n := codePoint(text[size:], 2, 4); low >= 0xdc00 && low < 0xe000 {
				return (r-0xd800)<<10 + (low - 0xdc00) + 0x10000, size + n
			}
		}
		return r, size
	default:
		r, n := utf8.DecodeRuneInString(text[1:])
		return r, 1 + n
	}
}

func codePoint(text string, from, digits int) (r rune, size int) {
	if len(text) < from+digits {
		return -1, 2
	}
	n, err := strconv.ParseUint(text[from:from+digits], 16, 32)
	if err != nil || n > utf8.MaxRune {
		return -1, 2
	}
	return rune(n), from + digits
}

// decodeURI is decodeURIComponent.
func decodeURI(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}
