package boardwatch

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"time"
)

// How long a person stays signed in.
const (
	SessionIdle = 14 * 24 * time.Hour // without a visit
	SessionLife = 90 * 24 * time.Hour // in all
)

// MaxSessions is how many sessions an account may have. One more ends the oldest.
const MaxSessions = 50

// Session is one sign-in of a person, in one browser. Only the hash of its token is kept.
type Session struct {
	ID         string
	AccountID  string
	Hash       string // SHA-256 of the token, in hex
	Address    string // the network address of the sign-in
	UserAgent  string // what the browser called itself
	CreatedAt  time.Time
	LastUsedAt time.Time
}

// ExpiresAt is when the session ends unless it is used before, and in the end in any case.
func (s Session) ExpiresAt() time.Time {
	idle, end := s.LastUsedAt.Add(SessionIdle), s.CreatedAt.Add(SessionLife)
	if idle.Before(end) {
		return idle
	}
	return end
}

// Live reports whether the session still holds.
func (s Session) Live(now time.Time) bool { return now.Before(s.ExpiresAt()) }

// maxUserAgent is how much of a browser's name is kept, in bytes.
const maxUserAgent = 200

// NewSession makes a session and its token, 256 random bits, which the browser keeps and nobody else.
func NewSession(accountID, address, userAgent string, now time.Time) (s Session, token string) {
	token = NewToken()
	if len(userAgent) > maxUserAgent {
		userAgent = userAgent[:maxUserAgent]
	}
	now = Milli(now)
	return Session{
		ID: NewID(), AccountID: accountID, Hash: HashSecret(token), Address: address, UserAgent: userAgent,
		CreatedAt: now, LastUsedAt: now,
	}, token
}

// NewToken makes an unguessable text of 43 base64url characters, 256 random bits.
func NewToken() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails: it aborts the program instead
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// ValidToken reports whether s has the form of a token.
func ValidToken(s string) bool {
	b, err := base64.RawURLEncoding.DecodeString(s)
	return err == nil && len(b) == 32
}

// SessionStore is what signing in needs from a store.
type SessionStore interface {
	// CreateSession saves a session. Of the account's sessions at most limit are kept; the oldest end. An account that is
	// not there is a not_found error.
	CreateSession(ctx context.Context, s Session, limit int) error
	// SessionByHash finds a session, whether it still holds or not, and its account; otherwise a not_found error.
	SessionByHash(ctx context.Context, hash string) (Session, Account, error)
	// TouchSession records that the session was used then. A moment before the last one known changes nothing.
	TouchSession(ctx context.Context, id string, at time.Time) error
	// Sessions lists the account's sessions, the one used last first.
	Sessions(ctx context.Context, accountID string) ([]Session, error)
	// DeleteSession ends one of the account's sessions; otherwise a not_found error.
	DeleteSession(ctx context.Context, accountID, id string) error
	// DeleteSessions ends all of the account's sessions but the one with the id except, which may be empty.
	DeleteSessions(ctx context.Context, accountID, except string) error
}
