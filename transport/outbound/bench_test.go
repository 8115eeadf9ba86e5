package outbound_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport/outbound"
)

// BenchmarkGet compares the client with a bare http.Client: the same answer of 28 kB from the same loopback server.
func BenchmarkGet(b *testing.B) {
	answer := bytes.Repeat([]byte(`{"id":4006,"title":"Engineer"} `), 28<<10/31)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer)
	}))
	b.Cleanup(server.Close)

	b.Run("bare", func(b *testing.B) {
		client := &http.Client{Transport: &http.Transport{Proxy: noProxy}}
		b.Cleanup(client.CloseIdleConnections)
		b.ReportAllocs()
		for b.Loop() {
			req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, server.URL, nil)
			require.NoError(b, err)
			resp, err := client.Do(req)
			require.NoError(b, err)
			body, err := io.ReadAll(resp.Body)
			require.NoError(b, err)
			require.NoError(b, resp.Body.Close())
			if len(body) != len(answer) {
				b.Fatal("wrong answer")
			}
		}
	})
	b.Run("client", func(b *testing.B) {
		client := outbound.New(outbound.Options{AllowLoopback: true, Proxy: noProxy})
		b.Cleanup(client.CloseIdleConnections)
		b.ReportAllocs()
		for b.Loop() {
			resp := fetched(b, client, server.URL)
			body, ok := resp.Body.(*outbound.Body)
			if !ok || len(body.Bytes()) != len(answer) {
				b.Fatal("wrong answer")
			}
			require.NoError(b, resp.Body.Close())
		}
	})
}

// BenchmarkGetPacked reads 10 MiB that were sent as some 10 kB of gzip: what a hostile page costs before it is measured.
func BenchmarkGetPacked(b *testing.B) {
	var packed bytes.Buffer
	zw := gzip.NewWriter(&packed)
	_, err := zw.Write(bytes.Repeat([]byte("<li>x"), 2<<20))
	require.NoError(b, err)
	require.NoError(b, zw.Close())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(packed.Bytes())
	}))
	b.Cleanup(server.Close)
	client := outbound.New(outbound.Options{AllowLoopback: true, Proxy: noProxy})
	b.Cleanup(client.CloseIdleConnections)
	b.ReportAllocs()
	for b.Loop() {
		require.NoError(b, fetched(b, client, server.URL).Body.Close())
	}
}

// fetched is the client's answer, whose body the caller closes.
func fetched(b *testing.B, client *outbound.Client, address string) *http.Response {
	b.Helper()
	req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, address, nil)
	require.NoError(b, err)
	resp, err := client.Session().Do(req)
	require.NoError(b, err)
	return resp
}
