package browser_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/browser"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// onLoopback are the options of clients and browsers that read the servers of tests.
func onLoopback() outbound.Options { return outbound.Options{AllowLoopback: true, Pause: -1} }

// theBrowser is shared by the tests of this package. The first test that needs it starts it.
var theBrowser = sync.OnceValue(func() *browser.Browser {
	return browser.New(browser.Options{Outbound: onLoopback(), MaxPages: 4})
})

func TestMain(m *testing.M) {
	code := m.Run()
	if err := theBrowser().Close(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// needsChromium skips a test where no browser is installed.
func needsChromium(tb testing.TB) {
	tb.Helper()
	if testing.Short() {
		tb.Skip("starts Chromium")
	}
	if _, err := browser.Find(""); err != nil {
		tb.Skip(err)
	}
}

// application is a careers site rendered by JavaScript: one page for each way of rendering, and the data that all ask for.
type application struct {
	*httptest.Server

	mu    sync.Mutex
	asked []string
	roles []offered // nil: the data is gone
}

type offered struct {
	ID       int    `json:"id"`
	Title    string `json:"title"`
	Location string `json:"location"`
	Team     string `json:"department"`
}

func newApplication(tb testing.TB, pages map[string]string) *application {
	tb.Helper()
	a := &application{roles: []offered{
		{4101, "Marine Engineer", "Bergen", "Engineering"},
		{4102, "Deck Officer", "Oslo", "Crew"},
		{4103, "Harbour Pilot", "Stavanger", "Crew"},
		{4104, "Naval Architect", "Bergen", "Engineering"},
	}}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	})
	mux.HandleFunc("/api/roles", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.roles == nil {
			w.WriteHeader(http.StatusGone)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"jobs": a.roles, "total": len(a.roles)})
	})
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		a.asked = append(a.asked, r.Method+" "+r.URL.RequestURI())
		a.mu.Unlock()
		mux.ServeHTTP(w, r)
	}))
	tb.Cleanup(a.Close)
	return a
}

// requests are those since the last call.
func (a *application) requests() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	asked := a.asked
	a.asked = nil
	return asked
}

func reads(tb testing.TB, o scraper.Options) *scraper.Scraper {
	tb.Helper()
	o.Trace = func(step string) { tb.Log(step) }
	client := outbound.New(onLoopback())
	tb.Cleanup(client.CloseIdleConnections)
	return scraper.New(client, o)
}

const goodPage = `<!doctype html><html><head><title>Jobs</title></head><body><h1>Open positions</h1><ul><li><a href="/jobs/1-welder">Welder</a></li><li><a href="/jobs/2-fitter">Pipe Fitter</a></li></ul></body></html>`

// shell is a page without content but a script.
const shell = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Careers</title></head><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script>%s</script></body></html>`

// plainFetch renders without a framework.
const plainFetch = `fetch('/api/roles', {headers: {'X-Requested-With': 'XMLHttpRequest'}}).then(r => r.json()).then(d => {
  document.getElementById('root').innerHTML = '<main><h1>Open positions</h1><ul>' + d.jobs.map(j =>
    '<li><a href="/careers/' + j.id + '"><h3>' + j.title + '</h3><span class="location">' + j.location + '</span></a></li>').join('') + '</ul></main>';
})`

// A page rendered by JavaScript is read in a browser once, and by its data from then on.
func TestReadPageRenderedByJavaScript(t *testing.T) {
	t.Parallel()
	needsChromium(t)
	a := newApplication(t, map[string]string{"/careers": fmt.Sprintf(shell, plainFetch)})
	s := reads(t, scraper.Options{Browser: theBrowser()})
	b := boardwatch.Board{Source: "page:" + a.URL + "/careers"}

	first, err := s.Read(t.Context(), b)
	require.NoError(t, err)
	require.Equal(t, boardwatch.HealthOK, first.Health, first.Reason)
	require.Len(t, first.Postings, 4)
	require.Equal(t, "Marine Engineer", first.Postings[0].Title)
	require.Equal(t, "Bergen", first.Postings[0].Location)
	require.Equal(t, a.URL+"/careers/4101", first.Postings[0].URL)
	require.NotEmpty(t, first.Shortcut)
	require.Contains(t, strings.Join(a.requests(), "\n"), "GET /careers\n")

	b.State.Shortcut = first.Shortcut
	second, err := s.Read(t.Context(), b)
	require.NoError(t, err)
	require.Equal(t, first.Postings, second.Postings)
	require.Equal(t, first.Shortcut, second.Shortcut)
	require.Equal(t, []string{"GET /api/roles"}, trimmed(a.requests()), "neither the page nor a browser is needed")

	b.State.Health, b.State.Fingerprint = boardwatch.HealthOK, second.Fingerprint
	third, err := s.Read(t.Context(), b)
	require.NoError(t, err)
	require.True(t, third.Unchanged)
}

// trimmed leaves out what is asked of every site.
func trimmed(asked []string) []string {
	var kept []string
	for _, a := range asked {
		if a != "GET /robots.txt" {
			kept = append(kept, a)
		}
	}
	return kept
}
