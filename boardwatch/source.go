package boardwatch

import (
	"cmp"
	"context"
)

// Finder is a Source that can use what the service already knows about a board. For a Source that is not a Finder,
// Discover is called with the board's address instead.
type Finder interface {
	// Find does for a known board what Discover does for an address. It starts at the board's address and reads it the
	// way the operator has set (BoardState.Access). A board with a source is passed in if that source answered that it
	// does not know the board. Find then looks for another source, also from the company's domain.
	Find(ctx context.Context, b Board) (Board, error)
}

// Recognized is what an address alone shows about the board behind it, without any request.
type Recognized struct {
	// Address is the input in its normalised form. It is the key of a board whose source is not known yet.
	Address string
	// Source is where the roles are read, "system:token", if the form of the address shows it. Otherwise it is empty.
	Source string
	// URL is the careers page that a person can open.
	URL string
	// Evidence says in plain words what the address showed. It may be empty.
	Evidence string
}

// Healer is a Source that can make a new recipe for a board when the old one no longer fits the page.
type Healer interface {
	// Heal looks for the roles with these titles, which are known to be on the board, and reads the board with the
	// recipe made from them. Reading.Recipe is that recipe, or empty if none could be made. Its errors are those of
	// Read.
	Heal(ctx context.Context, b Board, titles []string) (Reading, error)
}

// CheckEvent is something that happened in a check besides its result, or "".
type CheckEvent string

// The events.
const (
	EventRecipeHealed CheckEvent = "recipe_healed" // the recipe no longer fitted the page, and was repaired
	EventRecipeTaught CheckEvent = "recipe_taught" // a teacher was asked about the page, and a recipe was made from its guess
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
