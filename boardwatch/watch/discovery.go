package watch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// storeError distinguishes an error of the store from one of the source.
type storeError struct{ err error }

func (e *storeError) Error() string { return e.err.Error() }
func (e *storeError) Unwrap() error { return e.err }

// locate returns the claim with the source to read. A pending board whose address shows its source is marked as being
// read for the first time; any other is discovered, and an error is the source's sentence on why nothing was found. A
// board that is lost, or empty, is discovered again, and keeps its source if nothing else is found. If the
// board turns out to be an existing one, the two have merged and the claim is spent.
func (w *Watcher) locate(ctx context.Context, c *boardwatch.Claim) (located *boardwatch.Claim, merged bool, err error) {
	switch {
	case c.Board.Source == "" && c.Board.Recipe != "": // an operator has shown where its roles are
		return w.resolve(ctx, c, boardwatch.Board{Source: boardwatch.PageSystem + ":" + c.Board.URL, URL: c.Board.URL})
	case c.Board.Source == "":
		found, err := w.find(ctx, c.Board)
		if err != nil {
			return c, false, err
		}
		if found.Source == "" {
			return c, false, errors.New("no roles were found at this address")
		}
		return w.resolve(ctx, c, found)
	case c.Board.Status == boardwatch.BoardPending:
		return w.resolve(ctx, c, c.Board)
	case c.Board.Lost(), c.Board.LooksAgain(c.At):
		found, err := w.find(ctx, c.Board)
		if err == nil && c.Board.MovesTo(found.Source) {
			return w.resolve(ctx, c, found)
		}
	}
	return c, false, nil
}

// find runs discovery for the board.
func (w *Watcher) find(ctx context.Context, b boardwatch.Board) (boardwatch.Board, error) {
	if f, ok := w.source.(boardwatch.Finder); ok {
		return f.Find(ctx, b)
	}
	return w.source.Discover(ctx, b.URL)
}

// resolve records the board's source, with which its first reading begins.
func (w *Watcher) resolve(ctx context.Context, c *boardwatch.Claim, found boardwatch.Board) (*boardwatch.Claim, bool, error) {
	finish, cancel := w.finish(ctx)
	defer cancel()
	located, merged, err := w.store.Resolve(finish, *c, found)
	if err != nil {
		return c, false, &storeError{fmt.Errorf("resolve %s: %w", found.Source, err)}
	}
	w.held.follow(*c, located)
	if found.Source != c.Board.Source {
		w.o.Log.InfoContext(ctx, "board found", slog.String("board_id", located.Board.ID),
			slog.String("source", found.Source), slog.Bool("merged", merged))
	}
	return &located, merged, nil
}
