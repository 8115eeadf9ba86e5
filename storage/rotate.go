package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// RotateSealKey encrypts all webhook secrets again under another key of 32 bytes and returns how many there are. It
// does the same with feed tokens and the proxies of boards. It is one transaction: the database and every secret in it
// belong to either the old key or the new one. The store uses the new key from then on. A database that belonged to no
// key belongs to the new one. The error is ErrSealKey if the store's key is not the one that the database belongs to.
func (s *Store) RotateSealKey(ctx context.Context, key []byte) (n int, err error) {
	next, err := newSealKey(key)
	if err != nil {
		return 0, err
	}
	if s.seal == nil {
		return 0, errNoSealKey
	}
	err = s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
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

// ForgetSecrets assigns the database to another key after the old one was lost. It returns the number of webhooks
// deleted, because nobody can sign for them anymore. Feeds still work, but their tokens can no longer be shown, and
// boards read through a proxy with a password are not read until the proxy is set again. The store itself needs no key.
func (s *Store) ForgetSecrets(ctx context.Context, key []byte) (n int, err error) {
	next, err := newSealKey(key)
	if err != nil {
		return 0, err
	}
	err = s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		if err := belongTo(ctx, tx, next); err != nil { // first, because it blocks the creation of webhooks
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

// belongTo records which key the database belongs to.
func belongTo(ctx context.Context, tx driver.Tx, key *sealKey) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO meta (name, value) VALUES ('seal_key', ?)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, key.name())
	return err
}

// resealWebhooks encrypts every webhook's secret again, in the order of the ids.
func resealWebhooks(ctx context.Context, tx driver.Tx, old, next *sealKey) (int, error) {
	rows, err := readRows(ctx, tx, webhookRecord, "ORDER BY w.id")
	if err != nil {
		return 0, err
	}
	for _, r := range rows {
		if len(r.Sealed) == 0 {
			continue // it has none
		}
		secret, err := old.open(r.ID, r.Sealed)
		if err != nil {
			return 0, err
		}
		if _, err := tx.ExecContext(ctx, "UPDATE webhooks SET secret = ? WHERE id = ?", next.seal(r.ID, secret), r.ID); err != nil {
			return 0, err
		}
	}
	return len(rows), nil
}

// resealFeeds encrypts the tokens of feeds again. One that cannot be decrypted is useless already and is left as it is.
func resealFeeds(ctx context.Context, tx driver.Tx, old, next *sealKey) error {
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
