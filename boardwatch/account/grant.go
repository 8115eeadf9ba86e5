package account

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
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
	MaxAsks          = 10                  // open questions to one person; one more removes the oldest
	ClientUnused     = 6 * time.Hour       // how long such a client is kept
	ClientIdle       = 90 * 24 * time.Hour // how long other clients are kept after their last use, if they have no grant left
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

// validTokenOf reports whether s has the form of a token of this kind.
func validTokenOf(k TokenKind, s string) bool {
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

// Ask is an authorization request that a person was shown and has not answered yet.
type Ask struct {
	Hash        string // SHA-256 of the text that the form carries, in hex
	AccountID   string // the account that was asked; nobody else can answer
	Client      Client
	RedirectURI string
	State       string
	Challenge   string
	Resource    string
	Scopes      []Scope // what the person can allow
	ExpiresAt   time.Time
}

// Exchange is the result of presenting a code or a refresh token. It is saved completely or not at all.
type Exchange struct {
	Spend  bool    // the code or token is used up
	Issue  []Token // new tokens of the grant
	Revoke bool    // the grant ends
}

// GrantStore is what authorizing clients needs from a store.
type GrantStore interface {
	// CreateClient saves a registered client. At most unused clients to which nobody has agreed are kept, with several
	// processes a hundredth more for each, and the oldest are removed. A power failure may undo it.
	CreateClient(ctx context.Context, c Client, unused int) error
	// Client finds a registered client. An unknown one is a not_found error.
	Client(ctx context.Context, id string) (Client, error)

	// CreateAsk saves a question to a person, and forgets the oldest of theirs beyond MaxAsks.
	CreateAsk(ctx context.Context, a Ask) error
	// TakeAsk ends a question of this account that has not expired, and returns it. Otherwise it is a not_found error.
	// Of several calls at once, one gets it.
	TakeAsk(ctx context.Context, accountID, hash string, now time.Time) (Ask, error)

	// CreateGrant saves a grant with its code, and that its client was used.
	CreateGrant(ctx context.Context, g Grant, code Token) error
	// Exchange finds a code or a refresh token and its grant, and applies the result of decide in the same transaction.
	// Two exchanges under one grant never run at once. decide may be called more than once, and sees the current state
	// each time. If there is no such token, it is a not_found error and decide is not called.
	Exchange(ctx context.Context, kind TokenKind, hash string, now time.Time, decide func(Token, Grant) Exchange) error
	// AccessToken finds an access token, valid or not, with its grant and account. An unknown one is a not_found error.
	AccessToken(ctx context.Context, hash string) (Token, Grant, Account, error)

	// TouchGrant records that the grant was used.
	TouchGrant(ctx context.Context, id string, at time.Time) error
	// Grants lists the account's valid grants that have a valid token, newest first.
	Grants(ctx context.Context, accountID string, now time.Time) ([]Grant, error)
	// RevokeGrant ends one of the account's valid grants. An unknown one is a not_found error.
	RevokeGrant(ctx context.Context, accountID, id string, now time.Time) error
	// RevokeToken ends what a token stands for, if it was issued to the client: for an access token that token, for a
	// refresh token the whole grant. Any other token is ignored.
	RevokeToken(ctx context.Context, clientID, hash string, now time.Time) error
}

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
