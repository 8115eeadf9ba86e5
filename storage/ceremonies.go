package storage

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// CreateCeremony saves a ceremony. At most limit are kept; those that expire first are removed.
func (s *Store) CreateCeremony(ctx context.Context, c boardwatch.Ceremony, limit int) error {
	err := s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM ceremonies WHERE hash IN (SELECT hash FROM ceremonies
			ORDER BY expires_at DESC, hash LIMIT ? OFFSET ?)`, mostAtOnce, limit-1)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "INSERT INTO ceremonies (hash, kind, account_id, data, expires_at) VALUES (?, ?, ?, ?, ?)",
			plain(c.Hash), c.Kind, sql.NullString{String: plain(c.AccountID), Valid: c.AccountID != ""}, c.Data, millis(c.ExpiresAt))
		return err
	})
	return wrap("create ceremony", err)
}

// TakeCeremony ends a ceremony that is still valid and returns it; otherwise a not_found error.
func (s *Store) TakeCeremony(
	ctx context.Context, kind boardwatch.CeremonyKind, hash string, now time.Time,
) (boardwatch.Ceremony, error) {
	c := boardwatch.Ceremony{Kind: kind, Hash: hash}
	err := s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
		var expires int64
		err := tx.QueryRowContext(ctx, `DELETE FROM ceremonies WHERE hash = ? AND kind = ? AND expires_at > ?
			RETURNING COALESCE(account_id, ''), data, expires_at`, plain(hash), kind, millis(now)).Scan(&c.AccountID, &c.Data, &expires)
		c.ExpiresAt = instant(expires)
		if errors.Is(err, sql.ErrNoRows) {
			return boardwatch.NotFound("ceremony")
		}
		return err
	})
	if err != nil {
		return boardwatch.Ceremony{}, wrap("take ceremony", err)
	}
	return c, nil
}
