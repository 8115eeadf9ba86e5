package account

import (
	"context"
	"time"
)

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
	// CreateClient saves a registered client. At most unused clients to which nobody has agreed are kept, and the
	// oldest are removed. A power failure may undo it.
	CreateClient(ctx context.Context, c Client, unused int) error
	// Client finds a registered client. An unknown one is a not_found error.
	Client(ctx context.Context, id string) (Client, error)

	// CreateAsk saves a question to a person.
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
