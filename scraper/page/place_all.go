package page

import (
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// allIn is a sentence about all roles of a page up to the place where they are: "All positions are in …".
var allIn = sayings("all are in")

// longestAllIn is the length of the longest line that says where all roles are.
const longestAllIn = 140

// placeAll gives the place that one line of the page states for all of its roles to those that name none. In a list without cards
// that line may stand behind the last role.
func (d *Document) placeAll(found []*candidate, postings []boardwatch.Posting) {
	placed := 0
	for _, p := range postings {
		countIf(&placed, p.Location != "")
	}
	if len(postings) < 2 || placed == len(postings) {
		return
	}
	place := ""
	if last := found[len(found)-1]; placed == 1 && last.flat && postings[len(postings)-1].Location != "" {
		place = postings[len(postings)-1].Location
	} else if placed == 0 {
		place = d.placeForAll(found)
	}
	for i := range postings {
		if postings[i].Location == "" {
			postings[i].Location = place
		}
	}
}

// placeForAll is the place that a line beside the cards states, by a label or in a sentence; "" when none does, or several do.
func (d *Document) placeForAll(found []*candidate) string {
	cards, place := d.onCards(found), ""
	for _, e := range d.within(d.body) {
		if !e.own || e.hidden || e.chrome || cards[e.index] || e.longer(longestAllIn) {
			continue
		}
		text := e.statedForAll()
		if text == "" || text == place {
			continue
		}
		if place != "" {
			return ""
		}
		place = text
	}
	return place
}

// statedForAll is the place that a line states for all roles, or "".
func (e *element) statedForAll() string {
	d, said := e.page, e.said()
	if label, value, found := cutLabel(said.text); found && isPlaceLabel(d.fold(label)) && value != "" && d.sections().at(e).about() == open {
		return strings.Trim(value, " .。!")
	}
	for sentence := range strings.FieldsFuncSeq(said.text, func(r rune) bool { return r == '.' || r == '!' || r == '。' || r == '！' }) {
		sentence = strings.TrimSpace(sentence)
		folded := Fold(sentence)
		if !allIn.MatchString(folded) {
			continue
		}
		at := allIn.Regexp().FindStringIndex(folded)
		words, named := strings.Fields(sentence), strings.Fields(folded[at[1]:])
		if n := len(named); n > 0 && n <= 5 && n < len(words) {
			place := strings.Trim(strings.Join(words[len(words)-n:], " "), " .,;:")
			if !slices.ContainsFunc(named, func(word string) bool { return roleWords()[word] }) {
				return place
			}
		}
	}
	return ""
}
