package outbound_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport/outbound"
)

func TestHostsInside(t *testing.T) {
	t.Parallel()
	outside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "outside") }))
	t.Cleanup(outside.Close)
	inside := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/gone" {
			http.NotFound(w, r)
			return
		}
		_, _ = io.WriteString(w, "inside at "+r.Host+r.URL.Path)
	})
	c := outbound.New(outbound.Options{AllowLoopback: true, Pause: -1, Inside: func(r *http.Request) http.Handler {
		host := r.URL.Host
		if host == "fernweh.example" || host == "169.254.169.254" {
			return inside
		}
		return nil
	}})
	t.Cleanup(c.CloseIdleConnections)
	ask := func(address string) (int, string, error) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		require.NoError(t, err)
		resp, err := c.Do(req)
		if err != nil {
			return 0, "", err
		}
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return resp.StatusCode, string(body), nil
	}
	for _, tt := range []struct {
		address string
		status  int
		body    string
	}{
		{"https://fernweh.example/careers", 200, "inside at fernweh.example/careers"},
		{"https://fernweh.example/gone", 404, "404 page not found\n"},
		{outside.URL, 200, "outside"},
	} {
		status, body, err := ask(tt.address)
		require.NoError(t, err, tt.address)
		require.Equal(t, tt.status, status, tt.address)
		require.Equal(t, tt.body, body, tt.address)
	}
	_, _, err := ask("http://169.254.169.254/")
	require.Error(t, err, "an address that is refused is refused inside, too")
}
