package browser_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
)

// A wall that checks for a browser gets one; a wall that refuses or asks a person gets none.
func TestReadBehindWalls(t *testing.T) {
	t.Parallel()
	needsChromium(t)
	const challenge = `<!doctype html><html><head><title>Just a moment...</title></head><body><noscript><span id="challenge-error-text">Enable JavaScript and cookies to continue</span></noscript><script>window._cf_chl_opt={cType:'managed'};%s</script></body></html>`
	var mu sync.Mutex
	browsers := make(map[string]int)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.UserAgent(), "Chrome/") {
			mu.Lock()
			browsers[r.URL.Path]++
			mu.Unlock()
		}
		w.Header().Set("Content-Type", "text/html")
		_, err := r.Cookie("cf_clearance")
		switch {
		case r.URL.Path == "/opens" && err == nil:
			fmt.Fprint(w, goodPage)
		case r.URL.Path == "/opens":
			w.Header().Set("Cf-Mitigated", "challenge")
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprintf(w, challenge, `setTimeout(()=>{document.cookie='cf_clearance=x';location.reload()},700)`)
		case r.URL.Path == "/stays":
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprintf(w, challenge, "")
		case r.URL.Path == "/refuses":
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY><H1>Access Denied</H1>You don't have permission to access this. <P>Reference&#32;&#35;18&#46;1</BODY></HTML>`)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(s.Close)
	for _, tt := range []struct {
		path, vendor, reason string
		health               boardwatch.Health
		shown                int
	}{
		{path: "/opens", health: boardwatch.HealthOK, shown: 2},
		{path: "/stays", health: boardwatch.HealthBlocked, vendor: "Cloudflare", shown: 1, reason: "does not let ours through"},
		{path: "/refuses", health: boardwatch.HealthBlocked, vendor: "Akamai", reason: "does not let requests from here through (status 403)"},
	} {
		t.Run(tt.path[1:], func(t *testing.T) {
			t.Parallel()
			r, err := reads(t, scraper.Options{Browser: theBrowser()}).Read(t.Context(), boardwatch.Board{Source: "page:" + s.URL + tt.path})
			require.NoError(t, err)
			require.Equal(t, tt.health, r.Health, r.Reason)
			require.Equal(t, tt.vendor, r.BlockedBy)
			require.Contains(t, r.Reason, tt.reason)
			mu.Lock()
			defer mu.Unlock()
			require.Equal(t, tt.shown, browsers[tt.path])
		})
	}
}
