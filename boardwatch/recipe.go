package boardwatch

import "context"

// RecipeStore is what the recipes of boards need from a store.
type RecipeStore interface {
	// SetRecipe has a board read by a recipe from its next check on, which is at once unless its source wants to be left
	// alone; the empty recipe leaves finding the roles to the reader again. A check that is under way loses its claim: it
	// was made the old way. A board that does not exist is a not_found error; the id may be an alias.
	SetRecipe(ctx context.Context, boardID, recipe string) error
}

// Healer is a Source that can make the recipe of a board anew when it no longer fits the page.
type Healer interface {
	// Heal looks for the roles with these titles, which are known to be on the board, and reads the board by the recipe that
	// they make: Reading.Recipe is that one then, and empty where none could be made. Its errors are those of Read.
	Heal(ctx context.Context, b Board, titles []string) (Reading, error)
}

// CheckEvent is what happened in a check beside its outcome.
type CheckEvent string

// The events.
const (
	EventNone         CheckEvent = ""
	EventRecipeHealed CheckEvent = "recipe_healed" // the recipe no longer fitted the page, and was made anew
	EventRecipeTaught CheckEvent = "recipe_taught" // a teacher was asked about the page, and its guess made a recipe
)
