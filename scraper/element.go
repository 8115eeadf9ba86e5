package scraper

import (
	"bytes"
	"net/url"
	"strings"

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
	index  int // place in document order
	end    int // first place after its descendants
	depth  int
	level  int    // of a heading, 1 to 6; 0 for anything else
	hidden bool   // not shown as the page stands
	chrome bool   // navigation, banner, footer, cookie notice: not the page's own matter
	own    bool   // has text of its own, not only that of its children
	text   string // memo of visibleText
	known  bool   // text is valid
}

// document is a parsed page as a list of elements in document order.
type document struct {
	url      *url.URL // what relative links start from
	root     *html.Node
	elements []*element
	body     *element
	title    string
	capped   bool // the page is larger than the limits
}

// parse reads a page. It never fails: any bytes are some page.
func parse(body []byte, address *url.URL) *document {
	d := &document{url: address}
	root, err := html.ParseWithOptions(bytes.NewReader(body), html.ParseOptionEnableScripting(true))
	if err != nil { // nesting beyond the parser's own limit
		d.capped = true
		root = &html.Node{Type: html.DocumentNode}
	}
	d.root = root
	d.elements = make([]*element, 0, 1024)
	d.walk(root, nil, 0)
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
		d.body = &element{node: &html.Node{Type: html.ElementNode, Data: "body"}}
	}
	return d
}

func (d *document) walk(n *html.Node, parent *element, depth int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode && parent != nil && !parent.own && strings.TrimSpace(c.Data) != "" {
			parent.own = true
		}
		if c.Type != html.ElementNode {
			continue
		}
		if len(d.elements) >= maxElements || depth >= maxDepth {
			d.capped = true
			return
		}
		e := &element{node: c, parent: parent, index: len(d.elements), depth: depth, level: headingLevel(c)}
		e.hidden = parent != nil && parent.hidden || hides(c)
		e.chrome = parent != nil && parent.chrome || isChrome(c, parent)
		if parent != nil {
			parent.kids = append(parent.kids, e)
		}
		d.elements = append(d.elements, e)
		d.walk(c, e, depth+1)
		e.end = len(d.elements)
	}
}

// contains reports whether o is e or inside it.
func (e *element) contains(o *element) bool { return o.index >= e.index && o.index < e.end }

// visibleText is the text that e shows, white space collapsed; <br> and blocks separate words.
func (e *element) visibleText() string {
	if !e.known {
		var b strings.Builder
		if !e.hidden {
			e.appendText(&b, nil)
		}
		e.text, e.known = squeeze(b.String()), true
	}
	return e.text
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
			if k.hidden || isIcon(k.node) || skip != nil && skip(k) {
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
	return resolve(d.url, attr(a.node, "href"))
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

// squeeze collapses white space and drops invisible characters.
func squeeze(s string) string {
	if squeezed(s) {
		return s
	}
	s = strings.Map(func(r rune) rune {
		switch r {
		case '\u00ad', '\u200b', '\u200c', '\u200e', '\u200f', '\u2060', '\ufeff':
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// squeezed reports whether s is printable ASCII with single inner spaces: the common case, which costs no copy.
func squeezed(s string) bool {
	space := true
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ' && space, c < ' ', c >= 0x7f:
			return false
		default:
			space = c == ' '
		}
	}
	return s == "" || !space
}

func headingLevel(n *html.Node) int {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return int(n.Data[1] - '0')
	}
	if attr(n, "role") == "heading" {
		return 3
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

// hides reports whether an element and all in it is not shown, or is no text of the page.
func hides(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Svg, atom.Select, atom.Datalist, atom.Iframe,
		atom.Object, atom.Textarea, atom.Canvas, atom.Audio, atom.Video, atom.Head, atom.Math, atom.Dialog:
		return n.DataAtom != atom.Dialog || !hasAttr(n, "open")
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return a.Val != "until-found"
		case "style":
			if style := strings.ReplaceAll(strings.ToLower(a.Val), " ", ""); strings.Contains(style, "display:none") ||
				strings.Contains(style, "visibility:hidden") {
				return true
			}
		case "class":
			if hidingClass(a.Val) {
				return true
			}
		}
	}
	return false
}

// hidingClass reports whether a class hides on every screen. A class that hides on small screens only comes with one
// that shows again on larger ones ("hidden md:flex", "d-none d-lg-block").
func hidingClass(class string) bool {
	hiding := false
	for token := range strings.FieldsSeq(class) {
		switch strings.ToLower(token) {
		case "sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "hidden", "d-none", "hide", "is-hidden",
			"hide-div", "invisible", "display-none", "w-condition-invisible", "u-hidden", "visibility--hidden", "element-invisible":
			hiding = true
		default:
			if strings.HasPrefix(token, "d-") && strings.Count(token, "-") == 2 || strings.Contains(token, ":") &&
				!strings.HasSuffix(token, ":hidden") && showsAgain(token[strings.LastIndexByte(token, ':')+1:]) {
				return false
			}
		}
	}
	return hiding
}

func showsAgain(utility string) bool {
	switch utility {
	case "block", "flex", "grid", "inline", "inline-block", "inline-flex", "table", "table-row", "table-cell", "visible",
		"not-sr-only", "contents":
		return true
	}
	return false
}

// isIcon reports whether an element's text is the name of a picture in an icon font, or a mark for the eye only.
func isIcon(n *html.Node) bool {
	for token := range strings.FieldsSeq(attr(n, "class")) {
		switch token {
		case "material-icons", "material-icons-outlined", "material-symbols-outlined", "material-symbols-rounded",
			"material-icons-round", "icon", "icons", "glyphicon", "fa", "fas", "far", "fab", "svg-icon":
			return n.FirstChild == nil || n.FirstChild.Type == html.TextNode && len(n.FirstChild.Data) <= 40 && isInline(n.DataAtom)
		}
	}
	return attr(n, "aria-hidden") == "true" && n.FirstChild != nil && n.FirstChild == n.LastChild &&
		n.FirstChild.Type == html.TextNode && len(strings.TrimSpace(n.FirstChild.Data)) <= 4
}

// isChrome reports whether an element starts a part of the page that is not its own matter.
func isChrome(n *html.Node, parent *element) bool {
	switch n.DataAtom {
	case atom.Nav:
		return true
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return false
	case atom.Header, atom.Footer:
		return parent == nil || parent.closest(atom.Main) == nil && parent.closest(atom.Article) == nil &&
			parent.closest(atom.Section) == nil && parent.closest(atom.Li) == nil
	case atom.Html, atom.Body, atom.Main, atom.Head:
		return false
	}
	switch attr(n, "role") {
	case "navigation", "banner", "contentinfo", "menu", "menubar", "search", "dialog", "alertdialog":
		return true
	}
	return chromeName(attr(n, "id")) || chromeName(attr(n, "class"))
}

// chromeName reports whether an id or class names a part that is not the page's own matter.
func chromeName(name string) bool {
	for token := range strings.FieldsSeq(name) {
		switch token = strings.ToLower(token); token {
		case "header", "site-header", "footer", "site-footer", "page-footer", "main-footer",
			"nav", "navbar", "navigation", "menu", "submenu", "breadcrumb", "breadcrumbs", "cookie", "cookies", "dropdown-menu",
			"mega-menu", "mobile-menu", "main-menu", "sub-menu", "site-nav", "main-nav", "topnav", "cookie-banner",
			"cookie-notice", "cookie-consent", "offcanvas", "language-switcher", "social-links",
			"share", "skip-link", "menu-item", "nav-item", "nav-link", "modal":
			return true
		}
		for _, prefix := range [...]string{"cookie", "onetrust", "footer", "navbar-", "nav-", "menu-item", "sharebutton", "share-", "w-nav", "cky-", "gdpr"} {
			if strings.HasPrefix(token, prefix) {
				return true
			}
		}
		if strings.HasSuffix(token, "-footer") && !strings.Contains(token, "card") || strings.HasSuffix(token, "-nav") || strings.HasSuffix(token, "-navigation") {
			return true
		}
	}
	return false
}
