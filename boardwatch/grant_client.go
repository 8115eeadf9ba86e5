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

// Size is how much of a store the client takes, in bytes, as far as the client decides.
func (c Client) Size() int {
	n := len(c.Name) + len(c.URI) + len(c.Kind) + len(c.Scope)
	for _, text := range slices.Concat(c.RedirectURIs, c.GrantTypes) {
		n += len(text)
	}
	return n
}

// The bounds of registered clients. Anybody may register, and clients register again at every turn, so what is not used
// must go by itself.
const (
	MaxClientSize    = 4 << 10             // of one, by Client.Size
	MaxUnusedClients = 10_000              // without a person who agreed; one more ends the oldest
	ClientUnused     = 6 * time.Hour       // how long such a client is kept
	ClientIdle       = 90 * 24 * time.Hour // how long another is kept after its last use, when no grant of it is left
)
