package boardwatch

import "context"

// Finder is a Source that finds a board with what the service knows about it. One that is none is asked to Discover the
// board's address.
type Finder interface {
	// Find is Discover for a board that the service has. It starts at the board's address and goes the way that the
	// operator has set for it (BoardState.Access). Where the board has a source, that one has denied knowing it: Find then
	// looks for another, also from the domain of the board's company.
	Find(ctx context.Context, b Board) (Board, error)
}
