package account

import (
	"strings"
	"time"
)

// TokenKind is what a token is for. It is also the beginning of its text.
type TokenKind string

// The kinds of secrets that are issued to clients.
const (
	TokenCode    TokenKind = "bwc_" // an authorization code
	TokenAccess  TokenKind = "bwa_"
	TokenRefresh TokenKind = "bwr_"
)

// NewTokenOf creates the text of a token: its kind and 256 random bits.
func NewTokenOf(k TokenKind) string { return string(k) + NewToken() }

// ValidTokenOf reports whether s has the form of a token of this kind.
func ValidTokenOf(k TokenKind, s string) bool {
	rest, ok := strings.CutPrefix(s, string(k))
	return ok && ValidToken(rest)
}

// Token is a code, an access token or a refresh token, each issued under a grant. Only the hash of its text is stored.
type Token struct {
	Hash      string // SHA-256 of the text, in hex
	Kind      TokenKind
	GrantID   string
	Scopes    []Scope // of an access token: the scopes it covers, all of the grant's or fewer
	CreatedAt time.Time
	ExpiresAt time.Time
	UsedAt    time.Time // of a code or a refresh token: when it was exchanged; zero: not yet

	RedirectURI string // of a code: where it was sent
	Challenge   string // of a code: the S256 challenge
}

// Live reports whether the token has not expired.
func (t Token) Live(now time.Time) bool { return now.Before(t.ExpiresAt) }

// Standing is how a presented code or refresh token is treated.
type Standing string

// The standings.
const (
	StandingGood     Standing = "good"
	StandingRepeated Standing = "repeated" // used a moment ago: the client sent the request twice at once
	StandingReplayed Standing = "replayed" // used before: somebody has a copy, so the grant ends
	StandingBad      Standing = "bad"      // expired, revoked or somebody else's
)

// Standing judges a code or refresh token presented by a client. A token of another client has no effect on the grant;
// otherwise strangers could end it.
func (t Token) Standing(g Grant, clientID string, grace time.Duration, now time.Time) Standing {
	switch {
	case g.ClientID != clientID || !g.Live(now):
		return StandingBad
	case t.UsedAt.IsZero() && t.Live(now):
		return StandingGood
	case t.UsedAt.IsZero():
		return StandingBad
	case t.Kind == TokenRefresh && now.Before(t.UsedAt.Add(grace)):
		return StandingRepeated
	default:
		return StandingReplayed
	}
}
