package boardwatch

import (
	"cmp"
	"context"
)

// Describer is an optional interface of a Source.
type Describer interface {
	// Describe reads what a role says of itself in a place of its own, such as its page. What is not stated there is empty.
	// An error means that nobody was asked: the context ended.
	Describe(ctx context.Context, b Board, j Job) (f Facts, text string, err error)
}

// ToDescribe returns the numbers of the postings whose own pages are to be read: they have a page, the list holds no text of
// theirs, and either none is known or the list says that they were changed since.
func (r Rules) ToDescribe(known []Job, reading Reading) []int {
	if r.Details != DetailsAll || r.Texts == TextsOff || !reading.Health.Read() || reading.Unchanged {
		return nil
	}
	jobs := make(map[string]Job, len(known))
	for _, j := range known {
		jobs[j.Key] = j
	}
	var list []int
	for i, p := range reading.Postings {
		changed := p.Facts.UpdatedAt != "" && p.Facts.UpdatedAt != jobs[p.Key].Facts.UpdatedAt
		if p.Text == "" && p.URL != "" && (jobs[p.Key].TextHash == "" || changed) {
			list = append(list, i)
		}
	}
	return list
}

// Described returns the posting with what its own page states. What the list states counts.
func (p Posting) Described(f Facts, text string) Posting {
	p.Facts, p.Text = f.clean().with(p.Facts), cleanText(text)
	p.Facts.Language = cmp.Or(p.Facts.Language, languageOf(p.Text))
	return p
}
