package page

import (
	"cmp"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper/page/judge"
)

// Visit is how a page came here.
type Visit struct {
	Asked    *url.URL // the address that was asked for
	At       *url.URL // the address that answered
	Text     []byte
	Links    []string // the values of the answer's Link header
	FullPage int      // how many entries the address asks for; 0 when it does not say
}

// List is what one page of a board shows.
type List struct {
	Reading boardwatch.Reading
	Next    []Onward // where the list goes on, the surest first
	More    Trouble  // why the list goes on where no address leads; none when it does not
	At      int      // the number of this page among those of the list; 0 when it is not said
	Press   string   // what is to be pressed to have it go on, if it goes on by a button
	Data    bool     // the page is no page but data
	Capped  bool     // the page holds more than is taken from it
	Unsure  bool     // the page shows what may be further roles
	Doubt   Trouble  // what the page says itself against its list being whole
	Trail   string
}

// Candidates are the roles that a page shows, and what it says about them, before anything is judged.
type Candidates struct {
	page     *Document
	data     Statement
	found    []*candidate
	shown    []boardwatch.Posting
	state    Stated
	archived bool
	chosen   bool // somebody else has picked them: what stands beside them is none
	result   List
}

// Candidates reads the roles that the page shows.
func (d *Document) Candidates(at *url.URL) *Candidates {
	data := d.Structured()
	found, groups := d.roles()
	archived := d.closedAll(found)
	if !archived && len(found) > 0 && unlikelyLists(groups) && d.SaysNone() {
		archived = !slices.ContainsFunc(groups, func(g *group) bool { return g.isEvident() && judge.Probability(g.likely) >= likely })
		d.contested = d.contested || !archived
	}
	var past []*candidate
	if archived {
		past, found, groups = found, nil, nil
	}
	if d.isUnfilledBeside(found, groups) {
		found, groups = nil, nil // the list is still to come, and this is something else
	}
	found = d.single(found, data, at)
	shown := merge(d.postings(found, groups), data, d)
	state := d.embedded(shown)
	if len(shown) == 0 && len(state.Postings) == 0 {
		found = d.advert(at)
		shown = d.postings(found, nil)
	}
	f := &Candidates{page: d, data: data, found: found, shown: shown, archived: archived}
	f.result.Reading = boardwatch.Reading{Claimed: -1, Health: boardwatch.HealthOK, Postings: join(shown, &state)}
	f.state = state
	r := &f.result.Reading
	for i, p := range r.Postings {
		r.Postings[i].Location = withoutFurther(p.Location)
	}
	r.Company, r.Domain = d.Owner(data)
	r.Shown.Add(d.Shown(past))
	r.Shown.Links = d.roleLinks(past, r.Postings)
	f.result.Trail = trail(d.weighed)
	return f
}

// unlikelyLists reports whether the judge takes none of the groups for the list of roles: beside the sentence that there are
// none, they are what the page says of trades, people or earlier roles.
func unlikelyLists(groups []*group) bool {
	return !slices.ContainsFunc(groups, func(g *group) bool { return g.labelled || judge.Probability(g.likely) >= certain })
}

// isUnfilledBeside reports whether the list of openings is still to come, while none of the texts found stands under a heading of openings
// or leads anywhere. The title of the page may announce openings that the heading of the empty list announces again.
func (d *Document) isUnfilledBeside(found []*candidate, groups []*group) bool {
	titled := false
	for _, c := range found {
		o := c.section
		for o != nil && o.kind == plain {
			o = o.parent
		}
		if o != nil && o.kind == open && o.level > 1 || c.url != nil || marksGender(c.title) {
			return false
		}
		titled = titled || o != nil && o.kind == open
	}
	if len(found) == 0 || !titled {
		sure := slices.ContainsFunc(groups, func(g *group) bool { return judge.Probability(g.likely) >= trusted })
		return len(found) > 0 && !sure && d.hasEmptyList()
	}
	return slices.ContainsFunc(d.within(d.body), func(e *element) bool {
		s := d.sections().at(e)
		return s != nil && s.kind == open && s.level > 1 && !e.chrome && e.isEmptyList()
	})
}

// None reports whether no roles were found.
func (f *Candidates) None() bool { return len(f.result.Reading.Postings) == 0 }

// List is what was found, whatever it is worth.
func (f *Candidates) List() List { return f.result }

// Verdict says how far what was found is to be trusted.
func (f *Candidates) Verdict(v Visit) List {
	d, l := f.page, f.result
	r := &l.Reading
	if sick := d.Sick(v); !sick.None() {
		sick.Fail(r) // what was seen of it counts for nothing, but may be shown
		r.Unknown = d.gone(v)
		return l
	}
	if len(r.Postings) == 0 {
		if why := d.barren(f.archived); !why.None() {
			*r = boardwatch.Failed(why.Cause, why.Reason)
			r.BrowserHelps = why.Cause == cause.NoList && d.mayBeFilled()
		}
		if r.Health != boardwatch.HealthOK {
			return l
		}
		if total := d.claimed(nil); total > 0 {
			*r = boardwatch.Failed(cause.FewerThanClaimed, "the page says it has "+strconv.Itoa(total)+" roles, but shows none")
		} else if d.excused() {
			noneForNow.Limit(r)
		}
		return l
	}
	r.Claimed = max(d.claimed(f.found), cmp.Or(f.data.total, -1), f.state.Claimed()-(len(f.state.Rows)-len(f.state.Postings)))
	if counted := d.counted(f.found); counted > len(r.Postings) {
		r.Claimed = max(r.Claimed, counted)
	}
	f.countUnread(r)
	l.Doubt = d.doubt(f.found)
	p := d.onward(f.found)
	l.Next, l.At = p.next, p.at
	p.script = p.script && !d.unfolded // what the button shows was read
	if x := linkExtent(v.Links); x.Next != "" {
		u := Resolve(v.At, x.Next)
		if t := d.turnTo(u); t.relation > itself {
			l.Next = slices.Insert(l.Next, 0, Onward{URL: u, Way: t.way, Firm: true})
		} else if u != nil && !sameHost(u, v.At) && furtherPart.MatchString(x.Next) {
			p.script = true
		}
	}
	switch {
	case p.script && !l.Follows():
		l.More = GoesOnElsewhere
	case p.part, f.state.GoesOn(len(f.state.Rows), 1), f.state.fills(), len(f.shown) > 0 && len(f.found) == 0 && f.data.goesBeyond(d),
		v.FullPage > 1 && !l.Follows() && len(r.Postings) >= v.FullPage: // unless the page says that these are all
		l.More = showsPart
	}
	if !l.Follows() && (!l.More.None() || r.Claimed > len(r.Postings)) {
		l.Press = d.presses(f.found)
	}
	l.Unsure = f.data.unsure || sayTheSame(r.Postings) || len(f.found) > 0 && !f.chosen && (d.overlooks(f.found) || f.isHeading() && d.hasEmptyList())
	l.Capped = d.capped || f.state.Capped || len(r.Postings) >= MaxPostings
	switch {
	case l.Capped:
		pageTooLarge.Limit(r)
	case r.Claimed > len(r.Postings):
		ClaimsMore(r.Claimed, len(r.Postings)).Limit(r)
	case l.Follows():
		pagesFollow.Limit(r)
	case !l.More.None() && r.Claimed < len(r.Postings):
		l.More.Limit(r)
	case !l.Doubt.None():
		l.Doubt.Limit(r)
	case l.Unsure:
		UnsureEntries.Limit(r)
	case d.contested && !f.confirmed():
		l.Unsure = true
		uncertainList.Limit(r)
	}
	return l
}

// Follows reports whether further pages certainly belong to the list.
func (l *List) Follows() bool { return len(l.Next) > 0 && l.Next[0].Firm }

// sayTheSame reports whether a third or more of several postings repeat others: they may be samples, people who do the same work, or
// something else that stands on the cards of roles.
func sayTheSame(postings []boardwatch.Posting) bool {
	type said struct{ title, place, department string }
	different := make(map[said]bool, len(postings))
	for _, p := range postings {
		if p.URL != "" {
			return false
		}
		different[said{p.Title, p.Location, p.Department}] = true
	}
	return len(postings) > 1 && len(different)*3 <= len(postings)*2
}

// isHeading reports whether the only role found is a top-level heading, which may also be the heading of a list that a script has yet to
// fill.
func (f *Candidates) isHeading() bool { return len(f.found) == 1 && f.found[0].element.level == 1 }

// confirmed reports whether the structured data of the page names every role that the page shows.
func (f *Candidates) confirmed() bool {
	said := make(map[string]bool, 2*len(f.data.Postings))
	for _, p := range f.data.Postings {
		said[Fold(p.Title)], said[p.Key] = true, true
	}
	return len(f.found) > 0 && !slices.ContainsFunc(f.found, func(c *candidate) bool {
		return !said[Fold(c.title)] && (c.url == nil || !said[c.url.key])
	})
}

// trail tells which lists were weighed, the best first, what speaks for each, and which were taken.
func trail(weighed []*group) string {
	groups := slices.DeleteFunc(slices.Clone(weighed), func(g *group) bool { return len(g.texts) == 0 })
	slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Compare(b.likely, a.likely) })
	var b strings.Builder
	for i, g := range groups {
		if i >= mostTold && !g.taken {
			continue
		}
		fmt.Fprintf(&b, "; %s: %d (%s), judged %.0f %%, rules %.1f of %.1f", g.outcome(), len(g.texts), firstTexts(g.texts),
			100*judge.Probability(g.likely), g.score, threshold)
		if len(g.trail) > 0 {
			b.WriteString(" by " + strings.Join(g.trail, ", "))
		}
	}
	return b.String()
}

// mostTold is how many lists the trail tells of that were not taken.
const mostTold = 8

func (g *group) outcome() string {
	switch {
	case g.taken && (g.doubted || g.contested):
		return "taken with doubt"
	case g.taken:
		return "taken"
	case g.accepted:
		return "said elsewhere"
	}
	return "left"
}

// firstTexts are a few of a list's texts, cut to a line.
func firstTexts(texts []string) string {
	first := make([]string, 0, 3)
	for _, t := range texts[:min(3, len(texts))] {
		if r := []rune(t); len(r) > 40 {
			t = string(r[:39]) + "…"
		}
		first = append(first, t)
	}
	return strings.Join(first, " / ")
}

// Owner is whose page it is, as far as the page says.
func (d *Document) Owner(data Statement) (company, domain string) {
	company = data.company
	if company == "" {
		company = d.meta("og:site_name")
	}
	if u := Resolve(d.Base, data.sameAs); u != nil && !isSocial(u) && data.sameAs != "" {
		return company, Site(u.Hostname())
	}
	host := d.Base.Hostname()
	if _, err := netip.ParseAddr(host); err != nil && !boardSites[Site(host)] && strings.Contains(host, ".") {
		domain = Site(host)
	}
	return company, domain
}
