package storage

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// preferenceRecord is a row of preferences: a person's choices, and the progress of their daily mail. In a row that an account
// does not have, everything is NULL and leaves the defaults alone.
func preferenceRecord(d *track.DueDigest) record {
	p := &d.Preferences
	return newRecord("preferences", "p",
		col("digest", given(&p.Digest)), col("digest_hour", given(&p.DigestHour)), col("time_zone", given(&p.TimeZone)), col("notices", given(&p.Notices)),
		col("theme", given(&p.Theme)), col("shortcuts", given(&p.Shortcuts)), col("digest_searches", given(&p.OnlySaved)), col("steps", given(&p.Steps)),
		col("seen_at", moment(&p.Visits.SeenAt)), col("looked_at", moment(&p.Visits.LastAt)), col("digest_at", moment(&d.Planned)),
		col("digest_day", given(&d.Day)), col("digest_until", moment(&d.Until)),
	)
}

// given is stored as it is. NULL leaves alone what is there.
func given[T any](v *T) stored[*T] {
	return stored[*T]{func() *T { return v }, func(there *T) error {
		if there != nil {
			*v = *there
		}
		return nil
	}}
}

func (s *Store) Preferences(ctx context.Context, accountID string) (account.Preferences, error) {
	d, err := preferencesOf(ctx, s.db(), accountID)
	return d.Preferences, wrap("read preferences", err)
}

func preferencesOf(ctx context.Context, db bun.IDB, accountID string) (track.DueDigest, error) {
	d := track.DueDigest{Preferences: account.DefaultPreferences(accountID)}
	r := preferenceRecord(&d)
	err := db.QueryRowContext(ctx, "SELECT "+columns(r)+" FROM preferences AS p WHERE p.account_id = ?", plain(accountID)).Scan(targets(r)...)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return d, err
}

// ownRow makes sure that the account has a row of its own, and locks the account.
func (s *Store) ownRow(ctx context.Context, tx driver.Tx, accountID string) error {
	if _, err := s.planOf(ctx, tx, accountID); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO preferences (account_id) VALUES (?) ON CONFLICT (account_id) DO NOTHING", plain(accountID))
	return err
}

func (s *Store) SavePreferences(ctx context.Context, p account.Preferences) error {
	return s.write(ctx, "save preferences", func(ctx context.Context, tx driver.Tx) error {
		if err := s.ownRow(ctx, tx, p.AccountID); err != nil {
			return err
		}
		d, err := preferencesOf(ctx, tx, p.AccountID)
		if err != nil {
			return err
		}
		before := d.Preferences
		if p.Digest != before.Digest || p.DigestHour != before.DigestHour || p.TimeZone != before.TimeZone {
			d.Planned = time.Time{}
		}
		if p.Digest && !before.Digest {
			if d.Until, err = tx.Now(ctx); err != nil {
				return err
			}
		}
		d.Preferences = p
		set, args := preferenceRecord(&d).set("digest", "digest_hour", "time_zone", "notices", "theme", "shortcuts", "digest_searches", "steps",
			"digest_at", "digest_until")
		_, err = tx.ExecContext(ctx, "UPDATE preferences SET "+set+" WHERE account_id = ?", append(args, plain(p.AccountID))...)
		return err
	})
}

func (s *Store) SaveVisits(ctx context.Context, accountID string, v account.Visits) error {
	return s.write(ctx, "save visits", func(ctx context.Context, tx driver.Tx) error {
		if err := s.ownRow(ctx, tx, accountID); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE preferences SET seen_at = ?, looked_at = ? WHERE account_id = ?",
			millis(v.SeenAt), millis(v.LastAt), plain(accountID))
		return err
	})
}

// feedOf is the context an account's feed token is encrypted with, different from those of webhooks.
func feedOf(accountID string) string { return "feed:" + accountID }

func (s *Store) FeedToken(ctx context.Context, accountID string) (string, error) {
	var sealed []byte
	err := s.db().QueryRowContext(ctx, "SELECT feed_token FROM preferences WHERE account_id = ?", plain(accountID)).Scan(&sealed)
	if errors.Is(err, sql.ErrNoRows) || err == nil && sealed == nil {
		return "", nil
	}
	if err != nil {
		return "", wrap("read feed token", err)
	}
	token, err := s.seal.open(feedOf(accountID), sealed)
	if errors.Is(err, ErrSealKey) {
		return "", nil
	}
	return token, wrap("read feed token", err)
}

func (s *Store) SetFeedToken(ctx context.Context, accountID, token string) error {
	return s.write(ctx, "set feed token", func(ctx context.Context, tx driver.Tx) error {
		if err := s.ownRow(ctx, tx, accountID); err != nil {
			return err
		}
		sealed, err := s.sealFor(ctx, tx, feedOf(accountID), token)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE preferences SET feed_hash = ?, feed_token = ? WHERE account_id = ?",
			account.HashSecret(token), sealed, plain(accountID))
		return err
	})
}

func (s *Store) AccountByFeed(ctx context.Context, hash string) (account.Account, error) {
	return s.account(ctx, "WHERE a.id = (SELECT p.account_id FROM preferences AS p WHERE p.feed_hash = ?)", hash)
}
