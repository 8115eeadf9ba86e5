package account

import (
	"crypto/rand"
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// maxAddress is how long an address may be, in bytes.
const maxAddress = 2000

// CheckWebhookURL checks a webhook address and returns an invalid_request error if it is wrong. It must be https on a
// public host, without user info or fragment; in development localhost is accepted too, also over http. The IP address
// of the name is checked again when it is dialled.
func CheckWebhookURL(raw string, dev bool) error {
	wrong := func(message string) error { return boardwatch.Invalid("url", message) }
	if len(raw) > maxAddress || strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return wrong("must be at most 2000 characters without blanks or control characters")
	}
	u, err := url.Parse(raw)
	if err != nil || u.Opaque != "" || u.Hostname() == "" {
		return wrong("must be a complete address such as https://example.com/hook")
	}
	if u.User != nil {
		return wrong("must not carry a user name or password")
	}
	if strings.Contains(raw, "#") {
		return wrong("must not have a fragment")
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return wrong("has an impossible port")
		}
	}
	host := strings.ToLower(u.Hostname())
	if dev && (u.Scheme == "http" || u.Scheme == "https") && boardwatch.IsLocalhost(host) {
		return nil
	}
	if u.Scheme != "https" {
		return wrong("must begin with https://")
	}
	if !boardwatch.PublicHost(host) {
		return wrong("must name a public host")
	}
	return nil
}

// NewWebhookSecret creates a signing secret: "whsec_" and 43 base64url characters, 256 random bits.
func NewWebhookSecret() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails: it aborts the program instead
	return "whsec_" + base64.RawURLEncoding.EncodeToString(b[:])
}
