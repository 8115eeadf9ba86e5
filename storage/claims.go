package storage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// A claim's token is the board's version when it was claimed and the number of the driver's lease: the next save or
// claim of the board changes one or the other.

func newToken(version int64, number string) string {
	return strconv.FormatInt(version, 10) + "." + number
}

func parseToken(c boardwatch.Claim) (version int64, l driver.Lease, err error) {
	v, number, ok := strings.Cut(c.Token, ".")
	version, err = strconv.ParseInt(v, 10, 64)
	if !ok || err != nil {
		return 0, driver.Lease{}, boardwatch.ErrLeaseLost // a spent claim has no token
	}
	return version, driver.Lease{BoardID: c.Board.ID, Number: number, Version: version}, nil
}

func (s *Store) ClaimDue(
	ctx context.Context, n int, lease time.Duration, f boardwatch.ClaimFilter,
) ([]boardwatch.Claim, error) {
	if n <= 0 {
		return nil, nil
	}
	if err := s.heed(ctx); err != nil {
		return nil, wrap("claim due boards", err)
	}
	found, err := s.driver.Claim(ctx, n, lease, f)
	if err != nil || len(found.Leases) == 0 {
		return nil, wrap("claim due boards", err)
	}
	claims, err := s.claims(ctx, found)
	if err != nil {
		for _, l := range found.Leases {
			err = errors.Join(err, s.driver.Release(ctx, l))
		}
		return nil, wrap("claim due boards", err)
	}
	return claims, nil
}

func (s *Store) ClaimsAlone() bool { return s.dialect.Alone }

// claims makes claims of leases. A board that was merged into another in between has none, and neither has one that nobody
// tracks any more: as a demand it would count for nobody.
func (s *Store) claims(ctx context.Context, found driver.Claimed) ([]boardwatch.Claim, error) {
	rows, err := boardsByID(ctx, s.db(), valuesOf(found.Leases, func(l driver.Lease) string { return l.BoardID }), "")
	if err != nil {
		return nil, err
	}
	claims := make([]boardwatch.Claim, 0, len(found.Leases))
	for _, l := range found.Leases {
		at := slices.IndexFunc(rows, func(r boardRow) bool { return r.ID == l.BoardID })
		if at < 0 {
			continue
		}
		row := rows[at]
		if row.Cadence <= 0 {
			if err := s.driver.Release(ctx, l); err != nil {
				return nil, err
			}
			continue
		}
		c := boardwatch.Claim{Board: s.unsealed(row.Board), At: found.At, Token: newToken(cmp.Or(l.Version, row.Version), l.Number)}
		if millis(row.NextCheckAt) == atOnce {
			c.Demand = boardwatch.Demand{BoardID: c.Board.ID, AccountID: row.AskedBy, Host: row.AskedHost}
		}
		claims = append(claims, c)
	}
	return claims, nil
}

func (s *Store) RenewClaims(
	ctx context.Context, claims []boardwatch.Claim, lease time.Duration,
) (lost []boardwatch.Claim, err error) {
	leases := make([]driver.Lease, 0, len(claims))
	byLease := make(map[driver.Lease]boardwatch.Claim, len(claims))
	for _, c := range claims {
		_, l, err := parseToken(c)
		if err != nil {
			lost = append(lost, c)
			continue
		}
		leases = append(leases, l)
		byLease[l] = c
	}
	if len(leases) == 0 {
		return lost, nil
	}
	gone, err := s.driver.Renew(ctx, leases, lease)
	if err != nil {
		return nil, wrap("renew leases of boards", err)
	}
	for _, l := range gone {
		lost = append(lost, byLease[l])
	}
	return lost, nil
}

func (s *Store) Release(ctx context.Context, c boardwatch.Claim) error {
	_, l, err := parseToken(c)
	if err != nil {
		return nil //nolint:nilerr // a spent claim holds nothing
	}
	return wrap("release board "+c.Board.ID, s.driver.Release(ctx, l))
}

// SaveUnchanged writes one row, which is saved with those of other checks.
func (s *Store) SaveUnchanged(
	ctx context.Context, c boardwatch.Claim, fingerprint string, next time.Time, saved func(error),
) {
	version, l, err := parseToken(c)
	if err == nil && !s.driver.Held(l) {
		err = boardwatch.ErrLeaseLost
	}
	if err != nil {
		saved(err)
		return
	}
	u := driver.Unchanged{
		BoardID: c.Board.ID, Version: version, Cadence: c.Board.Cadence, Fingerprint: fingerprint, Next: next,
	}
	end := func(err error) {
		if err == nil || errors.Is(err, boardwatch.ErrLeaseLost) {
			s.driver.Spent(l)
		}
		if err != nil {
			err = fmt.Errorf("save unchanged board %s: %w", u.BoardID, err)
		}
		saved(err)
	}
	s.unchanged.add(ctx, u, func(done bool, err error) {
		if done || err != nil {
			end(err)
			return
		}
		go func() { end(s.saveUnchangedSlowly(ctx, u)) }() // the others of its group do not wait for it
	})
}

// saveUnchangedSlowly handles a board whose row was locked by another transaction, or that gained or lost subscribers
// while it was read: its next check then depends on its cadence now.
func (s *Store) saveUnchangedSlowly(ctx context.Context, u driver.Unchanged) error {
	return s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		row, err := s.claimedBoard(ctx, tx, u.BoardID, u.Version)
		if err != nil {
			return err
		}
		now, err := tx.Stamp(ctx, row.State.LastCheckedAt)
		if err != nil {
			return err
		}
		b := row.Board
		b.State.LastCheckedAt, b.State.LastSuccessAt = now, now
		next := u.Next
		if b.Cadence != u.Cadence || b.Cadence <= 0 {
			next = earlier(boardwatch.NextCheck(b, now), tx.Ahead())
		}
		_, err = tx.ExecContext(ctx, `UPDATE boards SET last_checked_at = ?, last_success_at = ?, fingerprint = ?,
			next_check_at = ?, streak = streak + 1, version = version + 1`+s.dialect.EndLease+` WHERE id = ?`,
			millis(now), millis(now), u.Fingerprint, nullMillis(next), u.BoardID)
		return err
	})
}

// claimedBoard reads and locks a board that still has the version it was claimed with; otherwise ErrLeaseLost.
func (s *Store) claimedBoard(ctx context.Context, tx driver.Tx, id string, version int64) (boardRow, error) {
	var row boardRow
	if err := tx.Ask(ctx, []driver.Question{s.lockBoard(id, &row)}); err != nil {
		return boardRow{}, err
	}
	if row.ID == "" || row.Version != version {
		return boardRow{}, boardwatch.ErrLeaseLost
	}
	return row, nil
}

// lockBoard reads and locks a board. If there is no such board, the row has no id.
func (s *Store) lockBoard(id string, row *boardRow) driver.Question {
	r := boardRecord(row)
	return driver.Ask("SELECT "+columns(r)+" FROM boards AS b WHERE b.id = ?"+s.dialect.RowLock, []any{plain(id)}, nil, targets(r)...)
}

// wrap adds what was attempted to an error, if there is one.
func wrap(attempt string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", attempt, err)
}
