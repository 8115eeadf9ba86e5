//go:build simulate

package simulate_test

import (
	"context"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/pace"
	"github.com/boardwatch/boardwatch/storage"
)

// clocked is the real store of one process. It sets the database's time before every call: SQLite uses this process's
// clock anyway, but PostgreSQL has its own, which cannot jump. And it answers by itself where it is certain that the
// store has nothing due.
type clocked struct {
	*storage.Store

	set    func(time.Time) // nil: nothing has to be set
	world  *world
	number int // of the process
}

func (s clocked) tell() {
	if s.set != nil {
		s.set(time.Now())
	}
}

// ClaimDue sets the time first, as all other methods do. All demands are for the first reading of a board.
func (s clocked) ClaimDue(ctx context.Context, n int, lease time.Duration, f boardwatch.ClaimFilter) ([]boardwatch.Claim, error) {
	if f.Kind == boardwatch.ClaimDemanded && s.world.unread.Load() == 0 {
		return nil, nil
	}
	if _, ok := s.world.lull.lasts(); ok && f.Kind == boardwatch.ClaimScheduled {
		return nil, nil
	}
	s.tell()
	return s.Store.ClaimDue(ctx, n, lease, f)
}

func (s clocked) RenewClaims(ctx context.Context, claims []boardwatch.Claim, lease time.Duration) ([]boardwatch.Claim, error) {
	s.tell()
	return s.Store.RenewClaims(ctx, claims, lease)
}

func (s clocked) SaveUnchanged(
	ctx context.Context, c boardwatch.Claim, fingerprint string, next time.Time, saved func(error),
) {
	s.tell()
	ended := s.world.lull.changing()
	s.Store.SaveUnchanged(ctx, c, fingerprint, next, func(err error) {
		ended()
		s.world.time(c, err)
		saved(err)
	})
}

func (s clocked) SaveCheck(ctx context.Context, c boardwatch.Claim, decide func(boardwatch.CheckInput) boardwatch.CheckResult) error {
	s.tell()
	defer s.world.lull.changing()()
	err := s.Store.SaveCheck(ctx, c, decide)
	s.world.time(c, err)
	return err
}

func (s clocked) Resolve(ctx context.Context, c boardwatch.Claim, found boardwatch.Board) (boardwatch.Claim, bool, error) {
	s.tell()
	defer s.world.lull.changing()()
	return s.Store.Resolve(ctx, c, found)
}

func (s clocked) Release(ctx context.Context, c boardwatch.Claim) error {
	s.tell()
	defer s.world.lull.changing()()
	return s.Store.Release(ctx, c)
}

func (s clocked) FleetReadings(ctx context.Context, since time.Time) ([]boardwatch.FleetReading, error) {
	s.tell()
	return s.Store.FleetReadings(ctx, since)
}

// NextDue gives each process another millisecond, as processes never wake at exactly the same moment in reality. They
// take turns in being the first.
func (s clocked) NextDue(ctx context.Context) (time.Time, error) {
	due, err := s.nextDue(ctx)
	if err != nil || due.IsZero() {
		return due, err
	}
	place := (due.UnixMilli() + int64(s.number)) % int64(s.world.o.processes)
	return due.Add(time.Duration(place) * time.Millisecond), nil
}

func (s clocked) nextDue(ctx context.Context) (time.Time, error) {
	if until, ok := s.world.lull.lasts(); ok {
		return until, nil
	}
	s.tell()
	answered := s.world.lull.asks()
	due, err := s.Store.NextDue(ctx)
	if err == nil {
		answered(due)
	}
	return due, err
}

func (s clocked) Turns(ctx context.Context, ends []pace.TurnEnd, requests []pace.TurnRequest) ([]pace.TurnAnswer, error) {
	s.tell()
	return s.Store.Turns(ctx, ends, requests)
}

// time records how late a check was saved. First readings do not count, because they were all due at once.
func (w *world) time(c boardwatch.Claim, err error) {
	if err != nil {
		return
	}
	if c.Board.State.LastCheckedAt.IsZero() {
		w.first.Store(int64(time.Since(w.opened)))
		w.unread.Add(-1)
		return
	}
	late := max(0, time.Since(c.Board.NextCheckAt))
	w.late[w.bySource[c.Board.Source].plan].add(late)
	w.bySource[c.Board.Source].vendor.late.add(late)
}
