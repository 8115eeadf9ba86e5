package account

import (
	"context"
	"fmt"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// GrantOptions are the settings of Grants.
type GrantOptions struct {
	Resource string           // what tokens give access to: the address of the MCP endpoint
	Access   time.Duration    // how long an access token is valid; 0 means an hour
	Refresh  time.Duration    // how long an unused refresh token is valid; 0 means 30 days
	Grace    time.Duration    // how long a used refresh token may be presented again; 0 means not at all
	Life     time.Duration    // how long a grant is valid, however often it is used; 0 means 180 days
	Now      func() time.Time // the clock; nil means time.Now
}

// Grants manages what people have allowed OAuth clients to do. It may be used concurrently.
type Grants struct {
	store GrantStore
	o     GrantOptions
}

// NewGrants returns Grants.
func NewGrants(store GrantStore, o GrantOptions) *Grants {
	if o.Access == 0 {
		o.Access = time.Hour
	}
	if o.Refresh == 0 {
		o.Refresh = 30 * 24 * time.Hour
	}
	if o.Life == 0 {
		o.Life = 180 * 24 * time.Hour
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Grants{store: store, o: o}
}

// ByToken finds the caller that an access token belongs to. A token that is not valid, or not for this resource, is an
// unauthorized error.
func (g *Grants) ByToken(ctx context.Context, token string) (Caller, error) {
	if !validTokenOf(TokenAccess, token) {
		return Caller{}, unknownToken()
	}
	t, grant, owner, err := g.store.AccessToken(ctx, HashSecret(token))
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
		return Caller{}, unknownToken()
	}
	if err != nil {
		return Caller{}, fmt.Errorf("find token: %w", err)
	}
	now := boardwatch.Milli(g.o.Now())
	if !t.Live(now) || !grant.Live(now) || grant.Resource != g.o.Resource {
		return Caller{}, unknownToken()
	}
	if now.Sub(grant.LastUsedAt) >= touchEvery {
		if err := g.store.TouchGrant(ctx, grant.ID, now); err != nil {
			return Caller{}, fmt.Errorf("find token: %w", err)
		}
		grant.LastUsedAt = now
	}
	return Caller{Account: owner, Grant: grant, Scopes: t.Scopes}, nil
}

// List returns the account's valid grants, newest first.
func (g *Grants) List(ctx context.Context, a Account) ([]Grant, error) {
	all, err := g.store.Grants(ctx, a.ID, boardwatch.Milli(g.o.Now()))
	return all, boardwatch.Wrap("list grants", err)
}

// Revoke ends one of the account's grants, with all its tokens, at once; one that is not the account's is a not_found
// error.
func (g *Grants) Revoke(ctx context.Context, a Account, id string) error {
	if !boardwatch.ValidID(id) {
		return boardwatch.NotFound("connected app")
	}
	return boardwatch.Wrap("revoke grant", g.store.RevokeGrant(ctx, a.ID, id, boardwatch.Milli(g.o.Now())))
}

func unknownToken() error {
	return &boardwatch.Error{Code: boardwatch.CodeUnauthorized, Message: "this is not an access token of a connected app, or it is no longer valid"}
}
