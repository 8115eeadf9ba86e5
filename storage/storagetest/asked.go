package storagetest

import (
	"bytes"
	"maps"
	"slices"
	"sync"

	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// Asked are the statements that stores ask of a database, one of each kind: those that differ in their values alone are of
// one kind. The zero value is ready to use.
type Asked struct {
	mu    sync.Mutex
	kinds map[string]driver.Statement
}

// Note remembers a statement if it is the first of its kind.
func (a *Asked) Note(text string, args []any) {
	kind := kindOf(text)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.kinds == nil {
		a.kinds = map[string]driver.Statement{}
	}
	if _, known := a.kinds[kind]; !known {
		a.kinds[kind] = driver.Statement{Text: text, Args: slices.Clone(args)}
	}
}

// byKind are the statements, in the order of their kinds.
func (a *Asked) byKind(f func(kind string, s driver.Statement)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, kind := range slices.Sorted(maps.Keys(a.kinds)) {
		f(kind, a.kinds[kind])
	}
}

// kindOf is a statement without its values. A list of values is one value, and so is a list of rows.
func kindOf(text string) string {
	kind := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\'':
			i = afterQuoted(text, i)
			kind = appendValue(kind)
		case c == '?' || c == '$' || isDigit(c) && !endsInWord(kind):
			for i++; i < len(text) && isDigit(text[i]); i++ {
			}
			kind = appendValue(kind)
		case c == ' ' || c == '\n' || c == '\t':
			if len(kind) > 0 && kind[len(kind)-1] != ' ' {
				kind = append(kind, ' ')
			}
			i++
		default:
			kind = append(kind, c)
			for _, row := range []string{", (?)", ",(?)"} {
				if bytes.HasSuffix(kind, []byte("(?)"+row)) {
					kind = kind[:len(kind)-len(row)]
				}
			}
			i++
		}
	}
	return string(bytes.TrimSpace(kind))
}

func appendValue(kind []byte) []byte {
	for _, before := range []string{"?, ", "?,"} {
		if bytes.HasSuffix(kind, []byte(before)) {
			return kind[:len(kind)-len(before)+1]
		}
	}
	return append(kind, '?')
}

// afterQuoted is where a quoted text ends that begins at i.
func afterQuoted(text string, i int) int {
	for i++; i < len(text); i++ {
		if text[i] == '\'' {
			if i+1 == len(text) || text[i+1] != '\'' {
				return i + 1
			}
			i++
		}
	}
	return i
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// endsInWord reports whether a digit that follows belongs to a name.
func endsInWord(kind []byte) bool {
	if len(kind) == 0 {
		return false
	}
	c := kind[len(kind)-1]
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || isDigit(c)
}
