package outbound_test

import (
	"bufio"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport/outbound"
)

// throughProxy is a client of which every request goes through p, as a browser's do.
func throughProxy(t *testing.T, p *outbound.Proxy) *http.Client {
	t.Helper()
	transport := &http.Transport{
		Proxy:           http.ProxyURL(&url.URL{Scheme: "http", Host: p.Address()}),
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: 20 * time.Second}
}

func listen(t *testing.T, o outbound.Options) *outbound.Proxy {
	t.Helper()
	p, err := outbound.ListenProxy(t.Context(), o, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	return p
}

func TestProxyPassesOn(t *testing.T) {
	t.Parallel()
	hello := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Method, " ", r.URL.Path, " ", r.Header.Get("Proxy-Authorization"), r.Header.Get("X-Forwarded-For"))
	})
	plain, secure := httptest.NewServer(hello), httptest.NewTLSServer(hello)
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	client := throughProxy(t, listen(t, outbound.Options{AllowLoopback: true, Proxy: noProxy}))
	for _, address := range []string{plain.URL, secure.URL} {
		resp, err := client.Get(address + "/jobs")
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, "GET /jobs ", string(body))
	}
}

// What a browser asks for is judged as everything else is: in every spelling, and in tunnels too.
func TestProxyRefuses(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a private server was reached") }))
	t.Cleanup(s.Close)
	port := s.Listener.Addr().(*net.TCPAddr).Port
	p := listen(t, outbound.Options{Proxy: noProxy})
	client := throughProxy(t, p)
	for _, host := range []string{"127.0.0.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "localhost", "LOCALHOST.", "10.0.0.1", "169.254.169.254", "192.168.1.1"} {
		resp, err := client.Get(fmt.Sprintf("http://%s:%d/", host, port))
		require.NoError(t, err, host)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusForbidden, resp.StatusCode, host)
		_, err = client.Get(fmt.Sprintf("https://%s:%d/", host, port))
		require.Error(t, err, host)
	}
}

func TestProxyTakesTheOperatorsProxy(t *testing.T) {
	t.Parallel()
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "far away") }))
	t.Cleanup(secure.Close)
	upstream := &proxy{target: secure.Listener.Addr().String()}
	server := httptest.NewServer(upstream)
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	require.NoError(t, err)
	u.User = url.UserPassword("ann", "opensesame")
	p := listen(t, outbound.Options{Proxy: http.ProxyURL(u)})
	client := throughProxy(t, p)

	resp, err := client.Get("https://careers.example/jobs")
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, "far away", string(body))
	resp, err = client.Get("http://careers.example/jobs")
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	_, err = client.Get("https://127.0.0.1/")
	require.Error(t, err, "addresses spelt as numbers are judged here, also where the proxy looks up names")
	upstream.mu.Lock()
	defer upstream.mu.Unlock()
	require.Equal(t, []string{
		"CONNECT //careers.example:443Basic YW5uOm9wZW5zZXNhbWU=", "GET http://careers.example/jobsBasic YW5uOm9wZW5zZXNhbWU=",
	}, upstream.asked)
}

func TestProxyRefusedByTheOperatorsProxy(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(&proxy{status: http.StatusTeapot})
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	require.NoError(t, err)
	_, err = throughProxy(t, listen(t, outbound.Options{Proxy: http.ProxyURL(u)})).Get("https://careers.example/")
	require.ErrorContains(t, err, "Bad Gateway")
}

// A proxy is not a server of its own, and when it ends, all that went through it does.
func TestProxyEnds(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	p, err := outbound.ListenProxy(t.Context(), outbound.Options{AllowLoopback: true, Proxy: noProxy}, nil)
	require.NoError(t, err)

	resp, err := http.DefaultTransport.(*http.Transport).Clone().RoundTrip(httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+p.Address()+"/", nil))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusBadRequest, resp.StatusCode)

	conn, err := net.Dial("tcp", p.Address())
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	_, err = fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", l.Addr(), l.Addr())
	require.NoError(t, err)
	var far net.Conn
	var accepting sync.WaitGroup
	accepting.Go(func() { far, err = l.Accept() })
	r := bufio.NewReader(conn)
	line, readErr := r.ReadString('\n')
	require.NoError(t, readErr)
	require.Contains(t, line, " 200 ")
	accepting.Wait()
	require.NoError(t, err)
	defer func() { _ = far.Close() }()

	require.NoError(t, p.Close())
	require.NoError(t, far.SetReadDeadline(time.Now().Add(10*time.Second)))
	_, err = far.Read(make([]byte, 1))
	require.Error(t, err)
	require.NotErrorIs(t, err, net.ErrClosed)
	_, err = net.Dial("tcp", p.Address())
	require.Error(t, err)
}

// With a voucher the proxy checks certificates itself, and shows one that whoever knows its pin trusts.
func TestProxyVouches(t *testing.T) {
	t.Parallel()
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Method, " ", r.Host, r.URL.Path)
	}))
	t.Cleanup(s.Close)
	known := x509.NewCertPool()
	known.AddCert(s.Certificate())
	v, err := outbound.NewVoucher()
	require.NoError(t, err)
	for _, tt := range []struct {
		name   string
		roots  *x509.CertPool
		status int
	}{{"a host that is trusted", known, http.StatusOK}, {"a host that is not", x509.NewCertPool(), http.StatusBadGateway}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, err := outbound.ListenProxy(t.Context(), outbound.Options{AllowLoopback: true, Proxy: noProxy, RootCAs: tt.roots}, v)
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, p.Close()) })
			client := throughProxy(t, p)
			for range 3 {
				resp, err := client.Post(s.URL+"/jobs", "text/plain", strings.NewReader("x"))
				require.NoError(t, err)
				body, err := io.ReadAll(resp.Body)
				require.NoError(t, err)
				require.NoError(t, resp.Body.Close())
				require.Equal(t, tt.status, resp.StatusCode)
				public, err := x509.MarshalPKIXPublicKey(resp.TLS.PeerCertificates[0].PublicKey)
				require.NoError(t, err)
				sum := sha256.Sum256(public)
				require.Equal(t, v.Pin(), base64.StdEncoding.EncodeToString(sum[:]))
				if tt.status == http.StatusOK {
					require.Equal(t, "POST "+s.Listener.Addr().String()+"/jobs", string(body))
				}
			}
		})
	}
}
