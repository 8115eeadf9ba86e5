package storage

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// Spend reads the row of the log with a lock, so that simultaneous requests to several processes are counted one after the
// other.
func (s *Store) Spend(ctx context.Context, accountID, keyID string, r boardwatch.Rate) (boardwatch.Budget, error) {
	done, err := s.counting.take(ctx, accountID)
	if err != nil {
		return boardwatch.Budget{}, wrap("count request", err)
	}
	defer done()
	var b boardwatch.Budget
	err = s.driver.WriteCounts(ctx, func(ctx context.Context, tx driver.CheckTx) ([]driver.Statement, error) {
		used, now, err := s.askRate(ctx, tx, plain(accountID), r.Name, plain(keyID))
		if err != nil {
			return nil, err
		}
		used, b = r.Spend(used, now)
		var todo script
		todo.add("UPDATE rates SET used = ? WHERE account_id = ? AND name = ?", packMoments(used), plain(accountID), r.Name)
		if keyID != "" {
			todo.add("UPDATE api_keys SET last_used_at = CASE WHEN last_used_at < ? THEN ? ELSE last_used_at END WHERE id = ?",
				millis(b.At), millis(b.At), plain(keyID))
		}
		return todo, nil
	})
	if err != nil {
		return boardwatch.Budget{}, wrap("count request", err)
	}
	return b, nil
}

// askRate reads and locks a log until the transaction ends, reads the clock, and makes sure that the key exists, unless it
// is empty.
func (s *Store) askRate(ctx context.Context, tx driver.Asker, accountID, name, keyID string) (used []time.Time, now time.Time, err error) {
	clock := s.dialect.Clock
	if clock == "" {
		clock = "0"
		if now, err = s.driver.Now(ctx); err != nil {
			return nil, now, err
		}
	}
	read, known := false, keyID == ""
	var packed []byte
	var ms int64
	log := driver.Ask("SELECT used, "+clock+" FROM rates WHERE account_id = ? AND name = ?"+s.dialect.RowLock, []any{accountID, name}, func() (err error) {
		if read = true; s.dialect.Clock != "" {
			now = instant(ms)
		}
		used, err = unpackMoments(packed)
		return err
	}, &packed, &ms)
	key := driver.Ask("SELECT TRUE FROM api_keys WHERE id = ?", []any{keyID}, nil, &known)
	if err := tx.Ask(ctx, []driver.Question{log, key}); err != nil {
		return nil, now, err
	}
	if !read {
		begin := driver.Ask("INSERT INTO rates (account_id, name) SELECT id, ? FROM accounts WHERE id = ? ON CONFLICT (account_id, name) DO NOTHING", []any{name, accountID}, nil)
		if err := tx.Ask(ctx, []driver.Question{begin, log}); err != nil {
			return nil, now, err
		}
	}
	switch {
	case !read:
		return nil, now, boardwatch.NotFound("account")
	case !known:
		return nil, now, boardwatch.NotFound("key")
	}
	return used, now, nil
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
