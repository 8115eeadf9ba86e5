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
	Scopes  []Scope
}

// Redemption is a code as a client presents it.
type Redemption struct{ ClientID, Code, RedirectURI, Verifier string }

// Redeem exchanges a code for tokens. A wrong verifier or address uses the code up; a code presented again ends
// everything that was issued for it. Either is ErrBadGrant.
func (g *Grants) Redeem(ctx context.Context, r Redemption) (Issued, error) {
	return g.exchange(ctx, TokenCode, r.Code, func(t Token, grant Grant, now time.Time) (Exchange, Issued, error) {
		switch t.Standing(grant, r.ClientID, 0, now) {
		case StandingReplayed:
			return Exchange{Revoke: true}, Issued{}, ErrBadGrant
		case StandingGood:
			if t.RedirectURI != r.RedirectURI || !VerifyChallenge(r.Verifier, t.Challenge) {
				return Exchange{Spend: true}, Issued{}, ErrBadGrant
			}
			e, issued := g.issue(grant, grant.Scopes, true, now)
			return e, issued, nil
		case StandingRepeated, StandingBad:
		}
		return Exchange{}, Issued{}, ErrBadGrant
	})
}

// Refresh exchanges a refresh token for its successor and an access token, which covers the wanted scopes, or all of
// them if none is named. A token used a moment ago yields only an access token; one used before that ends the grant.
func (g *Grants) Refresh(ctx context.Context, clientID, token string, wanted []Scope) (Issued, error) {
	return g.exchange(ctx, TokenRefresh, token, func(t Token, grant Grant, now time.Time) (Exchange, Issued, error) {
		standing := t.Standing(grant, clientID, g.o.Grace, now)
		switch standing {
		case StandingReplayed:
			return Exchange{Revoke: true}, Issued{}, ErrBadGrant
		case StandingGood, StandingRepeated:
			scopes := grant.Scopes
			if len(wanted) > 0 {
				scopes = wanted
			}
			for _, s := range scopes {
				if !slices.Contains(grant.Scopes, s) {
					return Exchange{}, Issued{}, ErrBadScope
				}
			}
			e, issued := g.issue(grant, scopes, standing == StandingGood, now)
			return e, issued, nil
		case StandingBad:
		}
		return Exchange{}, Issued{}, ErrBadGrant
	})
}

// RevokeToken ends a token that its client no longer needs; a refresh token ends the grant. A malformed token, or one
// of another client, is ignored without an error.
func (g *Grants) RevokeToken(ctx context.Context, clientID, token string) error {
	err := g.store.RevokeToken(ctx, clientID, HashSecret(token), boardwatch.Milli(g.o.Now()))
	return boardwatch.Wrap("revoke token", err)
}

// deciding decides what presenting a token does, and what the client gets.
type deciding func(t Token, g Grant, now time.Time) (Exchange, Issued, error)

func (g *Grants) exchange(ctx context.Context, kind TokenKind, token string, decide deciding) (Issued, error) {
	if !validTokenOf(kind, token) {
		return Issued{}, ErrBadGrant
	}
	now := boardwatch.Milli(g.o.Now())
	var issued Issued
	var refused error
	err := g.store.Exchange(ctx, kind, HashSecret(token), now, func(t Token, grant Grant) (e Exchange) {
		if grant.Resource != g.o.Resource {
			refused = ErrBadGrant
			return Exchange{}
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
func (g *Grants) issue(grant Grant, scopes []Scope, first bool, now time.Time) (Exchange, Issued) {
	newToken := func(kind TokenKind, scopes []Scope, life time.Duration) (string, Token) {
		text := NewTokenOf(kind)
		return text, Token{
			Hash: HashSecret(text), Kind: kind, GrantID: grant.ID, Scopes: scopes, CreatedAt: now, ExpiresAt: now.Add(life),
		}
	}
	rest := grant.ExpiresAt.Sub(now)
	issued := Issued{Life: min(g.o.Access, rest), Scopes: scopes}
	var access, refresh Token
	issued.Access, access = newToken(TokenAccess, scopes, issued.Life)
	e := Exchange{Spend: first, Issue: []Token{access}}
	if first && slices.Contains(grant.Scopes, ScopeOfflineAccess) {
		issued.Refresh, refresh = newToken(TokenRefresh, grant.Scopes, min(g.o.Refresh, rest))
		e.Issue = append(e.Issue, refresh)
	}
	return e, issued
}
