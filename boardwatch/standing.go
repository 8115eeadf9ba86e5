package boardwatch

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// PageText is the visible text of the ordinary pages that a reading was made from. It protects against a list that was
// read wrongly: a role whose title is still on the page is not gone. The zero value means that no page was seen.
type PageText struct {
	// Pages contains one text for each page. WordEdge marks where one element ends and the next begins inside a run of
	// letters.
	Pages []string
	// Cut means that the pages contain more than was stored.
	Cut bool
	// Links are the identities (AddressIdentity) of the addresses that the pages link to.
	Links map[string]bool
}

// WordEdge separates two elements in a PageText that nothing else separates: "Welder" and "Fitter" in two columns of a
// row, or the parts of a word that is partly bold.
const WordEdge = "\x1f"

// maxPageText is how many bytes of the text of all pages are stored.
const maxPageText = 1 << 20

// Add adds the text of another page.
func (t *PageText) Add(page string) {
	room := maxPageText
	for _, kept := range t.Pages {
		room -= len(kept)
	}
	if len(page) > room {
		for room > 0 && !utf8.RuneStart(page[room]) {
			room--
		}
		page, t.Cut = strings.Clone(page[:room]), true
	}
	t.Pages = append(t.Pages, page)
}

// Join adds what other pages show.
func (t *PageText) Join(other PageText) {
	for _, page := range other.Pages {
		t.Add(page)
	}
	t.Cut = t.Cut || other.Cut
	if t.Links == nil {
		t.Links = make(map[string]bool, len(other.Links))
	}
	maps.Copy(t.Links, other.Links)
}

// standing returns the reading, made partial if titles of open roles that it lacks are still on the page, because the
// list may then have been read wrongly.
func (r Reading) standing(who identity) Reading {
	if r.Health != HealthOK || r.Unchanged || len(r.Shown.Pages) == 0 {
		return r
	}
	present := who.present(r)
	var missing []string
	for _, j := range who.known {
		if j.Status == JobOpen && !present[j.Key] {
			missing = append(missing, j.Title)
		}
	}
	if len(missing) == 0 {
		return r
	}
	stand, sure := r.Shown.standing(missing, r.Postings)
	switch {
	case !sure:
		r.Health, r.Reason = HealthPartial, itoa(len(missing))+
			" known roles are not in the list that was read, and the page is too long to tell whether they still stand on it"
	case stand == 1:
		r.Health, r.Reason = HealthPartial, "1 known role is not in the list that was read, but its title still stands on the page"
	case stand > 1:
		r.Health, r.Reason = HealthPartial, itoa(stand)+
			" known roles are not in the list that was read, but their titles still stand on the page"
	}
	return r
}

// Shows reports whether a title is in the text, whatever marks of gender either has.
func (t PageText) Shows(title string) bool {
	plain := PageText{}
	for _, page := range t.Pages {
		plain.Pages = append(plain.Pages, genders.ReplaceAllString(page, " "))
	}
	return plain.search(nil).stands(genders.ReplaceAllString(title, " "))
}

// standing counts the missing titles that are on the pages, besides those of the listed roles. It is not sure if the
// pages are too long.
func (t PageText) standing(missing []string, listed []Posting) (stand int, sure bool) {
	if t.Cut {
		return 0, false
	}
	s := t.search(listed)
	for _, title := range missing {
		if s.stands(title) {
			stand++
		}
	}
	return stand, s.work <= maxSearch
}

// maxSearch is how many words are compared before a page counts as too long to be searched.
const maxSearch = 20_000_000

// pageSearch finds titles in the text of pages, word by word. Punctuation between the words is ignored: a title may be
// written with a different dash than on the page.
type pageSearch struct {
	texts  []*wordText
	listed map[string]int // how many listed roles have each title
	times  int            // how often the pages usually show the title of a listed role
	work   int
}

// wordText is one way to split the text of a page into words.
type wordText struct {
	words []string
	at    map[string][]int // the positions of a word
	reach []int            // by position: the end of the longest listed title that begins there or before
	own   []int            // by position: the end of the longest listed title that begins there
}

func (t PageText) search(listed []Posting) *pageSearch {
	s := &pageSearch{listed: make(map[string]int, len(listed))}
	for _, p := range listed {
		s.listed[strings.Join(words(p.Title), " ")]++
	}
	all := strings.Join(t.Pages, "\n")
	s.texts = []*wordText{newWordText(strings.ReplaceAll(all, WordEdge, " "))}
	if strings.Contains(all, WordEdge) {
		s.texts = append(s.texts, newWordText(strings.ReplaceAll(all, WordEdge, "")))
	}
	for _, text := range s.texts {
		s.cover(text)
	}
	times := make([]int, 0, len(s.listed))
	for title, roles := range s.listed {
		if n := s.count(title); n > 0 {
			times = append(times, max(1, n/roles))
		}
	}
	if slices.Sort(times); len(times) > 0 {
		s.times = times[(len(times)-1)/2]
	}
	return s
}

func newWordText(text string) *wordText {
	t := &wordText{words: words(text), at: make(map[string][]int)}
	for i, word := range t.words {
		t.at[word] = append(t.at[word], i)
	}
	return t
}

// cover records the positions of listed titles: a title inside a longer one is not a role of its own.
func (s *pageSearch) cover(t *wordText) {
	t.own, t.reach = make([]int, len(t.words)), make([]int, len(t.words))
	for title := range s.listed {
		of := strings.Fields(title)
		for _, at := range s.find(t, of) {
			t.own[at] = max(t.own[at], at+len(of))
		}
	}
	end := 0
	for at, own := range t.own {
		end = max(end, own)
		t.reach[at] = end
	}
}

// find lists the positions of a title in a text.
func (s *pageSearch) find(t *wordText, title []string) []int {
	if len(title) == 0 {
		return nil
	}
	rarest := 0
	for i, word := range title {
		if len(t.at[word]) < len(t.at[title[rarest]]) {
			rarest = i
		}
	}
	var found []int
	for _, place := range t.at[title[rarest]] {
		if s.work > maxSearch {
			break
		}
		at, same := place-rarest, 0
		for at >= 0 && at+len(title) <= len(t.words) && same < len(title) && t.words[at+same] == title[same] {
			same++
		}
		if s.work += same + 1; same == len(title) {
			found = append(found, at)
		}
	}
	return found
}

// count returns how often a title is on the page outside of longer listed titles.
func (s *pageSearch) count(title string) int {
	of, most := strings.Fields(title), 0
	for _, t := range s.texts {
		n := 0
		for _, at := range s.find(t, of) {
			end := at + len(of)
			if t.own[at] <= end && (at == 0 || t.reach[at-1] < end) {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// stands reports whether the title of a role that is not listed is on the page. If listed roles have the same title,
// each accounts for the usual number of occurrences.
func (s *pageSearch) stands(title string) bool {
	title = strings.Join(words(title), " ")
	shown, roles := s.count(title), s.listed[title]
	return shown > 0 && (roles == 0 || shown > roles*s.times)
}

// words returns the folded words of a text: its runs of letters and digits.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(OneLine(text, len(text))), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
}
