package track

import (
	"context"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// TrackedBoard is a board on an account's list.
type TrackedBoard struct {
	Board        boardwatch.Board
	Subscription boardwatch.Subscription
}

// View returns the board as the published object.
func (t TrackedBoard) View() boardwatch.BoardView { return t.Board.View(t.Subscription) }

// Tracked lists the account's boards in the order they were added, with everything known about each: what was wrong
// with it, and when it is read next.
func (t *Tracker) Tracked(ctx context.Context, a account.Account) ([]TrackedBoard, error) {
	tracked, err := t.store.Tracked(ctx, a.ID, "")
	return tracked, boardwatch.Wrap("list boards", err)
}

// TrackedBoard finds one board of the account, with everything known about it, by its id or one that it had before a
// merge.
func (t *Tracker) TrackedBoard(ctx context.Context, a account.Account, boardID string) (TrackedBoard, error) {
	if !boardwatch.ValidID(boardID) {
		return TrackedBoard{}, boardwatch.NotFound("board")
	}
	b, err := t.store.TrackedBoard(ctx, a.ID, boardID)
	return b, boardwatch.Wrap("find board", err)
}
