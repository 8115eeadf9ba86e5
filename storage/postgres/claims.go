package postgres

import (
	"context"
	"database/sql"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

const (
	// claimed leases the boards that a query named due finds.
	// The query is materialized: the planner may otherwise run it once for each row of a small table, and then more boards are
	// leased than its limit allows.
	claimed = `due AS MATERIALIZED (`
	asDue   = `), claimed AS (UPDATE boards AS b SET lease_until = due.now + $1, version = b.version + 1
		FROM due WHERE b.id = due.id RETURNING b.id, b.version, due.next_check_at, due.now)
		SELECT id, version, now FROM claimed ORDER BY next_check_at, id`
	// free finds boards that nobody works on. A lease with more than an hour left was given before the server's clock
	// was set back.
	free = `(lease_until <= clock.now OR lease_until > clock.now + 3600000)`

	// claimAny reads the clock before it searches. If both were one query, the clock would be a filter instead of the end of
	// a range in the index, and a claim would visit every board that is not due, too.
	claimAny = `WITH ` + claimed + `
			SELECT first.id, first.next_check_at, clock.now FROM (SELECT boardwatch_now() AS now) AS clock, LATERAL (
				SELECT id, next_check_at FROM boards WHERE next_check_at > $3 AND next_check_at <= clock.now AND ` + free + `
				ORDER BY next_check_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
			) AS first
		` + asDue
	// claimFrom takes the first of each system's boards and then the first of all of these. It never visits the due
	// boards of other systems, however many there are, because it asks for a range in an order that only the index by
	// system has. With a plain condition the planner would choose the index by time and visit all of them.
	claimFrom = claimed + `
			SELECT first.id, first.next_check_at, clock.now
			FROM (SELECT boardwatch_now() AS now) AS clock, systems, LATERAL (
				SELECT id, next_check_at FROM boards WHERE next_check_at IS NOT NULL AND (boards.system, next_check_at) > (systems.system, $3)
					AND (boards.system, next_check_at) <= (systems.system, clock.now) AND ` + free + `
				ORDER BY boards.system, next_check_at LIMIT $2 FOR NO KEY UPDATE OF boards SKIP LOCKED
			) AS first
			WHERE systems.system <> ALL($5::text[]) ORDER BY first.next_check_at LIMIT $2
		` + asDue
	// claimOnly is used when the systems are given.
	claimOnly = `WITH systems AS (SELECT DISTINCT unnest($4::text[]) AS system), ` + claimFrom
	// claimExcept finds the systems itself, with one step of the index for each.
	claimExcept = `WITH RECURSIVE systems AS (
			SELECT min(system) AS system FROM boards WHERE next_check_at IS NOT NULL AND cardinality($4::text[]) = 0
			UNION ALL
			SELECT (SELECT min(b.system) FROM boards AS b WHERE b.next_check_at IS NOT NULL AND b.system > s.system)
			FROM systems AS s WHERE s.system IS NOT NULL
		), ` + claimFrom

	// demanded finds the oldest demands of each account, with one step of the index for each.
	demanded = `WITH RECURSIVE askers AS (
			SELECT min(asked_by) AS account FROM boards WHERE next_check_at = 1
			UNION ALL
			SELECT (SELECT min(b.asked_by) FROM boards AS b WHERE b.next_check_at = 1 AND b.asked_by > a.account)
			FROM askers AS a WHERE a.account IS NOT NULL
		)
		SELECT w.id, a.account, w.asked_host, ` + free + `
		FROM askers AS a, (SELECT boardwatch_now() AS now) AS clock, LATERAL (
			SELECT id, asked_host, asked_at, lease_until FROM boards WHERE next_check_at = 1 AND asked_by = a.account
			ORDER BY asked_at, id LIMIT $1
		) AS w
		ORDER BY a.account, w.asked_at, w.id`
	// claimThese leases the boards among those given that are still demanded and free.
	claimThese = `WITH ` + claimed + `
			SELECT id, next_check_at, clock.now FROM boards, (SELECT boardwatch_now() AS now) AS clock
			WHERE id = ANY($2) AND next_check_at = 1 AND ` + free + ` FOR NO KEY UPDATE OF boards SKIP LOCKED
		` + asDue
)

// Claim leases due boards in one statement, or demanded ones in one transaction.
func (d *server) Claim(
	ctx context.Context, n int, lease time.Duration, f boardwatch.ClaimFilter,
) (driver.Claimed, error) {
	if f.Kind == boardwatch.ClaimDemanded {
		return d.claimDemanded(ctx, n, lease, f)
	}
	after := 0
	if f.Kind == boardwatch.ClaimScheduled {
		after = 1 // boards due at once were asked for
	}
	query, args := claimAny, []any{d.hot, lease.Milliseconds(), n, after}
	if len(f.Only)+len(f.Except) > 0 {
		query, args = claimExcept, append(args, nonNil(f.Only), nonNil(f.Except))
		if len(f.Only) > 0 {
			query = claimOnly
		}
	}
	return scanClaimed(d.db.DB.QueryContext(ctx, query, args...))
}

// claimDemanded first looks whether there are any demands, because usually there are none.
func (d *server) claimDemanded(
	ctx context.Context, n int, lease time.Duration, f boardwatch.ClaimFilter,
) (claimed driver.Claimed, err error) {
	var some bool
	err = d.db.DB.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM boards WHERE next_check_at = 1)", d.hot).Scan(&some)
	if err != nil || !some {
		return claimed, err
	}
	err = d.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.Tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", d.hot, int64(demandsLock)); err != nil {
			return err
		}
		chosen, err := chooseDemands(ctx, tx.Tx, d.hot, n, f)
		if err != nil || len(chosen) == 0 {
			return err
		}
		claimed, err = scanClaimed(tx.Tx.QueryContext(ctx, claimThese, d.hot, lease.Milliseconds(), chosen))
		return err
	})
	return claimed, err
}

// chooseDemands returns the boards whose demands are met next.
func chooseDemands(ctx context.Context, tx *sql.Tx, hot pgx.QueryExecMode, n int, f boardwatch.ClaimFilter) ([]string, error) {
	var waiting, leased []boardwatch.Demand
	var d boardwatch.Demand
	var free bool
	err := driver.Into(func() error {
		if free {
			waiting = append(waiting, d)
		} else {
			leased = append(leased, d)
		}
		return nil
	}, &d.BoardID, &d.AccountID, &d.Host, &free)(tx.QueryContext(ctx, demanded, hot, boardwatch.DemandsLookedAt)) //nolint:rowserrcheck // Into does
	var chosen []string
	for _, next := range f.Demands(waiting, leased, n, rand.Perm) {
		chosen = append(chosen, next.BoardID)
	}
	return chosen, err
}

// scanClaimed reads the leases of a claim.
func scanClaimed(rows *sql.Rows, err error) (claimed driver.Claimed, _ error) {
	var l driver.Lease
	var now int64
	err = driver.Into(func() error {
		claimed.Leases, claimed.At = append(claimed.Leases, l), instant(now)
		return nil
	}, &l.BoardID, &l.Version, &now)(rows, err)
	return claimed, err
}

// nonNil returns an empty list for nil, because PostgreSQL's comparison with NULL is never true.
func nonNil(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}
