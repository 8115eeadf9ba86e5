package recipe

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/boardwatch/boardwatch/scraper/page"
)

// recipe is the recipe that a set of titles makes: what belongs to each, and where in it the rest stands.
func (l *look) recipe(s set, x Examples) (Recipe, bool) {
	r := Recipe{Version: Version, Hidden: l.hidden, Under: s.under}
	rooms := make([]int, len(s.members))
	for i := range s.members {
		rooms[i] = l.room(s.members, i)
	}
	lift := slices.Min(rooms)
	if len(s.members) == 1 {
		lift = l.roomAlone(s.members[0])
	}
	for ; lift >= 0; lift-- {
		entries, ok := l.lifted(s.members, lift)
		if !ok {
			continue
		}
		way, ok := l.wayTo(entries, s.under)
		if !ok {
			continue
		}
		r.Entry = way
		inner, ok := l.titleIn(entries, s.members)
		if !ok {
			continue
		}
		r.Title.Select = inner
		r.Follows = l.flows(entries, s.members)
		if !l.cuts(&r, s) {
			return r, false
		}
		l.fill(&r, x)
		return r, true
	}
	return r, false
}

// room is how many steps up from a member no other comes in. The same title once more, for another size of screen, is no
// other.
func (l *look) room(members []*place, i int) int {
	e, steps := members[i], 0
	for a := e.parent; a != nil && !a.chrome; a = a.parent {
		for _, j := range [...]int{i - 1, i + 1} {
			if j >= 0 && j < len(members) && a.contains(members[j]) {
				return steps
			}
		}
		steps++
	}
	return steps
}

// roomAlone is the same for the only member: up to what holds more than its title, short of the page's other headings.
func (l *look) roomAlone(e *place) int {
	level := max(l.levelIn(e.node), 1)
	steps := 0
	for a := e.parent; a != nil && a.tag != "main" && a.tag != "body"; a = a.parent {
		if slices.ContainsFunc(l.inside(a), func(o *place) bool {
			at := l.tree.Level(o.node)
			return at > 0 && at <= level && !e.contains(o) && !o.contains(e)
		}) {
			break
		}
		steps++
		if len(a.folded) > len(e.folded) {
			return steps
		}
	}
	return 0
}

// lifted are the elements so many steps above the members. ok is false when they are not one for each.
func (l *look) lifted(members []*place, steps int) (entries []*place, ok bool) {
	seen := make(map[*place]bool, len(members))
	for _, e := range members {
		a := e.up(steps)
		if a == nil || seen[a] {
			return nil, false
		}
		seen[a] = true
		entries = append(entries, a)
	}
	return entries, true
}

// wayTo is a selector for just these elements.
func (l *look) wayTo(entries []*place, under string) (string, bool) {
	var ways []trail
	for _, t := range trailsTo(entries[0]) {
		if slices.ContainsFunc(entries[:min(len(entries), 50)], func(e *place) bool { return !t.matches(e) }) {
			continue // isJust looks at all of them
		}
		ways = append(ways, t)
	}
	slices.SortStableFunc(ways, func(a, b trail) int { return cmp.Compare(a.cost(), b.cost()) })
	folded := page.Fold(under)
	for _, t := range ways {
		if l.isJust(t, entries, under, folded) {
			return t.String(), true
		}
	}
	return "", false
}

// isJust reports whether a trail selects the entries, perhaps what stands in them, and nothing else.
func (l *look) isJust(t trail, entries []*place, under, folded string) bool {
	i := 0
	for _, e := range l.all {
		if e.skipped(l.parsed) || !t.matches(e) || under != "" && !l.isUnder(e.node, folded) {
			continue
		}
		switch {
		case i < len(entries) && e == entries[i]:
			i++
		case i > 0 && entries[i-1].contains(e):
		default:
			return false
		}
	}
	return i == len(entries)
}

// titleIn is a selector for the titles inside the entries; empty where the entries are the titles.
func (l *look) titleIn(entries, titles []*place) (string, bool) {
	if slices.Equal(entries, titles) {
		return "", true
	}
	var options []trail
	for _, last := range optionsOf(titles[0]) {
		options = append(options, trail{steps: []step{last}})
		if up := titles[0].parent; up != nil && entries[0] != up {
			for _, first := range optionsOf(up) {
				options = append(options, trail{steps: []step{first, last}})
			}
		}
	}
	for _, c := range titles[0].classes[:min(len(titles[0].classes), maxClasses)] {
		options = append(options, trail{steps: []step{{classes: []string{c}}}})
	}
	slices.SortStableFunc(options, func(a, b trail) int { return cmp.Compare(a.cost(), b.cost()) })
	for _, o := range options {
		if l.isFirst(o, entries, titles) {
			return o.String(), true
		}
	}
	return l.columnIn(entries, titles)
}

// isFirst reports whether a trail selects, as the first in each entry, its title.
func (l *look) isFirst(o trail, entries, titles []*place) bool {
	for i, entry := range entries {
		j := slices.IndexFunc(l.inside(entry), func(e *place) bool { return o.matches(e) && !e.skipped(l.parsed) })
		if j < 0 || l.inside(entry)[j] != titles[i] {
			return false
		}
	}
	return true
}

// columnIn is a selector by the position among the siblings: what else tells the columns of a table apart?
func (l *look) columnIn(entries, titles []*place) (string, bool) {
	for i, t := range titles {
		if t.nth != titles[0].nth || t.tag != titles[0].tag || t.parent != entries[i] {
			return "", false
		}
	}
	return column(titles[0]), true
}

// column is a selector by an element's tag and its position among its siblings.
func column(e *place) string { return step{tag: e.tag, nth: e.nth}.String() }

// flows reports whether the entries are only beginnings, and what belongs to them follows.
func (l *look) flows(entries, titles []*place) bool {
	list := make([]entry, len(entries))
	for i, e := range entries {
		list[i] = entry{[]*html.Node{e.node}}
	}
	bare, followed := 0, 0
	for i, e := range entries {
		if len(e.folded) <= len(titles[i].folded) {
			bare++
		}
		if len(l.following(list, i)) > 1 {
			followed++
		}
	}
	return bare*2 > len(entries) && followed*2 >= len(entries)
}

// cuts settles which part of its element's text the title is, where the examples are not all of it.
func (l *look) cuts(r *Recipe, s set) bool {
	if !slices.ContainsFunc(s.samples, func(o sighting) bool { return !o.exact }) {
		return true
	}
	for _, f := range l.cutsOf(s.samples) {
		f.Select = r.Title.Select
		r.Title = f
		if l.agrees(*r, s.samples) {
			return true
		}
	}
	return false
}

// cutsOf are ways to take a part of a text, the plainest first.
func (l *look) cutsOf(samples []sighting) []Field {
	ways := []Field{{Own: true}, {Line: 1}, {Own: true, Line: 1}, {Line: 2}, {Line: 3}}
	for _, s := range samples {
		if s.exact {
			continue
		}
		before, after := around(s.text, s.example)
		start, end := lastMark(before), firstMark(after)
		ways = append(ways, Field{Before: end, After: start}, Field{Line: 1, Before: end, After: start}, Field{Own: true, Before: end, After: start},
			Field{After: strings.TrimSpace(before), Before: strings.TrimSpace(after)})
	}
	return slices.DeleteFunc(ways, func(f Field) bool { return f.none() })
}

// around is what stands before and after a part of a text.
func around(text, part string) (before, after string) {
	lower, wanted := strings.ToLower(text), strings.ToLower(strings.Join(strings.Fields(part), " "))
	if i := strings.Index(lower, wanted); i >= 0 && len(lower) == len(text) {
		return text[:i], text[i+len(wanted):]
	}
	return "", ""
}

// lastMark is the sign, with what comes before it up to a word's end, that parts a title from what is before it.
func lastMark(before string) string {
	before = strings.TrimSpace(before)
	if before == "" {
		return ""
	}
	if i := strings.LastIndexAny(before, ":|–—-"); i >= 0 && len(before)-i <= len("—") {
		if i = strings.LastIndexByte(before[:i], ' ') + 1; before[i:] != "" {
			return before[i:]
		}
	}
	return before
}

// firstMark is the sign that parts a title from what comes after it.
func firstMark(after string) string {
	if after == "" {
		return ""
	}
	spaced := after[0] == ' '
	rest := strings.TrimLeft(after, " ")
	for _, mark := range [...]string{"(", "|", "–", "—", "-", "·", "•", ",", ":", ";", "/", "[", ".", "…"} {
		if strings.HasPrefix(rest, mark) {
			if spaced {
				return " " + mark
			}
			return mark
		}
	}
	word, _, _ := strings.Cut(rest, " ")
	return " " + word
}

// agrees reports whether the recipe finds the examples as they were written.
func (l *look) agrees(r Recipe, samples []sighting) bool {
	chosen, fault := r.choose(l.parsed)
	if fault != "" {
		return false
	}
	titles := make(map[string]bool, len(chosen))
	for _, c := range chosen {
		titles[keyOf(c.Posting.Title)] = true
	}
	for _, s := range samples {
		if !titles[keyOf(s.example)] {
			return false
		}
	}
	return true
}
