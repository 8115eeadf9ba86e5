package page

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// leads is what those are called who lead a company: nobody is hired to be its founder.
var leads = sayings("leads a company")

// leadsCompany reports whether a text says that somebody leads a company.
func (p *phrase) leadsCompany() bool {
	return !longer(p.text, longestTitle/2) && leads.MatchString(p.folded)
}

// showsPeople reports whether the list says what the people are whom the page shows: a name stands beside most of several texts, on no
// other card, or most of them lead the company. Nothing speaks of jobs, neither the page as a whole nor a heading, an address or a card.
func (g *group) showsPeople(prior float64) bool {
	if prior > 0 || len(g.items) == 0 || g.underOpenings() || slices.ContainsFunc(g.items, func(c *candidate) bool {
		return c.url != nil && c.url.job || marksGender(c.title)
	}) {
		return false
	}
	items := g.sample()
	leading, named, times := 0, 0, make(map[*phrase]int)
	names := make([][]*phrase, len(items))
	for i, c := range items {
		countIf(&leading, g.page.phraseOf(c.title).leadsCompany())
		names[i] = c.namesBeside()
		for _, name := range names[i] {
			times[name]++
		}
	}
	for _, beside := range names {
		countIf(&named, slices.ContainsFunc(beside, func(p *phrase) bool { return times[p] == 1 }))
	}
	return leading*2 > len(items) || len(items) > 1 && named*3 > len(items)*2
}

// mostNames is how many texts of a card are noted that may be names of people.
const mostNames = 4

// namesBeside are the texts on the candidate's card that may be names of people. The card must be laid.
func (c *candidate) namesBeside() []*phrase {
	var names []*phrase
	for _, e := range c.element.page.between(c.card.from, c.card.to) {
		if !e.own || e.hidden || e.chrome || e.longer(longestPersonName) || !e.longer(3) || e.contains(c.element) || c.element.contains(e) {
			continue
		}
		if said := e.said(); said.mayNamePerson() {
			if names = append(names, said); len(names) == mostNames {
				break
			}
		}
	}
	return names
}

// longestPersonName is the length of the longest name of a person.
const longestPersonName = 40

// mayNamePerson reports whether a text may be the name of a person: a few capitalised words of which none is known.
func (p *phrase) mayNamePerson() bool {
	words, n := strings.Fields(p.text), 0
	if len(words) < 2 || len(words) > 5 {
		return false
	}
	for _, w := range words {
		first, size := utf8.DecodeRuneInString(w)
		switch {
		case unicode.IsUpper(first) && size < len(w):
			n++
		case len(w) > 3 || !unicode.IsLetter(first):
			return false
		}
	}
	return n > 1 && p.likely() < 0 && !p.namesRole() && !p.looksLikePlace() && !p.namesDepartment() && !p.callsToAct() && !p.leadsOn() && !p.saysTerms() && p.about() == plain
}
