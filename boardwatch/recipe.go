package boardwatch

import "context"

// Healer is a Source that can make a new recipe for a board when the old one no longer fits the page.
type Healer interface {
	// Heal looks for the roles with these titles, which are known to be on the board, and reads the board with the
	// recipe made from them. Reading.Recipe is that recipe, or empty if none could be made. Its errors are those of
	// Read.
	Heal(ctx context.Context, b Board, titles []string) (Reading, error)
}

// CheckEvent is something that happened in a check besides its result.
type CheckEvent string

// The events.
const (
	EventNone         CheckEvent = ""
	EventRecipeHealed CheckEvent = "recipe_healed" // the recipe no longer fitted the page, and was repaired
	EventRecipeTaught CheckEvent = "recipe_taught" // a teacher was asked about the page, and a recipe was made from its guess
)
