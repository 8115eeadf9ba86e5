package transport

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Forwarded replaces the remote address of a request with that of the client behind trusted proxies: the last address
// in X-Forwarded-For that is not a proxy's. The header is ignored if anybody else sends it. The request's context
// records that a trusted proxy has sent it. Without trusted proxies the handler is returned as it is.
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

// Proxied reports whether a trusted proxy has sent the context's request.
func Proxied(ctx context.Context) bool { return ctx.Value(proxiedKey{}) != nil }

func contains(networks []netip.Prefix, a netip.Addr) bool {
	return slices.ContainsFunc(networks, func(p netip.Prefix) bool { return p.Contains(a) })
}

// clientOf walks back from a trusted connection as long as each hop is trusted.
func clientOf(r *http.Request, trusted []netip.Prefix) (client netip.Addr, ok bool) {
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		a, err := parseHop(hop)
		if err != nil {
			return client, ok // what is before it cannot be trusted
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
