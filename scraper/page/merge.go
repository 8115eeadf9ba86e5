package page

import (
	"cmp"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
)

// merge joins what a page says to machines with what it shows to people. What it shows counts; a single statement that
// matches nothing shown is an advertisement for the page as a whole.
func merge(shown []boardwatch.Posting, data Statement, d *Document) []boardwatch.Posting {
	if len(shown) == 0 {
		if len(data.Postings) == 1 && !data.fits(d) {
			return nil
		}
		return data.Postings
	}
	byAddress, byTitle := byAddressAndTitle(data.Postings)
	matched := make([]bool, len(data.Postings))
	for i, p := range shown {
		j, ok := byAddress[p.Key]
		if !ok || p.URL == "" {
			j, ok = unmatched(p, byTitle[Fold(p.Title)], data.Postings, matched)
		}
		if ok && !matched[j] {
			matched[j] = true
			shown[i] = enrich(p, data.Postings[j])
		}
	}
	if len(data.Postings) < 2 {
		return shown
	}
	for j, q := range data.Postings {
		if !matched[j] {
			shown = append(shown, q)
		}
	}
	return shown
}

// maxAlike is how many postings of one title are told apart by their places.
const maxAlike = 500

// unmatched is the posting for a role among those of its title: one that is in the same place, or else the first that is left.
func unmatched(p boardwatch.Posting, titled []int, postings []boardwatch.Posting, matched []bool) (j int, ok bool) {
	for _, k := range titled[:min(len(titled), maxAlike)] {
		if matched[k] {
			continue
		}
		if p.Location != "" && strings.Contains(Fold(postings[k].Location), Fold(p.Location)) {
			return k, true
		}
		if !ok {
			j, ok = k, true
		}
	}
	return j, ok
}

// join completes what a page shows with the state of the application behind it. A state that knows more than half of what
// is shown is the list itself, of which the page may show a part; any other is about something else and is forgotten.
func join(shown []boardwatch.Posting, state *Stated) []boardwatch.Posting {
	if len(shown) == 0 || len(state.Postings) == 0 {
		if len(shown) > 0 {
			*state = Stated{Extent: Silent()}
		}
		return append(shown, state.Postings...)
	}
	byAddress, byTitle := byAddressAndTitle(state.Postings)
	pairs := make([]int, len(shown))
	used := make([]bool, len(state.Postings))
	hits := 0
	for i, p := range shown {
		j, ok := byAddress[p.Key]
		for _, k := range byTitle[Fold(p.Title)] {
			if !ok && !used[k] {
				j, ok = k, true
			}
		}
		pairs[i] = -1
		if ok {
			pairs[i], used[j] = j, true
			hits++
		}
	}
	if hits*2 <= len(shown) {
		*state = Stated{Extent: Silent()}
		return shown
	}
	for i, j := range pairs {
		if j >= 0 {
			shown[i] = enrich(shown[i], state.Postings[j])
		}
	}
	for j, q := range state.Postings {
		if !used[j] {
			shown = append(shown, q)
		}
	}
	return shown
}

// byAddressAndTitle says which postings have an address, by their key, and which a title, folded.
func byAddressAndTitle(postings []boardwatch.Posting) (byAddress map[string]int, byTitle map[string][]int) {
	byAddress, byTitle = make(map[string]int), make(map[string][]int)
	for j, q := range postings {
		if q.URL != "" {
			byAddress[q.Key] = j
		}
		byTitle[Fold(q.Title)] = append(byTitle[Fold(q.Title)], j)
	}
	return byAddress, byTitle
}

// enrich fills the gaps of what is shown.
func enrich(p, q boardwatch.Posting) boardwatch.Posting {
	if p.Location == "" {
		p.Location = q.Location
	}
	if p.Department == "" {
		p.Department = q.Department
	}
	if p.URL == "" {
		p.URL, p.Key = q.URL, q.Key
	}
	p.Facts, p.Text = fact.Fill(p.Facts, q.Facts), cmp.Or(p.Text, q.Text)
	return p
}
