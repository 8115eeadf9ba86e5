package transport

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Forwarded lets a handler see, as the remote address of a request, the client that trusted proxies speak for: the last
// address in X-Forwarded-For that is not one of theirs. What anybody else writes there changes nothing. The request's
// context knows that a trusted proxy has sent it. Without trusted proxies the handler is returned as it is.
func Forwarded(next http.Handler, trusted []netip.Prefix) http.Handler {
	if len(trusted) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if at, err := netip.ParseAddrPort(r.RemoteAddr); err == nil && contains(trusted, at.Addr().Unmap().WithZone("")) {
			client, ok := clientOf(r, trusted)
			r = r.WithContext(context.WithValue(r.Context(), proxiedKey{}, true)) // a copy: the log keeps the address of the connection
			if ok {
				r.RemoteAddr = net.JoinHostPort(client.String(), "0")
			}
		}
		next.ServeHTTP(w, r)
	})
}

type proxiedKey struct{}

// Proxied reports whether a trusted proxy has sent the request that the context belongs to.
func Proxied(ctx context.Context) bool { return ctx.Value(proxiedKey{}) != nil }

func contains(networks []netip.Prefix, a netip.Addr) bool {
	return slices.ContainsFunc(networks, func(p netip.Prefix) bool { return p.Contains(a) })
}

// clientOf walks back from a trusted connection as long as those who speak are trusted.
func clientOf(r *http.Request, trusted []netip.Prefix) (client netip.Addr, ok bool) {
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		a, err := parseHop(hop)
		if err != nil {
			return client, ok // what is before it cannot be told
		}
		client, ok = a, true
		if !contains(trusted, a) {
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
