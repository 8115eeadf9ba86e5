package outbound_test

import (
	"bufio"
	"crypto/x509"
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

func noProxy(*http.Request) (*url.URL, error) { return nil, nil }

// proxy connects every CONNECT to one server, answers plain requests itself, and remembers what it was asked for.
type proxy struct {
	target string // where CONNECT leads; empty when it is refused with status
	status int

	mu    sync.Mutex
	asked []string
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.asked = append(p.asked, r.Method+" "+r.URL.String()+r.Header.Get("Proxy-Authorization"))
	p.mu.Unlock()
	switch {
	case r.Method != http.MethodConnect:
		_, _ = io.WriteString(w, "plain "+r.Host)
	case p.target == "":
		w.WriteHeader(p.status)
	default:
		p.tunnel(w)
	}
}

func (p *proxy) tunnel(w http.ResponseWriter) {
	far, err := (&net.Dialer{Timeout: time.Second}).Dial("tcp", p.target)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	near, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		_ = far.Close()
		return
	}
	_, _ = io.WriteString(near, "HTTP/1.1 200 Connected\r\n\r\n")
	var pipes sync.WaitGroup
	pipes.Go(func() { pipe(far, buffered.Reader) })
	pipes.Go(func() { pipe(near, bufio.NewReader(far)) })
	pipes.Wait()
}

func pipe(to net.Conn, from io.Reader) {
	_, _ = io.Copy(to, from)
	_ = to.Close()
}

func (p *proxy) start(t *testing.T) (address *url.URL) {
	t.Helper()
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL)
	require.NoError(t, err)
	return address
}

// site is an HTTPS server whose certificate is for example.com, and the authority that vouches for it.
func site(t *testing.T) (server *httptest.Server, authority *x509.CertPool) {
	t.Helper()
	server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Proto+" "+r.Host)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	authority = x509.NewCertPool()
	authority.AddCert(server.Certificate())
	return server, authority
}

func TestGetThroughAProxy(t *testing.T) {
	t.Parallel()
	server, authority := site(t)
	p := &proxy{target: server.Listener.Addr().String()}
	address := p.start(t)
	address.User = url.UserPassword("anna", "secret")
	client := outbound.New(outbound.Options{Proxy: http.ProxyURL(address), RootCAs: authority, Pause: -1})
	t.Cleanup(client.CloseIdleConnections)

	page, err := client.Get(t.Context(), "https://example.com/careers", nil)
	require.NoError(t, err, "the proxy may live on a private address, it is the operator's")
	require.Equal(t, "HTTP/2.0 example.com", string(page.Body))

	page, err = client.Get(t.Context(), "http://acme.example/careers", nil)
	require.NoError(t, err)
	require.Equal(t, "plain acme.example", string(page.Body))

	for _, private := range []string{"https://127.0.0.1/", "https://2130706433/", "https://10.0.0.1/", "http://[::ffff:a00:1]/", "https://１２７。1/", "http://localhost/"} {
		_, err = client.Get(t.Context(), private, nil)
		require.Equal(t, outbound.KindRefused, outbound.KindOf(err), "%s: %v", private, err)
	}
	require.Equal(t, []string{
		"CONNECT //example.com:443Basic YW5uYTpzZWNyZXQ=", "GET http://acme.example/careersBasic YW5uYTpzZWNyZXQ=",
	}, p.asked, "nothing else reached the proxy")
}

func TestOnlyDialsToTheProxyAreNotJudged(t *testing.T) {
	t.Parallel()
	p := &proxy{}
	address := p.start(t)
	client := outbound.New(outbound.Options{
		Resolver: names(t, "127.0.0.1"), Pause: -1,
		Proxy: func(req *http.Request) (*url.URL, error) {
			if strings.HasPrefix(req.URL.Hostname(), "direct.") {
				return nil, nil
			}
			return address, nil
		},
	})
	t.Cleanup(client.CloseIdleConnections)
	page, err := client.Get(t.Context(), "http://far.example/", nil)
	require.NoError(t, err)
	require.Equal(t, "plain far.example", string(page.Body))
	_, err = client.Get(t.Context(), "http://direct.example:"+address.Port()+"/", nil)
	require.Equal(t, outbound.KindRefused, outbound.KindOf(err), "the same address and port, but not as a proxy: %v", err)
}

func TestGetThroughAProxyThatFails(t *testing.T) {
	t.Parallel()
	absent := &url.URL{Scheme: "http", User: url.UserPassword("anna", "secret"), Host: nobody}
	tests := []struct {
		name     string
		proxy    *url.URL
		message  string
		requests int
	}{
		{
			"it refuses", (&proxy{status: http.StatusForbidden}).start(t),
			"the proxy does not connect to acme.example", 1,
		},
		{
			"it does not find the way", (&proxy{status: http.StatusBadGateway}).start(t),
			"the proxy does not connect to acme.example", 2,
		},
		{
			"it wants to know who asks", (&proxy{status: http.StatusProxyAuthRequired}).start(t),
			"the proxy wants a name and password", 1,
		},
		{"it is not there", absent, "the proxy on the way to acme.example cannot be reached", 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			client := outbound.New(outbound.Options{
				Proxy: http.ProxyURL(test.proxy), Pause: -1, Backoff: []time.Duration{time.Nanosecond},
			})
			_, err := client.Get(t.Context(), "https://acme.example/", nil)
			require.Equal(t, outbound.KindProxy, outbound.KindOf(err))
			require.EqualError(t, err, test.message)
			require.Equal(t, test.requests, client.Requests())
		})
	}
}

func TestGetOverTLS(t *testing.T) {
	t.Parallel()
	server, authority := site(t)
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	port := server.URL[strings.LastIndexByte(server.URL, ':'):]
	tests := []struct {
		name, address, message string
		authority              *x509.CertPool
	}{
		{"a good certificate", server.URL, "", authority},
		{"an unknown authority", server.URL, "the certificate of 127.0.0.1 is not from an authority known here", x509.NewCertPool()},
		{"another name", "https://localhost" + port, "the certificate of localhost is for another name", authority},
		{"no TLS at all", strings.Replace(plain.URL, "http:", "https:", 1), "no secure connection to " + strings.TrimPrefix(plain.URL, "http://") + " could be made; if it does not speak https, begin the address with http://", authority},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			client := loopback(t, outbound.Options{RootCAs: test.authority})
			page, err := client.Get(t.Context(), test.address, nil)
			if test.message == "" {
				require.NoError(t, err)
				require.Contains(t, string(page.Body), "HTTP/2.0")
				return
			}
			require.Equal(t, outbound.KindTLS, outbound.KindOf(err), "%v", err)
			require.EqualError(t, err, test.message)
			require.Equal(t, 1, client.Requests())
		})
	}
}

func TestGetOfAnHTTP2AnswerThatIsCut(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		path string
		kind outbound.Kind
	}{{"/body", outbound.KindTruncated}, {"/header", outbound.KindReset}} {
		t.Run(test.path, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/body" {
					_, _ = io.WriteString(w, "half")
					_ = http.NewResponseController(w).Flush()
				}
				panic(http.ErrAbortHandler)
			}))
			server.EnableHTTP2 = true
			server.StartTLS()
			t.Cleanup(server.Close)
			authority := x509.NewCertPool()
			authority.AddCert(server.Certificate())
			client := loopback(t, outbound.Options{RootCAs: authority, Backoff: once})
			_, err := client.Get(t.Context(), server.URL+test.path, nil)
			require.Equal(t, test.kind, outbound.KindOf(err), "%v", err)
		})
	}
}
