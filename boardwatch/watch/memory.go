package watch

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Memory is a store of boards alone, in the memory of one process. It knows no accounts: Options.Observe is told what each
// check has found.
type Memory struct {
	mu     sync.Mutex
	boards map[string]*remembered
}

// remembered is a board with its roles and its last claim.
type remembered struct {
	board  boardwatch.Board
	jobs   []boardwatch.Job
	token  string
	leased time.Time
}

// NewMemory returns a store with the boards at these addresses, which are read that often.
func NewMemory(every time.Duration, addresses ...string) *Memory {
	m := &Memory{boards: make(map[string]*remembered, len(addresses))}
	now := boardwatch.Milli(time.Now())
	for _, address := range addresses {
		b := boardwatch.Board{
			ID: boardwatch.NewID(), URL: address, Status: boardwatch.BoardPending, Cadence: every, AddedAt: now, NextCheckAt: now,
		}
		m.boards[b.ID] = &remembered{board: b}
	}
	return m
}

// free lists the boards that nobody has leased, the longest overdue first.
func (m *Memory) free(now time.Time) []*remembered {
	leased := func(r *remembered) bool { return r.leased.After(now) }
	all := slices.SortedFunc(maps.Values(m.boards), func(a, b *remembered) int {
		return a.board.NextCheckAt.Compare(b.board.NextCheckAt)
	})
	return slices.DeleteFunc(all, leased)
}

// held returns the board of a claim that still holds.
func (m *Memory) held(c boardwatch.Claim) (*remembered, error) {
	if r := m.boards[c.Board.ID]; r != nil && r.token == c.Token {
		return r, nil
	}
	return nil, boardwatch.ErrLeaseLost
}

// end gives a claim up.
func (r *remembered) end() { r.token, r.leased = "", time.Time{} }

// ClaimDue leases due boards. There are no demands.
func (m *Memory) ClaimDue(_ context.Context, n int, lease time.Duration, f boardwatch.ClaimFilter) ([]boardwatch.Claim, error) {
	if f.Kind == boardwatch.ClaimDemanded {
		return nil, nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := boardwatch.Milli(time.Now())
	var claims []boardwatch.Claim
	for _, r := range m.free(now) {
		if len(claims) == n || r.board.NextCheckAt.After(now) {
			break
		}
		if f.Admits(r.board.System()) {
			r.token, r.leased = boardwatch.NewID(), now.Add(lease)
			claims = append(claims, boardwatch.Claim{Board: r.board, At: now, Token: r.token})
		}
	}
	return claims, nil
}

// RenewClaims extends leases.
func (m *Memory) RenewClaims(_ context.Context, claims []boardwatch.Claim, lease time.Duration) (lost []boardwatch.Claim, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range claims {
		if r, err := m.held(c); err != nil {
			lost = append(lost, c)
		} else {
			r.leased = time.Now().Add(lease)
		}
	}
	return lost, nil
}

// SaveUnchanged records a healthy check that changed nothing.
func (m *Memory) SaveUnchanged(_ context.Context, c boardwatch.Claim, fingerprint string, next time.Time, saved func(error)) {
	m.mu.Lock()
	r, err := m.held(c)
	if err == nil {
		now := boardwatch.Milli(time.Now())
		s := &r.board.State
		s.LastCheckedAt, s.LastSuccessAt, s.Fingerprint, s.RetryAfter, r.board.NextCheckAt = now, now, fingerprint, time.Time{}, next
		for i := range r.jobs {
			if r.jobs[i].Status == boardwatch.JobOpen {
				r.jobs[i].LastSeenAt = now
			}
		}
		r.end()
	}
	m.mu.Unlock()
	saved(err)
}

// SaveCheck decides about a check and saves the result.
func (m *Memory) SaveCheck(
	_ context.Context, c boardwatch.Claim, decide func(boardwatch.CheckInput) boardwatch.CheckResult,
) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, err := m.held(c)
	if err != nil {
		return err
	}
	now := boardwatch.Milli(time.Now())
	if last := r.board.State.LastCheckedAt; !now.After(last) {
		now = last.Add(time.Millisecond)
	}
	in := boardwatch.CheckInput{Now: now, Board: r.board, Known: r.jobs}
	result := decide(in)
	r.board, r.jobs = result.Board, result.Jobs(in)
	for i := range r.jobs {
		r.jobs[i].Text = ""
	}
	r.end()
	return nil
}

// Resolve records the source of a board. If another board has it already, the one that was resolved is forgotten.
func (m *Memory) Resolve(
	_ context.Context, c boardwatch.Claim, found boardwatch.Board,
) (resolved boardwatch.Claim, merged bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, err := m.held(c)
	if err != nil {
		return boardwatch.Claim{}, false, err
	}
	for _, other := range m.boards {
		if other != r && other.board.Source == found.Source {
			delete(m.boards, r.board.ID)
			return boardwatch.Claim{Board: other.board, At: c.At}, true, nil
		}
	}
	b := &r.board
	if b.Status == boardwatch.BoardPending {
		b.Status = boardwatch.BoardScraping
	}
	b.Source, b.URL, b.Company = found.Source, cmp.Or(found.URL, b.URL), cmp.Or(found.Company, b.Company)
	b.Domain, b.Recipe = cmp.Or(found.Domain, b.Domain), cmp.Or(found.Recipe, b.Recipe)
	b.State.Fingerprint, b.State.SetHash = "", ""
	return boardwatch.Claim{Board: *b, At: c.At, Token: c.Token}, false, nil
}

// OpenJobs returns a board's open roles.
func (m *Memory) OpenJobs(_ context.Context, boardID string) (open []boardwatch.Job, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r := m.boards[boardID]; r != nil {
		for _, j := range r.jobs {
			if j.Status == boardwatch.JobOpen {
				open = append(open, j)
			}
		}
	}
	return open, nil
}

// Release gives a claim back unused.
func (m *Memory) Release(_ context.Context, c boardwatch.Claim) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, err := m.held(c)
	if err == nil {
		r.end()
	}
	return err
}

// FleetReadings returns the last check of every board that was checked since then, or that is sick.
func (m *Memory) FleetReadings(_ context.Context, since time.Time) (readings []boardwatch.FleetReading, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.boards {
		s := r.board.State
		if !s.SickSince.IsZero() || !since.IsZero() && s.LastCheckedAt.After(since) {
			readings = append(readings, r.board.Fleet())
		}
	}
	return readings, nil
}

// NextDue returns when the next board falls due.
func (m *Memory) NextDue(context.Context) (time.Time, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if free := m.free(time.Now()); len(free) > 0 {
		return free[0].board.NextCheckAt, nil
	}
	return time.Time{}, nil
}

// ClaimsAlone reports that no other process claims these boards.
func (m *Memory) ClaimsAlone() bool { return true }
