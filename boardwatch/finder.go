package boardwatch

import "context"

// Finder is a Source that can use what the service already knows about a board. For a Source that is not a Finder,
// Discover is called with the board's address instead.
type Finder interface {
	// Find does for a known board what Discover does for an address. It starts at the board's address and reads it the
	// way the operator has set (BoardState.Access). A board with a source is passed in if that source answered that it
	// does not know the board. Find then looks for another source, also from the company's domain.
	Find(ctx context.Context, b Board) (Board, error)
}
