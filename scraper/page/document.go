package page

import (
	"iter"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/turn"
	"github.com/boardwatch/boardwatch/scraper/page/judge"
)

// Limits of one page. A page beyond them is read as far as they go, and the reading is then partial.
const (
	maxElements = 150_000
	maxDepth    = 400
	MaxPostings = 5_000
	maxText     = 32 << 10 // of one element; longer texts are not looked at to their end
)

// offset is a place in the order of a page's elements, or in its text. Elements hold many, so they are small.
type offset int32

// offsetOf returns a length as an offset. The limit on the memory of a page keeps all lengths far below two billion.
func offsetOf(length int) offset { return offset(length) } //nolint:gosec // see above

// element is one element of a page, with what reading needs to know about it.
type element struct {
	node     *html.Node
	page     *Document
	parent   *element
	kids     []*element
	class    *className
	tag      atom.Atom
	named    facts      // what its class says about it
	called   facts      // what its id says about it
	with     attributes // those that reading asks for often
	level    int8       // of a heading, 1 to 6; 0 for anything else
	own      bool       // has text of its own, not only that of its children
	hidden   bool       // not shown as the page stands
	scripted bool       // a script decides if it is shown
	icon     bool       // its text is the name of a picture
	chrome   bool       // navigation, banner, footer, cookie notice: not the page's own matter
	beside   bool       // in a column beside the page's matter, whose headings govern nothing outside it
	from     offset     // the text that it shows, in the document's
	to       offset
	wide     offset // how many more bytes than characters that are
	words    offset // the length of the text that is its own
	index    offset // place in document order
	end      offset // first place after its descendants
	nth      offset // place among the children of its parent

	phrase *phrase // memo of what its text is
	sign   *sign   // memo of signature
}

// Document is a parsed page as a list of elements in document order.
type Document struct {
	Base     *url.URL // what relative links start from
	pageAt   *url.URL // the page's own
	work     *turn.Work
	model    *judge.Model // what judges its lists; nil: the one that the program carries
	root     *html.Node
	elements []*element
	scripts  []*element
	typed    []*element // those that say what kind of thing they are about
	laden    []*element // those that may carry data: scripts, and those with a long attribute
	anchored []*element // links, and what is written like one
	body     *element
	title    string
	text     string // all that the page shows, white space collapsed; elements point into it
	capped   bool   // the page is larger than the limits
	unfolded bool   // the further entries of its list, behind a button, are on the page
	unsure   bool   // a text may be a role or the place of one

	contested bool // rules and judge do not agree that these are the roles

	long    []*element   // texts that are too long for a title, unless they are entries of a list of roles
	closed  []*candidate // what the page itself calls closed
	above   []string     // texts that may be titles, but stand above several roles
	twins   []*group     // lists that show the same roles once more
	weighed []*group     // every list that could be the roles

	// What is found out once, when it is first asked for.
	ids         func() map[string]*element // the first element with each id
	ownPlace    func() *ownPlace           // the page's own address, taken apart
	sections    func() *outline            // the parts of the page
	mainText    func() string              // the page's visible text without navigation and footer
	noneSaid    func() *element            // what says that there are no open roles; nil when nothing does
	closedMarks func() []*element          // what says that a role is no longer open, in document order
	owner       func() string              // the name of the page's site

	ofJobs  answer                // memo of AboutJobs
	answers map[question]bool     // memo of what many elements ask about one
	firsts  map[*element]*element // by table: its first row

	classes map[string]*className
	hosts   map[string]hostFacts
	leads   map[string]*lead     // by the address as it is written
	tags    map[string]atom.Atom // numbers of tags that package atom does not know
	strange atom.Atom            // the last of these
	signs   map[written]*sign
	texts   map[string]*sign // the same by their texts
	phrases map[string]*phrase
	fresh   []phrase                     // room for more of them
	labels  map[string]*boardwatch.Facts // what short texts on cards state, as far as it was asked; nil is nothing
	ending  map[form]int                 // of short elements: how many more end in a sign like a colon than do not
}

// question is what many elements ask about one, such as that which holds them all.
type question struct {
	about *element
	what  string
	class *className
}

// ask answers a question about an element and remembers the answer.
func (q question) ask(find func() bool) bool {
	d := q.about.page
	answer, known := d.answers[q]
	if !known {
		if d.answers == nil {
			d.answers = make(map[question]bool)
		}
		answer = find()
		d.answers[q] = answer
	}
	return answer
}

// withID is the first element with that id; nil when there is none.
func (d *Document) withID(id string) *element { return d.ids()[id] }

func (d *Document) findIDs() map[string]*element {
	ids := make(map[string]*element)
	for _, e := range d.all() {
		name := attr(e.node, "id")
		if name == "" && e.tag == atom.A {
			name = attr(e.node, "name")
		}
		if name != "" && ids[name] == nil {
			ids[name] = e
		}
	}
	return ids
}

// contains reports whether o is e or inside it.
func (e *element) contains(o *element) bool { return o.index >= e.index && o.index < e.end }

// countBefore counts, for each place in the document, how many of some elements stand before it.
func (d *Document) countBefore(elements iter.Seq[*element]) []offset {
	n := make([]offset, len(d.elements)+1)
	for e := range elements {
		n[e.index+1]++
	}
	for i := 1; i < len(n); i++ {
		n[i] += n[i-1]
	}
	return n
}

// elementsOf are the elements of some candidates.
func elementsOf(items []*candidate) iter.Seq[*element] {
	return func(yield func(*element) bool) {
		for _, c := range items {
			if !yield(c.element) {
				return
			}
		}
	}
}

// visibleText is the text that e shows, white space collapsed; <br> and blocks separate words. Reading it takes a step.
func (e *element) visibleText() string {
	e.page.work.Step(1)
	if e.hidden || e.icon {
		return e.iconText()
	}
	return e.page.text[e.from:e.to]
}

// iconText is the name of the picture that e is; "" when e is hidden.
func (e *element) iconText() string {
	if e.hidden {
		return ""
	}
	return squeeze(rawText(e.node))
}

// shows reports whether what e shows is a part of the page's text.
func (e *element) shows() bool { return !e.hidden && !e.icon }

// longer reports whether e shows more than n characters.
func (e *element) longer(n int) bool {
	if e.hidden || e.icon {
		return longer(e.iconText(), n)
	}
	return int(e.to-e.from-e.wide) > n
}

// textWithout is the text that e shows, leaving out the elements that skip names.
func (e *element) textWithout(skip func(*element) bool) string {
	var b strings.Builder
	e.appendText(&b, skip)
	return squeeze(b.String())
}

func (e *element) appendText(b *strings.Builder, skip func(*element) bool) {
	next := 0
	for c := e.node.FirstChild; c != nil && b.Len() < maxText; c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			b.WriteString(c.Data)
		case html.ElementNode:
			if next >= len(e.kids) {
				return
			}
			k := e.kids[next]
			next++
			if k.hidden || k.icon || skip != nil && skip(k) {
				b.WriteByte(' ')
				continue
			}
			gap := !isInline(c.DataAtom)
			if gap {
				b.WriteByte(' ')
			}
			k.appendText(b, skip)
			if gap {
				b.WriteByte(' ')
			}
		default:
		}
	}
}

// closest is the nearest of e and its ancestors with the tag, or nil.
func (e *element) closest(tag atom.Atom) *element {
	for ; e != nil; e = e.parent {
		if e.tag == tag {
			return e
		}
	}
	return nil
}

// within lists the elements inside e, in document order, e itself left out.
func (d *Document) within(e *element) []*element {
	if e.end <= e.index {
		return nil
	}
	return d.between(e.index+1, e.end)
}

// all are the elements of the page, in document order. Who asks for elements takes a step for each.
func (d *Document) all() []*element { return d.between(0, offsetOf(len(d.elements))) }

// between are the elements from a place in the document to another.
func (d *Document) between(from, to offset) []*element {
	elements := d.elements[from:to]
	d.work.Step(len(elements))
	return elements
}

func attr(n *html.Node, key string) string {
	for i := range n.Attr {
		if a := &n.Attr[i]; a.Key == key {
			return a.Val
		}
	}
	return ""
}

func hasAttr(n *html.Node, key string) bool {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return true
		}
	}
	return false
}

// rawText is all text below a node, shown or not.
func rawText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// longer reports whether a text has more than n characters.
func longer(text string, n int) bool {
	return len(text) > n && (len(text) > 4*n || utf8.RuneCountInString(text) > n)
}

// squeeze collapses white space and drops invisible characters.
func squeeze(s string) string {
	if squeezed(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			gap = b.Len() > 0
		case isInvisible(r):
		default:
			if gap {
				b.WriteByte(' ')
				gap = false
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

// squeezed reports whether there is nothing to collapse or drop, as in most texts.
func squeezed(s string) bool {
	space := true
	for _, r := range s {
		switch {
		case r == ' ' && space, r < ' ', r >= 0x7f && (unicode.IsSpace(r) || isInvisible(r) || r == utf8.RuneError):
			return false
		default:
			space = r == ' '
		}
	}
	return s == "" || !space
}

func isInvisible(r rune) bool {
	switch r {
	case '\u00ad', '\u200b', '\u200c', '\u200e', '\u200f', '\u2060', '\ufeff':
		return true
	}
	return false
}

func headingLevel(tag atom.Atom) int8 {
	switch tag {
	case atom.H1:
		return 1
	case atom.H2:
		return 2
	case atom.H3:
		return 3
	case atom.H4:
		return 4
	case atom.H5:
		return 5
	case atom.H6:
		return 6
	}
	return 0
}

func isInline(a atom.Atom) bool {
	switch a {
	case atom.A, atom.Span, atom.B, atom.Strong, atom.Em, atom.I, atom.Small, atom.Font, atom.U, atom.Mark, atom.Sup,
		atom.Sub, atom.Abbr, atom.Code, atom.Wbr, atom.Label, atom.Time, atom.Big, atom.Bdi, atom.Q, atom.S:
		return true
	}
	return false
}

// JudgeBy sets the model that judges the page's lists, instead of the one that the program carries.
func (d *Document) JudgeBy(m *judge.Model) { d.model = m }
