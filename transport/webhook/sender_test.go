package webhook_test

import (
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport/webhook"
)

const secret = "whsec_0123456789012345678901234567890123456789012"

func hook(address string) boardwatch.Webhook {
	return boardwatch.Webhook{ID: boardwatch.NewID(), URL: address, Secret: secret}
}

func delivery() boardwatch.Delivery {
	id := boardwatch.NewID()
	return boardwatch.Delivery{
		ID: id, Type: boardwatch.EventJobFound, Body: boardwatch.Payload{Tail: []byte(`"type":"job.found"}`)}.Body(id),
	}
}

func answering(t *testing.T, answer http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return server.URL
}

func TestDeliverSignsAndPosts(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 5).UTC()
	var got *http.Request
	var body []byte
	address := answering(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
		w.WriteHeader(http.StatusOK)
	})
	s := webhook.New(webhook.Options{
		Local: true, HeaderPrefix: "x-acme-jobs", Version: "1.2.3", Now: func() time.Time { return now },
	})
	d := delivery()
	receipt := s.Deliver(t.Context(), hook(address+"/in?token=abc"), d)
	require.True(t, receipt.OK(), receipt.Error)
	require.Equal(t, http.StatusOK, receipt.Code)
	require.Positive(t, receipt.Duration)
	require.Equal(t, http.MethodPost, got.Method)
	require.Equal(t, "/in?token=abc", got.URL.String())
	require.Equal(t, d.Body, body)
	require.EqualValues(t, len(d.Body), got.ContentLength)
	require.Equal(t, fmt.Sprintf("t=%d,v1=…", now.Unix()), receipt.Signature, "the signature itself is not kept")
	sent := s.Headers(d, got.Header.Get("X-Acme-Jobs-Signature"))
	sent.Set("Content-Length", got.Header.Get("Content-Length"))
	require.Equal(t, sent, got.Header)
	require.Equal(t, http.Header{
		"Content-Type": {"application/json"}, "Content-Length": {got.Header.Get("Content-Length")},
		"User-Agent": {"Boardwatch-Webhooks/1.2.3"}, "X-Acme-Jobs-Event": {"job.found"}, "X-Acme-Jobs-Delivery": {d.ID},
		"X-Acme-Jobs-Signature": {boardwatch.Sign([]byte(secret), d.Body, now)},
	}, got.Header)
}

func TestDeliverJudgesTheStatus(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		code    int
		body    string
		message string // empty: taken
	}{
		"200 is taken":                            {200, "fine", ""},
		"204 is taken":                            {204, "", ""},
		"299 is taken":                            {299, "", ""},
		"a redirect is not followed":              {301, "moved", "answered 301 Moved Permanently; redirects are not followed"},
		"308 is no better":                        {308, "", "answered 308 Permanent Redirect; redirects are not followed"},
		"404 is a failure":                        {404, "", "answered 404 Not Found"},
		"410 is a failure like any other":         {410, "", "answered 410 Gone"},
		"a code without a name is a failure":      {599, "", "answered 599"},
		"what the receiver says is kept":          {422, "{\"error\":\n\t\"no such\x00 job\x1b[31m\"}\xff", `answered 422 Unprocessable Entity: {"error": "no such job [31m"}`},
		"what the receiver says is kept to a KiB": {500, strings.Repeat("é", 3000), "answered 500 Internal Server Error: " + strings.Repeat("é", (1024-36-3)/2) + "…"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := answering(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(tt.code)
				_, _ = io.WriteString(w, tt.body)
			})
			receipt := webhook.New(webhook.Options{Local: true}).Deliver(t.Context(), hook(address), delivery())
			require.Equal(t, tt.code, receipt.Code)
			require.Equal(t, tt.message, receipt.Error)
			require.Equal(t, tt.message == "", receipt.OK())
			require.LessOrEqual(t, len(receipt.Error), 1024)
		})
	}
}

func TestDeliverKeepsConnections(t *testing.T) {
	t.Parallel()
	var connections atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, strings.Repeat("x", 8<<10)) // more than one read
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	s := webhook.New(webhook.Options{Local: true})
	for range 20 {
		require.True(t, s.Deliver(t.Context(), hook(server.URL), delivery()).OK())
	}
	require.EqualValues(t, 1, connections.Load())
	s.CloseIdleConnections()
	require.True(t, s.Deliver(t.Context(), hook(server.URL), delivery()).OK())
	require.EqualValues(t, 2, connections.Load())
}

func TestDeliverOverTLS(t *testing.T) {
	t.Parallel()
	names := newNames(t)
	names.answer("127.0.0.1")
	for name, http2 := range map[string]bool{"HTTP/1.1": false, "HTTP/2.0": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(map[bool]int{true: http.StatusOK, false: http.StatusUpgradeRequired}[r.Proto == name])
			}))
			server.EnableHTTP2 = http2
			server.StartTLS()
			t.Cleanup(server.Close)
			_, port, err := net.SplitHostPort(server.Listener.Addr().String())
			require.NoError(t, err)
			roots := x509.NewCertPool()
			roots.AddCert(server.Certificate())
			s := webhook.New(webhook.Options{Local: true, RootCAs: roots, Resolver: names.resolver()})
			receipt := s.Deliver(t.Context(), hook("https://example.com:"+port), delivery())
			require.True(t, receipt.OK(), receipt.Error)
			receipt = s.Deliver(t.Context(), hook("https://hooks.acme.example:"+port), delivery())
			require.Equal(t, "the certificate of hooks.acme.example is for another name", receipt.Error)
			s = webhook.New(webhook.Options{Local: true, Resolver: names.resolver()})
			receipt = s.Deliver(t.Context(), hook("https://example.com:"+port), delivery())
			require.Equal(t, "the certificate of example.com is not from an authority known here", receipt.Error)
		})
	}
}

func TestDeliverRefusesAddresses(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("a request got through")
	}))
	t.Cleanup(server.Close)
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "https://"), ":")
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	for name, address := range map[string]string{
		"loopback":           "https://127.0.0.1:" + port,
		"a mapped address":   "https://[::ffff:127.0.0.1]:" + port,
		"localhost":          "https://localhost:" + port,
		"a private address":  "https://10.0.0.1/",
		"the cloud's own":    "https://169.254.169.254/latest",
		"a decimal spelling": "https://2130706433:" + port,
		"plain http":         "http://example.com/",
		"another scheme":     "ftp://example.com/",
		"a password":         "https://user:pass@example.com/",
		"nonsense":           "https://exa mple.com/",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := webhook.New(webhook.Options{RootCAs: roots})
			receipt := s.Deliver(t.Context(), hook(address), delivery())
			require.Zero(t, receipt.Code)
			require.Contains(t, receipt.Error, "the address is refused: ")
		})
	}
}

func TestDeliverJudgesTheDialledAddress(t *testing.T) {
	t.Parallel()
	address := answering(t, func(http.ResponseWriter, *http.Request) { t.Error("a request got through") })
	u, err := url.Parse(address)
	require.NoError(t, err)
	names := newNames(t)
	s := webhook.New(webhook.Options{Resolver: names.resolver()})
	for _, inside := range []string{"127.0.0.1", "10.1.2.3", "192.168.0.9", "169.254.169.254", "100.64.0.1", "0.0.0.0"} {
		names.answer(inside)
		receipt := s.Deliver(t.Context(), hook("https://hooks.acme.example:"+u.Port()+"/secret-path"), delivery())
		require.Zero(t, receipt.Code)
		require.Equal(t, "hooks.acme.example is not on the public Internet", receipt.Error, inside)
	}
	require.GreaterOrEqual(t, names.asked(), 6, "the name is looked up for every attempt")
}

func TestDeliverGoesThroughItsProxyOnly(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
	address := answering(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	require.True(t, webhook.New(webhook.Options{Local: true}).Deliver(t.Context(), hook(address), delivery()).OK(),
		"the environment does not concern deliveries")

	var connects []string
	proxy := answering(t, func(w http.ResponseWriter, r *http.Request) {
		connects = append(connects, r.Method+" "+r.Host)
		w.WriteHeader(http.StatusForbidden)
	})
	u, err := url.Parse(proxy)
	require.NoError(t, err)
	u.User = url.UserPassword("boards", "hunter2")
	s := webhook.New(webhook.Options{Proxy: u})
	receipt := s.Deliver(t.Context(), hook("https://hooks.acme.example/x"), delivery())
	require.Zero(t, receipt.Code)
	require.Contains(t, receipt.Error, "the proxy does not connect to hooks.acme.example")
	require.NotContains(t, receipt.Error, "hunter2")
	require.Equal(t, []string{"CONNECT hooks.acme.example:443"}, connects)
	receipt = s.Deliver(t.Context(), hook("https://10.0.0.1/x"), delivery())
	require.Contains(t, receipt.Error, "the address is refused", "literal addresses are judged behind a proxy too")
	require.Len(t, connects, 1)
}

func TestDeliverSaysNoSecrets(t *testing.T) {
	t.Parallel()
	s := webhook.New(webhook.Options{Local: true})
	receipt := s.Deliver(t.Context(), hook("http://127.0.0.1:1/path-hunter2?token=hunter2"), delivery())
	require.Equal(t, "127.0.0.1 refused the connection", receipt.Error)
}

func TestReceiversCannotRepeatSecrets(t *testing.T) {
	t.Parallel()
	var signature string
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		signature = r.Header.Get("X-Boardwatch-Signature")
		plain := r.RequestURI + " " + signature + " " + secret
		echo := map[string]string{
			"/plain":   "Cannot POST " + plain,
			"/percent": url.QueryEscape(plain), "/json": fmt.Sprintf("%+q", plain), "/html": html.EscapeString(plain),
			"/base64": base64.StdEncoding.EncodeToString([]byte(plain)), "/cut": strings.Repeat("x", 1000-len(plain)/2) + plain,
		}[r.URL.Path[:strings.LastIndexByte(r.URL.Path, '/')]]
		if echo == "" {
			http.Redirect(w, r, "/elsewhere"+r.RequestURI, http.StatusFound)
			return
		}
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, echo)
	}))
	t.Cleanup(receiver.Close)
	s := webhook.New(webhook.Options{Local: true})
	for _, path := range []string{"/plain", "/percent", "/json", "/html", "/base64", "/cut", "/redirect"} {
		receipt := s.Deliver(t.Context(), hook(receiver.URL+path+"/opensesame?token=hunter2+1"), delivery())
		require.False(t, receipt.OK())
		_, mac, _ := strings.Cut(signature, "v1=")
		for _, hidden := range []string{"opensesame", "hunter2", mac, strings.TrimPrefix(secret, "whsec_")} {
			require.NotContains(t, receipt.Error, hidden, path)
		}
		require.Contains(t, receipt.Error, "answered ", path)
	}
}

func TestNothingIsSentUnsigned(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	t.Cleanup(receiver.Close)
	w := hook(receiver.URL)
	w.Secret = ""
	receipt := webhook.New(webhook.Options{Local: true}).Deliver(t.Context(), w, boardwatch.Delivery{Body: []byte("{}")})
	require.Equal(t, "the webhook has no secret to sign with", receipt.Error)
	require.False(t, receipt.OK())
	require.Zero(t, requests.Load())
}
