package outbound_test

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/dns/dnsmessage"

	"github.com/boardwatch/boardwatch/transport/outbound"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, address string
		kind          outbound.Kind // empty: allowed
	}{
		{"a public name", "https://boards.example/acme", ""},
		{"a public name in another script", "https://bücher.example/jobs", ""},
		{"a name with a trailing dot", "https://boards.example./acme", ""},
		{"a name that begins with a digit", "https://3m.example/jobs", ""},
		{"a label that only looks like a number", "https://acme.1st/jobs", ""},
		{"a public address", "http://9.9.9.9/", ""},
		{"a public IPv6 address", "http://[2620:fe::fe]:8443/", ""},

		{"another scheme", "ftp://boards.example/", outbound.KindInvalid},
		{"a file", "file:///etc/passwd", outbound.KindInvalid},
		{"no scheme", "boards.example/acme", outbound.KindInvalid},
		{"no host", "https:///acme", outbound.KindInvalid},
		{"only a port", "https://:443/", outbound.KindInvalid},
		{"an opaque address", "https:boards.example", outbound.KindInvalid},
		{"a password", "https://anna:secret@boards.example/", outbound.KindInvalid},
		{"a name before the host", "https://anna@boards.example/", outbound.KindInvalid},
		{"a zone", "http://[fe80::1%25eth0]/", outbound.KindInvalid},
		{"port zero", "http://boards.example:0/", outbound.KindInvalid},
		{"a port past the last", "http://boards.example:65536/", outbound.KindInvalid},
		{"an endless path", "https://boards.example/" + strings.Repeat("a", 9000), outbound.KindInvalid},
		{"an endless host", "https://" + strings.Repeat("a.", 200) + "example/", outbound.KindInvalid},
		{"five numbers", "http://1.2.3.4.5/", outbound.KindInvalid},
		{"a number past the last address", "http://4294967296/", outbound.KindInvalid},
		{"an IPv4 part past 255", "http://1.2.3.256/", outbound.KindInvalid},
		{"a host of digits that is no address", "http://boards.123/", outbound.KindInvalid},

		{"a name that never exists", "https://boards.invalid/", outbound.KindUnknownHost},

		{"localhost", "http://localhost:8080/", outbound.KindRefused},
		{"LOCALHOST", "http://LOCALHOST/", outbound.KindRefused},
		{"localhost with a trailing dot", "http://localhost./", outbound.KindRefused},
		{"a name below localhost", "http://acme.localhost/", outbound.KindRefused},
		{"loopback", "http://127.0.0.1/", outbound.KindRefused},
		{"loopback with a trailing dot", "http://127.0.0.1./", outbound.KindRefused},
		{"loopback, short", "http://127.1/", outbound.KindRefused},
		{"loopback, decimal", "http://2130706433/", outbound.KindRefused},
		{"loopback, octal", "http://0177.0.0.01/", outbound.KindRefused},
		{"loopback, hexadecimal", "http://0x7f.0.0.1/", outbound.KindRefused},
		{"loopback, one hexadecimal number", "http://0X7F000001/", outbound.KindRefused},
		{"loopback, mixed", "http://0x7f.1/", outbound.KindRefused},
		{"loopback, wide digits", "http://１２７.0.0.1/", outbound.KindRefused},
		{"loopback, ideographic dots", "http://127。0。0。1/", outbound.KindRefused},
		{"loopback, IPv6", "http://[::1]/", outbound.KindRefused},
		{"loopback, mapped", "http://[::ffff:127.0.0.1]/", outbound.KindRefused},
		{"loopback, mapped in hexadecimal", "http://[::ffff:7f00:1]/", outbound.KindRefused},
		{"loopback, compatible", "http://[::127.0.0.1]/", outbound.KindRefused},
		{"loopback through NAT64", "http://[64:ff9b::7f00:1]/", outbound.KindRefused},
		{"loopback through 6to4", "http://[2002:7f00:1::]/", outbound.KindRefused},
		{"nowhere", "http://0.0.0.0/", outbound.KindRefused},
		{"zero", "http://0/", outbound.KindRefused},
		{"hexadecimal nothing", "http://0x/", outbound.KindRefused},
		{"nowhere, IPv6", "http://[::]/", outbound.KindRefused},
		{"a private network", "http://10.1.2.3/", outbound.KindRefused},
		{"another private network", "http://192.168.0.1/", outbound.KindRefused},
		{"a carrier's network", "http://100.64.0.1/", outbound.KindRefused},
		{"cloud metadata", "http://169.254.169.254/latest/meta-data/", outbound.KindRefused},
		{"cloud metadata, decimal", "http://2852039166/", outbound.KindRefused},
		{"cloud metadata, IPv6", "http://[fd00:ec2::254]/", outbound.KindRefused},
		{"a unique local address", "http://[fd12::1]/", outbound.KindRefused},
		{"link-local", "http://[fe80::1]/", outbound.KindRefused},
		{"multicast", "http://224.0.0.1/", outbound.KindRefused},
		{"broadcast", "http://255.255.255.255/", outbound.KindRefused},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			u, err := url.Parse(test.address)
			require.NoError(t, err)
			err = outbound.Policy{}.Check(u)
			if test.kind == "" {
				require.NoError(t, err)
				return
			}
			require.Equal(t, test.kind, outbound.KindOf(err), "%v", err)
			require.NotContains(t, err.Error(), "secret")
		})
	}
}

func TestCheckOfWhatIsAllowed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, address     string
		loopback, private bool // whether each option lets it through
	}{
		{"localhost", "http://localhost/", true, true},
		{"loopback", "http://127.0.0.1/", true, true},
		{"loopback, IPv6", "http://[::1]/", true, true},
		{"loopback, decimal", "http://2130706433/", true, true},
		{"a private network", "http://10.0.0.1/", false, true},
		{"a unique local address", "http://[fd12::1]/", false, true},
		{"a carrier's network", "http://100.64.0.1/", false, true},
		{"cloud metadata", "http://169.254.169.254/", false, false},
		{"cloud metadata, mapped", "http://[::ffff:169.254.169.254]/", false, false},
		{"cloud metadata, IPv6", "http://[fd00:ec2::254]/", false, false},
		{"cloud metadata in a carrier's network", "http://100.100.100.200/", false, false},
		{"link-local", "http://[fe80::1]/", false, false},
		{"nowhere", "http://0.0.0.0/", false, false},
		{"multicast", "http://[ff02::1]/", false, false},
		{"NAT64", "http://[64:ff9b::a00:1]/", false, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			u, err := url.Parse(test.address)
			require.NoError(t, err)
			loopback := outbound.Policy{Loopback: true}.Check(u)
			require.Equal(t, test.loopback, loopback == nil, "loopback: %v", loopback)
			private := outbound.Policy{Private: true}.Check(u)
			require.Equal(t, test.private, private == nil, "private: %v", private)
		})
	}
}

func TestGetRefusesANameThatLeadsToAPrivateAddress(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "64:ff9b::7f00:1"} {
		t.Run(addr, func(t *testing.T) {
			t.Parallel()
			client := outbound.New(outbound.Options{Proxy: noProxy, Resolver: names(t, addr)})
			_, err := client.Get(t.Context(), "http://rebound.example/?token=secret", nil)
			require.Equal(t, outbound.KindRefused, outbound.KindOf(err), "%v", err)
			require.EqualError(t, err, "rebound.example is not on the public Internet")
			require.Equal(t, 1, client.Requests(), "a refusal is final")
		})
	}
}

func TestGetOfANameThatDoesNotExist(t *testing.T) {
	t.Parallel()
	client := outbound.New(outbound.Options{Proxy: noProxy, Resolver: names(t, "")})
	_, err := client.Get(t.Context(), "https://gone.example/careers", nil)
	require.Equal(t, outbound.KindUnknownHost, outbound.KindOf(err), "%v", err)
	require.EqualError(t, err, "the host gone.example does not exist")
}

// names is a resolver that knows one answer to every question: the address, or that the name does not exist.
func names(t *testing.T, addr string) *net.Resolver {
	t.Helper()
	conn, err := (&net.ListenConfig{}).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		answerQuestions(conn, addr)
	}()
	t.Cleanup(func() {
		_ = conn.Close()
		<-done
	})
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

func answerQuestions(conn net.PacketConn, addr string) {
	buf := make([]byte, 1500)
	for {
		n, from, err := conn.ReadFrom(buf)
		if err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(buf[:n]) != nil {
			continue
		}
		if packed, err := nameAnswer(m, addr).Pack(); err == nil {
			_, _ = conn.WriteTo(packed, from)
		}
	}
}

func nameAnswer(m dnsmessage.Message, addr string) *dnsmessage.Message {
	m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
	ip, err := netip.ParseAddr(addr)
	if err != nil {
		m.RCode = dnsmessage.RCodeNameError
		return &m
	}
	q := m.Questions[0]
	head := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}
	switch {
	case q.Type == dnsmessage.TypeA && ip.Is4():
		m.Answers = []dnsmessage.Resource{{Header: head, Body: &dnsmessage.AResource{A: ip.As4()}}}
	case q.Type == dnsmessage.TypeAAAA && ip.Is6():
		m.Answers = []dnsmessage.Resource{{Header: head, Body: &dnsmessage.AAAAResource{AAAA: ip.As16()}}}
	}
	return &m
}

func TestGetRefusesARedirectToAPrivateAddress(t *testing.T) {
	t.Parallel()
	for _, target := range []string{
		"http://169.254.169.254/latest", "http://0xa9fea9fe/", "//10.0.0.1/", "http://anna:secret@boards.example/", "file:///etc/passwd",
	} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			client, address := serve(t, outbound.Options{}, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", target)
				w.WriteHeader(http.StatusFound)
			})
			_, err := client.Get(t.Context(), address, nil)
			require.Contains(t, []outbound.Kind{outbound.KindRefused, outbound.KindInvalid}, outbound.KindOf(err), "%v", err)
			require.NotContains(t, err.Error(), "secret")
			require.Equal(t, 1, client.Requests())
		})
	}
}
