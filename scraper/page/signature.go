package page

import (
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"
)

// sign is how elements are written, one for all that are written alike.
type sign struct{ text string }

// written is what tells how an element is written.
type written struct {
	tags    [5]atom.Atom
	classes [2]*className
	column  int // of the table that it stands in
}

// signature is how an element is written: its tag and classes, its parent's, and the tags above.
func (e *element) signature() *sign {
	if e.sign != nil {
		return e.sign
	}
	var w written
	for i, p := 0, e; p != nil && i < len(w.tags); i, p = i+1, p.parent {
		w.tags[i] = p.tagNumber()
		if (p.tag == atom.Td || p.tag == atom.Th) && w.column == 0 {
			w.column = p.column() + 1
		}
		if i < len(w.classes) {
			w.classes[i] = p.class
		}
	}
	s, known := e.page.signs[w]
	if !known {
		text := e.written(w)
		if s, known = e.page.texts[text]; !known {
			s = &sign{text}
			e.page.texts[text] = s
		}
		e.page.signs[w] = s
	}
	e.sign = s
	return s
}

// tagNumber is a number for the name of e's tag: that of package atom, or, for names that it does not know, another.
func (e *element) tagNumber() atom.Atom {
	if e.tag != 0 {
		return e.tag
	}
	d, name := e.page, e.node.Data
	number, known := d.tags[name]
	if !known {
		d.strange--
		number = d.strange
		d.tags[name] = number
	}
	return number
}

// written is the text of a signature.
func (e *element) written(w written) string {
	var b strings.Builder
	p := e
	for i := range w.tags {
		if p != nil {
			b.WriteString(p.node.Data)
			if i < len(w.classes) && p.class != nil {
				b.WriteString(p.class.stable)
			}
			p = p.parent
		}
		b.WriteByte('<')
	}
	if w.column > 0 {
		b.WriteString(strconv.Itoa(w.column))
	}
	return b.String()
}

// stableClass reports whether a class says how an element is written, not which one it is or what state it is in.
func stableClass(token string) bool {
	if strings.ContainsAny(token, "0123456789") {
		return false
	}
	switch token {
	case "active", "open", "odd", "even", "first", "last", "show", "collapsed", "current", "selected", "is-active", "new":
		return false
	}
	return true
}
