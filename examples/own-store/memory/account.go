package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// account is an account with all that belongs to it and to nobody else.
type account struct {
	boardwatch.Account

	subscriptions []*boardwatch.Subscription
	keys          []*boardwatch.APIKey
	webhooks      []*webhook
	searches      []boardwatch.Search
	marks         map[string]boardwatch.Mark // by the id of the role
	passkeys      []boardwatch.Passkey
	sessions      []*boardwatch.Session
	preferences   *preferences // nil: it chose nothing
	feedToken     string
	spent         map[string][]time.Time // moments of requests, by the name of their budget
}

// withPlan is a subscription as it is shown.
func (a *account) withPlan(sub boardwatch.Subscription) boardwatch.Subscription {
	sub.Plan = a.Plan
	return sub
}

// subscription is the account's claim on a board, or nil.
func (a *account) subscription(boardID string) *boardwatch.Subscription {
	for _, sub := range a.subscriptions {
		if sub.BoardID == boardID {
			return sub
		}
	}
	return nil
}

func (a *account) drop(boardID string) {
	a.subscriptions = slices.DeleteFunc(a.subscriptions, func(s *boardwatch.Subscription) bool { return s.BoardID == boardID })
}

func (a *account) boardIDs() (ids []string) {
	for _, sub := range a.subscriptions {
		ids = append(ids, sub.BoardID)
	}
	return ids
}

// sees reports whether the account tracks the board actively.
func (a *account) sees(boardID string) bool {
	sub := a.subscription(boardID)
	return sub != nil && !sub.Locked
}

// moveSubscription moves a claim to another board, and reports whether there was one. An account that has both keeps the
// older place, and its own name for the company wherever it gave one. Who did not see the other board sees it as of now.
func (a *account) moveSubscription(from, into *board, now time.Time) bool {
	moved, other := a.subscription(from.ID), a.subscription(into.ID)
	if moved == nil {
		return false
	}
	begun, asOf := *moved, now
	if !from.WasRead() {
		begun = begun.Begin(into.Board, now)
	}
	if a.sees(into.ID) {
		begun, asOf = begun.Joined(*other), other.AsOf
	}
	if other != nil {
		first, second := moved, other
		if older(*other, *moved) < 0 {
			first, second = other, moved
		}
		first.CompanyName = cmp.Or(first.CompanyName, second.CompanyName)
		first.Tags = boardwatch.MergedTags(first.Tags, second.Tags)
		a.drop(second.BoardID)
		moved = first
	}
	moved.BoardID, moved.AsOf, moved.Since, moved.OpenThen = into.ID, asOf, begun.Since, begun.OpenThen
	return true
}

// account finds an account.
func (d *Database) account(id string) (*account, error) {
	a, ok := d.accounts[id]
	if !ok {
		return nil, boardwatch.NotFound("account")
	}
	return a, nil
}

// accountWhere finds the first account that is wanted.
func (d *Database) accountWhere(want func(*account) bool) (*account, error) {
	for _, a := range d.accounts {
		if want(a) {
			return a, nil
		}
	}
	return nil, boardwatch.NotFound("account")
}

// byEmail finds the account with an address, or nil.
func (d *Database) byEmail(email string) *account {
	a, _ := d.accountWhere(func(a *account) bool { return a.Email == email })
	return a
}

func (d *Database) insert(a boardwatch.Account) error {
	if fault := a.Plan.Fault(); fault != "" {
		return boardwatch.Invalid("plan", fault)
	}
	if d.byEmail(a.Email) != nil {
		return boardwatch.Invalid("email", "is taken by another account")
	}
	d.accounts[a.ID] = &account{Account: a, spent: map[string][]time.Time{}}
	return nil
}

// CreateAccount saves a new account.
func (s *Store) CreateAccount(ctx context.Context, a boardwatch.Account) error {
	return s.write(ctx, func(d *Database) error { return d.insert(a) })
}

// Account finds an account by id.
func (s *Store) Account(_ context.Context, id string) (boardwatch.Account, error) {
	return s.find(func(a *account) bool { return a.ID == id })
}

// AccountByEmail finds an account by its address.
func (s *Store) AccountByEmail(_ context.Context, email string) (boardwatch.Account, error) {
	return s.find(func(a *account) bool { return a.Email == email })
}

func (s *Store) find(want func(*account) bool) (out boardwatch.Account, err error) {
	s.read(func(d *Database) {
		var a *account
		if a, err = d.accountWhere(want); err == nil {
			out = a.Account
		}
	})
	return out, err
}

// Accounts lists all accounts by address.
func (s *Store) Accounts(context.Context) (out []boardwatch.Account, err error) {
	s.read(func(d *Database) {
		for _, a := range d.accounts {
			out = append(out, a.Account)
		}
	})
	slices.SortFunc(out, func(a, b boardwatch.Account) int { return cmp.Compare(a.Email, b.Email) })
	return out, nil
}

// HasAccounts reports whether there is any account.
func (s *Store) HasAccounts(context.Context) (some bool, err error) {
	s.read(func(d *Database) { some = len(d.accounts) > 0 })
	return some, nil
}

// change changes an account.
func (s *Store) change(ctx context.Context, id string, f func(d *Database, a *account) error) error {
	return s.write(ctx, func(d *Database) error {
		a, err := d.account(id)
		if err != nil {
			return err
		}
		return f(d, a)
	})
}

// SetVerified records whether the address is confirmed.
func (s *Store) SetVerified(ctx context.Context, id string, verified bool) error {
	return s.change(ctx, id, func(_ *Database, a *account) error {
		a.Verified = verified
		return nil
	})
}

// SetPlan changes the plan, what is locked, and how often its boards are read.
func (s *Store) SetPlan(ctx context.Context, id string, plan boardwatch.PlanName) error {
	if fault := plan.Fault(); fault != "" {
		return boardwatch.Invalid("plan", fault)
	}
	return s.change(ctx, id, func(d *Database, a *account) error {
		a.Plan = plan
		s.relock(d, a, a.boardIDs()...)
		return nil
	})
}

// DeleteAccount removes the account and all that belongs to it.
func (s *Store) DeleteAccount(ctx context.Context, id string) error {
	return s.change(ctx, id, func(d *Database, a *account) error {
		delete(d.accounts, id)
		for _, boardID := range a.boardIDs() {
			s.reschedule(d, boardID, id)
		}
		deleteWhere(d.links, func(l boardwatch.Link) bool { return l.AccountID == id })
		deleteWhere(d.logins, func(l boardwatch.Login) bool { return l.AccountID == id })
		deleteWhere(d.notices, func(n *notice) bool { return n.accountID == id })
		deleteWhere(d.asks, func(q boardwatch.Ask) bool { return q.AccountID == id })
		deleteWhere(d.tokens, func(t *boardwatch.Token) bool { return d.grants[t.GrantID].AccountID == id })
		deleteWhere(d.grants, func(g *boardwatch.Grant) bool { return g.AccountID == id })
		return nil
	})
}

func deleteWhere[K comparable, V any](m map[K]V, unwanted func(V) bool) {
	for key, v := range m {
		if unwanted(v) {
			delete(m, key)
		}
	}
}

// full is what an account is told that has as many of something as it may have.
func full(field string) error {
	return boardwatch.Invalid(field, "this account has as many as it may have; delete one first")
}

// CreateKey saves a key unless the account has too many.
func (s *Store) CreateKey(ctx context.Context, k boardwatch.APIKey, limit int) error {
	return s.change(ctx, k.AccountID, func(_ *Database, a *account) error {
		if len(a.keys) >= limit {
			return full("key")
		}
		a.keys = append(a.keys, &k)
		return nil
	})
}

// Keys lists an account's keys, oldest first.
func (s *Store) Keys(_ context.Context, accountID string) (out []boardwatch.APIKey, err error) {
	s.read(func(d *Database) {
		if a, ok := d.accounts[accountID]; ok {
			for _, k := range a.keys {
				out = append(out, *k)
			}
		}
	})
	return out, nil
}

// key finds a key and its account.
func (d *Database) key(want func(*boardwatch.APIKey) bool) (*boardwatch.APIKey, *account, error) {
	for _, a := range d.accounts {
		if i := slices.IndexFunc(a.keys, want); i >= 0 {
			return a.keys[i], a, nil
		}
	}
	return nil, nil, boardwatch.NotFound("key")
}

// KeyByHash finds the key and its account.
func (s *Store) KeyByHash(_ context.Context, hash string) (key boardwatch.APIKey, owner boardwatch.Account, err error) {
	s.read(func(d *Database) {
		var k *boardwatch.APIKey
		var a *account
		if k, a, err = d.key(func(k *boardwatch.APIKey) bool { return k.Hash == hash }); err == nil {
			key, owner = *k, a.Account
		}
	})
	return key, owner, err
}

// DeleteKey removes one of the account's keys.
func (s *Store) DeleteKey(ctx context.Context, accountID, id string) error {
	return s.write(ctx, func(d *Database) error {
		k, a, err := d.key(func(k *boardwatch.APIKey) bool { return k.ID == id && k.AccountID == accountID })
		if err != nil {
			return err
		}
		a.keys = slices.DeleteFunc(a.keys, func(other *boardwatch.APIKey) bool { return other == k })
		return nil
	})
}

// Spend counts a request.
func (s *Store) Spend(ctx context.Context, accountID, keyID string, r boardwatch.Rate) (b boardwatch.Budget, err error) {
	err = s.change(ctx, accountID, func(d *Database, a *account) error {
		var k *boardwatch.APIKey
		if keyID != "" {
			if k, _, err = d.key(func(k *boardwatch.APIKey) bool { return k.ID == keyID }); err != nil {
				return err
			}
		}
		a.spent[r.Name], b = r.Spend(a.spent[r.Name], d.now())
		if k != nil && b.At.After(k.LastUsedAt) {
			k.LastUsedAt = b.At
		}
		return nil
	})
	return b, err
}
