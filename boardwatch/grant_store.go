package boardwatch

import (
	"context"
	"time"
)

// Ask is an authorization request that a person has been shown and has not answered yet.
type Ask struct {
	Hash        string // SHA-256 of the text that the form carries, in hex
	AccountID   string // who was asked; nobody else can answer
	Client      Client
	RedirectURI string
	State       string
	Challenge   string
	Resource    string
	Scopes      []Scope // what the person can allow
	ExpiresAt   time.Time
}

// Exchange is what presenting a code or a refresh token brings about, all of it or nothing.
type Exchange struct {
	Spend  bool    // the code or token is used up
	Issue  []Token // new tokens of the grant
	Revoke bool    // the grant ends
}

// GrantStore is what authorizing clients needs from a store.
type GrantStore interface {
	// CreateClient saves a registered client. Of those that nobody has agreed to, at most unused are kept; the oldest end.
	CreateClient(ctx context.Context, c Client, unused int) error
	// Client finds a registered client; otherwise a not_found error.
	Client(ctx context.Context, id string) (Client, error)

	// CreateAsk saves a question to a person.
	CreateAsk(ctx context.Context, a Ask) error
	// TakeAsk ends a question of this account that has not expired, and returns it; otherwise a not_found error. Of any
	// number at once, one gets it.
	TakeAsk(ctx context.Context, accountID, hash string, now time.Time) (Ask, error)

	// CreateGrant saves a grant with its code, and that its client was used.
	CreateGrant(ctx context.Context, g Grant, code Token) error
	// Exchange finds a code or a refresh token and its grant, and does what decide says in the same transaction. Two
	// exchanges under one grant never run at once; decide may be called more than once and sees what is true then.
	// Without such a token it is a not_found error, and decide is not called.
	Exchange(ctx context.Context, kind TokenKind, hash string, now time.Time, decide func(Token, Grant) Exchange) error
	// AccessToken finds an access token, whether it still holds or not, its grant and the account; otherwise a not_found
	// error.
	AccessToken(ctx context.Context, hash string) (Token, Grant, Account, error)

	// TouchGrant records that the grant was used.
	TouchGrant(ctx context.Context, id string, at time.Time) error
	// Grants lists the account's grants that stand and have a token that still holds, newest first.
	Grants(ctx context.Context, accountID string, now time.Time) ([]Grant, error)
	// RevokeGrant ends one of the account's grants that stand; otherwise a not_found error.
	RevokeGrant(ctx context.Context, accountID, id string, now time.Time) error
	// RevokeToken ends what a token stands for, if it was issued to the client: of an access token that token, of a refresh
	// token the whole grant. Any other token is no error.
	RevokeToken(ctx context.Context, clientID, hash string, now time.Time) error
}
