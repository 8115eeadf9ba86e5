package account

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// CeremonyKind says what a ceremony is for.
type CeremonyKind string

// The kinds of ceremonies.
const (
	CeremonyProvider CeremonyKind = "oidc"     // a person has gone to the provider
	CeremonyPasskey  CeremonyKind = "passkey"  // a person signs in with a passkey
	CeremonyRegister CeremonyKind = "register" // an account gets another passkey
	CeremonySignUp   CeremonyKind = "signup"   // a person waits for the mail that finishes their sign-up
)

// Life is how long a ceremony of this kind may take.
func (k CeremonyKind) Life() time.Duration {
	switch k {
	case CeremonyProvider:
		return 10 * time.Minute
	case CeremonySignUp:
		return 24 * time.Hour
	default:
		return 5 * time.Minute
	}
}

// Ceremony is a sign-in, or the registration of a passkey, that waits for its second half. Its token holds all of it,
// encrypted, and stays with the person. Nothing is stored before they have proved who they are, so strangers who begin
// any number of ceremonies cannot displace those of others.
type Ceremony struct {
	AccountID string          `json:"accountId,omitempty"` // its owner; empty if not known yet
	Data      json.RawMessage `json:"data"`                // what the second half needs
	ExpiresAt time.Time       `json:"expiresAt"`

	hash string // SHA-256 of its encrypted form, in hex
}

// newSeal encrypts ceremonies with a key derived from the given one.
func newSeal(key []byte) cipher.AEAD {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("boardwatch ceremony"))
	block, err := aes.NewCipher(mac.Sum(nil))
	if err != nil {
		panic(err) // the key has one of the right lengths
	}
	seal, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // AES has blocks of the right size
	}
	return seal
}

// Begin returns the token of a ceremony with the data that its second half needs, in JSON. The account is its owner; a
// zero account means that the person is not known yet.
func (i *Identities) Begin(kind CeremonyKind, a Account, data []byte) (token string, err error) {
	text, err := json.Marshal(Ceremony{AccountID: a.ID, Data: data, ExpiresAt: boardwatch.Milli(i.o.Now()).Add(kind.Life())})
	if err != nil {
		return "", fmt.Errorf("begin sign-in: %w", err)
	}
	sealed := i.ceremonies.Seal(nil, nil, text, []byte(kind)) //nolint:gosec // it makes the nonce itself
	return base64.RawURLEncoding.EncodeToString(sealed), nil
}

// Open returns the ceremony of a token, without using the token. One that is not valid, or expired, is a not_found error.
func (i *Identities) Open(kind CeremonyKind, token string) (Ceremony, error) {
	var c Ceremony
	sealed, err := base64.RawURLEncoding.DecodeString(token)
	if err == nil {
		c.hash = HashSecret(string(sealed)) // not of the token, which can be written in several ways
		sealed, err = i.ceremonies.Open(nil, nil, sealed, []byte(kind))
	}
	if err == nil {
		err = json.Unmarshal(sealed, &c)
	}
	if err != nil || !i.o.Now().Before(c.ExpiresAt) {
		return Ceremony{}, boardwatch.NotFound("sign-in")
	}
	return c, nil
}

// Finish uses a ceremony's token, which works once: a used one is a not_found error. Call it when the person has proved
// who they are.
func (i *Identities) Finish(ctx context.Context, c Ceremony) error {
	return boardwatch.Wrap("finish sign-in", i.store.UseOnce(ctx, c.hash, c.ExpiresAt))
}

// Provider returns the operator's settings for the people of the provider.
func (i *Identities) Provider() ProviderOptions { return i.o.Provider }
