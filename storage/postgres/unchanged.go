package postgres

import (
	"context"
	"database/sql"
	"errors"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/boardwatch/boardwatch/storage"
)

// mostGrouped is the most unchanged checks that share a statement.
const mostGrouped = 128

// gathering is how long a group waits for more checks when there are several already.
const gathering = 3 * time.Millisecond

// unchangedGroups saves unchanged checks. Checks that end while others are being saved are saved next, together in one
// statement. Under load many share a round trip and a commit, and a check that comes alone never waits.
type unchangedGroups struct {
	db  *sql.DB
	hot pgx.QueryExecMode

	mu      sync.Mutex
	busy    bool // somebody is saving a group
	waiting []*unchangedCheck
}

// unchangedCheck is one call of save.
type unchangedCheck struct {
	storage.Unchanged

	expired func() error // returns an error if the caller has gone
	turn    chan bool    // true: save a group; false: another caller has saved this check
	saved   bool
	err     error
}

// save reports whether the board had the version and the cadence that were expected, and nobody held its row.
func (g *unchangedGroups) save(ctx context.Context, u storage.Unchanged) (bool, error) {
	c := &unchangedCheck{Unchanged: u, expired: ctx.Err, turn: make(chan bool, 1)}
	if g.enter(c) || <-c.turn {
		g.lead(ctx, c)
	}
	return c.saved, c.err
}

// enter reports whether c has to save a group at once. Otherwise its turn is announced to it.
func (g *unchangedGroups) enter(c *unchangedCheck) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.busy {
		g.waiting = append(g.waiting, c)
		return false
	}
	g.busy = true
	return true
}

// lead saves c and the waiting checks, and hands over to a check that came meanwhile.
func (g *unchangedGroups) lead(ctx context.Context, c *unchangedCheck) {
	group := append([]*unchangedCheck{c}, g.others()...)
	defer func() {
		for _, other := range group[1:] {
			other.turn <- false
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.busy = len(g.waiting) > 0; g.busy {
			g.waiting[0].turn <- true
			g.waiting = g.waiting[1:]
		}
	}()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), longestWrite)
	defer cancel()
	g.saveGroup(ctx, group)
}

// others takes the waiting checks. While many are being saved it waits for more of them.
func (g *unchangedGroups) others() []*unchangedCheck {
	runtime.Gosched()
	g.mu.Lock()
	n := len(g.waiting)
	g.mu.Unlock()
	if n >= 2 && n < mostGrouped/2 {
		<-time.After(gathering)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	n = min(len(g.waiting), mostGrouped-1)
	taken := g.waiting[:n:n]
	g.waiting = g.waiting[n:]
	return taken
}

func (g *unchangedGroups) saveGroup(ctx context.Context, group []*unchangedCheck) {
	var together, alone []*unchangedCheck
	boards := make(map[string]bool, len(group))
	for _, c := range group {
		switch c.err = c.expired(); {
		case c.err != nil:
		case boards[c.BoardID]: // a second check of the same board came too late
			alone = append(alone, c)
		default:
			boards[c.BoardID] = true
			together = append(together, c)
		}
	}
	if len(together) > 1 {
		err := g.saveTogether(ctx, together)
		if _, refused := errors.AsType[*pgconn.PgError](err); refused {
			alone = append(alone, together...) // an error about one is no reason to refuse the others
		} else {
			for _, c := range together {
				c.err = err
			}
		}
	} else {
		alone = append(alone, together...)
	}
	for _, c := range alone {
		c.saved, c.err = g.saveAlone(ctx, c.Unchanged)
	}
}

// saveTogether skips boards whose row is locked, so that the others need not wait.
func (g *unchangedGroups) saveTogether(ctx context.Context, group []*unchangedCheck) error {
	byID := make(map[string]*unchangedCheck, len(group))
	ids, prints := make([]string, len(group)), make([]string, len(group))
	versions, cadences, nexts := make([]int64, len(group)), make([]int64, len(group)), make([]int64, len(group))
	for i, c := range group {
		byID[c.BoardID] = c
		ids[i], versions[i], cadences[i], prints[i] = c.BoardID, c.Version, c.Cadence.Milliseconds(), c.Fingerprint
		if next := nextMillis(c.Unchanged); next != nil {
			nexts[i] = *next
		}
	}
	var saved string
	err := g.db.QueryRowContext(ctx, `WITH given AS (
			SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[])
				AS given (id, version, cadence, fingerprint, next)
		), free AS (
			SELECT b.id, given.fingerprint, given.next FROM given
			JOIN boards AS b ON b.id = given.id AND b.version = given.version AND b.cadence_ms = given.cadence
			FOR NO KEY UPDATE OF b SKIP LOCKED
		), saved AS (
			UPDATE boards AS b SET last_checked_at = greatest(clock.ms, b.last_checked_at),
				last_success_at = greatest(clock.ms, b.last_checked_at), fingerprint = free.fingerprint,
				next_check_at = nullif(free.next, 0), streak = b.streak + 1, version = b.version + 1, lease_until = 0
			FROM free, (SELECT boardwatch_now() AS ms) AS clock WHERE b.id = free.id RETURNING b.id
		) SELECT coalesce(string_agg(id, ','), '') FROM saved`,
		g.hot, ids, versions, cadences, prints, nexts).Scan(&saved)
	if err != nil {
		return err
	}
	for id := range strings.SplitSeq(saved, ",") {
		if c := byID[id]; c != nil {
			c.saved = true
		}
	}
	return nil
}

func (g *unchangedGroups) saveAlone(ctx context.Context, u storage.Unchanged) (bool, error) {
	r, err := g.db.ExecContext(ctx, `UPDATE boards SET last_checked_at = greatest(clock.ms, last_checked_at),
		last_success_at = greatest(clock.ms, last_checked_at), fingerprint = $1, next_check_at = $2,
		streak = streak + 1, version = version + 1, lease_until = 0
		FROM (SELECT boardwatch_now() AS ms) AS clock WHERE id = $3 AND version = $4 AND cadence_ms = $5`,
		g.hot, u.Fingerprint, nextMillis(u), u.BoardID, u.Version, u.Cadence.Milliseconds())
	if err != nil {
		return false, err
	}
	n, err := r.RowsAffected()
	return n == 1, err
}

// nextMillis is when the board is checked next; nil if never.
func nextMillis(u storage.Unchanged) *int64 {
	if u.Cadence <= 0 || u.Next.IsZero() {
		return nil
	}
	ms := u.Next.UnixMilli()
	return &ms
}
