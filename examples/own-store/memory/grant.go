package memory

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// CreateClient saves a registered client. Of those that nobody has agreed to, at most unused are kept; the oldest end.
func (s *Store) CreateClient(ctx context.Context, c boardwatch.Client, unused int) error {
	return s.write(ctx, func(d *Database) error {
		var idle []*boardwatch.Client
		for _, known := range d.clients {
			if known.LastUsedAt.IsZero() {
				idle = append(idle, known)
			}
		}
		slices.SortFunc(idle, func(a, b *boardwatch.Client) int { return a.CreatedAt.Compare(b.CreatedAt) })
		for _, old := range idle[:max(0, len(idle)-unused+1)] {
			delete(d.clients, old.ID)
		}
		d.clients[c.ID] = &c
		return nil
	})
}

// Client finds a registered client.
func (s *Store) Client(_ context.Context, id string) (c boardwatch.Client, err error) {
	s.read(func(d *Database) {
		if found, ok := d.clients[id]; ok {
			c = *found
		} else {
			err = boardwatch.NotFound("client")
		}
	})
	return c, err
}

// CreateAsk saves a question to a person.
func (s *Store) CreateAsk(ctx context.Context, q boardwatch.Ask) error {
	return s.change(ctx, q.AccountID, func(d *Database, _ *account) error {
		d.asks[q.Hash] = q
		return nil
	})
}

// TakeAsk ends a question of this account and returns it.
func (s *Store) TakeAsk(ctx context.Context, accountID, hash string, now time.Time) (q boardwatch.Ask, err error) {
	err = s.write(ctx, func(d *Database) error {
		found, ok := d.asks[hash]
		if !ok || found.AccountID != accountID || !now.Before(found.ExpiresAt) {
			return boardwatch.NotFound("question")
		}
		q = found
		delete(d.asks, hash)
		return nil
	})
	return q, err
}

// CreateGrant saves a grant with its code, and that its client was used.
func (s *Store) CreateGrant(ctx context.Context, g boardwatch.Grant, code boardwatch.Token) error {
	return s.change(ctx, g.AccountID, func(d *Database, _ *account) error {
		d.grants[g.ID], d.tokens[code.Hash] = &g, &code
		d.touchClient(g.ClientID, g.CreatedAt)
		return nil
	})
}

func (d *Database) touchClient(id string, at time.Time) {
	if c, ok := d.clients[id]; ok && at.After(c.LastUsedAt) {
		c.LastUsedAt = at
	}
}

func (d *Database) touchGrant(id string, at time.Time) {
	if g, ok := d.grants[id]; ok && at.After(g.LastUsedAt) {
		g.LastUsedAt = at
	}
}

// Exchange finds a code or a refresh token and does what decide says.
func (s *Store) Exchange(
	ctx context.Context, kind boardwatch.TokenKind, hash string, now time.Time,
	decide func(boardwatch.Token, boardwatch.Grant) boardwatch.Exchange,
) error {
	return s.write(ctx, func(d *Database) error {
		t, ok := d.tokens[hash]
		if !ok || t.Kind != kind {
			return boardwatch.NotFound("token")
		}
		g := d.grants[t.GrantID]
		e := decide(*t, *g)
		if e.Spend && !t.UsedAt.IsZero() {
			return errors.New("the token was used before")
		}
		if e.Spend {
			t.UsedAt = now
		}
		for _, issued := range e.Issue {
			issued.GrantID = g.ID
			d.tokens[issued.Hash] = &issued
			d.touchGrant(g.ID, now)
			d.touchClient(g.ClientID, now)
		}
		if e.Revoke && g.RevokedAt.IsZero() {
			g.RevokedAt = now
		}
		return nil
	})
}

// AccessToken finds an access token, its grant and the account.
func (s *Store) AccessToken(
	_ context.Context, hash string,
) (token boardwatch.Token, grant boardwatch.Grant, owner boardwatch.Account, err error) {
	s.read(func(d *Database) {
		t, ok := d.tokens[hash]
		if !ok || t.Kind != boardwatch.TokenAccess {
			err = boardwatch.NotFound("token")
			return
		}
		g := d.grants[t.GrantID]
		token, grant, owner = *t, *g, d.accounts[g.AccountID].Account
	})
	return token, grant, owner, err
}

// TouchGrant records that the grant was used.
func (s *Store) TouchGrant(ctx context.Context, id string, at time.Time) error {
	return s.write(ctx, func(d *Database) error {
		d.touchGrant(id, at)
		return nil
	})
}

// Grants lists the account's grants that stand and have a token that still holds, newest first.
func (s *Store) Grants(_ context.Context, accountID string, now time.Time) (out []boardwatch.Grant, err error) {
	s.read(func(d *Database) {
		for _, g := range d.grants {
			if g.AccountID == accountID && g.Live(now) && d.usable(g, now) {
				out = append(out, *g)
			}
		}
	})
	slices.SortFunc(out, func(a, b boardwatch.Grant) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return out, nil
}

// usable reports whether a grant has an access or a refresh token that still holds.
func (d *Database) usable(g *boardwatch.Grant, now time.Time) bool {
	for _, t := range d.tokens {
		if t.GrantID == g.ID && t.Kind != boardwatch.TokenCode && t.UsedAt.IsZero() && t.Live(now) {
			return true
		}
	}
	return false
}

// RevokeGrant ends one of the account's grants that stand.
func (s *Store) RevokeGrant(ctx context.Context, accountID, id string, now time.Time) error {
	return s.write(ctx, func(d *Database) error {
		g, ok := d.grants[id]
		if !ok || g.AccountID != accountID || !g.RevokedAt.IsZero() {
			return boardwatch.NotFound("connected app")
		}
		g.RevokedAt = now
		return nil
	})
}

// RevokeToken ends what a token stands for, if it was issued to the client.
func (s *Store) RevokeToken(ctx context.Context, clientID, hash string, now time.Time) error {
	return s.write(ctx, func(d *Database) error {
		t, ok := d.tokens[hash]
		if !ok || d.grants[t.GrantID].ClientID != clientID {
			return nil
		}
		switch g := d.grants[t.GrantID]; {
		case t.Kind == boardwatch.TokenRefresh && g.RevokedAt.IsZero():
			g.RevokedAt = now
		case t.Kind == boardwatch.TokenAccess && t.Live(now):
			t.ExpiresAt = now
		}
		return nil
	})
}
