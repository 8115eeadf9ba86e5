package account

import (
	"context"
	"fmt"
	"log/slog"
	"time"
)

// wrongPasswords is how many wrong passwords an account and a network may have.
func wrongPasswords() Allowance {
	return Allowance{Burst: 5, Every: 30 * time.Second}
}

// attempt is a password that was entered but not checked yet.
type attempt struct {
	i      *Identities
	hasher *Hasher  // checks it
	keys   []string // the counts it is added to if it is wrong
}

// attempt lets a visitor try a password for the address email, whether it has an account or not, or says how long to
// wait. A wrong password in a browser known for the account counts for that browser; otherwise it counts for the
// account and for the visitor's network. Right passwords count as work, because each costs a hash. The work of known
// browsers counts for their account, however many browsers somebody has made known, and waits in a queue of its own
// that strangers cannot fill.
func (i *Identities) attempt(ctx context.Context, a Account, v Visitor) (attempt, error) {
	network := "network:" + networkOf(v.Address)
	hasher, worker, keys := i.hasher, network, []string{network, "account:" + a.Email}
	if number, ok := i.browsers.number(a, v.Browser, i.o.Now()); ok {
		hasher, worker, keys = i.known, "account:"+a.ID, []string{"browser:" + number}
	}
	if wait := i.work.take(worker, i.o.Now()); wait > 0 {
		return attempt{}, tooMany(wait)
	}
	return i.count(ctx, hasher, keys)
}

// linkAttempt lets a visitor try the password that belongs to a link.
func (i *Identities) linkAttempt(ctx context.Context, l Link, v Visitor) (attempt, error) {
	if err := i.mayHash(l, v); err != nil {
		return attempt{}, err
	}
	return i.count(ctx, i.hasher, []string{"network:" + networkOf(v.Address), "link:" + l.Hash})
}

// count counts a password as wrong until it turns out to be right, so that simultaneous passwords are all counted.
func (i *Identities) count(ctx context.Context, hasher *Hasher, keys []string) (attempt, error) {
	for n, key := range keys {
		keys[n] = HashSecret(key) // hashed, so that keys have one length and do not reveal who tried to sign in
	}
	wait, err := i.store.Guess(ctx, keys, wrongPasswords(), i.o.Now())
	if err != nil {
		return attempt{}, fmt.Errorf("count attempt: %w", err)
	}
	if wait > 0 {
		return attempt{}, tooMany(wait)
	}
	return attempt{i, hasher, keys}, nil
}

// matches checks the password. The work is the same for all of them, because a password that is too long to be valid is
// never hashed completely.
func (t attempt) matches(ctx context.Context, hash, password string) (bool, error) {
	if len(password) > MaxPassword {
		hash, password = "", password[:MaxPassword]
	}
	ok, err := t.hasher.Matches(ctx, hash, password)
	if ok || err != nil {
		t.forgive(ctx)
	}
	return ok, err
}

// forgive undoes the count, because the password was right or was not checked.
func (t attempt) forgive(ctx context.Context) {
	if err := t.i.store.GiveBack(ctx, t.keys, wrongPasswords()); err != nil {
		t.i.o.Log.WarnContext(ctx, "an attempt to sign in still counts, though it was right", slog.Any("error", err))
	}
}

// mayHash lets a visitor with a link have a password hashed, or says how long to wait.
func (i *Identities) mayHash(l Link, v Visitor) error {
	now := i.o.Now()
	if wait := i.links.take(l.Hash, now); wait > 0 {
		return tooMany(wait)
	}
	if wait := i.work.take("network:"+networkOf(v.Address), now); wait > 0 {
		return tooMany(wait)
	}
	return nil
}
