package storage

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// preferenceRow is a row of preferences: a person's choices, and the progress of their daily mail.
type preferenceRow struct {
	bun.BaseModel `bun:"table:preferences,alias:p"`

	AccountID   string        `bun:"account_id,pk"`
	Digest      bool          `bun:"digest"`
	DigestHour  int           `bun:"digest_hour"`
	TimeZone    string        `bun:"time_zone"`
	Notices     bool          `bun:"notices"`
	Theme       account.Theme `bun:"theme"`
	Shortcuts   bool          `bun:"shortcuts"`
	OnlySaved   bool          `bun:"digest_searches"`
	DigestAt    int64         `bun:"digest_at"` // 0: not planned
	PlannedHour int           `bun:"planned_hour"`
	DigestDay   string        `bun:"digest_day"`
	DigestUntil int64         `bun:"digest_until"`
	Steps       bool          `bun:"steps"`
	SeenAt      int64         `bun:"seen_at"`
	LookedAt    int64         `bun:"looked_at"`
}

const preferenceColumns = `p.account_id, p.digest, p.digest_hour, p.time_zone, p.notices, p.theme, p.shortcuts, p.digest_searches, p.digest_at,
	p.planned_hour, p.digest_day, p.digest_until, p.steps, p.seen_at, p.looked_at`

func (r preferenceRow) preferences() account.Preferences {
	return account.Preferences{
		AccountID: r.AccountID, Digest: r.Digest, DigestHour: r.DigestHour, TimeZone: r.TimeZone, Notices: r.Notices,
		Theme: r.Theme, Shortcuts: r.Shortcuts, OnlySaved: r.OnlySaved, Steps: r.Steps,
		Visits: account.Visits{SeenAt: instant(r.SeenAt), LastAt: instant(r.LookedAt)},
	}
}

// Preferences returns the account's preferences, or the defaults if it chose nothing.
func (s *Store) Preferences(ctx context.Context, accountID string) (account.Preferences, error) {
	row, err := preferencesOf(ctx, s.db(), accountID)
	return row.preferences(), wrap("read preferences", err)
}

func preferencesOf(ctx context.Context, db bun.IDB, accountID string) (preferenceRow, error) {
	var row preferenceRow
	err := db.NewRaw("SELECT "+preferenceColumns+" FROM preferences AS p WHERE p.account_id = ?", plain(accountID)).Scan(ctx, &row)
	if errors.Is(err, sql.ErrNoRows) {
		return defaultRow(accountID), nil
	}
	return row, err
}

// defaultRow is the row used for an account without one.
func defaultRow(accountID string) preferenceRow {
	p := account.DefaultPreferences(accountID)
	return preferenceRow{
		AccountID: p.AccountID, Digest: p.Digest, DigestHour: p.DigestHour, TimeZone: p.TimeZone, Notices: p.Notices,
		Theme: p.Theme, Shortcuts: p.Shortcuts, Steps: p.Steps,
	}
}

// ownRow makes sure that the account has a row of its own, and locks the account.
func (s *Store) ownRow(ctx context.Context, tx Tx, accountID string) error {
	if _, err := s.planOf(ctx, tx, accountID); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO preferences (account_id) VALUES (?) ON CONFLICT (account_id) DO NOTHING", plain(accountID))
	return err
}

// SavePreferences replaces the account's preferences.
func (s *Store) SavePreferences(ctx context.Context, p account.Preferences) error {
	return s.write(ctx, "save preferences", func(ctx context.Context, tx Tx) error {
		if err := s.ownRow(ctx, tx, p.AccountID); err != nil {
			return err
		}
		row, err := preferencesOf(ctx, tx, p.AccountID)
		if err != nil {
			return err
		}
		if p.Digest != row.Digest || p.DigestHour != row.DigestHour || p.TimeZone != row.TimeZone {
			row.DigestAt = 0
		}
		if p.Digest && !row.Digest {
			now, err := tx.now(ctx)
			if err != nil {
				return err
			}
			row.DigestUntil = millis(now)
		}
		_, err = tx.ExecContext(ctx, `UPDATE preferences SET digest = ?, digest_hour = ?, time_zone = ?, notices = ?, theme = ?,
			shortcuts = ?, steps = ?, digest_searches = ?, digest_at = ?, digest_until = ? WHERE account_id = ?`,
			p.Digest, p.DigestHour, plain(p.TimeZone), p.Notices, plain(string(p.Theme)), p.Shortcuts, p.Steps, p.OnlySaved, row.DigestAt,
			row.DigestUntil, row.AccountID)
		return err
	})
}

// SaveVisits replaces what the account has seen.
func (s *Store) SaveVisits(ctx context.Context, accountID string, v account.Visits) error {
	return s.write(ctx, "save visits", func(ctx context.Context, tx Tx) error {
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

// FeedToken returns the token in the addresses of the account's feeds; empty if there is none, or if it can no longer
// be decrypted.
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

// SetFeedToken replaces the token. The old one is invalid from then on.
func (s *Store) SetFeedToken(ctx context.Context, accountID, token string) error {
	return s.write(ctx, "set feed token", func(ctx context.Context, tx Tx) error {
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

// AccountByFeed finds the account that a feed's token belongs to; otherwise a not_found error.
func (s *Store) AccountByFeed(ctx context.Context, hash string) (account.Account, error) {
	return s.account(ctx, "a.id = (SELECT p.account_id FROM preferences AS p WHERE p.feed_hash = ?)", hash)
}
