package account

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

// Client is a program that asks people for grants. It is registered here, or described by a document whose address is
// its id. Clients are public and have no secret.
type Client struct {
	ID           string
	Name         string
	URI          string // its home page; may be empty
	RedirectURIs []string
	GrantTypes   []string
	// Kind is what the client calls itself, "native" or "web". It is stored and shown, but nothing depends on it.
	Kind       string
	Scope      string // the scope it announced; not an upper bound
	CreatedAt  time.Time
	LastUsedAt time.Time // when a person last agreed, or a token was last issued; zero: never
}

// Described reports whether the client is described by a document at its id, rather than registered here.
func (c Client) Described() bool {
	return strings.HasPrefix(c.ID, "https://") || strings.HasPrefix(c.ID, "http://")
}

// Refreshes reports whether the client can use refresh tokens.
func (c Client) Refreshes() bool { return slices.Contains(c.GrantTypes, GrantTypeRefresh) }

// Size is how many bytes the client takes in a store, as far as the client can influence it.
func (c Client) Size() int {
	n := len(c.Name) + len(c.URI) + len(c.Kind) + len(c.Scope)
	for _, text := range slices.Concat(c.RedirectURIs, c.GrantTypes) {
		n += len(text)
	}
	return n
}

// The limits of registered clients. Anybody may register, and some clients register again each time, so unused
// registrations must expire by themselves.
const (
	MaxClientSize    = 4 << 10             // of one, by Client.Size
	MaxUnusedClients = 10_000              // clients without consent; one more removes the oldest
	ClientUnused     = 6 * time.Hour       // how long such a client is kept
	ClientIdle       = 90 * 24 * time.Hour // how long other clients are kept after their last use, if they have no grant left
)
