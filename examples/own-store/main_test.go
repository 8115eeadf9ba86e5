package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

const page = `<!doctype html><title>Careers at Northwind Labs</title><h1>Open roles</h1>
<ul>
<li><a href="/careers/glass-blower"><h3>Glass Blower</h3><span class="location">Turku, Finland</span></a></li>
<li><a href="/careers/kiln-engineer"><h3>Kiln Engineer</h3><span class="location">Turku, Finland</span></a></li>
</ul>`

func TestRun(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/careers" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(page))
	}))
	t.Cleanup(site.Close)
	reader := scraper.New(outbound.New(outbound.Options{AllowLoopback: true}), scraper.Options{})

	var out strings.Builder
	require.NoError(t, run(t.Context(), reader, []string{site.URL + "/careers", site.URL + "/nothing"}, &out))
	printed := out.String()
	require.Contains(t, printed, site.URL+"/careers\tready\t\n")
	require.Contains(t, printed, site.URL+"/nothing\tfailed\t")
	require.Contains(t, printed, "Glass Blower\tTurku, Finland\t"+site.URL+"/careers/glass-blower\n")
	require.Contains(t, printed, "Kiln Engineer\tTurku, Finland\t")

	require.ErrorContains(t, run(t.Context(), reader, []string{"ftp://northwind.example"}, &out), "ftp://northwind.example: ")
}
