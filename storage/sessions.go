package storage

import (
	"context"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// sessionRecord is a row of sessions.
func sessionRecord(n *account.Session) record {
	return newRecord("sessions", "s",
		col("id", &n.ID), col("account_id", &n.AccountID), col("hash", &n.Hash), col("address", &n.Address), col("user_agent", &n.UserAgent),
		col("created_at", moment(&n.CreatedAt)), col("last_used_at", moment(&n.LastUsedAt)), col("way", &n.Way), col("proven_at", moment(&n.ProvenAt)),
	)
}

func (s *Store) CreateSession(ctx context.Context, n account.Session, limit int) error {
	return s.write(ctx, "create session", func(ctx context.Context, tx driver.Tx) error {
		if _, err := s.planOf(ctx, tx, n.AccountID); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE account_id = ?
			ORDER BY created_at DESC, id LIMIT ? OFFSET ?)`, plain(n.AccountID), mostAtOnce, limit-1)
		if err != nil {
			return err
		}
		_, err = insertRow(ctx, tx, sessionRecord(&n), "")
		return err
	})
}

func (s *Store) SessionByHash(ctx context.Context, hash string) (n account.Session, a account.Account, err error) {
	session, owner := sessionRecord(&n), accountRecord(&a)
	err = s.db().QueryRowContext(ctx, "SELECT "+columns(session, owner)+" FROM sessions AS s JOIN accounts AS a ON a.id = s.account_id WHERE s.hash = ?",
		plain(hash)).Scan(targets(session, owner)...)
	return n, a, found("read session", "session", err)
}

func (s *Store) TouchSession(ctx context.Context, id string, at time.Time) error {
	return s.exec(ctx, "touch session", "UPDATE sessions SET last_used_at = ?0 WHERE id = ?1 AND last_used_at < ?0",
		millis(at), plain(id))
}

func (s *Store) Sessions(ctx context.Context, accountID string) ([]account.Session, error) {
	sessions, err := readRows(ctx, s.db(), sessionRecord, "WHERE s.account_id = ? ORDER BY s.last_used_at DESC, s.id LIMIT 1000", plain(accountID))
	return sessions, wrap("read sessions", err)
}

func (s *Store) DeleteSession(ctx context.Context, accountID, id string) error {
	return s.change(ctx, "delete session", "sign-in", "DELETE FROM sessions WHERE account_id = ? AND id = ?", plain(accountID), plain(id))
}

func (s *Store) DeleteSessions(ctx context.Context, accountID, except string) error {
	return s.exec(ctx, "delete sessions", "DELETE FROM sessions WHERE account_id = ? AND id <> ?", plain(accountID), plain(except))
}

// pruneSignIns deletes expired sessions, links, used tokens and counts of wrong passwords.
func (s *Store) pruneSignIns(ctx context.Context, now time.Time) error {
	for _, q := range []struct {
		query  string
		before time.Time
	}{
		{"DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE last_used_at <= ? LIMIT ?)", now.Add(-account.SessionIdle)},
		{"DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE created_at <= ? LIMIT ?)", now.Add(-account.SessionLife)},
		{"DELETE FROM links WHERE id IN (SELECT id FROM links WHERE expires_at <= ? LIMIT ?)", now},
		{"DELETE FROM used_tokens WHERE hash IN (SELECT hash FROM used_tokens WHERE expires_at <= ? LIMIT ?)", now},
		{"DELETE FROM guesses WHERE key IN (SELECT key FROM guesses WHERE until <= ? LIMIT ?)", now},
	} {
		if err := s.deleteAll(ctx, q.query, millis(q.before)); err != nil {
			return wrap("prune sign-ins", err)
		}
	}
	return nil
}

func (s *Store) UseOnce(ctx context.Context, hash string, until time.Time) error {
	return s.write(ctx, "use token", func(ctx context.Context, tx driver.Tx) error {
		n, err := affected(ctx, tx, "INSERT INTO used_tokens (hash, expires_at) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING", plain(hash), millis(until))
		if err == nil && n == 0 {
			err = boardwatch.NotFound("token")
		}
		return err
	})
}
