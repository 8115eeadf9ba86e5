package scraper

import (
	"bytes"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Limits of one page. A page beyond them is read as far as they go, and the reading is then partial.
const (
	maxElements = 150_000
	maxDepth    = 400
	maxPostings = 5_000
	maxText     = 32 << 10 // of one element; longer texts are not looked at to their end
)

// element is one element of a page, with what reading needs to know about it.
type element struct {
	node   *html.Node
	parent *element
	kids   []*element
	class  string
	id     string
	named  facts // what its class says about it
	called facts // what its id says about it
	index  int   // place in document order
	end    int   // first place after its descendants
	level  int   // of a heading, 1 to 6; 0 for anything else
	hidden bool  // not shown as the page stands
	chrome bool  // navigation, banner, footer, cookie notice: not the page's own matter
	icon   bool  // its text is the name of a picture
	own    bool  // has text of its own, not only that of its children
	words  int   // the length of that text
	page   *document
	from   int // the text that it shows, in the document's
	to     int
	phrase *phrase // memo of what its text is
	leads  *lead   // memo of lead
}

// document is a parsed page as a list of elements in document order.
type document struct {
	url      *url.URL // what relative links start from
	root     *html.Node
	elements []*element
	body     *element
	title    string
	text     string // all that the page shows, white space collapsed; elements point into it
	capped   bool   // the page is larger than the limits

	classes map[string]className
	phrases map[string]*phrase
	signs   map[sign]string
}

// parse reads a page. It never fails: any bytes are some page.
func parse(body []byte, address *url.URL) *document {
	d := &document{url: address, classes: make(map[string]className), phrases: make(map[string]*phrase), signs: make(map[sign]string)}
	root, err := html.ParseWithOptions(bytes.NewReader(body), html.ParseOptionEnableScripting(true))
	if err != nil { // nesting beyond the parser's own limit
		d.capped = true
		root = &html.Node{Type: html.DocumentNode}
	}
	d.root = root
	d.elements = make([]*element, 0, len(body)/48)
	b := &builder{document: d, text: make([]byte, 0, len(body)/2)}
	b.walk(root, nil, 0)
	d.text = string(b.text)
	for _, e := range d.elements {
		switch e.node.DataAtom {
		case atom.Body:
			if d.body == nil {
				d.body = e
			}
		case atom.Base:
			if u, err := address.Parse(attr(e.node, "href")); err == nil && attr(e.node, "href") != "" && d.url == address {
				d.url = u
			}
		case atom.Title:
			if d.title == "" && e.parent != nil && e.parent.node.DataAtom == atom.Head {
				d.title = squeeze(rawText(e.node))
			}
		}
	}
	if d.body == nil {
		d.body = &element{node: &html.Node{Type: html.ElementNode, Data: "body"}, page: d}
	}
	return d
}

// builder indexes a parsed page in one pass: its elements, and the text that each of them shows.
type builder struct {
	*document
	slab []element
	kids []*element
	text []byte
	gap  bool // white space comes before what is written next
}

func (b *builder) walk(n *html.Node, parent *element, depth int) {
	children := 0
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			children++
		}
	}
	kids := b.room(children)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode && parent != nil {
			parent.own = parent.own || hasText(c.Data)
			if !parent.hidden && !parent.icon {
				parent.words += b.write(c.Data)
			}
		}
		if c.Type != html.ElementNode {
			continue
		}
		if len(b.elements) >= maxElements || depth >= maxDepth {
			b.capped = true
			break
		}
		e := b.element(c, parent)
		kids = append(kids, e)
		apart := e.hidden || e.icon || !isInline(c.DataAtom)
		b.gap = b.gap || apart
		e.from = len(b.text)
		b.walk(c, e, depth+1)
		if e.to = len(b.text); e.from < e.to && b.text[e.from] == ' ' {
			e.from++
		}
		e.end = len(b.elements)
		b.gap = b.gap || apart
	}
	if parent != nil {
		parent.kids = kids
	}
}

// element is the next element in document order.
func (b *builder) element(n *html.Node, parent *element) *element {
	if len(b.slab) == 0 {
		b.slab = make([]element, 512)
	}
	e := &b.slab[0]
	b.slab = b.slab[1:]
	e.node, e.parent, e.page, e.index = n, parent, b.document, len(b.elements)
	var style, role string
	hidden, heading := false, false
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "class":
			name := b.className(a.Val)
			e.class, e.named = a.Val, name.facts
		case "id":
			e.id = a.Val
			e.called = b.className(a.Val).facts
		case "style":
			style = a.Val
		case "hidden":
			hidden = a.Val != "until-found"
		case "role":
			role = a.Val
			heading = role == "heading"
		}
	}
	if e.level = headingLevel(n.DataAtom); heading && e.level == 0 {
		e.level = 3
	}
	e.hidden = parent != nil && parent.hidden || hidden || e.named&hidingName != 0 || isUnseen(n) || style != "" && hidesByStyle(style)
	e.chrome = parent != nil && parent.chrome || isChrome(e, role)
	e.icon = isIcon(e)
	b.elements = append(b.elements, e)
	return e
}

// room is space for so many children.
func (b *builder) room(n int) []*element {
	if n == 0 {
		return nil
	}
	if len(b.kids) < n {
		b.kids = make([]*element, max(n, 1024))
	}
	room := b.kids[:0:n]
	b.kids = b.kids[n:]
	return room
}

// write adds text, white space collapsed, invisible characters dropped. It returns how many characters that were.
func (b *builder) write(s string) int {
	before, wide := len(b.text), 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			if c <= ' ' || c == 0x7f {
				b.gap = true
				continue
			}
			if b.gap {
				b.space()
			}
			b.text = append(b.text, c)
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case unicode.IsSpace(r):
			b.gap = true
		case isInvisible(r):
		default:
			if b.gap {
				b.space()
			}
			b.text = utf8.AppendRune(b.text, r)
			wide += size - 1
		}
	}
	return len(b.text) - before - wide
}

func (b *builder) space() {
	if b.gap = false; len(b.text) > 0 {
		b.text = append(b.text, ' ')
	}
}

func hasText(s string) bool {
	for i := range len(s) {
		if s[i] > ' ' {
			return s[i] < utf8.RuneSelf || strings.TrimSpace(s) != ""
		}
	}
	return false
}

// contains reports whether o is e or inside it.
func (e *element) contains(o *element) bool { return o.index >= e.index && o.index < e.end }

// visibleText is the text that e shows, white space collapsed; <br> and blocks separate words.
func (e *element) visibleText() string {
	switch {
	case e.hidden:
		return ""
	case e.icon:
		return squeeze(rawText(e.node))
	}
	return e.page.text[e.from:e.to]
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
		if e.node.DataAtom == tag {
			return e
		}
	}
	return nil
}

// within lists the elements inside e, in document order, e itself left out.
func (d *document) within(e *element) []*element {
	if e.end <= e.index {
		return nil
	}
	return d.elements[e.index+1 : e.end]
}

// link is the address an anchor leads to, or nil when it leads to no page.
func (d *document) link(a *element) *url.URL {
	if a.node.DataAtom != atom.A {
		return nil
	}
	if l := a.lead(); l != nil {
		return l.url
	}
	return nil
}

// lead is where a link leads, with what its address says.
type lead struct {
	url    *url.URL
	key    string // its canonical form
	job    bool   // it looks like the address of a role
	other  bool   // it looks like the address of other matter
	social bool
}

// nowhere is the lead of what leads to no page.
//
//nolint:gochecknoglobals // a constant
var nowhere = &lead{}

func (d *document) newLead(u *url.URL) *lead {
	return &lead{url: u, key: canonical(u), job: jobLike(u, d.url), other: otherMatter(u), social: isSocial(u)}
}

// lead is where e leads, found out once; nil when it leads to no page.
func (e *element) lead() *lead {
	if e.leads == nil {
		e.leads = nowhere
		if e.node.DataAtom == atom.A {
			if u := resolve(e.page.url, attr(e.node, "href")); u != nil {
				e.leads = e.page.newLead(u)
			}
		}
	}
	if e.leads == nowhere {
		return nil
	}
	return e.leads
}

// resolve makes a link's address absolute; nil when it leads to no page: a script, a mailbox, a place on this page.
func resolve(base *url.URL, href string) *url.URL {
	href = strings.TrimSpace(href)
	if href == "" || href[0] == '#' || len(href) > 2000 || strings.Contains(href, "{{") {
		return nil
	}
	u, err := base.Parse(href)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil
	}
	return u
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func hasAttr(n *html.Node, key string) bool {
	for _, a := range n.Attr {
		if a.Key == key {
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
	s = strings.Map(func(r rune) rune {
		if isInvisible(r) {
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// squeezed reports whether s is so already: the common case, which costs no copy.
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

func headingLevel(tag atom.Atom) int {
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
