package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// proofLife is how long a sign-in counts as proof of identity.
const proofLife = 10 * time.Minute

// ErrStale means that a person has to sign in again before an action reserved for the account's owner. Their account
// has no password that could be asked for instead.
var ErrStale = errors.New("your sign-in is older than ten minutes: sign in again to do this")

// Proof is how a person at a browser proves that the account is theirs: by its password or, if it has none that counts,
// by a recent sign-in.
type Proof struct {
	Password string
	Session  Session
}

// AllowsPassword reports whether an account may have a password to sign in with. Operators always may, or they would be
// locked out if the provider failed.
func (i *Identities) AllowsPassword(a Account) bool { return !i.o.NoPasswords || a.Admin }

// ByPassword reports whether the account's owner is asked for a password.
func (i *Identities) ByPassword(a Account) bool {
	return a.PasswordHash != "" && i.AllowsPassword(a)
}

// Fresh reports whether a sign-in counts as proof.
func (i *Identities) Fresh(s Session) bool { return i.o.Now().Sub(s.ProvenAt) < proofLife }

// Confirm makes sure that the account's owner is at the browser. A wrong password is an invalid_request error of the
// field "password", and the person stays signed in. A sign-in that is too old is ErrStale.
func (i *Identities) Confirm(ctx context.Context, a Account, p Proof, v Visitor) error {
	_, err := i.confirm(ctx, a, p, v)
	return err
}

// confirm is like Confirm, and returns the current account.
func (i *Identities) confirm(ctx context.Context, a Account, p Proof, v Visitor) (Account, error) {
	now, err := i.store.Account(ctx, a.ID)
	if err != nil {
		return Account{}, fmt.Errorf("confirm: %w", err)
	}
	if !i.ByPassword(now) {
		if p.Session.AccountID != a.ID || !i.Fresh(p.Session) {
			return Account{}, ErrStale
		}
		return now, nil
	}
	now, err = i.checkPassword(ctx, now, p.Password, v)
	if boardwatch.CodeOf(err) == boardwatch.CodeUnauthorized {
		return Account{}, boardwatch.Invalid("password", "the password is wrong")
	}
	return now, err
}
