package outbound_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport/outbound"
)

func TestAServerThatDoesNotSpeakTLSIsNamedWithItsPort(t *testing.T) {
	t.Parallel()
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = mute.Close() })
	go func() {
		for {
			conn, err := mute.Accept()
			if err != nil {
				return
			}
			_ = conn.Close()
		}
	}()
	client := outbound.New(outbound.Options{AllowLoopback: true, Backoff: []time.Duration{}})
	for _, host := range []string{strings.TrimPrefix(plain.URL, "http://"), mute.Addr().String()} {
		_, err := client.Get(t.Context(), "https://"+host+"/careers", nil)
		require.ErrorContains(t, err, host)
		require.ErrorContains(t, err, "; if it does not speak https, begin the address with http://")
	}
}
