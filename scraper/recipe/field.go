package recipe

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Field says where in an entry a text stands. In JSON it is a selector, or an object.
type Field struct {
	// Select selects the element inside the entry; the first match counts. Empty is the entry itself.
	Select string `json:"select,omitempty"`
	// Above looks for the element before the entry, the nearest first: a heading above a group of entries, say.
	Above bool `json:"above,omitempty"`
	// Attribute takes the value of an attribute in place of the text.
	Attribute string `json:"attribute,omitempty"`
	// Own leaves out the text of elements inside the element.
	Own bool `json:"own,omitempty"`
	// Line takes only the line with this number, beginning with 1.
	Line int `json:"line,omitempty"`
	// After takes only the text after these characters, where they stand in it; Before, only that before them.
	After  string `json:"after,omitempty"`
	Before string `json:"before,omitempty"`
}

// whole is the JSON of a field that is more than a selector.
type whole Field

// none reports whether the field says nothing.
func (f Field) none() bool { return f == Field{} }

// MarshalJSON writes a selector as a text, and anything more as an object.
func (f Field) MarshalJSON() ([]byte, error) {
	if f == (Field{Select: f.Select}) {
		return json.Marshal(f.Select)
	}
	return json.Marshal(whole(f))
}

// UnmarshalJSON reads either.
func (f *Field) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		*f = Field{}
		return json.Unmarshal(text, &f.Select)
	}
	return decode(text, (*whole)(f))
}

func (f Field) validate(name string) error {
	if f.Line < 0 || f.Line > 100 {
		return &Error{name, "has a line that must be between 1 and 100"}
	}
	if len(f.After) > maxText || len(f.Before) > maxText || len(f.Attribute) > 100 {
		return &Error{name, "has a text that is too long"}
	}
	if f.Above && f.Select == "" {
		return &Error{name, `needs "select" beside "above"`}
	}
	if f.Select == "" {
		return nil
	}
	_, err := compile(name, f.Select, false)
	return err
}

// selector is a compiled selector.
type selector = cascadia.SelectorGroup

// compile compiles the selector of a field. One that picks elements out of the whole page must not match any element.
func compile(field, text string, page bool) (selector, error) {
	if len(text) > maxSelector {
		return nil, &Error{field, "has a selector that is too long"}
	}
	for _, slow := range [...]string{":has", ":contains", ":matches"} {
		if strings.Contains(strings.ToLower(text), slow) {
			return nil, &Error{field, "must not use " + slow + ", which takes too long on a large page"}
		}
	}
	s, err := cascadia.ParseGroup(text)
	if err != nil {
		return nil, &Error{field, "is not a CSS selector: " + err.Error()}
	}
	if page && matchesAnything(s) {
		return nil, &Error{field, "has a selector that matches every element; name a tag, a class or an attribute"}
	}
	return s, nil
}

// matchesAnything reports whether a selector matches the page itself, or an element of which nothing is known.
func matchesAnything(s selector) bool {
	unknown := &html.Node{Type: html.ElementNode, Data: "x-unknown"}
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	root := &html.Node{Type: html.ElementNode, Data: "html", DataAtom: atom.Html}
	root.AppendChild(body)
	body.AppendChild(unknown)
	(&html.Node{Type: html.DocumentNode}).AppendChild(root)
	for _, n := range [...]*html.Node{root, body, unknown} {
		if s.Match(n) {
			return true
		}
	}
	return false
}

// reader is a field made ready to be read.
type reader struct {
	Field

	selects selector     // nil for the entry itself
	heads   []*html.Node // with Above: all elements of the page that may be it
}

func (f Field) reader(name string, p *parsed) (reader, error) {
	if f.Select == "" {
		return reader{Field: f}, nil
	}
	s, err := compile(name, f.Select, false)
	r := reader{Field: f, selects: s}
	if err == nil && f.Above {
		r.heads = slices.DeleteFunc(p.matches(p.tree.Root(), s), func(n *html.Node) bool { return !p.hidden && p.tree.Hidden(n) })
	}
	return r, err
}

// find is the element of the field in an entry; nil when there is none.
func (r reader) find(e entry, p *parsed) *html.Node {
	if r.selects == nil {
		return e.nodes[0]
	}
	if r.Above {
		return p.above(e, r.heads)
	}
	for _, n := range e.nodes {
		for _, found := range p.matches(n, r.selects) {
			if p.hidden || !p.tree.Hidden(found) {
				return found
			}
		}
	}
	return nil
}

// text is the field of an entry; "" when it has none.
func (r reader) text(e entry, p *parsed) string {
	n := r.find(e, p)
	if n == nil {
		return ""
	}
	return r.of(n, p)
}

// of is the field's text in its element.
func (r reader) of(n *html.Node, p *parsed) string {
	if r.Attribute != "" {
		return r.cut(strings.TrimSpace(attribute(n, r.Attribute)))
	}
	lines := p.tree.Lines(n, r.Own, p.hidden)
	if r.Line > len(lines) {
		return ""
	}
	if r.Line > 0 {
		lines = lines[r.Line-1 : r.Line]
	}
	return r.cut(strings.Join(lines, " "))
}

// cut is the part of a text that the field takes.
func (f Field) cut(text string) string {
	if f.After != "" {
		if _, after, found := strings.Cut(text, f.After); found {
			text = after
		}
	}
	if f.Before != "" {
		if before, _, found := strings.Cut(text, f.Before); found {
			text = before
		}
	}
	return strings.Trim(text, " |·•»›→>-–—,;")
}

// address is where the field of an entry leads, as it is written; "" when it leads nowhere.
func (r reader) address(e entry, p *parsed) string {
	n := r.find(e, p)
	if n == nil {
		return ""
	}
	if r.Attribute != "" {
		if u := p.tree.Resolve(r.of(n, p)); u != nil {
			return u.String()
		}
		return ""
	}
	if u := p.tree.Link(n); u != nil {
		return u.String()
	}
	return ""
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
