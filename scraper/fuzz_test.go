package scraper_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Any bytes are some page: reading them never panics, and what it finds is fit to keep.
func FuzzReadPage(f *testing.F) {
	pages, err := filepath.Glob(filepath.Join("testdata", "*", "page.html"))
	require.NoError(f, err)
	for _, page := range pages {
		body, err := os.ReadFile(page)
		require.NoError(f, err)
		f.Add(body, "careers/list")
	}
	f.Add([]byte(strings.Repeat("<div>", 2000)+"Welder"), "jobs?page=2")
	f.Add([]byte(`<script type="application/ld+json">`+strings.Repeat(`[`, 5000)+`</script>`), "")
	f.Fuzz(func(t *testing.T, body []byte, path string) {
		u := &url.URL{Scheme: "https", Host: "www.company.example", Path: "/" + path}
		r, err := reader(t, anywhere(body)).Read(t.Context(), boardwatch.Board{Source: "page:" + u.String()})
		require.NoError(t, err)
		for _, p := range r.Postings {
			require.NotEmpty(t, p.Title)
			require.NotEmpty(t, p.Key)
		}
		if r.Health == boardwatch.HealthOK {
			require.LessOrEqual(t, r.Claimed, len(r.Postings)+len(r.Skipped)+1000)
			return
		}
		require.NotEmpty(t, r.Reason)
	})
}

// Any input is an address or a refusal with a sentence, and the address is in its one form.
func FuzzRecognize(f *testing.F) {
	for _, input := range []string{"northwind.example", "HTTPS://a.example:443/x/?utm_x=1#y", "//a.example", "http://[::1]", "a b", "boards.greenhouse.io/x", "0.A.."} {
		f.Add(input)
	}
	f.Fuzz(func(t *testing.T, input string) {
		s := reader(t, site{})
		r, err := s.Recognize(input)
		if err != nil {
			require.Equal(t, boardwatch.CodeInvalidRequest, boardwatch.CodeOf(err))
			return
		}
		again, err := s.Recognize(r.Address)
		require.NoError(t, err)
		require.Equal(t, r.Address, again.Address)
	})
}
