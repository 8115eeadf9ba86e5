package account

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// wrongPasswords is how many of them an account and a network have.
func wrongPasswords() boardwatch.Allowance {
	return boardwatch.Allowance{Burst: 5, Every: 30 * time.Second}
}

// attempt is a password that somebody has entered and that has not been looked at yet.
type attempt struct {
	i      *Identities
	hasher *Hasher  // that looks at it
	keys   []string // what it counts against, if it turns out wrong
}

// attempt lets a visitor try a password of an account, whose address is email also where there is none, or says how long
// to wait. A wrong password at a browser that is known for the account counts for that browser; otherwise the account and
// the visitor's network count. Right ones count as work: each costs a hash. That of known browsers is their account's,
// however many browsers somebody has made known, and waits in a queue of their own: strangers cannot fill it.
func (i *Identities) attempt(ctx context.Context, a boardwatch.Account, email string, v Visitor) (attempt, error) {
	network := "network:" + networkOf(v.Address)
	hasher, worker, keys := i.hasher, network, []string{network, "account:" + email}
	if number, ok := i.browsers.number(a, v.Browser, i.o.Now()); ok {
		hasher, worker, keys = i.known, "account:"+a.ID, []string{"browser:" + number}
	}
	if wait := i.work.take(worker, i.o.Now()); wait > 0 {
		return attempt{}, tooMany(wait)
	}
	return i.count(ctx, hasher, keys)
}

// linkAttempt lets a visitor try the password that belongs to a link.
func (i *Identities) linkAttempt(ctx context.Context, l boardwatch.Link, v Visitor) (attempt, error) {
	if err := i.mayHash(l, v); err != nil {
		return attempt{}, err
	}
	return i.count(ctx, i.hasher, []string{"network:" + networkOf(v.Address), "link:" + l.Hash})
}

// count counts a password as wrong, until it turns out to be right. Passwords that come at once are so counted one by one.
func (i *Identities) count(ctx context.Context, hasher *Hasher, keys []string) (attempt, error) {
	for n, key := range keys {
		keys[n] = boardwatch.HashSecret(key) // of one length, and nobody reads there who tried to sign in
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

// matches looks at the password. It does the same work for every one: one too long to be anybody's is never hashed whole.
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

// forgive takes the count back: the password was right, or nobody has looked at it.
func (t attempt) forgive(ctx context.Context) {
	if err := t.i.store.GiveBack(ctx, t.keys, wrongPasswords()); err != nil {
		t.i.o.Log.WarnContext(ctx, "an attempt to sign in still counts, though it was right", slog.Any("error", err))
	}
}

// mayHash lets a visitor with a link have a password hashed, or says how long to wait.
func (i *Identities) mayHash(l boardwatch.Link, v Visitor) error {
	now := i.o.Now()
	if wait := i.links.take(l.Hash, now); wait > 0 {
		return tooMany(wait)
	}
	if wait := i.work.take("network:"+networkOf(v.Address), now); wait > 0 {
		return tooMany(wait)
	}
	return nil
}
