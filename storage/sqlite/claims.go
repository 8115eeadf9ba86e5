package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// claims are the boards that this process works on. They live in memory, because a single process watches a file, and a
// process that has just started works on nothing.
type claims struct {
	db       *bun.DB
	clock    *clock
	watching atomic.Bool // this process has asked for a claim, so it is the one that watches

	prepared sync.Map // *sql.Stmt by text

	choosing sync.Mutex // held while boards are chosen and leased

	// mu guards the rest. It is not held during a query, because every check asks whether its lease holds.
	mu     sync.Mutex
	number uint64
	leases map[string]lease // by board
	frozen bool             // boards are being chosen, among them perhaps some that were saved after the query began
	spent  []driver.Lease   // leases that end when that is over
}

type lease struct {
	number string
	until  int64
}

func newClaims(db *bun.DB, c *clock) *claims {
	return &claims{db: db, clock: c, leases: map[string]lease{}}
}

func (c *claims) claim(
	ctx context.Context, n int, length time.Duration, f boardwatch.ClaimFilter,
) (driver.Claimed, error) {
	c.choosing.Lock()
	defer c.choosing.Unlock()
	if !c.watching.Load() {
		if err := c.begin(ctx); err != nil {
			return driver.Claimed{}, err
		}
	}
	ids, err := c.choose(ctx, c.clock.read(), n, f)
	if err != nil || len(ids) == 0 {
		return driver.Claimed{}, err
	}
	return c.lease(ids, length), nil
}

// lease leases boards that are not leased.
func (c *claims) lease(ids []string, length time.Duration) driver.Claimed {
	now := c.clock.read()
	claimed := driver.Claimed{Leases: make([]driver.Lease, len(ids)), At: time.UnixMilli(now).UTC()}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, id := range ids {
		c.number++
		l := lease{number: strconv.FormatUint(c.number, 36), until: now + length.Milliseconds()}
		c.leases[id] = l
		claimed.Leases[i] = driver.Lease{BoardID: id, Number: l.number}
	}
	return claimed
}

// freeze keeps all leases until thaw, and returns how many there are. A board that is saved meanwhile may still be due for
// a query that has begun before.
func (c *claims) freeze() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.frozen = true
	return len(c.leases)
}

// thaw ends the leases that have been given back since freeze.
func (c *claims) thaw() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.frozen = false
	for _, l := range c.spent {
		c.end(l)
	}
	c.spent = c.spent[:0]
}

// leased reports whether somebody works on a board.
func (c *claims) leased(id string, now int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.leases[id].until > now
}

// choose lists up to n boards that are due and not leased.
func (c *claims) choose(ctx context.Context, now int64, n int, f boardwatch.ClaimFilter) ([]string, error) {
	leased := c.freeze()
	defer c.thaw()
	if f.Kind == boardwatch.ClaimDemanded {
		return c.demanded(ctx, now, n, f)
	}
	text, args := due(now, n+leased, f) // leased boards are still due, and overdue the longest
	var ids []string
	var id string
	err := c.query(ctx, text, args, func() error {
		if len(ids) < n && !c.leased(id, now) {
			ids = append(ids, id)
		}
		return nil
	}, &id)
	return ids, err
}

// demandedText finds the oldest demands of each account, with one step of the index for each. It names the index, because
// otherwise SQLite would choose the one by next_check_at and scan all demands once per account. The accounts and their demands
// come in the order of the index, so that nothing is sorted.
const demandedText = `WITH RECURSIVE askers (account) AS (
		SELECT min(asked_by) FROM boards INDEXED BY boards_asked WHERE next_check_at = 1
		UNION ALL
		SELECT (SELECT min(b.asked_by) FROM boards AS b INDEXED BY boards_asked WHERE b.next_check_at = 1 AND b.asked_by > a.account)
		FROM askers AS a WHERE a.account IS NOT NULL
	)
	SELECT w.id, a.account, w.asked_host FROM askers AS a CROSS JOIN boards AS w WHERE w.id IN (
		SELECT id FROM boards INDEXED BY boards_asked WHERE next_check_at = 1 AND asked_by = a.account ORDER BY asked_at, id LIMIT +?
	) ORDER BY a.account, w.asked_at, w.id`

// demanded returns the boards whose demands are met next.
func (c *claims) demanded(ctx context.Context, now int64, n int, f boardwatch.ClaimFilter) ([]string, error) {
	var d boardwatch.Demand
	var waiting, leased []boardwatch.Demand
	err := c.query(ctx, demandedText, []any{boardwatch.DemandsLookedAt}, func() error {
		if c.leased(d.BoardID, now) {
			leased = append(leased, d)
		} else {
			waiting = append(waiting, d)
		}
		return nil
	}, &d.BoardID, &d.AccountID, &d.Host)
	var ids []string
	for _, d := range f.Demands(waiting, leased, n, rand.Perm) {
		ids = append(ids, d.BoardID)
	}
	return ids, err
}

// due asks for boards that are due, the longest overdue first. Leased boards may be among them.
func due(now int64, limit int, f boardwatch.ClaimFilter) (text string, args []any) {
	filter, args := "", []any{now}
	if len(f.Only) > 0 {
		filter += " AND system IN (" + marks(len(f.Only)) + ")"
		args = append(args, asArgs(f.Only)...)
	}
	if len(f.Except) > 0 {
		filter += " AND system NOT IN (" + marks(len(f.Except)) + ")"
		args = append(args, asArgs(f.Except)...)
	}
	if f.Kind == boardwatch.ClaimScheduled {
		filter += " AND next_check_at > 1"
	}
	// A literal limit would be part of the plan: SQLite would prepare the statement again for each number.
	return "SELECT id FROM boards WHERE next_check_at <= ?" + filter + " ORDER BY next_check_at LIMIT +?", append(args, limit)
}

// marks returns question marks for that many arguments.
func marks(n int) string { return "?" + strings.Repeat(", ?", n-1) }

func asArgs(names []string) []any {
	args := make([]any, len(names))
	for i, name := range names {
		args[i] = name
	}
	return args
}

// query runs a statement, which is prepared at its first use, and reads its rows as driver.EachRow does.
func (c *claims) query(ctx context.Context, text string, args []any, f func() error, to ...any) error {
	known, ok := c.prepared.Load(text)
	if !ok {
		stmt, err := c.db.DB.PrepareContext(ctx, text)
		if err != nil {
			return err
		}
		var lost bool
		if known, lost = c.prepared.LoadOrStore(text, stmt); lost {
			_ = stmt.Close() //nolint:sqlclosecheck // another caller was first; nothing was read with this one
		}
	}
	return driver.Into(f, to...)(known.(*sql.Stmt).QueryContext(ctx, args...)) //nolint:forcetypeassert,rowserrcheck // nothing else is stored, and Into checks
}

func (c *claims) close() (err error) {
	c.prepared.Range(func(_, stmt any) bool {
		err = errors.Join(err, stmt.(*sql.Stmt).Close()) //nolint:forcetypeassert // nothing else is stored
		return true
	})
	return err
}

// begin makes this the process that watches.
func (c *claims) begin(ctx context.Context) error {
	var last, mark sql.NullInt64
	err := c.db.DB.QueryRowContext(ctx, "SELECT max(last_checked_at), (SELECT moment FROM mark) FROM boards").Scan(&last, &mark)
	if err != nil {
		return err
	}
	c.clock.resume(last.Int64)
	c.clock.moved(mark.Int64)
	c.watching.Store(true)
	return nil
}

// renew extends leases and returns those that were given to others or whose boards nobody tracks anymore.
func (c *claims) renew(ctx context.Context, leases []driver.Lease, length time.Duration) (lost []driver.Lease, err error) {
	untracked, err := c.untracked(ctx, leases)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	until := c.clock.read() + length.Milliseconds()
	for _, l := range leases {
		mine, ok := c.leases[l.BoardID]
		if !ok || mine.number != l.Number || untracked[l.BoardID] {
			lost = append(lost, l)
			continue
		}
		mine.until = until
		c.leases[l.BoardID] = mine
	}
	return lost, nil
}

// untracked returns the boards among those given that nobody actively tracks.
func (c *claims) untracked(ctx context.Context, leases []driver.Lease) (map[string]bool, error) {
	ids := make([]string, len(leases))
	for i, l := range leases {
		ids[i] = l.BoardID
	}
	untracked := make(map[string]bool)
	var id string
	err := c.query(ctx, "SELECT b.id FROM json_each(?) AS e JOIN boards AS b ON b.id = e.value WHERE b.cadence_ms = 0", []any{listOf(ids)}, func() error {
		untracked[id] = true
		return nil
	}, &id)
	return untracked, err
}

func (c *claims) held(l driver.Lease) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	mine, ok := c.leases[l.BoardID]
	return ok && mine.number == l.Number
}

func (c *claims) release(l driver.Lease) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.frozen {
		c.spent = append(c.spent, l)
		return
	}
	c.end(l)
}

// end is called with the mutex held.
func (c *claims) end(l driver.Lease) {
	if c.leases[l.BoardID].number == l.Number {
		delete(c.leases, l.BoardID)
	}
}

func (c *claims) nextDue(ctx context.Context) (time.Time, error) {
	c.mu.Lock()
	leased := len(c.leases)
	c.mu.Unlock()
	now := c.clock.read()
	var next, at int64
	var id string
	err := c.query(ctx, "SELECT id, next_check_at FROM boards WHERE next_check_at IS NOT NULL ORDER BY next_check_at LIMIT +?", []any{1 + leased}, func() error {
		if next == 0 && !c.leased(id, now) {
			next = at
		}
		return nil
	}, &id, &at)
	if next == 0 {
		return time.Time{}, err
	}
	return time.UnixMilli(next).UTC(), err
}
