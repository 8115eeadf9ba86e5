package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// CreateSession saves a session. Of the account's sessions at most limit are kept; the oldest end.
func (s *Store) CreateSession(ctx context.Context, n boardwatch.Session, limit int) error {
	return s.change(ctx, n.AccountID, func(_ *Database, a *account) error {
		slices.SortFunc(a.sessions, func(a, b *boardwatch.Session) int { return a.CreatedAt.Compare(b.CreatedAt) })
		a.sessions = a.sessions[max(0, len(a.sessions)-limit+1):]
		a.sessions = append(a.sessions, &n)
		return nil
	})
}

// session finds a session and its account.
func (d *Database) session(want func(*boardwatch.Session) bool) (*boardwatch.Session, *account, error) {
	for _, a := range d.accounts {
		if i := slices.IndexFunc(a.sessions, want); i >= 0 {
			return a.sessions[i], a, nil
		}
	}
	return nil, nil, boardwatch.NotFound("session")
}

// SessionByHash finds a session, whether it still holds or not, and its account.
func (s *Store) SessionByHash(_ context.Context, hash string) (n boardwatch.Session, owner boardwatch.Account, err error) {
	s.read(func(d *Database) {
		var found *boardwatch.Session
		var a *account
		if found, a, err = d.session(func(n *boardwatch.Session) bool { return n.Hash == hash }); err == nil {
			n, owner = *found, a.Account
		}
	})
	return n, owner, err
}

// TouchSession records that the session was used.
func (s *Store) TouchSession(ctx context.Context, id string, at time.Time) error {
	return s.write(ctx, func(d *Database) error {
		if n, _, err := d.session(func(n *boardwatch.Session) bool { return n.ID == id }); err == nil && at.After(n.LastUsedAt) {
			n.LastUsedAt = at
		}
		return nil
	})
}

// Sessions lists the account's sessions, the one used last first.
func (s *Store) Sessions(_ context.Context, accountID string) (out []boardwatch.Session, err error) {
	s.read(func(d *Database) {
		if a, ok := d.accounts[accountID]; ok {
			for _, n := range a.sessions {
				out = append(out, *n)
			}
		}
	})
	slices.SortFunc(out, func(a, b boardwatch.Session) int {
		return cmp.Or(b.LastUsedAt.Compare(a.LastUsedAt), cmp.Compare(a.ID, b.ID))
	})
	return out, nil
}

// DeleteSession ends one of the account's sessions.
func (s *Store) DeleteSession(ctx context.Context, accountID, id string) error {
	return s.write(ctx, func(d *Database) error {
		_, a, err := d.session(func(n *boardwatch.Session) bool { return n.ID == id && n.AccountID == accountID })
		if err != nil {
			return err
		}
		a.sessions = slices.DeleteFunc(a.sessions, func(n *boardwatch.Session) bool { return n.ID == id })
		return nil
	})
}

// DeleteSessions ends all of the account's sessions but one.
func (s *Store) DeleteSessions(ctx context.Context, accountID, except string) error {
	return s.write(ctx, func(d *Database) error {
		if a, ok := d.accounts[accountID]; ok {
			a.sessions = slices.DeleteFunc(a.sessions, func(n *boardwatch.Session) bool { return n.ID != except })
		}
		return nil
	})
}
