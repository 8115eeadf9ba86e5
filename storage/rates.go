package storage

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Spend counts a request of the account. The row of its log is read with a lock, so that simultaneous requests to
// several processes are counted one after the other.
func (s *Store) Spend(ctx context.Context, accountID, keyID string, r boardwatch.Rate) (boardwatch.Budget, error) {
	done, err := s.counting.take(ctx, accountID)
	if err != nil {
		return boardwatch.Budget{}, wrap("count request", err)
	}
	defer done()
	var b boardwatch.Budget
	err = s.driver.WriteCounts(ctx, func(ctx context.Context, tx Tx) error {
		used, now, err := s.lockRate(ctx, tx, plain(accountID), r.Name)
		if err != nil {
			return err
		}
		used, b = r.Spend(used, now)
		if _, err := tx.Exec(ctx, "UPDATE rates SET used = ? WHERE account_id = ? AND name = ?", packMoments(used),
			plain(accountID), r.Name); err != nil {
			return err
		}
		return touchKey(ctx, tx, keyID, b.At)
	})
	if err != nil {
		return boardwatch.Budget{}, wrap("count request", err)
	}
	return b, nil
}

// lockRate reads and locks a log until the transaction ends, and reads the clock.
func (s *Store) lockRate(ctx context.Context, tx Tx, accountID, name string) (used []time.Time, now time.Time, err error) {
	used, now, err = s.readRate(ctx, tx, accountID, name)
	if !errors.Is(err, sql.ErrNoRows) {
		return used, now, err
	}
	n, err := tx.Exec(ctx, `INSERT INTO rates (account_id, name) SELECT id, ? FROM accounts WHERE id = ?
		ON CONFLICT (account_id, name) DO NOTHING`, name, accountID)
	if err != nil {
		return nil, now, err
	}
	used, now, err = s.readRate(ctx, tx, accountID, name)
	if n == 0 && errors.Is(err, sql.ErrNoRows) {
		err = boardwatch.NotFound("account")
	}
	return used, now, err
}

func (s *Store) readRate(ctx context.Context, tx Tx, accountID, name string) (used []time.Time, now time.Time, err error) {
	clock := s.dialect.Clock
	if clock == "" {
		clock = "0"
		if now, err = s.driver.Now(ctx); err != nil {
			return nil, now, err
		}
	}
	rows, err := tx.Query(ctx, "SELECT used, "+clock+" FROM rates WHERE account_id = ? AND name = ?"+s.dialect.RowLock, accountID, name)
	if err != nil {
		return nil, now, err
	}
	defer rows.Close()
	if !rows.Next() {
		return nil, now, errors.Join(rows.Err(), sql.ErrNoRows)
	}
	var packed []byte
	var ms int64
	if err := rows.Scan(&packed, &ms); err != nil {
		return nil, now, err
	}
	if s.dialect.Clock != "" {
		now = instant(ms)
	}
	used, err = unpackMoments(packed)
	return used, now, errors.Join(err, rows.Err())
}

// touchKey marks a key as used. One that no longer exists is a not_found error.
func touchKey(ctx context.Context, tx Tx, id string, at time.Time) error {
	if id == "" {
		return nil
	}
	n, err := tx.Exec(ctx, "UPDATE api_keys SET last_used_at = CASE WHEN last_used_at < ? THEN ? ELSE last_used_at END WHERE id = ?",
		millis(at), millis(at), plain(id))
	if err == nil && n == 0 {
		err = boardwatch.NotFound("key")
	}
	return err
}

// packMoments writes instants as eight bytes each.
func packMoments(moments []time.Time) []byte {
	packed := make([]byte, 0, 8*len(moments))
	for _, m := range moments {
		packed = binary.BigEndian.AppendUint64(packed, uint64(m.UnixMilli()))
	}
	return packed
}

func unpackMoments(packed []byte) ([]time.Time, error) {
	if len(packed)%8 != 0 {
		return nil, fmt.Errorf("a log of %d bytes", len(packed))
	}
	moments := make([]time.Time, 0, len(packed)/8)
	for ; len(packed) > 0; packed = packed[8:] {
		moments = append(moments, time.UnixMilli(int64(binary.BigEndian.Uint64(packed))).UTC()) //nolint:gosec // the bits that packMoments wrote
	}
	return moments, nil
}
