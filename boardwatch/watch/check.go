package watch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// CheckReport is the result of one check.
type CheckReport struct {
	Board boardwatch.Board // its state afterwards
	// Check is what was saved. Its ID is empty if the board was unchanged, or if nothing was saved.
	Check     boardwatch.Check
	Change    boardwatch.Change
	Unchanged bool // healthy, and nothing but the time of the last check has changed
	Merged    bool // discovery found that the board is another one, into which it was merged
	Duration  time.Duration
	Err       error // why nothing was saved; nil otherwise
}

// Check reads one claimed board and saves the result. A board that cannot be read is a check like any other, not an
// error. An error means that nothing was saved: the context ended and the claim was given back, the claim was lost to
// another worker, or the store failed.
func (w *Watcher) Check(ctx context.Context, c boardwatch.Claim) error {
	outcome := make(chan error, 1)
	it := w.held.begin(&c)
	w.observe(ctx, it, func() {}, func(err error) { outcome <- err })
	return <-outcome
}

// observe is like Check, and reports when the reading is done and only has to be saved, and when that is over. An
// unchanged check may be over later, in another goroutine.
func (w *Watcher) observe(ctx context.Context, it *holding, looked func(), over func(error)) {
	started := time.Now()
	c := it.claim
	end := func(CheckReport) {}
	if w.o.Begin != nil {
		ctx, end = w.o.Begin(ctx, c.Board)
	}
	w.check(ctx, it, started, looked, func(report CheckReport, err error) {
		if err != nil {
			err = fmt.Errorf("check board %s: %w", c.Board.ID, err)
		}
		report.Duration, report.Err = time.Since(started), err
		end(report)
		putOff := err != nil && errors.Is(it.interrupted(), errCrowded)
		if w.o.Observe != nil && !putOff {
			w.o.Observe(report)
		}
		over(err)
	})
}

// ended is called when a check is over.
type ended func(CheckReport, error)

func (w *Watcher) check(ctx context.Context, it *holding, started time.Time, looked func(), end ended) {
	c := it.claim
	s, err := w.look(ctx, it)
	looked()
	took := time.Since(started)
	switch {
	case err != nil:
		end(CheckReport{Board: c.Board}, w.giveBack(ctx, it, *s.claim, err))
	case s.merged:
		end(CheckReport{Board: s.claim.Board, Merged: true}, nil)
	case s.reading.SaysNothingNew(s.claim.Board):
		w.saveUnchanged(ctx, s.claim, s.reading.Fingerprint, took, end)
	default:
		end(w.saveCheck(ctx, s, took))
	}
}

// sight is the result of reading a board.
type sight struct {
	claim   *boardwatch.Claim // has the source that discovery has found meanwhile
	merged  bool              // there is nothing to save, because the claim is spent
	reading boardwatch.Reading
	// testimonies are what the own pages of roles said that are about to close; nil if the source cannot ask them.
	testimonies map[string]boardwatch.Testimony
}

// look finds the board's source and reads it. An error means that there was no reading. If a source panics, only this
// board has failed.
func (w *Watcher) look(ctx context.Context, it *holding) (s sight, err error) {
	c := it.claim
	s.claim = c
	within, rest := it.read(ctx, w.o.Timeout)
	defer rest()
	if err := within.Err(); err != nil {
		return s, err
	}
	defer func() {
		if p := recover(); p != nil {
			w.o.Log.ErrorContext(ctx, "reader panicked", slog.String("board_id", c.Board.ID),
				slog.String("source", c.Board.Source), slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			s.reading, err = boardwatch.Failed(cause.Internal, "reading this board crashed, which is a bug in boardwatch"), nil
		}
	}()
	if s.claim, s.merged, err = w.locate(within, c); s.merged {
		return s, nil
	}
	if err == nil {
		began := time.Now()
		s.reading, err = w.read(within, s.claim.Board, s.claim.At)
		s.reading = w.o.Rules.Kept(s.reading)
		s.reading.Took = time.Since(began).Truncate(time.Millisecond)
	}
	if err == nil {
		s.reading, err = w.describe(within, *s.claim, s.reading)
	}
	if err == nil && s.reading.Health == boardwatch.HealthOK {
		if s.testimonies, err = w.testimonies(within, *s.claim, s.reading); err == nil {
			return s, nil
		}
	}
	if stopped := it.stopped(ctx); stopped != nil {
		return s, stopped // an interrupted reading says nothing about the board
	}
	if lost, ok := errors.AsType[*storeError](err); ok {
		return s, lost
	}
	if err != nil {
		s.reading = failure(within, err, w.o.Timeout)
	}
	return s, nil
}

// read reads the board. If its recipe no longer fits the page, it reads again with a repaired recipe.
func (w *Watcher) read(ctx context.Context, b boardwatch.Board, now time.Time) (boardwatch.Reading, error) {
	r, err := w.source.Read(ctx, b.Offered(now))
	healer, ok := w.source.(boardwatch.Healer)
	if err != nil || !ok || r.Cause != cause.RecipeBroken {
		return r, err
	}
	known, err := w.store.OpenJobs(ctx, b.ID)
	if err != nil {
		return r, &storeError{fmt.Errorf("read the known roles: %w", err)}
	}
	titles := make([]string, len(known))
	for i, j := range known {
		titles[i] = j.Title
	}
	healed, err := healer.Heal(ctx, b, titles)
	if err != nil || healed.Recipe == "" || !healed.Health.Read() {
		return r, err
	}
	w.o.Log.InfoContext(ctx, "recipe made anew", slog.String("board_id", b.ID), slog.Int("roles", len(healed.Postings)))
	return healed, nil
}

// testimonies asks the own pages of the roles that would close with the reading.
func (w *Watcher) testimonies(
	ctx context.Context, c boardwatch.Claim, r boardwatch.Reading,
) (map[string]boardwatch.Testimony, error) {
	witness, ok := w.source.(boardwatch.Witness)
	if !ok {
		return nil, nil //nolint:nilnil // nobody asks
	}
	said := make(map[string]boardwatch.Testimony)
	if c.Board.State.Missing == 0 {
		return said, nil
	}
	known, err := w.store.OpenJobs(ctx, c.Board.ID)
	if err != nil {
		return nil, &storeError{fmt.Errorf("read the known roles: %w", err)}
	}
	for _, j := range boardwatch.ToAsk(c.Board, known, r, w.o.Rules, c.At) {
		if said[j.ID], err = witness.Testify(ctx, c.Board, j); err != nil {
			delete(said, j.ID)
			break // the others wait for the next check
		}
	}
	return said, nil
}

func failure(within context.Context, err error, limit time.Duration) boardwatch.Reading {
	if errors.Is(context.Cause(within), errTooLong) {
		return boardwatch.Failed(cause.Timeout, "the board could not be read within "+limit.String())
	}
	if told, ok := errors.AsType[unread](err); ok {
		return told.Reading().Normalize()
	}
	return boardwatch.Failed(boardwatch.CauseOf(err), err.Error()).Normalize()
}

// unread is an error of a source that knows the obstacle, such as a bot wall.
type unread interface {
	error
	Reading() boardwatch.Reading
}

// saveUnchanged does not wait for the store, which saves such checks together.
func (w *Watcher) saveUnchanged(ctx context.Context, c *boardwatch.Claim, fingerprint string, took time.Duration, end ended) {
	now := c.At.Add(took)
	b := c.Board                     // the heartbeat reads the claim
	b.State.RetryAfter = time.Time{} // a source that asks to be left alone has changed something
	next := boardwatch.NextCheck(b, now)
	finish, cancel := w.finish(ctx)
	w.store.SaveUnchanged(finish, *c, fingerprint, next, func(err error) {
		cancel()
		b := c.Board
		if err != nil {
			end(CheckReport{Board: b}, fmt.Errorf("save: %w", err))
			return
		}
		b.State.RetryAfter, b.State.LastCheckedAt, b.State.LastSuccessAt, b.NextCheckAt = time.Time{}, now, now, next
		w.fleet.record(b.Fleet())
		end(CheckReport{Board: b, Unchanged: true}, nil)
	})
}

func (w *Watcher) saveCheck(ctx context.Context, s sight, took time.Duration) (CheckReport, error) {
	if s.reading.Unchanged && s.claim.Board.Offered(s.claim.At).State.Fingerprint == "" {
		// An answer that was not requested: there is nothing to compare it with.
		s.reading = boardwatch.Failed(cause.Internal, "the reader answered \"unchanged\" without having been asked")
	}
	finish, cancel := w.finish(ctx)
	defer cancel()
	claim := *s.claim
	claim.Unchanged, claim.Listed = s.reading.Unchanged, listed(s.reading)
	for _, p := range s.reading.Postings {
		if p.Text != "" {
			claim.Texts = append(claim.Texts, p.Text)
		}
	}
	var result boardwatch.CheckResult
	err := w.store.SaveCheck(finish, claim, func(in boardwatch.CheckInput) boardwatch.CheckResult {
		in.Testimonies = s.testimonies
		result = w.decide(in, s.reading)
		return result
	})
	if err != nil {
		return CheckReport{Board: claim.Board}, fmt.Errorf("save: %w", err)
	}
	b := result.Board
	w.fleet.record(b.Fleet())
	w.logCheck(ctx, claim.Board, result, took)
	return CheckReport{Board: b, Check: result.Check, Change: result.Change}, nil
}

// listed returns the keys of all rows. It is never nil.
func listed(r boardwatch.Reading) []string {
	keys := make([]string, 0, len(r.Postings)+len(r.Present))
	for _, p := range r.Postings {
		keys = append(keys, p.Key)
	}
	return append(keys, r.Present...)
}

// decide applies the rules. They run inside the store's transaction, which serves other boards too: if they break, this
// board has failed.
func (w *Watcher) decide(in boardwatch.CheckInput, r boardwatch.Reading) (result boardwatch.CheckResult) {
	defer func() {
		if p := recover(); p != nil {
			w.o.Log.Error("rules panicked", slog.String("board_id", in.Board.ID), slog.Any("panic", p),
				slog.String("stack", string(debug.Stack())))
			result = boardwatch.Decide(in, boardwatch.Failed(cause.Internal, "the reading could not be judged, which is a fault of boardwatch"),
				true, w.o.Rules, w.o.NewID)
		}
	}()
	return boardwatch.Decide(in, r, w.fleet.holds(in.Board.System(), in.Now), w.o.Rules, w.o.NewID)
}

// giveBack releases the claim of an interrupted reading. After an error of the store it leaves the claim to expire,
// because a released board would be due at once and meet the same error.
func (w *Watcher) giveBack(ctx context.Context, it *holding, c boardwatch.Claim, cause error) error {
	if it.stopped(ctx) == nil {
		return cause
	}
	finish, cancel := w.finish(ctx)
	defer cancel()
	if err := w.store.Release(finish, c); err != nil && !errors.Is(err, boardwatch.ErrLeaseLost) {
		return fmt.Errorf("give the claim back: %w", err)
	}
	return cause
}

// work runs a check and handles its error. It calls over when the check is over, which may be later.
func (w *Watcher) work(ctx context.Context, it *holding, looked, over func()) {
	c := it.claim
	w.observe(ctx, it, looked, func(err error) {
		defer over()
		if err == nil {
			return
		}
		board, stopped := slog.String("board_id", c.Board.ID), it.stopped(ctx)
		switch {
		case errors.Is(err, boardwatch.ErrLeaseLost):
			w.o.Log.WarnContext(ctx, "check was not saved: its lease had ended, or how the board is read was changed meanwhile", board)
		case stopped != nil && errors.Is(err, stopped):
		default:
			w.o.Log.ErrorContext(ctx, "check was not saved", board, slog.Any("error", err))
		}
	})
}

// logCheck writes one line, above debug level for a change of the board and for a new fault.
func (w *Watcher) logCheck(ctx context.Context, before boardwatch.Board, r boardwatch.CheckResult, took time.Duration) {
	attrs := []slog.Attr{
		slog.String("board_id", r.Board.ID), slog.String("source", r.Board.Source),
		slog.String("health", string(r.Check.Health)), slog.String("cause", string(r.Check.Cause)), slog.String("reason", r.Check.Reason),
		slog.Int("found", r.Check.Found), slog.Int("closed", r.Check.Closed), slog.Int("updated", r.Check.Updated),
		slog.Int("open_jobs", r.Check.OpenJobs), slog.Duration("duration", took),
	}
	switch {
	case r.Check.Health != boardwatch.HealthOK && r.Check.Cause != before.State.Cause:
		w.o.Log.LogAttrs(ctx, slog.LevelWarn, "board not read properly", attrs...)
	case r.Check.Health == boardwatch.HealthOK && before.State.Failures() > 0:
		w.o.Log.LogAttrs(ctx, slog.LevelInfo, "board read again", attrs...)
	case !r.Change.Empty():
		w.o.Log.LogAttrs(ctx, slog.LevelInfo, "board changed", attrs...)
	default:
		w.o.Log.LogAttrs(ctx, slog.LevelDebug, "board checked", attrs...)
	}
}
