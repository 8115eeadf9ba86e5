package page

import (
	"iter"
	"maps"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// What a page hides until somebody asks for it is there all the same: the panel of another tab, a closed part of an accordion, the
// rest of a list behind "Show more". It is told from what is not there by how it is built: like something that the page shows in
// the same place. What a dialog holds is in no place of the page's own, and what no screen shows is not there at all.

// panels knows what a page shows in which place, as far as it was asked.
type panels struct {
	base    *url.URL
	shown   map[*html.Node]map[string]build
	further map[*html.Node]map[*html.Node]bool // by list: its entries that a button shows

	unfolded bool // there are such entries, so that the button leads to nothing else
}

// build is what elements in one place are built of: their tags and classes.
type build map[string]bool

const (
	panelDepth = 2   // steps up to where what is hidden and what is shown meet
	builtOf    = 400 // elements that are looked at to learn what one is built of
)

// opens reports whether a hidden element is a panel, or one of the further entries of a list, that a visitor can have shown.
func (p *panels) opens(n *html.Node) bool {
	if isInline(n.DataAtom) && n.DataAtom != atom.A || n.Parent == nil || isUnseen(n) || isDialog(n) {
		return false
	}
	mine, place, panel := buildOf(n), kinOf(n), isPanel(n)
	if mine[formPart] {
		return false // it is for writing, not for reading
	}
	for up, depth := n.Parent, 0; len(mine) > 0 && up != nil && up.DataAtom != atom.Html && depth <= panelDepth; up, depth = up.Parent, depth+1 {
		if p.shownBelow(up)[place].isLike(mine) {
			further := !panel && depth == 0 && p.isFurther(n)
			p.unfolded = p.unfolded || further
			return panel || further
		}
		place = kinOf(up) + ">" + place
	}
	return panel && p.listsRoles(n)
}

// shownBelow is how elements below another are built, by the way from it to them, where they are shown.
func (p *panels) shownBelow(n *html.Node) map[string]build {
	below, known := p.shown[n]
	if !known {
		if p.shown == nil {
			p.shown = make(map[*html.Node]map[string]build)
		}
		below = make(map[string]build)
		gatherShown(n, "", panelDepth, below)
		p.shown[n] = below
	}
	return below
}

func gatherShown(n *html.Node, way string, depth int, into map[string]build) {
	for c := range n.ChildNodes() {
		if c.Type != html.ElementNode || hidesItself(c) || isUnseen(c) {
			continue
		}
		place := way + kinOf(c)
		if into[place] == nil {
			into[place] = make(build)
		}
		maps.Copy(into[place], buildOf(c))
		if depth > 0 {
			gatherShown(c, place+">", depth-1, into)
		}
	}
}

// firstIn are the first of an element's descendants.
func firstIn(n *html.Node) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		seen := 0
		for d := range n.Descendants() {
			if seen++; seen > builtOf || !yield(d) {
				return
			}
		}
	}
}

// buildOf is what an element is built of. Nothing is built of bare text.
func buildOf(n *html.Node) build {
	parts := make(build)
	for d := range firstIn(n) {
		if d.Type != html.ElementNode || d.DataAtom == atom.Br {
			continue
		}
		parts[kinOf(d)] = true
		if d.DataAtom == atom.Form {
			parts[formPart] = true
		}
	}
	return parts
}

// formPart stands for a form, however it is written.
const formPart = "a form"

// isLike reports whether at least half of what another is built of is a part of b.
func (b build) isLike(other build) bool {
	equal := 0
	for part := range other {
		countIf(&equal, b[part])
	}
	return equal > 0 && equal*2 >= len(other)
}

// kinOf is how an element is written, whatever state it is in: its tag, its language and what its class says.
func kinOf(n *html.Node) string {
	var b strings.Builder
	b.WriteString(n.Data)
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "class":
			for token := range strings.FieldsSeq(a.Val) {
				if stableClass(token) && !isState(token) {
					b.WriteByte('.')
					b.WriteString(token)
				}
			}
		case "lang":
			b.WriteByte(':')
			b.WriteString(a.Val)
		}
	}
	return b.String()
}

// isState reports whether a class says how an element is shown at the moment.
func isState(token string) bool {
	return plainHiding[strings.ToLower(token)] || eachWord(token, func(word string) bool { return stateWords[word] })
}

var (
	stateWords = set("hidden hide visible show shown active inactive open opened closed close current selected collapsed expanded fade in first last is")
	panelWords = set("tab tabs pane tabpanel tabpane tabcontent collapse collapsible collapsable expandable")
)

// hidesItself reports whether an element is not shown as the page stands, though what it stands in may be.
func hidesItself(n *html.Node) bool {
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "hidden":
			if a.Val != "until-found" {
				return true
			}
		case "class":
			if hides, _ := hidingClass(a.Val); hides {
				return true
			}
		case "style":
			if hidesByStyle(a.Val) {
				return true
			}
		}
	}
	return false
}

func isDialog(n *html.Node) bool {
	role := attr(n, "role")
	return role == "dialog" || role == "alertdialog" || role == "menu" || attr(n, "aria-modal") == "true" || chromeName(attr(n, "class"))
}

// isPanel reports whether an element is written as a part of the page that opens as a whole: it is called so, stands below what opens
// it, or holds several entries.
func isPanel(n *html.Node) bool {
	if isPanelNamed(n) || eachWord(attr(n, "id"), func(word string) bool { return panelWords[word] }) {
		return true
	}
	if before := elementBefore(n); before != nil && (headingLevel(before.DataAtom) > 0 || isOpener(before)) {
		return true
	}
	return holdsEntries(n, panelDepth)
}

func isOpener(n *html.Node) bool {
	return n.DataAtom == atom.Button || n.DataAtom == atom.Summary || n.DataAtom == atom.Label || attr(n, "role") == "tab" || attr(n, "role") == "button" ||
		hasAttr(n, "aria-expanded") || hasAttr(n, "aria-controls")
}

func elementBefore(n *html.Node) *html.Node {
	for s := n.PrevSibling; s != nil; s = s.PrevSibling {
		if s.Type == html.ElementNode {
			return s
		}
	}
	return nil
}

// holdsEntries reports whether an element, or one not far below, holds two elements that are written alike and hold more.
func holdsEntries(n *html.Node, depth int) bool {
	last := ""
	for c := range n.ChildNodes() {
		if c.Type != html.ElementNode || isInline(c.DataAtom) && c.DataAtom != atom.A {
			continue
		}
		kin := kinOf(c)
		if kin == last && (c.DataAtom == atom.Li || c.DataAtom == atom.Tr || c.FirstChild != nil && (c.DataAtom == atom.A || c.FirstChild.NextSibling != nil)) {
			return true
		}
		last = kin
		if depth > 0 && holdsEntries(c, depth-1) {
			return true
		}
	}
	return false
}

// listsRoles reports whether at least two links to pages of roles stand in an element.
func (p *panels) listsRoles(n *html.Node) bool {
	roles := make(map[string]bool)
	for d := range firstIn(n) {
		if d.DataAtom != atom.A || len(roles) > 1 {
			continue
		}
		if u := Resolve(p.base, attr(d, "href")); u != nil && JobLike(u, p.base) {
			roles[u.String()] = true
		}
	}
	return len(roles) > 1
}

// isFurther reports whether an entry is hidden behind all that are shown of its list, which a button below shows too.
func (p *panels) isFurther(n *html.Node) bool {
	further, known := p.further[n.Parent]
	if !known {
		if p.further == nil {
			p.further = make(map[*html.Node]map[*html.Node]bool)
		}
		further = furtherOf(n.Parent, kinOf(n))
		p.further[n.Parent] = further
	}
	return further[n]
}

// furtherOf are the hidden entries at the end of a list that a button makes longer.
func furtherOf(list *html.Node, kin string) map[*html.Node]bool {
	if !hasMoreButton(list) {
		return nil
	}
	further := make(map[*html.Node]bool)
	for c := list.LastChild; c != nil; c = c.PrevSibling {
		if c.Type != html.ElementNode || kinOf(c) != kin {
			continue
		}
		if !hidesItself(c) {
			break
		}
		further[c] = true
	}
	return further
}

// nearButton is how many nodes behind a list its button stands at most.
const nearButton = 8

// hasMoreButton reports whether something after a list, or in it, is pressed to see more of it.
func hasMoreButton(list *html.Node) bool {
	for up, depth := list, 0; up != nil && depth <= panelDepth; up, depth = up.Parent, depth+1 {
		from := up
		if depth == 0 {
			from = up.LastChild
		}
		for s, near := from, 0; s != nil && near < nearButton; s, near = s.NextSibling, near+1 {
			for d := range firstIn(s) {
				if d.Type == html.TextNode && isMore(d.Data) {
					return true
				}
			}
		}
	}
	return false
}

func isMore(text string) bool {
	text = strings.Trim(squeeze(text), " +>›»→▼↓")
	return text != "" && len(text) <= 100 && loadMore.MatchString(Fold(text))
}
