package boardwatch

import (
	"net/url"
	"strings"
)

// WithoutPassword is a typed address as a message, a list or a log may show it.
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
