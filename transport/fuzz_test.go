package transport_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport"
)

// FuzzForwarded puts arbitrary text into the header: the handler always sees an address, and only a trusted proxy can
// change it.
func FuzzForwarded(f *testing.F) {
	for _, seed := range []string{
		"203.0.113.7", "203.0.113.7, 10.0.0.9", "[2001:db8::1]:4711, 10.0.0.9", "unknown, 203.0.113.7", "203.0.113.7, unknown", "", ",,,",
		"::ffff:10.0.0.1", "fe80::1%eth0", "10.0.0.1:99999", "203.0.113.7\n10.0.0.1", "1.2.3.4, <script>", "0x7f000001",
	} {
		f.Add(seed)
	}
	var seen string
	door := transport.Forwarded(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.RemoteAddr }),
		[]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")})
	ask := func(from, header string) string {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = from
		r.Header["X-Forwarded-For"] = []string{header}
		door.ServeHTTP(httptest.NewRecorder(), r)
		return seen
	}
	f.Fuzz(func(t *testing.T, header string) {
		require.Equal(t, "198.51.100.4:1234", ask("198.51.100.4:1234", header), "a stranger's header is ignored")
		at, err := netip.ParseAddrPort(ask("10.0.0.1:1234", header))
		require.NoError(t, err)
		require.True(t, at.IsValid())
		require.Empty(t, at.Addr().Zone())
	})
}
