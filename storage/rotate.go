package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// RotateSealKey encrypts all webhook secrets anew under another key of 32 bytes and returns how many there are; so it does
// with the tokens of feeds and the proxies of boards. It is one transaction: the database belongs to the one key or to
// the other, and every secret with it. The store uses the new key from then on. A database that belonged to no key
// belongs to the new one. It is ErrSealKey when the store's key is not the one that the database belongs to.
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
		if n, err = resealWebhooks(ctx, tx, old, next); err != nil {
			return err
		}
		if err := resealFeeds(ctx, tx, old, next); err != nil {
			return err
		}
		if err := resealAccess(ctx, tx, old, next); err != nil {
			return err
		}
		return belongTo(ctx, tx, next)
	})
	if err != nil {
		return 0, fmt.Errorf("rotate key for webhook secrets: %w", err)
	}
	s.seal.use(next)
	return n, nil
}

// ForgetSecrets lets the database belong to another key when the one before is lost, and returns how many webhooks are
// deleted for that: nobody can sign for them any more. Feeds whose token could be shown no longer show it, and boards
// that are read through a proxy with a password are not read until it is set anew. The store itself needs no key.
func (s *Store) ForgetSecrets(ctx context.Context, key []byte) (n int, err error) {
	next, err := newSealKey(key)
	if err != nil {
		return 0, err
	}
	err = s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
		if err := belongTo(ctx, tx, next); err != nil { // first: it holds off those who make webhooks
			return err
		}
		gone, err := affected(ctx, tx, "DELETE FROM webhooks")
		n = int(gone)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("forget webhook secrets: %w", err)
	}
	return n, nil
}

// belongTo records whose the database is.
func belongTo(ctx context.Context, tx Tx, key *sealKey) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO meta (name, value) VALUES ('seal_key', ?)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, key.name())
	return err
}

// resealWebhooks encrypts every webhook's secret anew, in the order of the ids.
func resealWebhooks(ctx context.Context, tx Tx, old, next *sealKey) (int, error) {
	var rows []webhookRow
	if err := tx.NewSelect().Model(&rows).Column("id", "secret").Order("id").Scan(ctx); err != nil {
		return 0, err
	}
	for _, r := range rows {
		if len(r.Secret) == 0 {
			continue // it has none
		}
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

// resealFeeds encrypts the tokens of feeds anew. One that cannot be read is worth nothing already and is left as it is.
func resealFeeds(ctx context.Context, tx Tx, old, next *sealKey) error {
	var rows []struct {
		AccountID string `bun:"account_id"`
		Token     []byte `bun:"feed_token"`
	}
	err := tx.NewRaw("SELECT account_id, feed_token FROM preferences WHERE feed_token IS NOT NULL ORDER BY account_id").Scan(ctx, &rows)
	if err != nil {
		return err
	}
	for _, r := range rows {
		id := feedOf(r.AccountID)
		token, err := old.open(id, r.Token)
		if err != nil {
			continue
		}
		_, err = tx.ExecContext(ctx, "UPDATE preferences SET feed_token = ? WHERE account_id = ?", next.seal(id, token), r.AccountID)
		if err != nil {
			return err
		}
	}
	return nil
}
