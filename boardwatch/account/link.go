package account

import (
	"context"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// LinkKind says what a link is for.
type LinkKind string

// The kinds of links. All of them work once, except links that end the daily mail.
const (
	LinkSetup       LinkKind = "setup"       // creates the first operator
	LinkSignUp      LinkKind = "signup"      // confirms the address of a person who wants an account, and creates it
	LinkInvite      LinkKind = "invite"      // lets a person create an account if not everybody may
	LinkVerify      LinkKind = "verify"      // confirms the address of an account
	LinkMove        LinkKind = "move"        // confirms an account's new address, which then replaces the old one
	LinkReset       LinkKind = "reset"       // sets a new password
	LinkUnsubscribe LinkKind = "unsubscribe" // ends the daily mail
)

// Life is how long a link of this kind is valid.
func (k LinkKind) Life() time.Duration {
	switch k {
	case LinkSetup:
		return 30 * time.Minute
	case LinkReset:
		return time.Hour
	case LinkSignUp, LinkVerify, LinkMove:
		return 24 * time.Hour
	case LinkInvite:
		return 7 * 24 * time.Hour
	case LinkUnsubscribe:
		return 60 * 24 * time.Hour
	default:
		return 0
	}
}

// Link is a token that a person is sent, and what it lets its holder do. Only the hash of the token is stored.
type Link struct {
	ID           string
	Kind         LinkKind
	Hash         string   // SHA-256 of the token, in hex
	AccountID    string   // the account that it concerns; of an invitation: the one that created it; empty if there is no account yet
	Email        string   // the address that it was sent to; empty if it was not sent
	Plan         PlanName // of the account that it creates
	PasswordHash string   // of the account that it creates; empty if the password is chosen later
	CreatedAt    time.Time
	ExpiresAt    time.Time
}

// NewLink creates a link and its token.
func NewLink(kind LinkKind, now time.Time) (l Link, token string) {
	token = NewToken()
	now = boardwatch.Milli(now)
	return Link{ID: boardwatch.NewID(), Kind: kind, Hash: HashSecret(token), CreatedAt: now, ExpiresAt: now.Add(kind.Life())}, token
}

// Outcome is the effect of using a link.
type Outcome struct {
	Create   *Account // an account to create; nil: the link's own account changes
	First    bool     // only while there is no account at all
	Verified bool     // the link's own account has the address that the link was sent to, confirmed
	// Move changes the account's address to the one that the link was sent to, and confirms it. Links that were sent to
	// the old address end.
	Move bool
	// PasswordHash is the account's new password; empty means unchanged. Everything that somebody else might hold ends:
	// sessions, grants and unanswered questions of apps, and the token of feeds. Keys and webhooks stay.
	PasswordHash string
}

// LinkStore is what links need from a store.
type LinkStore interface {
	// CreateLink saves a link. Older links stay valid.
	CreateLink(ctx context.Context, l Link) error
	// Link finds a link that is still valid. Otherwise it is a not_found error.
	Link(ctx context.Context, kind LinkKind, hash string, now time.Time) (Link, error)
	// Redeem ends a link and others of the same purpose, and saves their effect, in one transaction. It returns the
	// account that was created or changed. If the link is no longer valid, or its account has another address by now
	// (unless the outcome is a move), it is a not_found error. If the account cannot be created, or the new address is
	// taken, it is an invalid_request error and the link stays. decide must not block.
	Redeem(ctx context.Context, kind LinkKind, hash string, now time.Time, decide func(Link) Outcome) (Account, error)
	// Invitations lists the valid invitations, newest first.
	Invitations(ctx context.Context, now time.Time) ([]Link, error)
	// DeleteInvitation ends an invitation. An unknown one is a not_found error.
	DeleteInvitation(ctx context.Context, id string) error

	// SignUpMode returns the operator's choice of who may create an account; empty if there is none.
	SignUpMode(ctx context.Context) (string, error)
	// SetSignUpMode saves the operator's choice; an empty one clears it.
	SetSignUpMode(ctx context.Context, mode string) error

	// SetPassword changes an account's password. All of its sessions end, and so do links that set a password or change
	// the address.
	SetPassword(ctx context.Context, accountID, hash string) error
	// RehashPassword replaces the hash of an unchanged password. Nothing happens if old is not the current hash.
	RehashPassword(ctx context.Context, accountID, old, hash string) error
	// HasAccounts reports whether there is any account.
	HasAccounts(ctx context.Context) (bool, error)
}
