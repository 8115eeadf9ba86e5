package boardwatch

import (
	"net/url"
	"strings"
)

// WithoutPassword returns a typed address in a form that messages, lists and logs may show.
func WithoutPassword(address string) string {
	address = strings.TrimSpace(address)
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return address
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "":
		return "…" + address[at:]
	case u.User != nil:
		return u.Redacted()
	default:
		return address
	}
}
