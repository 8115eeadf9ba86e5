package oauth

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/internal/canonical"
)

// longestRedirect is how long a redirect address may be.
const longestRedirect = 2000

// isLoopback reports whether an address names this very machine.
func isLoopback(u *url.URL) bool {
	switch u.Hostname() {
	case "127.0.0.1", "::1", "localhost":
		return true
	}
	return false
}

// redirectOf reads an address that answers are sent to: https, http on the person's own machine, or a scheme that an app
// there has taken.
func redirectOf(raw string, schemes []string) (*url.URL, bool) {
	if len(raw) > longestRedirect || strings.ContainsAny(raw, "#*\\\"'<> ") || strings.ContainsFunc(raw, func(c rune) bool { return c < '!' || c > '~' }) {
		return nil, false
	}
	u, err := url.Parse(raw)
	if err != nil || u.User != nil || u.Opaque != "" || !strings.HasPrefix(raw, u.Scheme+":") || !isPort(u) {
		return nil, false
	}
	switch u.Scheme {
	case "https":
		return u, u.Hostname() != ""
	case "http":
		return u, isLoopback(u)
	case "", "javascript", "data", "file", "blob", "vbscript", "about":
		return nil, false
	default:
		return u, slices.Contains(schemes, u.Scheme)
	}
}

// isPort reports whether the port of an address can be one, if it has any.
func isPort(u *url.URL) bool {
	port := u.Port()
	if port == "" {
		return !strings.HasSuffix(u.Host, ":")
	}
	n, err := strconv.Atoi(port)
	return err == nil && n >= 1 && n <= 65535 && port[0] != '0'
}

// matches reports whether an answer may be sent to an address: it is one that the client has named, to the byte. On the
// person's own machine the port is free, because programs there take the one they get (RFC 8252 section 7.3).
func matches(named []string, asked string, schemes []string) bool {
	u, ok := redirectOf(asked, schemes)
	if !ok {
		return false
	}
	return slices.ContainsFunc(named, func(raw string) bool {
		if raw == asked {
			return true
		}
		n, ok := redirectOf(raw, schemes)
		return ok && u.Scheme == "http" && n.Scheme == "http" && withoutPort(asked, u) == withoutPort(raw, n)
	})
}

// withoutPort is an address as it is written, but for the port, and with a path.
func withoutPort(raw string, u *url.URL) string {
	rest := strings.TrimPrefix(raw, u.Scheme+"://"+u.Host)
	if !strings.HasPrefix(rest, "/") {
		rest = "/" + rest
	}
	return strings.TrimSuffix(u.Host, ":"+u.Port()) + rest
}

// hostOf is where an answer goes, for a person to read.
func hostOf(redirect string) string {
	u, err := url.Parse(redirect)
	switch {
	case err != nil:
		return ""
	case u.Scheme == "https" || u.Scheme == "http":
		return u.Host
	default:
		return u.Scheme + "://" + u.Host
	}
}

// with is an address with more parameters. Those that it has stay as they are.
func with(redirect string, more url.Values) string {
	base, query, found := strings.Cut(redirect, "?")
	if !found || query == "" {
		return base + "?" + more.Encode()
	}
	return base + "?" + query + "&" + more.Encode()
}

// canonical reads what a client calls the resource, which is often just the origin; false: it is another.
func (h *Handler) canonical(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil || u.User != nil || u.RawQuery != "" || u.ForceQuery || strings.Contains(raw, "#") {
		return false
	}
	own, _ := canonical.Origin(h.issuer)
	if origin, ok := canonical.Origin(u.Scheme + "://" + u.Host); !ok || origin != own {
		return false
	}
	switch u.EscapedPath() {
	case "", "/", mcpPath, mcpPath + "/":
		return true
	}
	return false
}
