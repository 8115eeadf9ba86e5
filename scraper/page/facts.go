package page

import (
	"cmp"
	"net/url"
	"slices"
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

// NameCountries notes the countries of a role's places whose source has no fields for them, from their texts, or from its location if it
// states no places: those that begin or end with their country, where the gazetteer knows everything else.
func NameCountries(p *boardwatch.Posting) {
	for i, place := range p.Facts.Places {
		if place.Country == "" {
			p.Facts.Places[i].Country = placeInFull(place.Text).Country
		}
	}
	if len(p.Facts.Places) > 0 || p.Location == "" {
		return
	}
	var places []boardwatch.Place
	for text := range strings.SplitSeq(p.Location, "; ") {
		places = append(places, placeInFull(text))
	}
	fact.Places(&p.Facts, places...)
}

// placeInFull is a place with its country and city, if its text is made of known names and one of them is a country: "Lisbon, Portugal"
// and "United States-Michigan-Detroit".
func placeInFull(text string) boardwatch.Place {
	plain := boardwatch.Place{Text: text}
	parts := strings.Split(text, ",")
	if len(parts) == 1 && !namesCountry(text) {
		parts = strings.Split(text, "-")
	}
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	if country := parts[0]; len(parts) > 1 && namesCountry(country) && !namesCountry(parts[len(parts)-1]) {
		slices.Reverse(parts)
	}
	before, last := parts[:len(parts)-1], parts[len(parts)-1]
	if !namesCountry(last) || last == "Georgia" && len(before) > 0 { // a state, too
		return plain
	}
	city := ""
	for _, part := range before {
		switch {
		case part == "" || fact.Mode(part) != "": // "Remote, Portugal"
		case fact.IsRegion(part) || isStateCode(part):
		case isKnownPlace(Fold(part)):
			city = cmp.Or(city, part)
		default:
			return plain
		}
	}
	return fact.Place(text, city, last)
}

// namesCountry reports whether a part of a location is a country. Codes of two letters are states, too: "CA".
func namesCountry(part string) bool {
	return fact.Country(part) != "" && (len(part) > 3 || part == "UK" || part == "USA" || part == "US" || part == "UAE")
}
