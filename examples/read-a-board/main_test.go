package main

import (
	"io"
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
<li><a href="/careers/night-watch"><h3>Night Watch</h3><span class="location">Remote</span></a></li>
</ul>`

func TestRead(t *testing.T) {
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
	require.NoError(t, read(t.Context(), reader, site.URL+"/careers", &out))
	require.Equal(t, strings.Join([]string{
		"Glass Blower\tTurku, Finland\t" + site.URL + "/careers/glass-blower\n",
		"Kiln Engineer\tTurku, Finland\t" + site.URL + "/careers/kiln-engineer\n",
		"Night Watch\tRemote\t" + site.URL + "/careers/night-watch\n",
	}, ""), out.String())
}

func TestReadNamesTheAddress(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(site.Close)
	reader := scraper.New(outbound.New(outbound.Options{AllowLoopback: true}), scraper.Options{})
	for _, address := range []string{site.URL + "/careers", "no address"} {
		require.ErrorContains(t, read(t.Context(), reader, address, io.Discard), address+": ")
	}
}
