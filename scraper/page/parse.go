package page

import (
	"bytes"
	"io"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/internal/turn"
)

// Parse reads a page. It never fails: any bytes are some page.
func Parse(body []byte, address *url.URL) *Document { return ParseAs(new(turn.Work), body, address) }

// ParseAs is Parse as a part of work, whose steps are taken by everything that is then asked about the page.
func ParseAs(work *turn.Work, body []byte, address *url.URL) *Document {
	d := newDocument(address)
	d.work = work
	root, err := html.ParseWithOptions(newStepping(work, body), html.ParseOptionEnableScripting(true))
	if err != nil { // nesting beyond the parser's own limit
		d.capped = true
		root = &html.Node{Type: html.DocumentNode}
	}
	d.root = root
	d.elements = make([]*element, 0, len(body)/64)
	b := &builder{Document: d, text: make([]byte, 0, len(body)*2/3), panels: panels{base: address}}
	b.walk(root, nil, 0)
	d.text, d.unfolded = string(b.text), b.panels.unfolded
	d.uncover()
	d.phrases = make(map[string]*phrase, len(d.elements)/8)
	d.leads = make(map[string]*lead, len(d.anchored))
	if d.body == nil {
		d.body = &element{node: &html.Node{Type: html.ElementNode, Data: "body"}, page: d}
	}
	return d
}

// WithoutFooters is the tree of the page, which has no footers until it is restored.
func (d *Document) WithoutFooters() (tree *html.Node, restore func()) {
	type place struct{ footer, parent, next *html.Node }
	var taken []place
	for n := range d.root.Descendants() {
		if n.DataAtom == atom.Footer {
			taken = append(taken, place{n, n.Parent, n.NextSibling})
		}
	}
	for _, p := range taken {
		p.parent.RemoveChild(p.footer)
	}
	return d.root, func() {
		for _, p := range slices.Backward(taken) {
			p.parent.InsertBefore(p.footer, p.next)
		}
	}
}

// uncover takes the whole page for no header, footer or menu, though it stands in one that is never closed.
func (d *Document) uncover() {
	for _, e := range d.elements {
		if !e.chrome || e.parent != nil && e.parent.chrome || !e.longer(leastSwallowed) || int(e.to-e.from)*10 < len(d.text)*9 {
			continue
		}
		e.chrome = false
		for _, k := range d.within(e) {
			k.chrome = k.parent.chrome || isChrome(k, attr(k.node, "role"))
		}
		return
	}
}

// leastSwallowed is how many characters a header has at least that may be a whole page.
const leastSwallowed = 1000

// stepping is a page of which every few bytes that are read are a step.
type stepping struct {
	work *turn.Work
	io.Reader
}

const bytesPerStep = 16

// newStepping reads a text of which every few bytes are a step of the work.
func newStepping(work *turn.Work, text []byte) io.Reader {
	return &stepping{work, bytes.NewReader(text)}
}

// Read reads on.
func (s *stepping) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	s.work.Step(n / bytesPerStep)
	return n, err
}

func newDocument(address *url.URL) *Document {
	d := &Document{
		Base: address, pageAt: address, work: new(turn.Work), classes: make(map[string]*className), hosts: make(map[string]hostFacts), tags: make(map[string]atom.Atom),
		signs: make(map[written]*sign), texts: make(map[string]*sign), phrases: make(map[string]*phrase),
	}
	d.ids, d.ownPlace, d.sections, d.mainText = sync.OnceValue(d.findIDs), sync.OnceValue(d.takeApart), sync.OnceValue(d.outline), sync.OnceValue(d.findMainText)
	d.noneSaid, d.closedMarks, d.owner = sync.OnceValue(d.findNone), sync.OnceValue(d.findClosedMarks), sync.OnceValue(d.findOwner)
	return d
}

// builder indexes a parsed page in one pass: its elements, and the text that each of them shows.
type builder struct {
	*Document

	slab  []element
	kids  []*element
	stack []*element // children of the elements that are being walked, so far
	text  []byte
	wide  offset // how many more bytes than characters the text has
	gap   bool   // white space comes before what is written next
	based bool   // the page has said what its relative links start from

	language string // of the page
	panels   panels
}

func (b *builder) walk(n *html.Node, parent *element, depth int) {
	first, others := len(b.stack), b.otherLanguages(n)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode && parent != nil:
			parent.own = parent.own || hasText(c.Data)
			if !parent.hidden && !parent.icon {
				parent.words += b.write(c.Data)
			}
			continue
		case c.Type != html.ElementNode:
			continue
		case len(b.elements) >= maxElements || depth >= maxDepth:
			b.capped = true
			b.settle(parent, first)
			return
		}
		e := b.element(c, parent)
		e.hidden = e.hidden || others[c]
		b.stack = append(b.stack, e)
		apart := e.hidden || e.icon || !isInline(c.DataAtom)
		b.gap = b.gap || apart
		e.from, e.wide = offsetOf(len(b.text)), b.wide
		b.walk(c, e, depth+1)
		e.to, e.wide = offsetOf(len(b.text)), b.wide-e.wide
		if e.from < e.to && b.text[e.from] == ' ' {
			e.from++
		}
		e.end = offsetOf(len(b.elements))
		b.gap = b.gap || apart
	}
	b.settle(parent, first)
}

// settle gives an element the children that were walked.
func (b *builder) settle(parent *element, first int) {
	if kids := b.stack[first:]; parent != nil && len(kids) > 0 {
		if len(b.kids) < len(kids) {
			b.kids = make([]*element, max(len(kids), 1024))
		}
		parent.kids = b.kids[:len(kids):len(kids)]
		for i, k := range kids {
			parent.kids[i], k.nth = k, offsetOf(i)
		}
		b.kids = b.kids[len(kids):]
	}
	b.stack = b.stack[:first]
}

// element is the next element in document order.
func (b *builder) element(n *html.Node, parent *element) *element {
	if len(b.slab) == 0 {
		b.slab = make([]element, 512)
	}
	e := &b.slab[0]
	b.slab = b.slab[1:]
	e.node, e.tag, e.parent, e.page, e.index = n, n.DataAtom, parent, b.Document, offsetOf(len(b.elements))
	var style, role string
	hidden, heading := false, false
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "class":
			e.class = b.className(a.Val)
			e.named = e.class.facts
		case "id":
			e.called = b.className(a.Val).facts
		case "style":
			style = a.Val
		case "hidden":
			hidden = a.Val != "until-found"
		case "role":
			role, e.with = a.Val, e.with|roleAttribute
			heading = role == "heading"
		case "href", "src":
		default:
			e.with |= attributesByName[a.Key]
		}
		if e.with |= anyAttribute; len(n.Attr[i].Val) >= minBlock {
			e.with |= dataAttribute
		}
	}
	if strings.Contains(style, "line-through") {
		e.named |= struckName
	}
	if e.level = headingLevel(n.DataAtom); heading && e.level == 0 {
		e.level = 3
	}
	hidden = hidden || e.named&hidingName != 0 || style != "" && hidesByStyle(style)
	e.hidden = parent != nil && parent.hidden || isUnseen(n) || e.named&absentName != 0 || hidden && !b.panels.opens(n)
	e.scripted = parent != nil && parent.scripted || e.with&scriptAttribute != 0
	e.beside = parent != nil && parent.beside || e.tag == atom.Aside || e.has(sidebarName) && e.tag != atom.Body
	e.chrome = parent != nil && parent.chrome || isChrome(e, role)
	e.icon = isIcon(e)
	b.elements = append(b.elements, e)
	b.note(e)
	return e
}

// note takes from an element what it says about the page as a whole.
func (b *builder) note(e *element) {
	if e.with&typeAttribute != 0 {
		b.typed = append(b.typed, e)
	}
	if e.with&dataAttribute != 0 || e.tag == atom.Script {
		b.laden = append(b.laden, e)
	}
	switch e.tag {
	case atom.Html:
		b.language = languageCode(attr(e.node, "lang"))
	case atom.A:
		b.anchored = append(b.anchored, e)
	case atom.Script:
		b.scripts = append(b.scripts, e)
	case atom.Body:
		if b.body == nil {
			b.body = e
		}
	case atom.Base:
		if href := attr(e.node, "href"); href != "" && !b.based {
			if u, err := b.Base.Parse(href); err == nil {
				b.Base, b.based = u, true
			}
		}
	case atom.Title:
		if b.title == "" && e.node.Namespace == "" {
			b.title = squeeze(rawText(e.node))
		}
	}
}

// write adds text, white space collapsed, invisible characters dropped. It returns how many characters that were.
func (b *builder) write(s string) offset {
	before, wide := len(b.text), b.wide
	for i := 0; i < len(s); {
		if n := plainLen(s[i:]); n > 0 {
			b.space()
			b.text = append(b.text, s[i:i+n]...)
			i += n
			continue
		}
		if s[i] < utf8.RuneSelf {
			b.gap = true
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case unicode.IsSpace(r):
			b.gap = true
		case isInvisible(r):
		default:
			b.space()
			b.text = utf8.AppendRune(b.text, r)
			b.wide += offsetOf(utf8.RuneLen(r) - 1)
		}
	}
	return offsetOf(len(b.text)-before) - (b.wide - wide)
}

// plainLen is how much of the beginning of a text is as it is to be written: ASCII with single spaces between words.
func plainLen(s string) int {
	for i := range len(s) {
		switch c := s[i]; {
		case c > ' ' && c < 0x7f:
		case c == ' ' && i > 0 && s[i-1] != ' ':
		case i > 0 && s[i-1] == ' ':
			return i - 1
		default:
			return i
		}
	}
	return len(strings.TrimSuffix(s, " "))
}

// space writes the white space that comes before the next character.
func (b *builder) space() {
	if b.gap && len(b.text) > 0 {
		b.text = append(b.text, ' ')
	}
	b.gap = false
}

func hasText(s string) bool {
	for i := range len(s) {
		if s[i] > ' ' {
			return s[i] < utf8.RuneSelf || strings.TrimSpace(s) != ""
		}
	}
	return false
}
