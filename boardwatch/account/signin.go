package account

import (
	"context"
	"time"
)

// Way is how a person signs in.
type Way string

// The ways to sign in.
const (
	WayPassword Way = "password"
	WayProvider Way = "oidc" // an OpenID Connect provider
	WayPasskey  Way = "passkey"
)

// Login connects an account to a person at an OpenID Connect provider. The issuer and the subject together mean the same
// person for ever; the address may change.
type Login struct {
	Issuer, Subject string
	AccountID       string
	Email           string // as last given by the provider, so that the owner recognises the login
	CreatedAt       time.Time
	LastUsedAt      time.Time
}

// Passkey is a public key whose private half is kept by a person's device.
type Passkey struct {
	ID           string
	AccountID    string
	CredentialID string // as the device knows it, in base64url
	Name         string // the owner's name for it
	Credential   []byte // the public key and what is known about the device, as the library that checks signatures wrote it
	Uses         uint32 // the device's count of uses; devices that do not count say 0
	CreatedAt    time.Time
	LastUsedAt   time.Time // zero: not yet
}

// MaxPasskeys is how many passkeys an account may have.
const MaxPasskeys = 20

// Connection describes the effect of connecting a Login.
type Connection struct {
	Create     *Account // an account to create for it; nil: Login.AccountID gets the login
	Invitation string   // the hash of the invitation that is used up; empty: none
	Email      string   // the address that the account must still have; empty: any
	Sole       bool     // refused if the account has another login at the same issuer
	// Reclaim gives the account to the owner of its address: the address counts as confirmed, and everything that
	// somebody else may hold ends, including the password. Keys and webhooks stay.
	Reclaim bool
}

// OtherWays says what counts as another way in when one is removed.
type OtherWays struct {
	Password bool   // the account's password, if it has one
	Issuer   string // logins at this issuer; empty: none
	Passkeys bool
}

// SignInStore is what signing in without a password needs from a store.
type SignInStore interface {
	// LoginBySubject finds a login and its account; otherwise a not_found error.
	LoginBySubject(ctx context.Context, issuer, subject string) (Login, Account, error)
	// Logins lists an account's logins, oldest first.
	Logins(ctx context.Context, accountID string) ([]Login, error)
	// Connect saves a login and its effects in one transaction, and returns the account. If the login is already
	// connected to an account, or the account cannot be created or has a conflicting login, it is an invalid_request
	// error. If the invitation is no longer valid, or the account has another address, it is a not_found error.
	Connect(ctx context.Context, l Login, c Connection) (Account, error)
	// TouchLogin records that a login was used, with the address that the provider gave.
	TouchLogin(ctx context.Context, issuer, subject, email string, at time.Time) error
	// DropLogin removes one of the account's logins; an unknown one is a not_found error. Without another way in, it is
	// an invalid_request error.
	DropLogin(ctx context.Context, accountID, issuer, subject string, o OtherWays) error

	// CreatePasskey saves a passkey. If the account has limit passkeys already, or the credential is known, it is an
	// invalid_request error.
	CreatePasskey(ctx context.Context, p Passkey, limit int) error
	// Passkeys lists an account's passkeys, oldest first.
	Passkeys(ctx context.Context, accountID string) ([]Passkey, error)
	// UsePasskey records a use: the credential with its new count, in place of the count that was read. If another use
	// was recorded since, or the passkey is gone, it is a not_found error.
	UsePasskey(ctx context.Context, p Passkey, read uint32) error
	// RenamePasskey names one of the account's passkeys; an unknown one is a not_found error.
	RenamePasskey(ctx context.Context, accountID, id, name string) error
	// DropPasskey removes one of the account's passkeys, by the rules of DropLogin.
	DropPasskey(ctx context.Context, accountID, id string, o OtherWays) error

	// UseOnce records until a time that a token was used; one that was used before is a not_found error. Of several
	// calls at once, one succeeds.
	UseOnce(ctx context.Context, hash string, until time.Time) error
}
