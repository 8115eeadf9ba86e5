package boardwatch

import (
	"slices"
	"strings"
	"time"
)

// The grant types that a client can use.
const (
	GrantTypeCode    = "authorization_code"
	GrantTypeRefresh = "refresh_token"
)

// Client is a program that asks people for grants: registered here, or described by a document at the address that is its
// id. Clients are public; they have no secret.
type Client struct {
	ID           string
	Name         string
	URI          string // its home page; may be empty
	RedirectURIs []string
	GrantTypes   []string
	// Kind is what the client calls itself, "native" or "web". It is kept and told, and decides nothing.
	Kind       string
	Scope      string // what it said it would ask for; no upper bound
	CreatedAt  time.Time
	LastUsedAt time.Time // when a person last agreed, or a token was last issued; zero: never
}

// Described reports whether the client is described by a document at its id, not registered here.
func (c Client) Described() bool {
	return strings.HasPrefix(c.ID, "https://") || strings.HasPrefix(c.ID, "http://")
}

// Refreshes reports whether the client knows what to do with a refresh token.
func (c Client) Refreshes() bool { return slices.Contains(c.GrantTypes, GrantTypeRefresh) }

// How long a registered client is kept. Clients register again at every turn, so what is not used must go by itself.
const (
	ClientUnused = 7 * 24 * time.Hour  // without a person who agreed
	ClientIdle   = 90 * 24 * time.Hour // after its last use, when no grant of it is left
)
