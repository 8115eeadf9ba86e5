package page

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"

	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// postings are the accepted candidates with what their cards say about them.
func (d *Document) postings(found []*candidate, groups []*group) []boardwatch.Posting {
	for _, g := range groups {
		g.items = withRepeats(g.items)
		d.fillSlots(g)
	}
	for _, g := range d.twins {
		d.fillSlots(g)
	}
	postings := make([]boardwatch.Posting, 0, len(found))
	titles := make(map[string]bool, len(found))
	for _, g := range d.weighed {
		for _, text := range g.texts {
			titles[text] = titles[text] || g.accepted && len(g.items) > 0 // those that stand on the cards of others are none
		}
	}
	for _, text := range d.above {
		delete(titles, text)
	}
	equals := make(Equals)
	for _, c := range found {
		p := boardwatch.Posting{Title: c.title}
		if c.slots != nil {
			lines := d.lines(c)
			p.Location, p.Department = d.place(c, lines), d.group(c, lines)
			d.labelFacts(&p.Facts, c, lines)
			if len(found) == 1 && p.Location == "" {
				p.Location = d.placeAround(c)
			}
		}
		address := c.url
		if t := c.twin; t != nil {
			if t.slots != nil {
				lines := d.lines(t)
				p.Location, p.Department = cmp.Or(p.Location, d.place(t, lines)), cmp.Or(p.Department, d.group(t, lines))
				d.labelFacts(&p.Facts, t, lines)
			}
			address = cmp.Or(address, t.url)
		}
		if address != nil {
			SetAddress(&p, address.url)
		} else {
			p.Key = d.code(c)
		}
		if titles[p.Department] {
			p.Department = "" // another role, which perhaps was not found, is no group of roles
		}
		if address == nil {
			equals.TellApart(&p)
		}
		postings = append(postings, p)
		for _, other := range c.again {
			if other.slots == nil {
				continue
			}
			row := p
			if row.Location = d.place(other, d.lines(other)); row.Location != "" && row.Location != p.Location {
				postings = append(postings, row) // the same role in another place
			}
		}
	}
	d.placeAll(found, postings)
	return postings
}

// Equals are roles that nothing tells apart but their order: the same title, place and department, and no address. It counts
// them by their identity.
type Equals map[string]int

// TellApart gives a role, unless it is the first of its equals, a key with its number among them.
func (e Equals) TellApart(p *boardwatch.Posting) {
	id := p.Identity()
	if e[id]++; e[id] > 1 {
		p.Key = id + "-" + strconv.Itoa(e[id])
	}
}

// single is what was found, or, when nothing was and the page is the page of one role, that role.
func (d *Document) single(found []*candidate, data Statement, own *url.URL) []*candidate {
	if len(found) == 1 && found[0].element.level == 1 && found[0].url == nil {
		found[0].url = d.newLead(own)
	}
	if len(found) > 0 {
		return found
	}
	title := d.firstHeading()
	if title == nil {
		return nil
	}
	text := title.titleAlone()
	if !d.plausible(text) || !d.namesRole(text) || d.kindOf(text) != plain {
		return nil
	}
	stated := len(data.Postings) == 1 && data.Postings[0].URL == "" && Fold(data.Postings[0].Title) == Fold(text)
	if !stated && !slices.ContainsFunc(d.within(d.body), func(e *element) bool {
		return (e.tag == atom.A || e.tag == atom.Button) && !e.hidden && !e.chrome && applyButton.MatchString(e.folded())
	}) {
		return nil
	}
	return []*candidate{{element: title, title: text, role: true, url: d.newLead(own), card: span{title.index, title.end}}}
}
