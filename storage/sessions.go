package storage

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// sessionRow is a row of sessions.
type sessionRow struct {
	bun.BaseModel `bun:"table:sessions,alias:s"`

	ID         string `bun:"id,pk"`
	AccountID  string `bun:"account_id"`
	Hash       string `bun:"hash"`
	Address    string `bun:"address"`
	UserAgent  string `bun:"user_agent"`
	CreatedAt  int64  `bun:"created_at"`
	LastUsedAt int64  `bun:"last_used_at"`

	Way      account.Way `bun:"way"`
	ProvenAt int64       `bun:"proven_at"`
}

func (r sessionRow) session() account.Session {
	return account.Session{
		ID: r.ID, AccountID: r.AccountID, Hash: r.Hash, Address: r.Address, UserAgent: r.UserAgent,
		CreatedAt: instant(r.CreatedAt), LastUsedAt: instant(r.LastUsedAt), Way: r.Way, ProvenAt: instant(r.ProvenAt),
	}
}

// CreateSession saves a session. At most limit sessions of the account are kept; the oldest end.
func (s *Store) CreateSession(ctx context.Context, n account.Session, limit int) error {
	row := sessionRow{
		ID: n.ID, AccountID: plain(n.AccountID), Hash: plain(n.Hash), Address: plain(n.Address), UserAgent: plain(n.UserAgent),
		CreatedAt: millis(n.CreatedAt), LastUsedAt: millis(n.LastUsedAt),
		Way: n.Way, ProvenAt: millis(n.ProvenAt),
	}
	return s.write(ctx, "create session", func(ctx context.Context, tx Tx) error {
		if _, err := s.planOf(ctx, tx, n.AccountID); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE account_id = ?
			ORDER BY created_at DESC, id LIMIT ? OFFSET ?)`, plain(n.AccountID), mostAtOnce, limit-1)
		if err != nil {
			return err
		}
		_, err = tx.NewInsert().Model(&row).Returning("NULL").Exec(ctx)
		return err
	})
}

// SessionByHash finds a session, valid or not, and its account; otherwise a not_found error.
func (s *Store) SessionByHash(ctx context.Context, hash string) (account.Session, account.Account, error) {
	var row struct {
		sessionRow
		accountColumns
	}
	err := s.db().NewRaw(`SELECT s.id, s.account_id, s.hash, s.address, s.user_agent, s.created_at, s.last_used_at,
		s.way, s.proven_at, `+
		accountColumnsOf+` FROM sessions AS s JOIN accounts AS a ON a.id = s.account_id WHERE s.hash = ?`, plain(hash)).
		Scan(ctx, &row)
	if err != nil {
		return account.Session{}, account.Account{}, found("read session", "session", err)
	}
	return row.session(), row.account(row.AccountID), nil
}

// TouchSession records that the session was used.
func (s *Store) TouchSession(ctx context.Context, id string, at time.Time) error {
	return s.exec(ctx, "touch session", "UPDATE sessions SET last_used_at = ?0 WHERE id = ?1 AND last_used_at < ?0",
		millis(at), plain(id))
}

// Sessions lists the account's sessions, most recently used first.
func (s *Store) Sessions(ctx context.Context, accountID string) ([]account.Session, error) {
	var rows []sessionRow
	err := s.db().NewSelect().Model(&rows).Where("s.account_id = ?", plain(accountID)).
		Order("s.last_used_at DESC", "s.id").Limit(1000).Scan(ctx)
	return valuesOf(rows, sessionRow.session), wrap("read sessions", err)
}

// DeleteSession ends one of the account's sessions; otherwise a not_found error.
func (s *Store) DeleteSession(ctx context.Context, accountID, id string) error {
	return s.change(ctx, "delete session", "sign-in", "DELETE FROM sessions WHERE account_id = ? AND id = ?", plain(accountID), plain(id))
}

// DeleteSessions ends all of the account's sessions except the one with the id except, which may be empty.
func (s *Store) DeleteSessions(ctx context.Context, accountID, except string) error {
	return s.exec(ctx, "delete sessions", "DELETE FROM sessions WHERE account_id = ? AND id <> ?", plain(accountID), plain(except))
}

// accountColumns are an account's columns in a join with another table.
type accountColumns struct {
	Email            string           `bun:"a_email"`
	Plan             account.PlanName `bun:"a_plan"`
	Verified         bool             `bun:"a_verified"`
	Admin            bool             `bun:"a_admin"`
	PasswordHash     string           `bun:"a_password_hash"`
	AccountCreatedAt int64            `bun:"a_created_at"`
}

const accountColumnsOf = `a.email AS a_email, a.plan AS a_plan, a.verified AS a_verified, a.admin AS a_admin,
	a.password_hash AS a_password_hash, a.created_at AS a_created_at`

func (c accountColumns) account(id string) account.Account {
	return account.Account{
		ID: id, Email: c.Email, Plan: c.Plan, Verified: c.Verified, Admin: c.Admin, PasswordHash: c.PasswordHash,
		CreatedAt: instant(c.AccountCreatedAt),
	}
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
