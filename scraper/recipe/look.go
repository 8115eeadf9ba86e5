package recipe

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/boardwatch/boardwatch/scraper/page"
)

// look is a page on which examples are looked for: its elements in document order, each with what generalising needs.
type look struct {
	*parsed

	all []*place
	at  map[*html.Node]*place
}

// place is one element of the page.
type place struct {
	node    *html.Node
	parent  *place
	tag     string
	id      string
	classes []string // those that a selector can name
	from    int      // in the document
	end     int
	depth   int
	nth     int // among its siblings, beginning with 1
	hidden  bool
	chrome  bool
	text    string // all that it shows, on one line
	folded  string
	key     string // see keyOf
	reads   int    // like the name of a role: 1, or -1; 0 until that was asked
	leads   string // memo of linkOf
	asked   bool   // whether leads is known
}

func newLook(p *parsed) *look {
	l := &look{parsed: p, at: make(map[*html.Node]*place, len(p.body)), all: make([]*place, 0, len(p.body))}
	for _, n := range p.body {
		e := &place{node: n, parent: l.at[n.Parent], tag: n.Data, hidden: p.tree.Hidden(n), chrome: p.tree.Chrome(n)}
		e.from, e.end = p.tree.Place(n)
		e.nth = 1
		for s := n.PrevSibling; s != nil; s = s.PrevSibling {
			if before := l.at[s]; before != nil {
				e.nth = before.nth + 1
				break
			}
		}
		if e.parent != nil {
			e.depth = e.parent.depth + 1
		}
		for _, a := range n.Attr {
			switch a.Key {
			case "id":
				if isName(a.Val) {
					e.id = a.Val
				}
			case "class":
				e.classes = classesOf(a.Val)
			}
		}
		l.at[n] = e
		l.all = append(l.all, e)
	}
	for _, e := range l.all {
		if e.end-e.from < maxHolds && !e.skipped(p) {
			e.text = strings.Join(p.tree.Lines(e.node, false, p.hidden), " ")
			e.folded, e.key = page.Fold(e.text), keyOf(e.text)
		}
	}
	return l
}

// maxHolds is how many elements something holds that is no title any more.
const maxHolds = 60

func (e *place) skipped(p *parsed) bool { return e.hidden && !p.hidden }

// contains reports whether o is e or inside it.
func (e *place) contains(o *place) bool { return o.from >= e.from && o.from < e.end }

// up is the ancestor so many steps above; nil past the body.
func (e *place) up(steps int) *place {
	for ; steps > 0 && e != nil; steps-- {
		e = e.parent
	}
	return e
}

// isName reports whether a selector can name the class or id as it is written, without escapes.
func isName(name string) bool {
	if name == "" || len(name) > 60 || name[0] >= '0' && name[0] <= '9' || name[0] == '-' {
		return false
	}
	for _, c := range name {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// classesOf are the classes of an element that say what it is, and not in which state it is at the moment.
func classesOf(value string) []string {
	var names []string
	for name := range strings.FieldsSeq(value) {
		if isName(name) && !slices.Contains(names, name) && !isState(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// isState reports whether a class says in which state an element is, or which of its siblings it is.
func isState(name string) bool {
	switch lower := strings.ToLower(name); lower {
	case "active", "open", "opened", "closed", "collapsed", "expanded", "show", "shown", "in", "first", "last", "odd", "even", "current", "selected", "visible", "clearfix":
		return true
	default:
		return strings.HasPrefix(lower, "aos-") || strings.HasPrefix(lower, "animate") || strings.HasPrefix(lower, "is-") || strings.HasPrefix(lower, "wow")
	}
}

// isMade reports whether a class or id was made by a program, and may be another one tomorrow: "css-1x2y3z", "sc-bdVaJa",
// "post-4711".
func isMade(name string) bool {
	digits, upper := 0, 0
	for _, c := range name {
		if c >= '0' && c <= '9' {
			digits++
		}
		if c >= 'A' && c <= 'Z' {
			upper++
		}
	}
	return digits >= 3 || digits >= 2 && len(name) <= 8 || strings.HasPrefix(name, "css-") || strings.HasPrefix(name, "sc-") || strings.HasPrefix(name, "jsx-") ||
		upper >= 2 && digits >= 1 && strings.Contains(name, "_")
}

// finds are the elements whose text is the example; none when it only stands within longer texts, which holding are. Of
// elements inside one another with the same text all count; of those that hold it, the innermost.
func (l *look) finds(example string) (exact, holding []*place) {
	wanted := page.Fold(strings.Join(strings.Fields(example), " "))
	key := keyOf(example)
	if key == "" {
		return nil, nil
	}
	for _, e := range l.all {
		switch {
		case e.key == key:
			exact = append(exact, e)
		case len(e.folded) > len(wanted) && len(e.folded) < 4*len(wanted)+400 && holds(e.folded, wanted):
			holding = append(holding, e)
		}
	}
	var innermost []*place
	for i, e := range holding {
		holds := i+1 < len(holding) && e.contains(holding[i+1])
		if first, _ := slices.BinarySearchFunc(exact, e.from, func(o *place, from int) int { return o.from - from }); first < len(exact) {
			holds = holds || e.contains(exact[first])
		}
		if !holds {
			innermost = append(innermost, e)
		}
	}
	return exact, innermost
}

// keyOf is a title as titles are compared: folded, without white space, which pages and people write as they like.
func keyOf(title string) string { return strings.Join(strings.Fields(page.Fold(title)), "") }

// holds reports whether a text holds another as whole words.
func holds(text, part string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], part)
		if at < 0 {
			return false
		}
		at += from
		if !wordAt(text, at-1) && !wordAt(text, at+len(part)) {
			return true
		}
		from = at + 1
	}
}

// wordAt reports whether the byte at a place is part of a word.
func wordAt(text string, i int) bool {
	if i < 0 || i >= len(text) {
		return false
	}
	c := text[i]
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 0x80
}
