package recipe

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boardwatch/boardwatch/scraper/page"
)

// set is a number of elements that one trail selects: the titles of the roles, perhaps.
type set struct {
	trail   trail
	under   string // the heading that they stand under; empty means anywhere
	members []*place
	samples []sighting // the examples among them
	worth   float64
}

// maxSets is how many sets are made recipes of before none is found.
const maxSets = 12

// sets are those that hold every example, the best first.
func (l *look) sets(seen [][]sighting, x Examples) []set {
	byMembers := make(map[uint64]int)
	var found []set
	for _, first := range seen[0] {
		same := l.tagged(first.place)
		scopes := l.scopes(first.place, same)
		for _, t := range trailsTo(first.place) {
			for _, in := range scopes {
				s, ok := l.selects(t, in, same, seen)
				if !ok {
					continue
				}
				id := s.id()
				if i, known := byMembers[id]; known {
					if s.cost() < found[i].cost() {
						found[i].trail, found[i].under = s.trail, s.under
					}
					continue
				}
				byMembers[id] = len(found)
				found = append(found, s)
			}
		}
	}
	l.weigh(found, x)
	slices.SortStableFunc(found, func(a, b set) int { return cmp.Or(cmp.Compare(b.worth, a.worth), a.cost()-b.cost()) })
	return found[:min(len(found), maxSets)]
}

// cost is that of selecting the set.
func (s *set) cost() int {
	if s.under != "" {
		return s.trail.cost() + 5
	}
	return s.trail.cost()
}

// tagged are the elements that may be like one.
func (l *look) tagged(e *place) []*place {
	var same []*place
	for _, o := range l.all {
		if (o.tag == e.tag || len(e.classes) > 0) && o.text != "" {
			same = append(same, o)
		}
	}
	return same
}

// scope is a part of the page: all of it, or what stands under one of its headings.
type scope struct {
	under string
	holds map[*place]bool // nil for all of the page
}

// scopes are the parts of the page in which entries like e may be looked for, among some elements.
func (l *look) scopes(e *place, among []*place) []scope {
	scopes := []scope{{}}
	for _, heading := range l.headings(e.node) {
		if heading == "" || len(heading) > maxText || len(scopes) == maxScopes || slices.ContainsFunc(scopes, func(s scope) bool { return s.under == heading }) {
			continue
		}
		in := scope{heading, make(map[*place]bool)}
		folded := page.Fold(heading)
		for _, o := range among {
			if l.isUnder(o.node, folded) {
				in.holds[o] = true
			}
		}
		scopes = append(scopes, in)
	}
	return scopes
}

// maxScopes is in how many parts of the page entries are looked for.
const maxScopes = 4

// selects is what a trail selects of some elements. ok is false when an example is not among it.
func (l *look) selects(t trail, in scope, of []*place, seen [][]sighting) (s set, ok bool) {
	s = set{trail: t, under: in.under}
	takes := func(e *place) bool { return (in.holds == nil || in.holds[e]) && t.matches(e) }
	for _, places := range seen {
		i := slices.IndexFunc(places, func(p sighting) bool { return takes(p.place) })
		if i < 0 {
			return s, false
		}
		s.samples = append(s.samples, places[i])
		s.worth -= lesser * float64(l.doubt(places[i].place)-l.doubt(places[0].place))
	}
	for _, e := range of {
		if !takes(e) || len(s.members) > 0 && s.members[len(s.members)-1].contains(e) {
			continue
		}
		if s.members = append(s.members, e); len(s.members) > page.MaxPostings {
			return s, false
		}
	}
	return s, true
}

// id is the same for two sets of the same members, and hardly ever for others.
func (s *set) id() uint64 {
	id := uint64(len(s.members))
	for _, e := range s.members {
		id = id*1_000_003 + uint64(e.from) //nolint:gosec // a place in the document is not negative
	}
	return id
}

// weigh says of each set how surely it is the list: every member that is like the examples speaks for it, every other one
// against it.
func (l *look) weigh(sets []set, x Examples) {
	not := folds(x.Not)
	for i := range sets {
		s := &sets[i]
		about := l.aboutSet(s)
		step := 1 + len(s.members)/maxWeighed // of a long list, some speak for all
		before := s.worth
		for i := 0; i < len(s.members); i += step {
			e := s.members[i]
			switch {
			case about.sample[e.folded]:
				s.worth += sampleWorth
			case not[e.key]:
				s.worth -= 3
			case !about.odd && l.isNone(e.text):
				s.worth -= leftOut
			default:
				s.worth += l.bestLikeness(e, s) - about.against(e, s, l)
			}
		}
		s.worth = before + (s.worth-before)*float64(step)
	}
}

// maxWeighed is about how many members of a set are looked at to weigh it.
const maxWeighed = 300

// aboutSet is what speaks for or against members of a set beside what they are like.
type aboutSet struct {
	size   int
	sample map[string]bool // by text: an example
	times  map[string]int  // by text
	texts  map[string]int  // by address: how many texts lead there
	roles  int             // members that read like roles, the examples left out
	asRole bool            // the examples read like roles
	odd    bool            // the examples are called as roles never are
	partly bool            // the examples stand in longer texts
	// labelled says that the examples stand beside a label of titles.
	labelled bool
	cards    cards
}

func (l *look) aboutSet(s *set) aboutSet {
	a := aboutSet{
		size: len(s.members), sample: make(map[string]bool), times: make(map[string]int), texts: make(map[string]int),
		cards: l.cardsOf(s),
	}
	for _, o := range s.samples {
		a.sample[o.folded] = true
		a.partly = a.partly || !o.exact
		a.odd = a.odd || l.isNone(o.example)
		a.labelled = a.labelled || l.tree.LabelsTitle(l.labelOf(o.place))
		a.asRole = a.asRole || l.namesRole(o.place)
	}
	for _, e := range s.members {
		if a.times[e.folded]++; a.times[e.folded] == 1 {
			a.texts[l.linkOf(e)]++
		}
		if !a.sample[e.folded] && l.namesRole(e) {
			a.roles++
		}
	}
	return a
}

// against is what speaks against a member.
func (a aboutSet) against(e *place, s *set, l *look) float64 {
	reads, sum := l.namesRole(e), 0.0
	if n := a.times[e.folded]; (n > 2 && n*3 >= a.size || a.cards.isLabel(e)) && !reads {
		sum += 0.5 // "Apply", on every card
	}
	if a.cards.single && a.cards.count > 1 && a.cards.of[e] != nil && !s.written(e) {
		sum += 0.5 // another part of a card whose title is written like the examples
	}
	if _, value, found := strings.Cut(e.folded, ": "); found && a.times[value] > 0 {
		sum += 0.8 // a title once more, with a label
	}
	if a.partly {
		sum += 0.2 // the examples are only a part of what they stand in: others may be anything
	}
	if a.labelled && !l.tree.LabelsTitle(l.labelOf(e)) {
		sum += 0.5 // another line of the same role
	}
	if at := l.linkOf(e); at != "" && a.texts[at] > 1 {
		sum += 0.5 // another part of the same card
	}
	words := strings.TrimLeftFunc(e.text, isSign)
	if l.tree.NamesTerms(words) || l.tree.NamesPlace(words) {
		sum += 0.4
	}
	switch {
	case !a.asRole || reads:
	case a.roles == 0:
		sum += 0.15
	default:
		sum += 0.1
	}
	return sum
}

// labelOf is the text of the element before one, which may be its label.
func (l *look) labelOf(e *place) string {
	for n := e.node.PrevSibling; n != nil; n = n.PrevSibling {
		if o := l.at[n]; o != nil {
			return o.text
		}
	}
	return ""
}

func isSign(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }

func (l *look) bestLikeness(e *place, s *set) float64 {
	best := -1.0
	for _, sample := range s.samples {
		best = max(best, l.likeness(e, sample.place))
	}
	return best
}

// Weights of what makes an element like an example, and how much of it is enough.
const (
	sameTag     = 0.15
	sameClass   = 0.15
	sameParent  = 0.15
	sameAbove   = 0.10
	nearBy      = 0.15
	sameLink    = 0.10
	sameFolder  = 0.15
	alsoRole    = 0.25
	sameLength  = 0.05
	enoughAlike = 0.70
	sampleWorth = 0.55
	leftOut     = 0.10 // of a text that can be no title, and is left out of the list
	lesser      = 0.30 // for each doubt about the place of an example that another place does not meet
)

// likeness is positive for an element that is like an example, and negative for one that is not.
func (l *look) likeness(e, x *place) float64 {
	alike := -enoughAlike
	if e.tag == x.tag {
		alike += sameTag
	}
	alike += sameClass * overlap(e, x)
	alike += sameParent*resemblance(e.parent, x.parent) + sameAbove*resemblance(e.up(2), x.up(2))
	alike += nearBy * l.nearness(e, x)
	a, b := l.linkOf(e), l.linkOf(x)
	if (a == "") == (b == "") {
		alike += sameLink
		if folder(a) == folder(b) {
			alike += sameFolder
		}
	}
	alike += l.alsoReads(e, x)
	if isSentence(e.text) && !isSentence(x.text) {
		alike -= 0.5
	}
	if n, m := len(e.text), len(x.text); n*4 >= m && m*4 >= n {
		alike += sameLength
	}
	if e.chrome != x.chrome {
		alike--
	}
	if l.tree.OtherMatter(e.node) && !l.tree.OtherMatter(x.node) {
		alike -= 0.4
	}
	if l.tree.OpenMatter(x.node) && !l.tree.OpenMatter(e.node) {
		alike -= 0.4
	}
	return alike
}

// alsoReads compares what the texts say.
func (l *look) alsoReads(e, x *place) float64 {
	switch {
	case !l.namesRole(x):
		return 0.10
	case l.namesRole(e):
		return alsoRole
	}
	return 0
}

// isNone reports whether a text can be no title: the heading of a list, an open application, a call to act.
func (l *look) isNone(text string) bool { return l.tree.NamesNone(text) || l.tree.NamesList(text) }

func (l *look) namesRole(e *place) bool {
	if e.reads == 0 {
		e.reads = -1
		if l.tree.NamesRole(e.text) {
			e.reads = 1
		}
	}
	return e.reads > 0
}

// isSentence reports whether a text is rather something said than the name of something.
func isSentence(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	return utf8.RuneCountInString(text) > 120 || strings.ContainsRune(".?:…。？：", last) ||
		last == '!' && strings.Count(text, " ") > 4
}

// nearness is how deep in the page two elements have something in common.
func (l *look) nearness(e, x *place) float64 {
	a := x
	for a != nil && !a.contains(e) {
		a = a.parent
	}
	if a == nil || x.depth == 0 {
		return 0
	}
	return float64(a.depth) / float64(x.depth)
}

// overlap is how many of their classes two elements share.
func overlap(a, b *place) float64 {
	if len(a.classes) == 0 && len(b.classes) == 0 {
		return 1
	}
	same := 0
	for _, c := range a.classes {
		if slices.Contains(b.classes, c) {
			same++
		}
	}
	return float64(same) / float64(len(a.classes)+len(b.classes)-same)
}

func resemblance(a, b *place) float64 {
	switch {
	case a == nil || b == nil:
		if a == b {
			return 1
		}
		return 0
	case a == b:
		return 1
	case a.tag != b.tag:
		return 0
	}
	return 0.4 + 0.6*overlap(a, b)
}

// linkOf is where an element leads: itself, what it stands in, or the first link in it.
func (l *look) linkOf(e *place) string {
	if !e.asked {
		e.leads, e.asked = l.findLink(e), true
	}
	return e.leads
}

func (l *look) findLink(e *place) string {
	for a := e; a != nil && a.depth+4 > e.depth; a = a.parent {
		if a.tag == "a" {
			if u := l.tree.Link(a.node); u != nil {
				return u.String()
			}
		}
	}
	for _, o := range l.inside(e) {
		if u := l.tree.Link(o.node); u != nil {
			return u.String()
		}
	}
	return ""
}

// inside are the elements below one.
func (l *look) inside(e *place) []*place {
	i, _ := slices.BinarySearchFunc(l.all, e.from, func(o *place, from int) int { return o.from - from })
	j, _ := slices.BinarySearchFunc(l.all, e.end, func(o *place, end int) int { return o.from - end })
	if i+1 >= j {
		return nil
	}
	return l.all[i+1 : j]
}

// folder is an address up to its last slash.
func folder(address string) string {
	return address[:strings.LastIndexByte(strings.TrimRight(address, "/"), '/')+1]
}
