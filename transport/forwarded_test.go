package transport_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport"
)

func TestForwarded(t *testing.T) {
	t.Parallel()
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	tests := []struct {
		name    string
		trusted []netip.Prefix
		remote  string
		headers []string
		want    string
	}{
		{"without trusted proxies the header is ignored", nil, "10.0.0.1:1000", []string{"203.0.113.7"}, "10.0.0.1:1000"},
		{"a stranger's header is ignored", trusted, "198.51.100.1:1000", []string{"203.0.113.7"}, "198.51.100.1:1000"},
		{"a proxy's header counts", trusted, "10.0.0.1:1000", []string{"203.0.113.7"}, "203.0.113.7:0"},
		{"the last address that is not a proxy's", trusted, "10.0.0.1:1000", []string{"192.0.2.1, 203.0.113.7, 10.1.1.1"}, "203.0.113.7:0"},
		{"over several headers", trusted, "10.0.0.1:1000", []string{"192.0.2.1", "203.0.113.7", "10.1.1.1"}, "203.0.113.7:0"},
		{"a proxy that says nothing", trusted, "10.0.0.1:1000", nil, "10.0.0.1:1000"},
		{"a proxy that sends nonsense", trusted, "10.0.0.1:1000", []string{"unknown"}, "10.0.0.1:1000"},
		{"nonsense before a proxy", trusted, "10.0.0.1:1000", []string{"203.0.113.7, x, 10.1.1.1"}, "10.1.1.1:0"},
		{"nobody but proxies", trusted, "10.0.0.1:1000", []string{"10.2.2.2, 10.1.1.1"}, "10.2.2.2:0"},
		{"with ports and brackets", trusted, "[::1]:1000", []string{"[2001:db8::7]:4711"}, "[2001:db8::7]:0"},
		{"brackets alone", trusted, "[::1]:1000", []string{"[2001:db8::7]"}, "[2001:db8::7]:0"},
		{"an IPv4 address in IPv6", trusted, "[::ffff:10.0.0.1]:1000", []string{"::ffff:203.0.113.7"}, "203.0.113.7:0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var seen string
			h := transport.Forwarded(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.RemoteAddr }), tt.trusted)
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
			r.RemoteAddr = tt.remote
			for _, v := range tt.headers {
				r.Header.Add("X-Forwarded-For", v)
			}
			h.ServeHTTP(httptest.NewRecorder(), r)
			require.Equal(t, tt.want, seen)
			require.Equal(t, tt.remote, r.RemoteAddr)
		})
	}
}
