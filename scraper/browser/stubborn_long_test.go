//go:build long

package browser_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/browser"
)

// Pages that never end, ask questions, or are no pages do not hold anybody up.
func TestBrowserAgainstStubbornPages(t *testing.T) {
	t.Parallel()
	needsChromium(t)
	block := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/asks", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<script>alert(1);confirm(2);prompt(3);window.print();window.open('/x');onbeforeunload=()=>'stay'</script>`+goodPage)
	})
	mux.HandleFunc("/streams", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, goodPage+`<script>new EventSource('/forever');fetch('/forever');setInterval(()=>fetch('/tick'),50)</script>`)
	})
	mux.HandleFunc("/forever", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		select {
		case <-block:
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/spins", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, goodPage+`<script>for(;;);</script>`)
	})
	mux.HandleFunc("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=roles.zip")
		w.Header().Set("Content-Type", "application/zip")
		fmt.Fprint(w, "PK")
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(block) })
	b := browser.New(browser.Options{Outbound: onLoopback(), PageTimeout: 6 * time.Second, TempDir: t.TempDir()})
	for path, want := range map[string]string{"/asks": "", "/streams": "", "/spins": "too long", "/file": "a download", "/gone": ""} {
		shown, err := b.Show(t.Context(), scraper.View{Address: s.URL + path})
		if want != "" {
			require.ErrorContains(t, err, want, path)
			continue
		}
		require.NoError(t, err, path)
		require.Equal(t, path == "/gone", shown.Status == http.StatusNotFound, path)
		require.Equal(t, path != "/gone", strings.Contains(string(shown.HTML), "Pipe Fitter"), path)
	}
	_, err := b.Show(t.Context(), scraper.View{Address: "http://127.0.0.1:1/"})
	require.ErrorContains(t, err, "browser")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("no longer wanted"))
	_, err = b.Show(ctx, scraper.View{Address: s.URL})
	require.EqualError(t, err, "no longer wanted")
	require.NoError(t, b.Close())
}
