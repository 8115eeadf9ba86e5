package account

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Reasons why a client gets no tokens.
var (
	ErrBadGrant = errors.New("the code or token does not hold, or no longer")
	ErrBadScope = errors.New("the scope is wider than what was granted")
)

// Issued is what a client gets for a code or a refresh token.
type Issued struct {
	Access  string
	Refresh string // empty if there is none, or if the client already has its successor
	Life    time.Duration
	Scopes  []boardwatch.Scope
}

// Redemption is a code as a client presents it.
type Redemption struct{ ClientID, Code, RedirectURI, Verifier string }

// Redeem exchanges a code for tokens. A wrong verifier or address uses the code up; a code presented again ends
// everything that was issued for it. Either is ErrBadGrant.
func (g *Grants) Redeem(ctx context.Context, r Redemption) (Issued, error) {
	return g.exchange(ctx, boardwatch.TokenCode, r.Code, func(t boardwatch.Token, grant boardwatch.Grant, now time.Time) (boardwatch.Exchange, Issued, error) {
		switch t.Standing(grant, r.ClientID, 0, now) {
		case boardwatch.StandingReplayed:
			return boardwatch.Exchange{Revoke: true}, Issued{}, ErrBadGrant
		case boardwatch.StandingGood:
			if t.RedirectURI != r.RedirectURI || !boardwatch.VerifyChallenge(r.Verifier, t.Challenge) {
				return boardwatch.Exchange{Spend: true}, Issued{}, ErrBadGrant
			}
			e, issued := g.issue(grant, grant.Scopes, true, now)
			return e, issued, nil
		case boardwatch.StandingRepeated, boardwatch.StandingBad:
		}
		return boardwatch.Exchange{}, Issued{}, ErrBadGrant
	})
}

// Refresh exchanges a refresh token for its successor and an access token, which covers the wanted scopes, or all of
// them if none is named. A token used a moment ago yields only an access token; one used before that ends the grant.
func (g *Grants) Refresh(ctx context.Context, clientID, token string, wanted []boardwatch.Scope) (Issued, error) {
	return g.exchange(ctx, boardwatch.TokenRefresh, token, func(t boardwatch.Token, grant boardwatch.Grant, now time.Time) (boardwatch.Exchange, Issued, error) {
		standing := t.Standing(grant, clientID, g.o.Grace, now)
		switch standing {
		case boardwatch.StandingReplayed:
			return boardwatch.Exchange{Revoke: true}, Issued{}, ErrBadGrant
		case boardwatch.StandingGood, boardwatch.StandingRepeated:
			scopes := grant.Scopes
			if len(wanted) > 0 {
				scopes = wanted
			}
			for _, s := range scopes {
				if !slices.Contains(grant.Scopes, s) {
					return boardwatch.Exchange{}, Issued{}, ErrBadScope
				}
			}
			e, issued := g.issue(grant, scopes, standing == boardwatch.StandingGood, now)
			return e, issued, nil
		case boardwatch.StandingBad:
		}
		return boardwatch.Exchange{}, Issued{}, ErrBadGrant
	})
}

// RevokeToken ends a token that its client no longer needs; a refresh token ends the grant. A malformed token, or one
// of another client, is ignored without an error.
func (g *Grants) RevokeToken(ctx context.Context, clientID, token string) error {
	err := g.store.RevokeToken(ctx, clientID, boardwatch.HashSecret(token), boardwatch.Milli(g.o.Now()))
	if err != nil {
		return fmt.Errorf("revoke token: %w", err)
	}
	return nil
}

// deciding decides what presenting a token does, and what the client gets.
type deciding func(t boardwatch.Token, g boardwatch.Grant, now time.Time) (boardwatch.Exchange, Issued, error)

func (g *Grants) exchange(ctx context.Context, kind boardwatch.TokenKind, token string, decide deciding) (Issued, error) {
	if !boardwatch.ValidTokenOf(kind, token) {
		return Issued{}, ErrBadGrant
	}
	now := boardwatch.Milli(g.o.Now())
	var issued Issued
	var refused error
	err := g.store.Exchange(ctx, kind, boardwatch.HashSecret(token), now, func(t boardwatch.Token, grant boardwatch.Grant) (e boardwatch.Exchange) {
		if grant.Resource != g.o.Resource {
			refused = ErrBadGrant
			return boardwatch.Exchange{}
		}
		e, issued, refused = decide(t, grant, now)
		return e
	})
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
		return Issued{}, ErrBadGrant
	}
	if err != nil {
		return Issued{}, fmt.Errorf("exchange token: %w", err)
	}
	return issued, refused
}

// issue creates the tokens for a code or a refresh token that is used for the first time, or only an access token.
func (g *Grants) issue(grant boardwatch.Grant, scopes []boardwatch.Scope, first bool, now time.Time) (boardwatch.Exchange, Issued) {
	newToken := func(kind boardwatch.TokenKind, scopes []boardwatch.Scope, life time.Duration) (string, boardwatch.Token) {
		text := boardwatch.NewTokenOf(kind)
		return text, boardwatch.Token{
			Hash: boardwatch.HashSecret(text), Kind: kind, GrantID: grant.ID, Scopes: scopes, CreatedAt: now, ExpiresAt: now.Add(life),
		}
	}
	rest := grant.ExpiresAt.Sub(now)
	issued := Issued{Life: min(g.o.Access, rest), Scopes: scopes}
	var access, refresh boardwatch.Token
	issued.Access, access = newToken(boardwatch.TokenAccess, scopes, issued.Life)
	e := boardwatch.Exchange{Spend: first, Issue: []boardwatch.Token{access}}
	if first && slices.Contains(grant.Scopes, boardwatch.ScopeOfflineAccess) {
		issued.Refresh, refresh = newToken(boardwatch.TokenRefresh, grant.Scopes, min(g.o.Refresh, rest))
		e.Issue = append(e.Issue, refresh)
	}
	return e, issued
}
