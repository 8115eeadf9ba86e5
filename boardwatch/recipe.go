package boardwatch

import "context"

// RecipeStore is what the recipes of boards need from a store.
type RecipeStore interface {
	// SetRecipe sets the recipe that a board is read with from its next check on, which is due at once unless its
	// source asked for a pause. With an empty recipe the reader finds the roles by itself again. A check that is
	// running loses its claim, because it was made the old way. An unknown board is a not_found error. The id may be an
	// alias.
	SetRecipe(ctx context.Context, boardID, recipe string) error
}

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
