package transport

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Forwarded lets a handler see, as the remote address of a request, the client that trusted proxies speak for: the last
// address in X-Forwarded-For that is not one of theirs. What anybody else writes there changes nothing. Without trusted
// proxies the handler is returned as it is.
func Forwarded(next http.Handler, trusted []netip.Prefix) http.Handler {
	if len(trusted) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if client, ok := clientOf(r, trusted); ok {
			r = r.WithContext(r.Context()) // a copy: the log keeps the address of the connection
			r.RemoteAddr = net.JoinHostPort(client.String(), "0")
		}
		next.ServeHTTP(w, r)
	})
}

// clientOf walks back from the connection as long as those who speak are trusted.
func clientOf(r *http.Request, trusted []netip.Prefix) (client netip.Addr, ok bool) {
	isTrusted := func(a netip.Addr) bool {
		return slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(a) })
	}
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !isTrusted(at.Addr().Unmap().WithZone("")) {
		return netip.Addr{}, false
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		a, err := parseHop(hop)
		if err != nil {
			return client, ok // what is before it cannot be told
		}
		client, ok = a, true
		if !isTrusted(a) {
			return client, true
		}
	}
	return client, ok
}

// parseHop reads an address, which some proxies write with its port.
func parseHop(s string) (netip.Addr, error) {
	s = strings.TrimSpace(s)
	if at, err := netip.ParseAddrPort(s); err == nil {
		return at.Addr().Unmap().WithZone(""), nil
	}
	a, err := netip.ParseAddr(strings.Trim(s, "[]"))
	return a.Unmap().WithZone(""), err
}
