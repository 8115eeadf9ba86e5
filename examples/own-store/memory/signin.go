package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// person is who a provider knows somebody as.
type person struct{ issuer, subject string }

// LoginBySubject finds a login and its account.
func (s *Store) LoginBySubject(_ context.Context, issuer, subject string) (l boardwatch.Login, owner boardwatch.Account, err error) {
	s.read(func(d *Database) {
		found, ok := d.logins[person{issuer, subject}]
		if !ok {
			err = boardwatch.NotFound("login")
			return
		}
		l, owner = found, d.accounts[found.AccountID].Account
	})
	return l, owner, err
}

// Logins lists an account's logins, oldest first.
func (s *Store) Logins(_ context.Context, accountID string) (out []boardwatch.Login, err error) {
	s.read(func(d *Database) {
		for _, l := range d.logins {
			if l.AccountID == accountID {
				out = append(out, l)
			}
		}
	})
	slices.SortFunc(out, func(a, b boardwatch.Login) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.Issuer, b.Issuer), cmp.Compare(a.Subject, b.Subject))
	})
	return out, nil
}

// Connect saves a login and what comes with it.
func (s *Store) Connect(ctx context.Context, l boardwatch.Login, c boardwatch.Connection) (out boardwatch.Account, err error) {
	err = s.write(ctx, func(d *Database) error {
		if _, taken := d.logins[person{l.Issuer, l.Subject}]; taken {
			return boardwatch.Invalid("login", "is already connected to an account")
		}
		if c.Create != nil {
			err = d.createInvited(c, l.CreatedAt)
			out = *c.Create
		} else {
			out, err = d.accountFor(l, c)
		}
		if err != nil {
			return err
		}
		l.AccountID = out.ID
		d.logins[person{l.Issuer, l.Subject}] = l
		return nil
	})
	if err != nil {
		return boardwatch.Account{}, err
	}
	return out, nil
}

// createInvited makes the account of a login, and uses up the invitation.
func (d *Database) createInvited(c boardwatch.Connection, now time.Time) error {
	if c.Invitation != "" {
		if _, err := d.link(boardwatch.LinkInvite, c.Invitation, now); err != nil {
			return err
		}
	}
	if err := d.createBy(boardwatch.Outcome{Create: c.Create}); err != nil {
		return err
	}
	delete(d.links, c.Invitation)
	return nil
}

// accountFor is the account that gets a login, as it is then.
func (d *Database) accountFor(l boardwatch.Login, c boardwatch.Connection) (boardwatch.Account, error) {
	a, err := d.account(l.AccountID)
	if err != nil {
		return boardwatch.Account{}, err
	}
	if c.Email != "" && a.Email != c.Email {
		return boardwatch.Account{}, boardwatch.NotFound("account")
	}
	for _, other := range d.logins {
		if c.Sole && other.AccountID == a.ID && other.Issuer == l.Issuer {
			return boardwatch.Account{}, boardwatch.Invalid("login", "the account is connected to another person at this provider")
		}
	}
	if c.Reclaim {
		d.reclaim(a, "", l.CreatedAt)
		d.endLinks(a.ID, boardwatch.LinkVerify)
		a.Verified = true
	}
	return a.Account, nil
}

// TouchLogin records that a login was used.
func (s *Store) TouchLogin(ctx context.Context, issuer, subject, email string, at time.Time) error {
	return s.write(ctx, func(d *Database) error {
		l, ok := d.logins[person{issuer, subject}]
		if !ok {
			return boardwatch.NotFound("login")
		}
		l.Email, l.LastUsedAt = email, at
		d.logins[person{issuer, subject}] = l
		return nil
	})
}

// DropLogin takes a login away, if there is another way in.
func (s *Store) DropLogin(ctx context.Context, accountID, issuer, subject string, o boardwatch.OtherWays) error {
	return s.change(ctx, accountID, func(d *Database, a *account) error {
		l, ok := d.logins[person{issuer, subject}]
		if !ok || l.AccountID != accountID {
			return boardwatch.NotFound("login")
		}
		n := d.ways(a, o)
		if l.Issuer == o.Issuer {
			n--
		}
		if n == 0 {
			return onlyWay("login")
		}
		delete(d.logins, person{issuer, subject})
		return nil
	})
}

// ways counts the ways into an account.
func (d *Database) ways(a *account, o boardwatch.OtherWays) (n int) {
	if o.Password && a.PasswordHash != "" {
		n++
	}
	for _, l := range d.logins {
		if l.AccountID == a.ID && l.Issuer == o.Issuer {
			n++
		}
	}
	if o.Passkeys {
		n += len(a.passkeys)
	}
	return n
}

func onlyWay(thing string) error {
	return boardwatch.Invalid(thing, "is the only way in to this account: add another one first")
}

// CreatePasskey saves a passkey, if the account has room for it.
func (s *Store) CreatePasskey(ctx context.Context, p boardwatch.Passkey, limit int) error {
	return s.change(ctx, p.AccountID, func(d *Database, a *account) error {
		if len(a.passkeys) >= limit {
			return full("passkey")
		}
		for _, other := range d.accounts {
			if slices.ContainsFunc(other.passkeys, func(k boardwatch.Passkey) bool { return k.CredentialID == p.CredentialID }) {
				return boardwatch.Invalid("passkey", "is already registered")
			}
		}
		a.passkeys = append(a.passkeys, p)
		return nil
	})
}

// Passkeys lists an account's passkeys, oldest first.
func (s *Store) Passkeys(_ context.Context, accountID string) (out []boardwatch.Passkey, err error) {
	s.read(func(d *Database) {
		if a, ok := d.accounts[accountID]; ok {
			out = slices.Clone(a.passkeys)
		}
	})
	return out, nil
}

// passkey changes one of the account's passkeys.
func (s *Store) passkey(ctx context.Context, accountID, id string, change func(d *Database, a *account, i int) error) error {
	return s.change(ctx, accountID, func(d *Database, a *account) error {
		i := slices.IndexFunc(a.passkeys, func(p boardwatch.Passkey) bool { return p.ID == id })
		if i < 0 {
			return boardwatch.NotFound("passkey")
		}
		return change(d, a, i)
	})
}

// UsePasskey records a use, unless another one was recorded since the count was read.
func (s *Store) UsePasskey(ctx context.Context, p boardwatch.Passkey, read uint32) error {
	return s.passkey(ctx, p.AccountID, p.ID, func(_ *Database, a *account, i int) error {
		k := &a.passkeys[i]
		if k.Uses != read {
			return boardwatch.NotFound("passkey")
		}
		k.Credential, k.Uses, k.LastUsedAt = p.Credential, p.Uses, p.LastUsedAt
		return nil
	})
}

// RenamePasskey names one of the account's passkeys.
func (s *Store) RenamePasskey(ctx context.Context, accountID, id, name string) error {
	return s.passkey(ctx, accountID, id, func(_ *Database, a *account, i int) error {
		a.passkeys[i].Name = name
		return nil
	})
}

// DropPasskey takes a passkey away, if there is another way in.
func (s *Store) DropPasskey(ctx context.Context, accountID, id string, o boardwatch.OtherWays) error {
	return s.passkey(ctx, accountID, id, func(d *Database, a *account, i int) error {
		n := d.ways(a, o)
		if o.Passkeys {
			n--
		}
		if n == 0 {
			return onlyWay("passkey")
		}
		a.passkeys = slices.Delete(a.passkeys, i, i+1)
		return nil
	})
}

// UseOnce records until a time that a token was used; one that was used before is a not_found error.
func (s *Store) UseOnce(ctx context.Context, hash string, until time.Time) error {
	return s.write(ctx, func(d *Database) error {
		if _, used := d.used[hash]; used {
			return boardwatch.NotFound("token")
		}
		now := d.now()
		deleteWhere(d.used, func(until time.Time) bool { return !now.Before(until) })
		d.used[hash] = until
		return nil
	})
}
