package watch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// unknownLimit is how many answers "there is no such board" in a row send a board back to discovery.
const unknownLimit = 3

// storeError tells a fault of the store from one of the source.
type storeError struct{ err error }

func (e *storeError) Error() string { return e.err.Error() }
func (e *storeError) Unwrap() error { return e.err }

// locate returns the claim with the source that is to be read. A pending board whose source showed in its address is
// marked as being read for the first time, any other is discovered; an error is then the source's sentence on why
// nothing was found. A board whose source does not know it any more is discovered anew, and stays where it is when that
// leads nowhere else. When the board turns out to be one that exists already, the two have merged and the claim is spent.
func (w *Watcher) locate(ctx context.Context, c boardwatch.Claim) (located boardwatch.Claim, merged bool, err error) {
	switch {
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
	case lost(c.Board):
		found, err := w.find(ctx, c.Board)
		if err == nil && found.Source != "" && found.Source != c.Board.Source {
			return w.resolve(ctx, c, found)
		}
	}
	return c, false, nil
}

// find asks the source where the board is read.
func (w *Watcher) find(ctx context.Context, b boardwatch.Board) (boardwatch.Board, error) {
	if f, ok := w.source.(boardwatch.Finder); ok {
		return f.Find(ctx, b)
	}
	return w.source.Discover(ctx, b.URL)
}

// resolve records where the board is read, which makes its first reading under way.
func (w *Watcher) resolve(ctx context.Context, c boardwatch.Claim, found boardwatch.Board) (boardwatch.Claim, bool, error) {
	finish, cancel := w.finish(ctx)
	defer cancel()
	located, merged, err := w.store.Resolve(finish, c, found)
	if err != nil {
		return c, false, &storeError{fmt.Errorf("resolve %s: %w", found.Source, err)}
	}
	w.held.follow(c, located)
	if found.Source != c.Board.Source {
		w.o.Log.InfoContext(ctx, "board found", slog.String("board_id", located.Board.ID),
			slog.String("source", found.Source), slog.Bool("merged", merged))
	}
	return located, merged, nil
}

// lost reports whether the board's source has denied knowing it so often that it may have moved.
func lost(b boardwatch.Board) bool { return b.State.UnknownRuns >= unknownLimit }

// elsewhere reports whether the board is lost, and has a new source that was not read healthily yet. What it showed under
// the old one is forgotten then.
func elsewhere(b boardwatch.Board) bool { return lost(b) && b.State.SetHash == "" }

// cameWithMerge reports whether some open job still waits for a reading to show it on the board that took it over.
func cameWithMerge(known []boardwatch.Job) bool {
	return slices.ContainsFunc(known, func(j boardwatch.Job) bool {
		return j.Status == boardwatch.JobOpen && strings.HasPrefix(j.Key, boardwatch.MergedKey)
	})
}

// decideMoved is for a board that was lost, until it is read healthily again, and for one that took another over: roles that
// were known elsewhere are matched by title and place as well. That it is so is in the store, and so a crash in between
// forgets nothing.
func (w *Watcher) decideMoved(in boardwatch.CheckInput, r boardwatch.Reading, hold bool) boardwatch.CheckResult {
	known := in.Known
	switch {
	case !r.Health.Read():
	case elsewhere(in.Board):
		in.Known = boardwatch.Rekey(known, r)
	default:
		in.Known = boardwatch.RekeyMerged(known, r)
	}
	result := boardwatch.Decide(in, r, hold, w.o.Rules, w.o.NewID)
	keepKeys(&result, known, in.Known)
	if lost(in.Board) && result.Check.Health != boardwatch.HealthOK {
		result.Board.State.UnknownRuns = max(result.Board.State.UnknownRuns, in.Board.State.UnknownRuns)
	}
	return result
}

// keepKeys has the new key of a job saved even when nothing else about it has changed.
func keepKeys(r *boardwatch.CheckResult, before, after []boardwatch.Job) {
	saved := make(map[string]bool)
	for _, list := range [][]boardwatch.Job{r.Change.Reopened, r.Change.Updated, r.Change.Touched, r.Change.Closed} {
		for _, j := range list {
			saved[j.ID] = true
		}
	}
	for i, j := range after {
		if j.Key == before[i].Key || saved[j.ID] {
			continue
		}
		if r.Check.Health == boardwatch.HealthOK {
			j.LastSeenAt = r.Check.At
		}
		r.Change.Touched = append(r.Change.Touched, j)
	}
}
