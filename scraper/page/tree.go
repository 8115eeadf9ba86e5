package page

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Tree is a page for readers that pick its elements themselves, such as a recipe. Its nodes must not be changed.
type Tree struct {
	page     *Document
	elements map[*html.Node]*element
	none     *element // stands for nodes that are none of these
}

// Tree is the page as nodes.
func (d *Document) Tree() *Tree {
	t := &Tree{page: d, elements: make(map[*html.Node]*element, len(d.elements)), none: &element{node: &html.Node{}, page: d, hidden: true}}
	for _, e := range d.all() {
		t.elements[e.node] = e
	}
	return t
}

// Root is the node above all others.
func (t *Tree) Root() *html.Node { return t.page.root }

// Body lists the elements inside the page's body, in document order.
func (t *Tree) Body() []*html.Node {
	inside := t.page.within(t.page.body)
	nodes := make([]*html.Node, len(inside))
	for i, e := range inside {
		nodes[i] = e.node
	}
	return nodes
}

// at is the element of a node. A text, and what is beyond the limits of a page, is a hidden one of no kind.
func (t *Tree) at(n *html.Node) *element {
	if e := t.elements[n]; e != nil {
		return e
	}
	return t.none
}

// Hidden reports whether the page, as it stands, does not show the element.
func (t *Tree) Hidden(n *html.Node) bool { return !t.at(n).shows() }

// Chrome reports whether the element is a part of the navigation, the footer or a notice, and not of the page's own matter.
func (t *Tree) Chrome(n *html.Node) bool { return t.at(n).chrome }

// Place is the element's position among all elements, and the first position after its descendants.
func (t *Tree) Place(n *html.Node) (from, end int) {
	e := t.at(n)
	return int(e.index), int(e.end)
}

// Level is that of a heading, 1 to 6; 0 for anything else.
func (t *Tree) Level(n *html.Node) int { return int(t.at(n).level) }

// Link is where an anchor leads; nil when the element is none, or leads to no page.
func (t *Tree) Link(n *html.Node) *url.URL { return t.page.link(t.at(n)) }

// Resolve makes an address of the page absolute; nil when it leads to no page.
func (t *Tree) Resolve(address string) *url.URL { return Resolve(t.page.Base, address) }

// OtherMatter reports whether the element stands in a part of the page that, by its heading, is about no open roles;
// OpenMatter, whether it is about just these.
func (t *Tree) OtherMatter(n *html.Node) bool {
	about := t.about(n)
	return about == aside || about == closed
}

// OpenMatter is as OtherMatter says.
func (t *Tree) OpenMatter(n *html.Node) bool { return t.about(n) == open }

func (t *Tree) about(n *html.Node) kind { return t.page.sections().at(t.at(n)).about() }

// CallsPlace reports whether the class of the element says that it holds a place; CallsGroup, a department.
func (t *Tree) CallsPlace(n *html.Node) bool { return t.at(n).has(placeName) }

// CallsGroup reports whether the class of the element says that it holds a department.
func (t *Tree) CallsGroup(n *html.Node) bool { return t.at(n).has(groupName) }

// NamesRole reports whether a text reads like the name of a role.
func (t *Tree) NamesRole(text string) bool { return t.page.namesRole(text) }

// ReadsAsRole reports whether a text reads like the title of a role: by one of its words, or as a whole.
func (t *Tree) ReadsAsRole(text string) bool { return t.page.phraseOf(text).readsAsRole() }

// ReadsAsOther reports whether a text is clearly no title, though none of its words says so.
func (t *Tree) ReadsAsOther(text string) bool {
	said := t.page.phraseOf(text)
	return !said.namesRole() && said.likely() <= clearlyNot
}

// NamesNone reports whether a text can be no title: an open application, a call to act, a sentence.
func (t *Tree) NamesNone(text string) bool { return !t.page.plausible(text) }

// NamesList reports whether a text is the heading of a list of roles, and names none itself: "Open positions".
func (t *Tree) NamesList(text string) bool {
	return t.page.kindOf(text) == open && !t.page.namesRole(text)
}

// NamesPlace reports whether a text looks like a place.
func (t *Tree) NamesPlace(text string) bool { return t.page.looksLikePlace(text) }

// NamesGroup reports whether a text names a part of a company.
func (t *Tree) NamesGroup(text string) bool { return namesDepartment(Fold(text)) }

// NamesTerms reports whether a text says only how long or how much is worked, or when it was posted.
func (t *Tree) NamesTerms(text string) bool { return contract.MatchString(Fold(text)) }

// LabelsTitle reports whether a text is a label of titles: "Position", "Job title".
func (t *Tree) LabelsTitle(text string) bool {
	return titleLabel.MatchString(Fold(strings.TrimRight(text, " :：")))
}

// LabelOf is what the text of an element says it is before a colon: "place" in "Location: Berlin", "department" in "Team:
// Care"; "" when it says neither. label is the text up to the colon, the colon included.
func (t *Tree) LabelOf(text string) (what, label string) {
	key, value, found := cutLabel(text)
	if what = labelled(Fold(key)); !found || value == "" || what == "" {
		return "", ""
	}
	at := strings.IndexAny(text, ":：")
	for at < len(text) && !strings.HasPrefix(text[at:], value) {
		at++
	}
	return what, strings.TrimSpace(text[:at])
}

// labelled is what a folded label stands before: "place", "department", or "".
func labelled(label string) string {
	switch {
	case placeLabel.MatchString(label):
		return "place"
	case groupLabel.MatchString(label):
		return "department"
	}
	return ""
}

// ColumnOf is the heading of the column that a cell of a table stands in, or of the definition.
func (t *Tree) ColumnOf(n *html.Node) (what string) {
	e := t.elements[n]
	if e == nil || e.parent == nil || e.tag != atom.Td && e.tag != atom.Th && e.tag != atom.Dd {
		return ""
	}
	return labelled(Fold(t.page.columnOf(e)))
}

// Lines are the lines of text that an element shows, or, with hidden, holds. With own, the text of elements inside it is left
// out.
func (t *Tree) Lines(n *html.Node, own, hidden bool) []string {
	var b strings.Builder
	t.write(&b, n, own, hidden)
	var lines []string
	for line := range strings.SplitSeq(b.String(), lineBreak) {
		if line = squeeze(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func (t *Tree) write(b *strings.Builder, n *html.Node, own, hidden bool) {
	if e := t.elements[n]; e == nil || e.icon || e.hidden && !hidden || isUnread(n.DataAtom) {
		return
	}
	for c := n.FirstChild; c != nil && b.Len() < maxText; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			b.WriteString(c.Data)
		case c.Type != html.ElementNode:
		case c.DataAtom == atom.Br:
			b.WriteString(lineBreak)
		case own:
			b.WriteByte(' ')
		case isInline(c.DataAtom):
			var part strings.Builder
			t.write(&part, c, own, hidden)
			if keptApart(b.String(), part.String()) {
				b.WriteByte(' ')
			}
			b.WriteString(part.String())
		default:
			b.WriteString(lineBreak)
			t.write(b, c, own, hidden)
			b.WriteString(lineBreak)
		}
	}
}

// isUnread reports whether the text of an element is not for people.
func isUnread(tag atom.Atom) bool {
	return tag == atom.Script || tag == atom.Style || tag == atom.Template || tag == atom.Noscript
}

// Chosen is a role that a reader of the Tree has picked.
type Chosen struct {
	Title    *html.Node // the element that holds its title
	From, To *html.Node // the first and the last element of its entry; the same where one element is the entry
	Posting  boardwatch.Posting
}

// List is what the page shows when just these are its roles. Whether they are all of them the page itself may contradict:
// by a count, by further pages, by being another page than the one that was asked for. not are texts that are no roles,
// wherever they stand.
func (t *Tree) List(chosen []Chosen, not []string, v Visit) List {
	d := t.page
	f := &Candidates{page: d, chosen: true, state: Stated{Extent: Silent()}}
	r := &f.result.Reading
	*r = boardwatch.Reading{Claimed: -1, Health: boardwatch.HealthOK}
	for _, c := range chosen {
		title, from, to := t.elements[c.Title], t.elements[c.From], t.elements[c.To]
		if title == nil || from == nil || to == nil {
			continue
		}
		f.found = append(f.found, &candidate{
			element: title, title: c.Posting.Title, section: d.sections().at(title), card: span{from.index, to.end},
		})
		r.Postings = append(r.Postings, c.Posting)
	}
	r.Company, r.Domain = d.Owner(d.Structured())
	r.Shown.Add(d.Shown(t.saying(not)))
	r.Shown.Links = d.roleLinks(nil, r.Postings)
	return f.Verdict(v)
}

// saying are the elements that show one of the texts.
func (t *Tree) saying(texts []string) []*candidate {
	wanted := make(map[string]bool, len(texts))
	for _, text := range texts {
		wanted[Fold(text)] = true
	}
	var found []*candidate
	for _, e := range t.page.within(t.page.body) {
		if len(wanted) > 0 && e.shows() && !e.longer(longText) && wanted[e.folded()] {
			found = append(found, &candidate{element: e})
		}
	}
	return found
}
