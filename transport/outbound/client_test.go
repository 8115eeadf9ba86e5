package outbound_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport/outbound"
)

// serve starts a loopback server and a client that may read it.
func serve(t *testing.T, o outbound.Options, handler http.HandlerFunc) (*outbound.Client, string) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	o.AllowLoopback = true
	if o.Proxy == nil {
		o.Proxy = noProxy
	}
	client := outbound.New(o)
	t.Cleanup(client.CloseIdleConnections)
	return client, server.URL
}

func request(t *testing.T, method, url string, body io.Reader) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, body)
	require.NoError(t, err)
	return req
}

func TestDo(t *testing.T) {
	t.Parallel()
	client, url := serve(t, outbound.Options{}, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "hello "+r.Header.Get("User-Agent"))
	})
	resp, err := client.Do(request(t, http.MethodGet, url, nil))
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, "hello "+outbound.DefaultUserAgent, string(body))
}
