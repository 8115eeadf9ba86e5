package page

import (
	"slices"
	"strings"
)

// advertPart matches the headings and labels of the parts of an advert: the tasks, what is required, what is offered.
var advertPart = sayings("advert part")

// longestPart is the length of the longest heading of a part of an advert.
const longestPart = 60

// headsPart reports whether a text is such a heading, perhaps with a colon behind it.
func (p *phrase) headsPart() bool {
	return p.is(knowsPart, func() bool { return advertPart.MatchString(strings.TrimRight(p.folded, ":： ")) })
}

// showsAdvert reports whether the elements of a card hold headings of several parts of an advert.
func (d *Document) showsAdvert(card span) bool {
	var first *phrase
	for _, e := range d.between(card.from, card.to) {
		if !e.own || e.chrome || e.longer(longestPart) || !e.longer(2) || !e.said().headsPart() {
			continue
		}
		if first == nil {
			first = e.said()
		} else if e.said() != first {
			return true
		}
	}
	return false
}

// fewHeadings is how many headings below a title may be called anything.
const fewHeadings = 2

// headSections reports whether the texts of the group are headings without an address, each above several lower headings, of which
// none is a part of an advert.
func (g *group) headSections() bool {
	return !slices.ContainsFunc(g.items, func(c *candidate) bool { return !c.headsSection() })
}

func (c *candidate) headsSection() bool {
	if c.element.level == 0 || c.url != nil {
		return false
	}
	lower := 0
	for _, e := range c.element.page.between(c.element.end, max(c.element.end, c.card.to)) {
		if e.level <= c.element.level || e.hidden {
			continue
		}
		if e.said().headsPart() {
			return false
		}
		lower++
	}
	return lower > fewHeadings
}

// maxRepeated is how many cards are compared with one another.
const maxRepeated = 100

// repeatsAdvert reports whether the cards of the group, several, have the same labels in front of different matter, as adverts have in
// every language: "Tasks:", "You bring:". Each says how to answer, or the page is about jobs.
func (g *group) repeatsAdvert(prior float64) bool {
	if len(g.items) < 2 || len(g.items) > maxRepeated {
		return false
	}
	labels, titles := make(map[string]int), make(map[string]bool)
	for _, c := range g.items {
		own, answers := make(map[string]bool), prior > 0
		for _, e := range g.page.between(c.card.from, c.card.to) {
			if !e.own || e.hidden || e.longer(longestAnswer) {
				continue
			}
			text := e.visibleText()
			answers = answers || holdsMailbox(text)
			if endsInColon(text) && !longer(text, longestPart) && !c.element.contains(e) {
				own[text] = true
			}
		}
		for text := range own {
			labels[text]++
		}
		if titles[c.title] = true; !answers || endsInColon(c.title) {
			return false
		}
	}
	equal := 0
	for _, n := range labels {
		countIf(&equal, n == len(g.items))
	}
	return equal > 1 && len(titles) == len(g.items)
}
