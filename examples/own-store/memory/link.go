package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// CreateLink saves a link.
func (s *Store) CreateLink(ctx context.Context, l boardwatch.Link) error {
	return s.write(ctx, func(d *Database) error {
		if l.AccountID != "" {
			if _, err := d.account(l.AccountID); err != nil {
				return err
			}
		}
		d.links[l.Hash] = l
		return nil
	})
}

// link finds a link that is still good.
func (d *Database) link(kind boardwatch.LinkKind, hash string, now time.Time) (boardwatch.Link, error) {
	l, ok := d.links[hash]
	if !ok || l.Kind != kind || !now.Before(l.ExpiresAt) {
		return boardwatch.Link{}, boardwatch.NotFound("link")
	}
	return l, nil
}

// Link finds a link that is still good.
func (s *Store) Link(_ context.Context, kind boardwatch.LinkKind, hash string, now time.Time) (l boardwatch.Link, err error) {
	s.read(func(d *Database) { l, err = d.link(kind, hash, now) })
	return l, err
}

// Redeem ends a link and saves what it brings about.
func (s *Store) Redeem(
	ctx context.Context, kind boardwatch.LinkKind, hash string, now time.Time, decide func(boardwatch.Link) boardwatch.Outcome,
) (out boardwatch.Account, err error) {
	err = s.write(ctx, func(d *Database) error {
		l, err := d.link(kind, hash, now)
		if err != nil {
			return err
		}
		if outcome := decide(l); outcome.Create != nil {
			out, err = *outcome.Create, d.createBy(outcome)
		} else {
			out, err = d.changeBy(l, outcome, now)
		}
		if err == nil {
			delete(d.links, hash)
		}
		return err
	})
	if err != nil {
		return boardwatch.Account{}, err
	}
	return out, nil
}

// createBy makes the account that a link was for. Wishes of others to have one with the same address end.
func (d *Database) createBy(o boardwatch.Outcome) error {
	if o.First && len(d.accounts) > 0 {
		return boardwatch.NotFound("link")
	}
	if err := d.insert(*o.Create); err != nil {
		return err
	}
	deleteWhere(d.links, func(l boardwatch.Link) bool { return l.Kind == boardwatch.LinkSignUp && l.Email == o.Create.Email })
	return nil
}

// changeBy changes the account that a link belongs to.
func (d *Database) changeBy(l boardwatch.Link, o boardwatch.Outcome, now time.Time) (boardwatch.Account, error) {
	a, err := d.account(l.AccountID)
	if err != nil {
		return boardwatch.Account{}, err
	}
	if o.Move {
		if err := d.moveAccount(a, l.Email); err != nil {
			return boardwatch.Account{}, err
		}
	}
	if a.Email != l.Email {
		return boardwatch.Account{}, boardwatch.NotFound("link")
	}
	if o.Verified {
		a.Verified = true
		d.endLinks(a.ID, boardwatch.LinkVerify)
	}
	if o.PasswordHash != "" {
		d.reclaim(a, o.PasswordHash, now)
	}
	return a.Account, nil
}

// moveAccount gives an account another address, confirmed. Links that were sent to the old one end.
func (d *Database) moveAccount(a *account, email string) error {
	if other := d.byEmail(email); other != nil && other != a {
		return boardwatch.Invalid("email", "is taken by another account")
	}
	a.Email, a.Verified = email, true
	d.endLinks(a.ID, boardwatch.LinkVerify, boardwatch.LinkMove, boardwatch.LinkReset, boardwatch.LinkUnsubscribe)
	return nil
}

// reclaim gives an account to whoever has its address, with a new password or none: what somebody else may hold ends.
func (d *Database) reclaim(a *account, hash string, now time.Time) {
	d.setPassword(a, hash)
	for _, g := range d.grants {
		if g.AccountID == a.ID && g.RevokedAt.IsZero() {
			g.RevokedAt = now
		}
	}
	deleteWhere(d.asks, func(q boardwatch.Ask) bool { return q.AccountID == a.ID })
	deleteWhere(d.logins, func(l boardwatch.Login) bool { return l.AccountID == a.ID })
	a.feedToken, a.passkeys = "", nil
}

// setPassword changes a password and ends what the old one opened.
func (d *Database) setPassword(a *account, hash string) {
	a.PasswordHash, a.sessions = hash, nil
	d.endLinks(a.ID, boardwatch.LinkReset, boardwatch.LinkMove)
}

func (d *Database) endLinks(accountID string, kinds ...boardwatch.LinkKind) {
	deleteWhere(d.links, func(l boardwatch.Link) bool { return l.AccountID == accountID && slices.Contains(kinds, l.Kind) })
}

// SignUpMode is who may make an account, as an operator has chosen.
func (s *Store) SignUpMode(context.Context) (mode string, err error) {
	s.read(func(d *Database) { mode = d.signUp })
	return mode, nil
}

// SetSignUpMode keeps an operator's choice.
func (s *Store) SetSignUpMode(ctx context.Context, mode string) error {
	return s.write(ctx, func(d *Database) error {
		d.signUp = mode
		return nil
	})
}

// Invitations lists the invitations that are still good, newest first.
func (s *Store) Invitations(_ context.Context, now time.Time) (out []boardwatch.Link, err error) {
	s.read(func(d *Database) {
		for _, l := range d.links {
			if l.Kind == boardwatch.LinkInvite && now.Before(l.ExpiresAt) {
				out = append(out, l)
			}
		}
	})
	slices.SortFunc(out, func(a, b boardwatch.Link) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return out, nil
}

// DeleteInvitation ends an invitation.
func (s *Store) DeleteInvitation(ctx context.Context, id string) error {
	return s.write(ctx, func(d *Database) error {
		for hash, l := range d.links {
			if l.ID == id && l.Kind == boardwatch.LinkInvite {
				delete(d.links, hash)
				return nil
			}
		}
		return boardwatch.NotFound("invitation")
	})
}

// SetPassword changes an account's password.
func (s *Store) SetPassword(ctx context.Context, accountID, hash string) error {
	return s.change(ctx, accountID, func(d *Database, a *account) error {
		d.setPassword(a, hash)
		return nil
	})
}

// RehashPassword replaces the hash of a password that stays the same.
func (s *Store) RehashPassword(ctx context.Context, accountID, old, hash string) error {
	return s.write(ctx, func(d *Database) error {
		if a, ok := d.accounts[accountID]; ok && a.PasswordHash == old {
			a.PasswordHash = hash
		}
		return nil
	})
}
