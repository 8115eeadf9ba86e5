package boardwatch_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func TestPublicHost(t *testing.T) {
	t.Parallel()

	for _, public := range []string{
		"example.com", "EXAMPLE.com.", "a_b.example.com", "xn--bcher-kva.example", "1.example", "3.14.example", "8.8.8.8", "8.8.8.8.example", "2606:4700::1111",
		"10.0.0.example", "v10.0.0.1.example", strings.Repeat("a", 63) + ".example",
	} {
		require.True(t, boardwatch.PublicHost(public), public)
	}
	cases := []struct {
		name  string
		hosts []string
	}{
		{"what is no name", []string{"", ".", "..", "a..example", ".example.com", "example.com..", "exa mple.com", "a:b.example", "[::1]", "a%2eexample.com", "a\x00.example", "a/b.example"}},
		{"bare names", []string{"intranet", "localhost", "localhost.", "metadata"}},
		{"local names", []string{"x.localhost", "printer.local", "metadata.google.internal", "db.corp", "wiki.lan", "nas.home", "x.home.arpa", "hidden.onion", "a.intranet", "LOCALHOST.localdomain"}},
		{"names that are too long", []string{strings.Repeat("a", 64) + ".example", strings.Repeat("a.", 130) + "example"}},
		{"spellings of IPv4", []string{"127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "0x7f.0x0.0x0.0x1", "127.0.0.0x1", "010.8.8.8", "256.256.256.256", "1.2.3.4.5", "0x", "a.0x"}},
		{"letters that turn into digits", []string{"127.0.0.１", "１２７.0.0.1", "127。0。0。1", "ⓔxample.com", "bücher.example"}},
		{"names that carry an address", []string{"127.0.0.1.nip.io", "www.10.0.0.1.sslip.io", "169.254.169.254.example.com", "8.8.8.8.127.0.0.1.example"}},
		{"zones", []string{"fe80::1%eth0", "2606:4700::1111%1"}},
		{"IPv4 inside IPv6", []string{"::ffff:127.0.0.1", "::ffff:7f00:1", "::127.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b:1::7f00:1", "2002:7f00:1::", "2001:0:7f00:1::"}},
	}
	for _, tc := range cases {
		t.Run("refuses "+tc.name, func(t *testing.T) {
			t.Parallel()
			for _, host := range tc.hosts {
				require.False(t, boardwatch.PublicHost(host), host)
			}
		})
	}
}
