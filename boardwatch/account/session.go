package account

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// How long a person stays signed in.
const (
	SessionIdle = 14 * 24 * time.Hour // without a visit
	SessionLife = 90 * 24 * time.Hour // in all
)

// MaxSessions is how many sessions an account may have. A further one ends the oldest.
const MaxSessions = 50

// Session is one sign-in of a person in one browser. Only the hash of its token is stored.
type Session struct {
	ID         string
	AccountID  string
	Hash       string // SHA-256 of the token, in hex
	Address    string // the network address of the sign-in
	UserAgent  string // what the browser called itself
	CreatedAt  time.Time
	LastUsedAt time.Time
	Way        Way       // how the person signed in
	ProvenAt   time.Time // when they last proved who they are, which may be earlier at a provider
}

// ExpiresAt is when the session ends if it is not used before then, and at the latest.
func (s Session) ExpiresAt() time.Time {
	idle, end := s.LastUsedAt.Add(SessionIdle), s.CreatedAt.Add(SessionLife)
	if idle.Before(end) {
		return idle
	}
	return end
}

// Live reports whether the session is still valid.
func (s Session) Live(now time.Time) bool { return now.Before(s.ExpiresAt()) }

// maxUserAgent is how many bytes of a browser's name are stored.
const maxUserAgent = 200

// NewSession creates a session and its token, 256 random bits. Only the browser keeps the token.
func NewSession(accountID, address, userAgent string, now time.Time) (s Session, token string) {
	token = NewToken()
	if len(userAgent) > maxUserAgent {
		userAgent = userAgent[:maxUserAgent]
	}
	now = boardwatch.Milli(now)
	return Session{
		ID: boardwatch.NewID(), AccountID: accountID, Hash: HashSecret(token), Address: address, UserAgent: userAgent,
		CreatedAt: now, LastUsedAt: now, Way: WayPassword, ProvenAt: now,
	}, token
}

// NewToken creates an unguessable text of 43 base64url characters, 256 random bits.
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
	// CreateSession saves a session. At most limit sessions of the account are kept, and the oldest are removed. An
	// unknown account is a not_found error.
	CreateSession(ctx context.Context, s Session, limit int) error
	// SessionByHash finds a session, valid or not, and its account. An unknown one is a not_found error.
	SessionByHash(ctx context.Context, hash string) (Session, Account, error)
	// TouchSession records that the session was used. A time before the last known one changes nothing.
	TouchSession(ctx context.Context, id string, at time.Time) error
	// Sessions lists the account's sessions, most recently used first.
	Sessions(ctx context.Context, accountID string) ([]Session, error)
	// DeleteSession ends one of the account's sessions. An unknown one is a not_found error.
	DeleteSession(ctx context.Context, accountID, id string) error
	// DeleteSessions ends all of the account's sessions except the one with the id except, which may be empty.
	DeleteSessions(ctx context.Context, accountID, except string) error
}
