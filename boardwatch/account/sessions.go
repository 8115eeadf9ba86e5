package account

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net"
	"net/netip"
	"strings"
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

// touchEvery is how often the use of a session is recorded. A write for every page would be a waste.
const touchEvery = 5 * time.Minute

// Sessions manages the sessions of people who have signed in. It may be used concurrently.
type Sessions struct {
	store SessionStore
	now   func() time.Time
}

// NewSessions returns Sessions.
func NewSessions(store SessionStore, o Options) *Sessions {
	return &Sessions{store: store, now: o.withDefaults().Now}
}

// Start signs a person in, without asking who they are. Give the token only to their browser. If an account has more
// than MaxSessions sign-ins, its oldest ends.
func (s *Sessions) Start(ctx context.Context, a Account, v Visitor) (session Session, token string, err error) {
	return s.start(ctx, a, WayPassword, boardwatch.Milli(s.now()), v)
}

// start is like Start, for a person who proved their identity in that way at that time.
func (s *Sessions) start(
	ctx context.Context, a Account, way Way, proven time.Time, v Visitor,
) (session Session, token string, err error) {
	session, token = NewSession(a.ID, hostOf(v.Address), strings.ToValidUTF8(v.UserAgent, ""), s.now())
	session.Way, session.ProvenAt = way, proven
	if err := s.store.CreateSession(ctx, session, MaxSessions); err != nil {
		return Session{}, "", fmt.Errorf("start session: %w", err)
	}
	return session, token, nil
}

// Find returns the account that a browser's token belongs to. An invalid or expired token is an unauthorized error.
func (s *Sessions) Find(ctx context.Context, token string) (Session, Account, error) {
	if !ValidToken(token) {
		return Session{}, Account{}, signedOut()
	}
	session, a, err := s.store.SessionByHash(ctx, HashSecret(token))
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
		return Session{}, Account{}, signedOut()
	}
	if err != nil {
		return Session{}, Account{}, fmt.Errorf("find session: %w", err)
	}
	now := boardwatch.Milli(s.now())
	if !session.Live(now) {
		return Session{}, Account{}, signedOut()
	}
	if now.Sub(session.LastUsedAt) >= touchEvery {
		if err := s.store.TouchSession(ctx, session.ID, now); err != nil {
			return Session{}, Account{}, fmt.Errorf("find session: %w", err)
		}
		session.LastUsedAt = now
	}
	return session, a, nil
}

// List returns the account's valid sessions, most recently used first.
func (s *Sessions) List(ctx context.Context, a Account) ([]Session, error) {
	all, err := s.store.Sessions(ctx, a.ID)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	now := s.now()
	live := all[:0]
	for _, session := range all {
		if session.Live(now) {
			live = append(live, session)
		}
	}
	return live, nil
}

// End ends one of the account's sessions. A session of another account is a not_found error.
func (s *Sessions) End(ctx context.Context, a Account, id string) error {
	if !boardwatch.ValidID(id) {
		return boardwatch.NotFound("sign-in")
	}
	return boardwatch.Wrap("end session", s.store.DeleteSession(ctx, a.ID, id))
}

func signedOut() error {
	return &boardwatch.Error{Code: boardwatch.CodeUnauthorized, Message: "you are not signed in"}
}

// hostOf returns a network address without its port.
func hostOf(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return address
}

// networkOf returns the part of a network address that belongs to one customer: all of an IPv4 address, the first half
// of an IPv6 one.
func networkOf(address string) string {
	ip, err := netip.ParseAddr(hostOf(address))
	if err != nil {
		return address
	}
	bits := 64
	if ip = ip.Unmap(); ip.Is4() {
		bits = 32
	}
	prefix, err := ip.WithZone("").Prefix(bits)
	if err != nil {
		return address
	}
	return prefix.String()
}
