package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

const page = `<!doctype html><title>Careers at Northwind Labs</title><h1>Open roles</h1>
<ul>
<li><a href="/careers/glass-blower"><h3>Glass Blower</h3><span class="location">Turku, Finland</span></a></li>
<li><a href="/careers/kiln-engineer"><h3>Kiln Engineer</h3><span class="location">Turku, Finland</span></a></li>
</ul>`

func TestRolesArePrintedWithoutAnAccount(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/careers" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, page)
	}))
	t.Cleanup(site.Close)
	reader := scraper.New(outbound.New(outbound.Options{AllowLoopback: true}), scraper.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	printed, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- watcher(reader, out, time.Hour, site.URL+"/careers").Run(ctx) }()
	var got []string
	for lines := bufio.NewScanner(printed); len(got) < 2 && lines.Scan(); {
		got = append(got, lines.Text())
	}
	cancel()
	require.NoError(t, printed.Close())
	require.NoError(t, <-ended)
	require.ElementsMatch(t, []string{
		"+ Glass Blower\tTurku, Finland\t" + site.URL + "/careers/glass-blower",
		"+ Kiln Engineer\tTurku, Finland\t" + site.URL + "/careers/kiln-engineer",
	}, got)
}

func TestClosedRolesArePrinted(t *testing.T) {
	t.Parallel()
	r := watch.CheckReport{Change: boardwatch.Change{Closed: []boardwatch.Job{{Title: "Cook", Location: "Turku"}}}}
	require.Equal(t, "- Cook\tTurku\n", lines(r))
}
