package outbound_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport/outbound"
)

// secure is a host that speaks TLS and takes notes of its connections and requests.
type secure struct {
	*httptest.Server

	opened  atomic.Int32
	mu      sync.Mutex
	resumed []bool
	protos  []string
}

func startSecure(t *testing.T, http2 bool, config *tls.Config) *secure {
	t.Helper()
	s := new(secure)
	s.Server = httptest.NewUnstartedServer(s)
	s.EnableHTTP2, s.TLS = http2, config
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.opened.Add(1)
		}
	}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func (s *secure) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resumed = append(s.resumed, r.TLS.DidResume)
	s.protos = append(s.protos, r.Proto)
	_, _ = io.WriteString(w, r.URL.Path)
}

func (s *secure) roots() *x509.CertPool {
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	return roots
}

func TestBoardsOfOneHostShareAConnection(t *testing.T) {
	t.Parallel()
	for proto, http2 := range map[string]bool{"HTTP/1.1": false, "HTTP/2.0": true} {
		t.Run(proto, func(t *testing.T) {
			t.Parallel()
			host := startSecure(t, http2, nil)
			client := loopback(t, outbound.Options{RootCAs: host.roots()})
			for _, board := range []string{"/northwind", "/contoso", "/fabrikam"} {
				reading := client.SessionWith(outbound.SessionOptions{System: "hosted"})
				resp, body := do(t, reading, request(t, http.MethodGet, host.URL+board, nil))
				require.Equal(t, board, body)
				require.Equal(t, proto, resp.Proto)
			}
			require.Equal(t, []string{proto, proto, proto}, host.protos)
			require.EqualValues(t, 1, host.opened.Load(), "connections")
		})
	}
}

func TestAClosedConnectionLeavesItsTLSSession(t *testing.T) {
	t.Parallel()
	for name, version := range map[string]uint16{"TLS 1.2": tls.VersionTLS12, "TLS 1.3": tls.VersionTLS13} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			host := startSecure(t, true, &tls.Config{MinVersion: tls.VersionTLS12, MaxVersion: version})
			client := loopback(t, outbound.Options{RootCAs: host.roots()})
			for range 3 {
				_, body := do(t, client.Session(), request(t, http.MethodGet, host.URL+"/careers", nil))
				require.Equal(t, "/careers", body)
				client.CloseIdleConnections()
			}
			require.EqualValues(t, 3, host.opened.Load(), "connections")
			require.Equal(t, []bool{false, true, true}, host.resumed)
		})
	}
}

// TestANameIsJudgedAnewThoughItsSessionIsKept: what is kept of a host spares the certificates, never the look at the address.
func TestANameIsJudgedAnewThoughItsSessionIsKept(t *testing.T) {
	t.Parallel()
	host := startSecure(t, true, nil)
	u, err := url.Parse(host.URL)
	require.NoError(t, err)
	address := "https://example.com:" + u.Port() + "/careers" // a name that the certificate of httptest is for
	var leads atomic.Pointer[net.Resolver]
	leads.Store(names(t, "127.0.0.1"))
	client := loopback(t, outbound.Options{RootCAs: host.roots(), Pause: -1, Resolver: &net.Resolver{
		PreferGo: true, Dial: func(ctx context.Context, network, server string) (net.Conn, error) {
			return leads.Load().Dial(ctx, network, server)
		},
	}})
	for range 2 {
		_, body := do(t, client.Session(), request(t, http.MethodGet, address, nil))
		require.Equal(t, "/careers", body)
		client.CloseIdleConnections()
	}
	require.Equal(t, []bool{false, true}, host.resumed)

	leads.Store(names(t, "10.0.0.1"))
	_, err = client.Session().Do(request(t, http.MethodGet, address, nil))
	require.Equal(t, outbound.KindRefused, outbound.KindOf(err), "%v", err)
	require.EqualError(t, err, "example.com is not on the public Internet")
	require.EqualValues(t, 2, host.opened.Load(), "connections")
}
