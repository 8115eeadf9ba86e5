//go:build unix

package outbound_test

import (
	"bytes"
	"compress/gzip"
	"crypto/x509"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport/outbound"
)

// BenchmarkConnect fetches 28 kB over TLS, compressed as most servers do it: on a connection that is kept, and on a new
// one each time, as boards do that have a host of their own. CPU is that of both ends.
func BenchmarkConnect(b *testing.B) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write(bytes.Repeat([]byte(`{"id":4006,"title":"Engineer"} `), 28<<10/31))
	require.NoError(b, err)
	require.NoError(b, w.Close())
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(packed.Bytes())
	}))
	b.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	for name, anew := range map[string]bool{"kept": false, "new": true} {
		b.Run(name, func(b *testing.B) {
			client := outbound.New(outbound.Options{AllowLoopback: true, Proxy: noProxy, RootCAs: roots})
			b.Cleanup(client.CloseIdleConnections)
			before := computed(b)
			for b.Loop() {
				if anew {
					client.CloseIdleConnections()
				}
				req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, server.URL, nil)
				require.NoError(b, err)
				resp, err := client.Session().Do(req)
				require.NoError(b, err)
				require.NoError(b, resp.Body.Close())
			}
			b.ReportMetric((computed(b)-before).Seconds()*1e6/float64(b.N), "cpu-us/op")
		})
	}
}

// computed is the time that this process has computed.
func computed(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
