package outbound_test

import (
	"bytes"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

func FuzzReadArchive(f *testing.F) {
	file, err := os.ReadFile("testdata/har/browser.har")
	require.NoError(f, err)
	f.Add(file, "https://careers.northwind.example/jobs?page=1")
	f.Add([]byte(`{"log":{"entries":[{"request":{"url":"http://a.example"},"response":{"status":999}}]}}`), "http://a.example/")
	f.Add([]byte(`{"log":{"entries":[null,{"request":{"method":"post","url":"https://:443","postData":{"params":[{}]}}}]}}`), "https://:443")
	f.Fuzz(func(t *testing.T, file []byte, address string) {
		a, err := outbound.ReadArchive(bytes.NewReader(file))
		if err != nil {
			return
		}
		u, err := url.Parse(address)
		if err != nil {
			return
		}
		client := outbound.New(outbound.Options{Transport: a, Backoff: once})
		for range 2 {
			resp, err := client.Do((&http.Request{Method: http.MethodGet, URL: u}).WithContext(t.Context()))
			if err != nil {
				require.NotEmpty(t, outbound.KindOf(err))
				continue
			}
			body, ok := resp.Body.(*outbound.Body)
			require.True(t, ok)
			require.Equal(t, int64(len(body.Bytes())), resp.ContentLength)
		}
	})
}

// FuzzCheck holds the judge against netip: no spelling of an address that netip understands gets through when the
// address is not public, and nothing gets through that the transport would read otherwise.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		"https://boards.example/acme", "http://0177.1/", "http://[::ffff:7f00:1]:80/", "http://１２７.0.0.1/", "http://a@b/",
		"http://[fe80::1%25eth0]/", "http://10.0.0.1./", "http://0x/", "http://localhost.:80", "https://9.9.9.9", "http://[::1",
	} {
		f.Add(seed)
	}
	client := outbound.New(outbound.Options{Proxy: noProxy})
	f.Fuzz(func(t *testing.T, address string) {
		u, err := url.Parse(address)
		if err != nil {
			return
		}
		err = client.Policy().Check(u)
		if err != nil {
			require.NotEmpty(t, outbound.KindOf(err))
			return
		}
		require.Nil(t, u.User)
		require.Contains(t, []string{"http", "https"}, u.Scheme)
		require.NotEmpty(t, u.Hostname())
		if a, err := netip.ParseAddr(u.Hostname()); err == nil {
			require.True(t, boardwatch.PublicAddr(a), address)
		}
	})
}
