package account

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"slices"
	"strings"
	"time"
)

// Scope is a permission that a person can give an OAuth client.
type Scope string

// The published scopes.
const (
	ScopeBoardsRead    Scope = "boards:read"
	ScopeBoardsWrite   Scope = "boards:write"
	ScopeOfflineAccess Scope = "offline_access"
)

// ParseScopes reads a space-separated list. Unknown and repeated scopes are left out, which RFC 6749 section 3.3
// allows.
func ParseScopes(s string) []Scope {
	var out []Scope
	for word := range strings.FieldsSeq(s) {
		scope := Scope(word)
		switch scope {
		case ScopeBoardsRead, ScopeBoardsWrite, ScopeOfflineAccess:
			if !slices.Contains(out, scope) {
				out = append(out, scope)
			}
		}
	}
	return out
}

// FormatScopes is the reverse of ParseScopes.
func FormatScopes(scopes []Scope) string {
	words := make([]string, len(scopes))
	for i, s := range scopes {
		words[i] = string(s)
	}
	return strings.Join(words, " ")
}

// Grant is what a person allowed an OAuth client to do. It contains what its tokens need to know about the client, so
// that nothing has to be requested for them.
type Grant struct {
	ID         string
	AccountID  string
	ClientID   string
	ClientName string // the client's name when the person agreed
	Host       string // the host that the answer went to
	Resource   string // the resource that its tokens give access to
	Scopes     []Scope
	CreatedAt  time.Time
	ExpiresAt  time.Time // its end, however often it is used
	LastUsedAt time.Time // zero: its code has not been redeemed
	RevokedAt  time.Time // zero if it was not revoked
}

// Live reports whether the grant is still valid.
func (g Grant) Live(now time.Time) bool { return g.RevokedAt.IsZero() && now.Before(g.ExpiresAt) }

// VerifyChallenge checks a PKCE verifier against an S256 challenge (RFC 7636 section 4.6).
func VerifyChallenge(verifier, challenge string) bool {
	if len(verifier) < 43 || len(verifier) > 128 {
		return false
	}
	sum := sha256.Sum256([]byte(verifier))
	want := base64.RawURLEncoding.EncodeToString(sum[:])
	return subtle.ConstantTimeCompare([]byte(want), []byte(challenge)) == 1
}
