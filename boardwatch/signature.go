package boardwatch

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"
)

// SignatureTolerance is the oldest signature that the published interface allows.
const SignatureTolerance = 5 * time.Minute

// Reasons why a signature is refused.
var (
	ErrSignatureMalformed = errors.New("the signature header is not of the form t=<unix seconds>,v1=<hex>")
	ErrSignatureStale     = errors.New("the signature is too old")
	ErrSignatureWrong     = errors.New("the signature does not match: the secret is different, or the bytes are not those that were signed")
)

// Sign returns the signature header of a delivery: "t=<unix seconds>,v1=<hex>", where v1 is the HMAC-SHA256 of
// "<t>.<body>", keyed with the secret's text as it was shown. Each attempt has a new signature.
func Sign(secret, body []byte, at time.Time) string {
	t := strconv.FormatInt(at.Unix(), 10)
	return "t=" + t + ",v1=" + hex.EncodeToString(mac(secret, t, body))
}

// Verify checks a signature header against the raw bytes received. The header may contain several v1 parts, one of
// which must match. Unknown parts are ignored. A signature older than the tolerance is refused. One from the future is
// not, because clocks differ. Verify returns nil, ErrSignatureMalformed, ErrSignatureStale or ErrSignatureWrong, and
// takes the same time wherever the first difference is.
func Verify(secret, body []byte, header string, tolerance time.Duration, now time.Time) error {
	var stamp string
	var given [][]byte
	for part := range strings.SplitSeq(header, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		switch {
		case !ok:
			return ErrSignatureMalformed
		case name == "t":
			if stamp != "" {
				return ErrSignatureMalformed
			}
			stamp = value
		case name == "v1":
			sum, err := hex.DecodeString(value)
			if err != nil || len(sum) != sha256.Size || len(given) == 16 {
				return ErrSignatureMalformed
			}
			given = append(given, sum)
		}
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || len(given) == 0 || seconds < 0 || stamp[0] == '+' {
		return ErrSignatureMalformed
	}
	want := mac(secret, stamp, body)
	match := false
	for _, sum := range given {
		match = hmac.Equal(sum, want) || match
	}
	if !match {
		return ErrSignatureWrong
	}
	if now.Unix()-seconds > int64(tolerance/time.Second) {
		return ErrSignatureStale
	}
	return nil
}

func mac(secret []byte, stamp string, body []byte) []byte {
	h := hmac.New(sha256.New, secret)
	h.Write([]byte(stamp))
	h.Write([]byte{'.'})
	h.Write(body)
	return h.Sum(nil)
}
