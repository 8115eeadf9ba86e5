package page

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/markdown"
	"github.com/boardwatch/boardwatch/internal/match"
)

// describe gives a posting its text. Relative links in it belong to the posting's own page, or to the one at base.
func describe(p *boardwatch.Posting, markup string, base *url.URL) {
	if markup == "" {
		return
	}
	at := p.URL
	if at == "" && base != nil {
		at = base.String()
	}
	p.Text = markdown.Of(markup, at, boardwatch.MaxText)
}

// addFacts adds what the object states besides to a record that is a role.
func (r *record) addFacts(base *url.URL) {
	facts, description := fact.Named(r.members, r.posting.Location)
	r.posting.Facts = facts
	describe(&r.posting, strings.Join(description, "\n\n"), base)
}

// kindOfWork is a text that says nothing but how long or how much is worked.
//
//nolint:gochecknoglobals // a constant pattern
var kindOfWork = match.Of(func() string { return oneOf("contract") })

// labelFacts are what labels on a card say: texts of their own beside the title that name nothing but a kind of employment, a
// mode of work, or pay.
func (d *Document) labelFacts(f *boardwatch.Facts, c *candidate, lines []line) {
	for _, l := range lines {
		d.labelFact(f, l.text)
	}
	for _, e := range d.between(c.card.from, c.card.to) {
		if len(e.kids) == 0 && !e.hidden && e.own && !e.longer(longestLabel) && !c.inTitle(e) {
			d.labelFact(f, trimBeside(e.visibleText()))
		}
	}
}

// labelFact adds what one text says. Cards repeat their labels, so that most are known already.
func (d *Document) labelFact(f *boardwatch.Facts, text string) {
	if text == "" || len(text) > longestLabel {
		return
	}
	said, known := d.labels[text]
	if !known {
		if d.labels == nil {
			d.labels = make(map[string]*boardwatch.Facts)
		}
		said = statedBy(text)
		d.labels[text] = said
	}
	if said != nil {
		*f = fact.Fill(*f, *said)
	}
}

// statedBy is what a text states, or nil.
func statedBy(text string) *boardwatch.Facts {
	var f boardwatch.Facts
	if strings.ContainsAny(text, "0123456789") {
		f.Pay, _ = fact.PayLabel(text)
	} else {
		folded := Fold(text)
		if t, ok := fact.JobType(text); ok && kindOfWork.MatchString(folded) {
			f.Type, f.TypeText = t, text
		}
		if workMode()[folded] || remote.MatchString(folded) {
			f.Mode = fact.Mode(text)
		}
	}
	if f.IsZero() {
		return nil
	}
	return &f
}

// NameCountries notes the places of a role whose source has no fields for them, from its location: those that end in their country,
// where the gazetteer knows everything that stands before it.
func NameCountries(p *boardwatch.Posting) {
	if len(p.Facts.Places) > 0 || p.Location == "" {
		return
	}
	var places []boardwatch.Place
	for text := range strings.SplitSeq(p.Location, "; ") {
		before, last := "", text
		if at := strings.LastIndexByte(text, ','); at >= 0 {
			before, last = text[:at], strings.TrimSpace(text[at+1:])
		}
		country := fact.Country(last)
		if country == "" || len(last) <= 3 && last != "UK" && last != "USA" && last != "UAE" || last == "Georgia" && before != "" { // "CA" and Georgia are states, too
			places = append(places, boardwatch.Place{Text: text})
			continue
		}
		city, known := "", true
		for part := range strings.SplitSeq(before, ",") {
			part = strings.TrimSpace(part)
			if fact.Mode(part) != "" {
				continue // "Remote, Portugal"
			}
			city, known = cmp.Or(city, part), known && (part == "" || isKnownPlace(Fold(part)) || isStateCode(part))
		}
		if !known {
			city, country = "", ""
		}
		places = append(places, fact.Place(text, city, country))
	}
	fact.Places(&p.Facts, places...)
}
