package account

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"time"
)

// BrowserLife is how long a browser is remembered after somebody has signed in with it.
const BrowserLife = 365 * 24 * time.Hour

const (
	browserNumber = 16                // random bytes that identify a browser
	browserBody   = browserNumber + 8 // followed by the time of the sign-in
)

// browsers recognises the browsers in which somebody has signed in to an account. A known browser has its own count of
// wrong passwords, so strangers cannot lock it out. It is known until the account gets another password, so that nobody
// who had the old one keeps an advantage.
type browsers struct{ key []byte }

// vouch returns the signed text by which a browser is known for an account.
func (b browsers) vouch(a Account, now time.Time) string {
	body := make([]byte, browserBody)
	_, _ = rand.Read(body[:browserNumber])                               // never fails: it aborts the program instead
	binary.BigEndian.PutUint64(body[browserNumber:], uint64(now.Unix())) //nolint:gosec // after 1970
	return base64.RawURLEncoding.EncodeToString(append(body, b.sign(a, body)...))
}

// number identifies a known browser; false if it is not known for the account.
func (b browsers) number(a Account, text string, now time.Time) (string, bool) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || a.ID == "" || len(raw) != browserBody+sha256.Size {
		return "", false
	}
	body, signature := raw[:browserBody], raw[browserBody:]
	if !hmac.Equal(signature, b.sign(a, body)) {
		return "", false
	}
	since := time.Unix(int64(binary.BigEndian.Uint64(body[browserNumber:])), 0) //nolint:gosec // what vouch has written
	if !now.Before(since.Add(BrowserLife)) {
		return "", false
	}
	return hex.EncodeToString(body[:browserNumber]), true
}

func (b browsers) sign(a Account, body []byte) []byte {
	mac := hmac.New(sha256.New, b.key)
	mac.Write([]byte("boardwatch browser\x00" + a.ID + "\x00" + a.PasswordHash + "\x00"))
	mac.Write(body)
	return mac.Sum(nil)
}
