package postgres

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// SaveUnchanged takes one statement. It skips boards whose row is locked, so that the others need not wait. A statement
// that the server refuses has saved nothing: an error about one board is no reason to refuse the others.
func (d *server) SaveUnchanged(ctx context.Context, group []driver.Unchanged) ([]bool, error) {
	ctx, cancel := context.WithTimeout(ctx, longestWrite)
	defer cancel()
	ids, prints := make([]string, len(group)), make([]string, len(group))
	versions, cadences, nexts := make([]int64, len(group)), make([]int64, len(group)), make([]int64, len(group))
	for i, u := range group {
		ids[i], versions[i], cadences[i], prints[i] = u.BoardID, u.Version, u.Cadence.Milliseconds(), u.Fingerprint
		if u.Cadence > 0 && !u.Next.IsZero() {
			nexts[i] = u.Next.UnixMilli()
		}
	}
	var list string
	err := d.db.DB.QueryRowContext(ctx, `WITH given AS (
			SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[])
				WITH ORDINALITY AS given (id, version, cadence, fingerprint, next, number)
		), free AS (
			SELECT b.id, given.fingerprint, given.next, given.number FROM given
			JOIN boards AS b ON b.id = given.id AND b.version = given.version AND b.cadence_ms = given.cadence
			FOR NO KEY UPDATE OF b SKIP LOCKED
		), saved AS (
			UPDATE boards AS b SET last_checked_at = greatest(clock.ms, b.last_checked_at),
				last_success_at = greatest(clock.ms, b.last_checked_at), fingerprint = free.fingerprint,
				next_check_at = nullif(free.next, 0), streak = b.streak + 1, version = b.version + 1, lease_until = 0
			FROM free, (SELECT boardwatch_now() AS ms) AS clock WHERE b.id = free.id RETURNING free.number
		) SELECT coalesce(string_agg(number::text, ','), '') FROM saved`,
		d.hot, ids, versions, cadences, prints, nexts).Scan(&list)
	if _, refused := errors.AsType[*pgconn.PgError](err); refused {
		return make([]bool, len(group)), nil
	}
	if err != nil {
		return nil, err
	}
	saved := make([]bool, len(group))
	for number := range strings.SplitSeq(list, ",") {
		if n, err := strconv.Atoi(number); err == nil {
			saved[n-1] = true
		}
	}
	return saved, nil
}
