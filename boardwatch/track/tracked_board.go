package track

import (
	"github.com/boardwatch/boardwatch/boardwatch"
)

// TrackedBoard is a board on an account's list.
type TrackedBoard struct {
	Board        boardwatch.Board
	Subscription boardwatch.Subscription
}

// View returns the board as the published object.
func (t TrackedBoard) View() boardwatch.BoardView { return t.Board.View(t.Subscription) }
