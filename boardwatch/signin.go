package boardwatch

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
	Email           string // as the provider last gave it; for the owner to recognise the login by
	CreatedAt       time.Time
	LastUsedAt      time.Time
}

// Passkey is a public key whose private half is kept by a person's device.
type Passkey struct {
	ID           string
	AccountID    string
	CredentialID string // as the device knows it, in base64url
	Name         string // what the owner calls it
	Credential   []byte // the public key and what is known about the device, as the library that checks signatures wrote it
	Uses         uint32 // how often the device says it has been used; devices that do not count say 0
	CreatedAt    time.Time
	LastUsedAt   time.Time // zero: not yet
}

// MaxPasskeys is how many passkeys an account may have.
const MaxPasskeys = 20

// CeremonyKind says what a ceremony is for.
type CeremonyKind string

// The kinds of ceremonies.
const (
	CeremonyProvider CeremonyKind = "oidc"     // somebody has gone to the provider
	CeremonyPasskey  CeremonyKind = "passkey"  // somebody wants to sign in with a passkey
	CeremonyRegister CeremonyKind = "register" // an account gets another passkey
)

// Life is how long a ceremony of this kind may take.
func (k CeremonyKind) Life() time.Duration {
	if k == CeremonyProvider {
		return 10 * time.Minute
	}
	return 5 * time.Minute
}

// Ceremony is a sign-in, or the registration of a passkey, that waits for its second half. The database keeps it, so that
// another process can finish it, and it can be finished once.
type Ceremony struct {
	Hash      string // SHA-256 of its token, in hex
	Kind      CeremonyKind
	AccountID string // whose; empty while nobody is known
	Data      []byte // what the second half needs
	ExpiresAt time.Time
}

// MaxCeremonies is how many ceremonies are kept. A further one ends the oldest: anybody can begin one.
const MaxCeremonies = 10_000

// Connection is what connecting a Login brings about.
type Connection struct {
	Create     *Account // an account to make for it; nil: Login.AccountID gets the login
	Invitation string   // the hash of the invitation that is used up; empty: none
	Email      string   // the address that the account must still have; empty: any
	Sole       bool     // refused if the account has another login at the same issuer
	// Reclaim gives the account to whoever has its address: it counts as confirmed, and everything that somebody else may
	// hold ends, the password too. Keys and webhooks stay.
	Reclaim bool
}

// OtherWays says what counts as another way in when one is taken away.
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
	// Connect saves a login and what comes with it in one transaction, and returns the account. If the login is connected
	// to an account already, or the account cannot be made or has another login that is in the way, it is an
	// invalid_request error. If the invitation is no longer valid, or the account has another address, it is a not_found
	// error.
	Connect(ctx context.Context, l Login, c Connection) (Account, error)
	// TouchLogin records that a login was used, and the address that the provider gave.
	TouchLogin(ctx context.Context, issuer, subject, email string, at time.Time) error
	// DropLogin takes one of the account's logins away; an unknown one is a not_found error. Without another way in, it is
	// an invalid_request error.
	DropLogin(ctx context.Context, accountID, issuer, subject string, o OtherWays) error

	// CreatePasskey saves a passkey. If the account has limit passkeys already, or the credential is known, it is an
	// invalid_request error.
	CreatePasskey(ctx context.Context, p Passkey, limit int) error
	// Passkeys lists an account's passkeys, oldest first.
	Passkeys(ctx context.Context, accountID string) ([]Passkey, error)
	// UsePasskey records a use: the credential and the count that came with it, in place of the count that was read. If
	// somebody else has recorded a use since, or the passkey is gone, it is a not_found error.
	UsePasskey(ctx context.Context, p Passkey, read uint32) error
	// RenamePasskey names one of the account's passkeys; an unknown one is a not_found error.
	RenamePasskey(ctx context.Context, accountID, id, name string) error
	// DropPasskey takes one of the account's passkeys away, as DropLogin does.
	DropPasskey(ctx context.Context, accountID, id string, o OtherWays) error

	// CreateCeremony saves a ceremony. At most limit are kept, and those that end first are removed.
	CreateCeremony(ctx context.Context, c Ceremony, limit int) error
	// TakeCeremony ends a ceremony that is still valid and returns it; otherwise it is a not_found error. Of several that
	// take it at once, one gets it.
	TakeCeremony(ctx context.Context, kind CeremonyKind, hash string, now time.Time) (Ceremony, error)
}
