package recipe

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper/page"
)

// Read reads a page by the recipe. A page on which nothing fits it is read as failed, with the cause recipe_broken, unless the
// page itself says that it has no roles, or what stands in the way.
func (r Recipe) Read(d *page.Document, v page.Visit) page.List {
	if r.Data != nil {
		return r.readValues(d, v)
	}
	p := parse(d, r.Hidden)
	chosen, fault := r.choose(p)
	l := p.tree.List(chosen, r.Not, v)
	switch {
	case fault != "":
		broken(&l, fault)
	case len(chosen) == 0 && !tells(l.Reading):
		broken(&l, "nothing on the page fits it, and the page does not say that there are no roles")
	case len(chosen) > 0 && l.Reading.Health.Read():
		r.turn(p, &l)
	}
	return l
}

// broken makes a list one that the recipe no longer fits.
func broken(l *page.List, why string) {
	trouble := page.Trouble{Cause: cause.RecipeBroken, Reason: "the recipe of this board no longer fits its page: " + why}
	trouble.Fail(&l.Reading)
	l.Reading.Postings, l.Next, l.Press = nil, nil, ""
}

// tells reports whether a reading without roles is explained by the page: it has none, or something stands in its place.
func tells(r boardwatch.Reading) bool {
	switch r.Cause {
	case cause.NoList, cause.NeedsBrowser, cause.Unsure, cause.FewerThanClaimed:
		return false
	default:
		return true
	}
}

// turn has the list go on where the recipe says.
func (r Recipe) turn(p *parsed, l *page.List) {
	if r.Next == "" {
		return
	}
	s, err := compile("next", r.Next, true)
	if err != nil {
		return // cannot be: the recipe was checked
	}
	for _, n := range p.matches(p.tree.Root(), s) {
		if u := p.tree.Link(n); u != nil && !p.tree.Hidden(n) {
			l.Next = []page.Onward{{URL: u, Firm: true}}
			return
		}
	}
}

// parsed is a page as recipes look at it.
type parsed struct {
	tree   *page.Tree
	hidden bool // what the page hides counts as well
	body   []*html.Node
	heads  map[*html.Node][]string // memo of headings
}

func parse(d *page.Document, hidden bool) *parsed {
	t := d.Tree()
	return &parsed{tree: t, hidden: hidden, body: t.Body()}
}

// matches are the elements in a node, the node included, that a selector matches, in document order.
func (p *parsed) matches(n *html.Node, s selector) []*html.Node {
	var found []*html.Node
	if n.Type == html.ElementNode && s.Match(n) {
		found = append(found, n)
	}
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && s.Match(d) {
			found = append(found, d)
		}
	}
	return found
}

// entry is one entry of a list: one element, or several that follow one another.
type entry struct {
	nodes []*html.Node
}

// entries are those that the recipe's selector finds, with what follows them when that belongs to them.
func (r Recipe) entries(p *parsed, s selector) []entry {
	under := page.Fold(r.Under)
	var found []*html.Node
	for _, n := range p.body {
		if s.Match(n) && (r.Hidden || !p.tree.Hidden(n)) && (under == "" || p.isUnder(n, under)) {
			found = append(found, n)
		}
	}
	entries := make([]entry, 0, len(found))
	for i, n := range found {
		if i > 0 && p.contains(entries[len(entries)-1].nodes[0], n) {
			continue // an element inside an entry is a part of it
		}
		entries = append(entries, entry{[]*html.Node{n}})
	}
	if r.Follows {
		for i := range entries {
			entries[i].nodes = p.following(entries, i)
		}
	}
	return entries
}

func (p *parsed) isUnder(n *html.Node, folded string) bool {
	for _, heading := range p.headings(n) {
		if page.Fold(heading) == folded {
			return true
		}
	}
	return false
}

// headings are the texts of those that an element stands under, the nearest first: of each level the last before it.
func (p *parsed) headings(n *html.Node) []string {
	if p.heads == nil {
		p.outline()
	}
	return p.heads[n]
}

func (p *parsed) outline() {
	p.heads = make(map[*html.Node][]string, len(p.body))
	var levels []int
	var chain []string
	for _, n := range p.body {
		level := p.tree.Level(n)
		if level == 0 || p.tree.Hidden(n) {
			p.heads[n] = chain
			continue
		}
		for len(levels) > 0 && levels[0] >= level {
			levels, chain = levels[1:], chain[1:]
		}
		p.heads[n] = chain
		levels = append([]int{level}, levels...)
		chain = append([]string{strings.Join(p.tree.Lines(n, false, false), " ")}, chain...)
	}
}

func (p *parsed) contains(outer, inner *html.Node) bool {
	from, end := p.tree.Place(outer)
	at, _ := p.tree.Place(inner)
	return at >= from && at < end
}

// following are an entry's element and those after it, up to the next entry, or to a heading as high as its own.
func (p *parsed) following(entries []entry, i int) []*html.Node {
	first := entries[i].nodes[0]
	nodes := []*html.Node{first}
	level := p.levelIn(first)
	for n := first.NextSibling; n != nil; n = n.NextSibling {
		if n.Type != html.ElementNode {
			continue
		}
		if i+1 < len(entries) && p.contains(n, entries[i+1].nodes[0]) {
			break
		}
		if at := p.levelIn(n); p.tree.Chrome(n) || at > 0 && (level == 0 || at <= level) {
			break
		}
		nodes = append(nodes, n)
	}
	return nodes
}

// levelIn is the level of the highest heading that an element is or holds; 0 when there is none.
func (p *parsed) levelIn(n *html.Node) int {
	highest := p.tree.Level(n)
	for d := range n.Descendants() {
		if level := p.tree.Level(d); level > 0 && (highest == 0 || level < highest) {
			highest = level
		}
	}
	return highest
}

// above is the last of some elements, in document order, that ends before an entry begins.
func (p *parsed) above(e entry, heads []*html.Node) *html.Node {
	at, _ := p.tree.Place(e.nodes[0])
	i, _ := slices.BinarySearchFunc(heads, at, func(n *html.Node, at int) int {
		from, _ := p.tree.Place(n)
		return from - at
	})
	for i--; i >= 0; i-- {
		if _, end := p.tree.Place(heads[i]); end <= at {
			return heads[i]
		}
	}
	return nil
}

// choose picks the roles of the page. fault says why the recipe does not fit it.
func (r Recipe) choose(p *parsed) (chosen []page.Chosen, fault string) {
	s, err := compile("entry", r.Entry, true)
	if err != nil {
		return nil, err.Error()
	}
	fields, err := r.readers(p)
	if err != nil {
		return nil, err.Error()
	}
	not := folds(r.Not)
	for i, e := range r.entries(p, s) {
		title := fields.title.text(e, p)
		switch {
		case title == "":
			return nil, "entry " + strconv.Itoa(i+1) + " has no title"
		case len(title) > 2*maxText:
			return nil, "the title of entry " + strconv.Itoa(i+1) + " is too long for one"
		case not[keyOf(title)]:
			continue
		case len(chosen) >= page.MaxPostings:
			return nil, "it finds more entries than a page has roles"
		}
		chosen = append(chosen, page.Chosen{
			Title: fields.title.find(e, p), From: e.nodes[0], To: e.nodes[len(e.nodes)-1],
			Posting: boardwatch.Posting{
				Title: title, URL: fields.link.address(e, p), Location: fields.place.text(e, p), Department: fields.department.text(e, p),
			},
		})
	}
	p.identify(chosen)
	return chosen, ""
}

// identify gives each posting the key of its address. An address that several titles share, a form say, is nobody's own: such
// postings are told apart by what they say, and those that say the same by their order.
func (p *parsed) identify(all []page.Chosen) {
	titles, shared := make(map[string]string), make(map[string]bool)
	for _, c := range all {
		if other, ok := titles[c.Posting.URL]; ok && other != c.Posting.Title {
			shared[c.Posting.URL] = true
		}
		titles[c.Posting.URL] = c.Posting.Title
	}
	equals := make(page.Equals)
	for i := range all {
		posting := &all[i].Posting
		u := p.tree.Resolve(posting.URL)
		if u == nil || shared[posting.URL] {
			posting.URL = ""
			equals.TellApart(posting)
			continue
		}
		posting.Key = page.Canonical(u)
	}
}

// readers are the fields of a recipe, ready to be read.
type readers struct{ title, link, place, department reader }

func (r Recipe) readers(p *parsed) (all readers, err error) {
	if all.title, err = r.Title.reader("title", p); err != nil {
		return all, err
	}
	for _, f := range [...]struct {
		name string
		from Field
		to   *reader
	}{{"link", r.Link, &all.link}, {"place", r.Place, &all.place}, {"department", r.Department, &all.department}} {
		if f.from.none() {
			f.to.selects = selector{} // matches nothing
			continue
		}
		if *f.to, err = f.from.reader(f.name, p); err != nil {
			return all, err
		}
	}
	return all, nil
}

func folds(texts []string) map[string]bool {
	set := make(map[string]bool, len(texts))
	for _, text := range texts {
		set[keyOf(text)] = true
	}
	return set
}
