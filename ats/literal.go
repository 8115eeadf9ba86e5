package ats

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
)

// literalJSON is the object or list that a script begins with, made JSON of: names in quotes, texts in double quotes, no comma
// before a closing bracket. It is not ok when the brackets do not close.
func literalJSON(script string) (document string, ok bool) {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(script); i++ {
		switch c := script[i]; {
		case c == '"' || c == '\'':
			text, end := literalText(script, i)
			if end < 0 {
				return "", false
			}
			b.WriteString(text)
			i = end
		case c == '[' || c == '{':
			depth++
			b.WriteByte(c)
		case c == ']' || c == '}':
			depth--
			closed := strings.TrimSuffix(strings.TrimRight(b.String(), " \t\r\n"), ",")
			b.Reset()
			b.WriteString(closed)
			b.WriteByte(c)
			if depth == 0 {
				return b.String(), true
			}
		case depth == 0:
			return "", false
		case isNameStart(c):
			end := i
			for end < len(script) && (isNameStart(script[end]) || script[end] >= '0' && script[end] <= '9') {
				end++
			}
			b.WriteString(literalName(script[i:end]))
			i = end - 1
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}

func isNameStart(c byte) bool {
	return c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// literalName is a bare word: a value of its own, or a name.
func literalName(word string) string {
	switch word {
	case "true", "false", "null":
		return word
	case "undefined":
		return "null"
	}
	return strconv.Quote(word)
}

// literalText is the text in quotes that begins at a place, as JSON, and where it ends; -1 when it does not.
func literalText(script string, start int) (text string, end int) {
	quote := script[start]
	var b strings.Builder
	for i := start + 1; i < len(script); i++ {
		c := script[i]
		switch {
		case c == quote:
			quoted, err := json.Marshal(b.String())
			if err != nil {
				return "", -1
			}
			return string(quoted), i
		case c != '\\':
			b.WriteByte(c)
		case i+1 < len(script):
			i += literalEscape(&b, script[i+1:])
		}
	}
	return "", -1
}

// literalEscape writes what an escape stands for, and returns how long it is behind its backslash. A letter outside the
// first plane is written as two.
func literalEscape(b *strings.Builder, escape string) int {
	r, length, ok := literalRune(escape)
	if ok && utf16.IsSurrogate(r) && strings.HasPrefix(escape[length:], `\u`) {
		if low, more, ok := literalRune(escape[length+1:]); ok {
			r, length = utf16.DecodeRune(r, low), length+1+more
		}
	}
	switch {
	case ok:
		b.WriteRune(r)
		return length
	case strings.ContainsRune("nrtbfv\n", rune(escape[0])):
		b.WriteByte(' ')
	default:
		b.WriteByte(escape[0])
	}
	return 1
}

// literalRune is the letter of an escape in numbers, u0041 or x41, and how long it is.
func literalRune(escape string) (r rune, length int, ok bool) {
	digits := map[byte]int{'u': 4, 'x': 2}[escape[0]]
	if digits == 0 || len(escape) <= digits {
		return 0, 0, false
	}
	n, err := strconv.ParseInt(escape[1:1+digits], 16, 32)
	if err != nil {
		return 0, 0, false
	}
	return rune(n), 1 + digits, true
}
