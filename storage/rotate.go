package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// RotateSealKey encrypts all webhook secrets anew under another key of 32 bytes and returns how many there are. It is one
// transaction: the database belongs to the one key or to the other, and each webhook's secret with it. The store uses the
// new key from then on. A database that belonged to no key belongs to the new one. It is ErrSealKey when the store's
// key is not the one that the database belongs to.
func (s *Store) RotateSealKey(ctx context.Context, key []byte) (n int, err error) {
	next, err := newSealKey(key)
	if err != nil {
		return 0, err
	}
	if s.seal == nil {
		return 0, errNoSealKey
	}
	err = s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
		old := s.seal.current.Load()
		known, err := sealedUnder(ctx, tx, s.dialect.RowLock)
		switch {
		case errors.Is(err, sql.ErrNoRows):
		case err != nil:
			return err
		case known != old.name():
			return ErrSealKey
		}
		if n, err = reseal(ctx, tx, old, next); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO meta (name, value) VALUES ('seal_key', ?)
			ON CONFLICT (name) DO UPDATE SET value = excluded.value`, next.name())
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("rotate key for webhook secrets: %w", err)
	}
	s.seal.use(next)
	return n, nil
}

// reseal encrypts every secret anew, in the order of the ids.
func reseal(ctx context.Context, tx Tx, old, next *sealKey) (int, error) {
	var rows []webhookRow
	if err := tx.NewSelect().Model(&rows).Column("id", "secret").Order("id").Scan(ctx); err != nil {
		return 0, err
	}
	for _, r := range rows {
		secret, err := old.open(r.ID, r.Secret)
		if err != nil {
			return 0, err
		}
		if _, err := tx.ExecContext(ctx, "UPDATE webhooks SET secret = ? WHERE id = ?", next.seal(r.ID, secret), r.ID); err != nil {
			return 0, err
		}
	}
	return len(rows), nil
}
