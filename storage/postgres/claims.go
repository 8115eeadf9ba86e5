package postgres

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
)

const (
	// claimed leases what a query finds under the name due.
	claimed = `UPDATE boards AS b SET lease_until = due.now + $1, version = b.version + 1 FROM (`
	asDue   = `) AS due WHERE b.id = due.id RETURNING b.id, b.version, due.next_check_at`
	// free finds boards that nobody works on. A lease that would last for more than an hour is one that was given before
	// the server's clock was set back.
	free = `(lease_until <= clock.now OR lease_until > clock.now + 3600000)`

	claimAny = claimed + `
			SELECT id, next_check_at, clock.now FROM boards, (SELECT boardwatch_now() AS now) AS clock
			WHERE next_check_at <= clock.now AND ` + free + `
			ORDER BY next_check_at LIMIT $2 FOR NO KEY UPDATE OF boards SKIP LOCKED
		` + asDue
	// claimFrom takes the first of each system's boards and then the first of all of these. However many boards of other
	// systems are due, it does not see them: it asks for a range in an order that only the index by system has. For a plain
	// condition the planner would take the index by time, and meet all of them.
	claimFrom = claimed + `
			SELECT first.id, first.next_check_at, clock.now
			FROM (SELECT boardwatch_now() AS now) AS clock, systems, LATERAL (
				SELECT id, next_check_at FROM boards WHERE next_check_at IS NOT NULL AND boards.system >= systems.system
					AND (boards.system, next_check_at) <= (systems.system, clock.now) AND ` + free + `
				ORDER BY boards.system, next_check_at LIMIT $2 FOR NO KEY UPDATE OF boards SKIP LOCKED
			) AS first
			WHERE systems.system <> ALL($4::text[]) ORDER BY first.next_check_at LIMIT $2
		` + asDue
	// claimOnly knows the systems.
	claimOnly = `WITH systems AS (SELECT DISTINCT unnest($3::text[]) AS system) ` + claimFrom
	// claimExcept finds them, one step of the index for each.
	claimExcept = `WITH RECURSIVE systems AS (
			SELECT min(system) AS system FROM boards WHERE next_check_at IS NOT NULL AND cardinality($3::text[]) = 0
			UNION ALL
			SELECT (SELECT min(b.system) FROM boards AS b WHERE b.next_check_at IS NOT NULL AND b.system > s.system)
			FROM systems AS s WHERE s.system IS NOT NULL
		) ` + claimFrom
)

// Claim leases due boards in one statement.
func (d *driver) Claim(
	ctx context.Context, n int, lease time.Duration, f boardwatch.ClaimFilter,
) ([]storage.Lease, error) {
	text, args := claimAny, []any{d.hot, lease.Milliseconds(), n}
	if len(f.Only)+len(f.Except) > 0 {
		text, args = claimExcept, append(args, nonNil(f.Only), nonNil(f.Except))
		if len(f.Only) > 0 {
			text = claimOnly
		}
	}
	rows, err := d.db.DB.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	type overdue struct {
		storage.Lease
		since int64
	}
	var found []overdue
	for rows.Next() {
		var o overdue
		if err := rows.Scan(&o.BoardID, &o.Version, &o.since); err != nil {
			return nil, err
		}
		found = append(found, o)
	}
	slices.SortFunc(found, func(a, b overdue) int { return cmp.Compare(a.since, b.since) })
	leases := make([]storage.Lease, len(found))
	for i, o := range found {
		leases[i] = o.Lease
	}
	return leases, rows.Err()
}

// nonNil is a list as PostgreSQL compares it: nothing is known of what is not in NULL.
func nonNil(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}
