package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// MaxKeys is how many API keys an account may have.
const MaxKeys = 5

// APIKey lets a program act for an account. Only the hash of its secret is stored.
type APIKey struct {
	ID         string
	AccountID  string
	Name       string
	Hint       string // the secret's last four characters
	Hash       string // SHA-256 of the secret, in hex
	CreatedAt  time.Time
	LastUsedAt time.Time // zero: never
}

type keyJSON struct {
	Name       string  `json:"name"`
	Hint       string  `json:"hint"`
	LastUsedAt *string `json:"lastUsedAt"`
}

// MarshalJSON writes the key as getStatus shows it: name, hint and last use, never the secret.
func (k APIKey) MarshalJSON() ([]byte, error) {
	var used *string
	if !k.LastUsedAt.IsZero() {
		at := k.LastUsedAt.UTC().Format(boardwatch.TimeFormat)
		used = &at
	}
	return json.Marshal(keyJSON{k.Name, k.Hint, used})
}

const (
	keyPrefix   = "bw_"
	keyRandom   = 34
	keyChecksum = 6
	base62      = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// NewAPIKey makes a key and its secret: "bw_" and 40 base62 characters, the last six of which are a checksum of the
// others. The secret must be shown once and not stored.
func NewAPIKey(accountID, name string, now time.Time) (key APIKey, secret string) {
	body := randomBase62(keyRandom)
	secret = keyPrefix + body + checksum(body)
	return APIKey{
		ID: boardwatch.NewID(), AccountID: accountID, Name: name, Hint: secret[len(secret)-4:], Hash: HashSecret(secret), CreatedAt: boardwatch.Milli(now),
	}, secret
}

// ValidAPIKey reports whether s has the form of a key, including its checksum. Mistyped and foreign secrets need no
// lookup.
func ValidAPIKey(s string) bool {
	body, ok := strings.CutPrefix(s, keyPrefix)
	if !ok || len(body) != keyRandom+keyChecksum {
		return false
	}
	return checksum(body[:keyRandom]) == body[keyRandom:]
}

// HashSecret is the SHA-256 of a high-entropy secret, in hex.
func HashSecret(secret string) string {
	h := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(h[:])
}

func checksum(body string) string {
	n := crc32.ChecksumIEEE([]byte(body))
	var out [keyChecksum]byte
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = base62[n%62]
		n /= 62
	}
	return string(out[:])
}

// randomBase62 draws n characters without bias: bytes past the last whole multiple of 62 are thrown away.
func randomBase62(n int) string {
	out := make([]byte, 0, n)
	var buf [64]byte
	for {
		_, _ = rand.Read(buf[:]) // never fails: it aborts the program instead
		for _, b := range buf {
			if b < 248 {
				if out = append(out, base62[b%62]); len(out) == n {
					return string(out)
				}
			}
		}
	}
}

// KeyStore is what keys need from a store.
type KeyStore interface {
	// CreateKey saves a key. If the account has limit keys already, it is an invalid_request error.
	CreateKey(ctx context.Context, k APIKey, limit int) error
	// Keys lists an account's keys, oldest first.
	Keys(ctx context.Context, accountID string) ([]APIKey, error)
	// DeleteKey removes one of the account's keys; otherwise a not_found error.
	DeleteKey(ctx context.Context, accountID, id string) error
}

// MaxKeyName is the longest name of a key, in characters.
const MaxKeyName = 60

// Keys manages the API keys of accounts. It may be used concurrently.
type Keys struct {
	store KeyStore
	plans Plans
	now   func() time.Time
}

// NewKeys returns a Keys.
func NewKeys(store KeyStore, o Options) *Keys {
	o = o.withDefaults()
	return &Keys{store: store, plans: o.Plans, now: o.Now}
}

// Create makes a key and returns its secret, which nobody can ask for again. It is a plan_required error if the
// account's plan has no REST API, and an invalid_request error if the account already has MaxKeys keys.
func (k *Keys) Create(ctx context.Context, a Account, name string) (key APIKey, secret string, err error) {
	name = strings.TrimSpace(name)
	if fault := nameFault(name); fault != "" {
		return APIKey{}, "", boardwatch.Invalid("name", fault)
	}
	if !k.plans[a.Plan].REST {
		return APIKey{}, "", &boardwatch.Error{
			Code:    boardwatch.CodePlanRequired,
			Message: "the plan " + string(a.Plan) + " has no REST API, and so no keys",
		}
	}
	key, secret = NewAPIKey(a.ID, name, k.now())
	if err := k.store.CreateKey(ctx, key, MaxKeys); err != nil {
		return APIKey{}, "", fmt.Errorf("create key: %w", err)
	}
	return key, secret, nil
}

// List returns the account's keys, regardless of its plan.
func (k *Keys) List(ctx context.Context, a Account) ([]APIKey, error) {
	keys, err := k.store.Keys(ctx, a.ID)
	return keys, boardwatch.Wrap("list keys", err)
}

// Delete makes a key invalid immediately and permanently. A key of another account is a not_found error.
func (k *Keys) Delete(ctx context.Context, a Account, id string) error {
	if !boardwatch.ValidID(id) {
		return boardwatch.NotFound("key")
	}
	return boardwatch.Wrap("delete key", k.store.DeleteKey(ctx, a.ID, id))
}

// nameFault says what is wrong with the name of a key or a webhook, or nothing.
func nameFault(name string) string {
	switch {
	case name == "":
		return "must not be empty"
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return "must be plain text without control characters"
	case utf8.RuneCountInString(name) > MaxKeyName:
		return "must be at most " + strconv.Itoa(MaxKeyName) + " characters"
	}
	return ""
}
