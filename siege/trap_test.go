//go:build siege

package siege_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// traps are the pages and receivers of hostile accounts, each on a separate host like sites.
type traps struct {
	port           int
	bomb           []byte            // as it is sent
	toil           map[string][]byte // pages, by path
	dripped, bombs atomic.Int64
	toils          atomic.Int64

	victim  string // the page of an honest account
	floods  atomic.Int64
	mu      sync.Mutex
	planted map[string]time.Time // when a poisoned page was first read, by host
	lured   int                  // readings that were sent to the victim
}

// What the titles of invented roles and of those of a flood begin with.
const (
	inventedTitle = "Invented post"
	floodTitle    = "Flooding post"
)

func newTraps() (*traps, error) {
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	if _, err := zip.Write([]byte(strings.Repeat("<li>x", 2<<20))); err != nil {
		return nil, err
	}
	if err := zip.Close(); err != nil {
		return nil, err
	}
	frames, links := new(bytes.Buffer), new(bytes.Buffer)
	for i := range 60_000 {
		fmt.Fprintf(frames, `<iframe src="https://boards.greenhouse.io/n%d"></iframe>`, i)
	}
	for i := range 16_000 {
		fmt.Fprintf(links, `<a href="/careers/%d">Careers</a>`, i)
	}
	return &traps{planted: map[string]time.Time{}, bomb: packed.Bytes(), toil: map[string][]byte{"/frames": frames.Bytes(), "/links": links.Bytes()}}, nil
}

// page returns the address of a page that drips, is a bomb, has many frames or links, or does not exist: a new host for each number.
func (t *traps) page(kind string, account, n int) string {
	return fmt.Sprintf("http://127.%d.%d.%d:%d/%s", 2+account, n/250%250+1, n%250+1, t.port, kind)
}

func (t *traps) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/drip":
		t.dripped.Add(1)
		t.drip(w, r)
	case r.URL.Path == "/bomb":
		t.bombs.Add(1)
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(t.bomb)
	case r.URL.Path == "/flood":
		t.flood(w)
	case r.URL.Path == "/poison":
		t.poison(w, r)
	case t.toil[r.URL.Path] != nil:
		t.toils.Add(1)
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write(t.toil[r.URL.Path])
	case r.Method == http.MethodPost: // a receiver of webhooks
		w.WriteHeader(http.StatusNoContent)
	default:
		http.NotFound(w, r)
	}
}

// flood answers with two thousand new roles, and texts that change the old ones.
func (t *traps) flood(w http.ResponseWriter) {
	n := t.floods.Add(1)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	filler := [...]string{"Bäcker ", "Пекарь ", "パン職人 ", ""}[n%4]
	list(w, 2000, func(i int) string {
		if i%2 == 0 {
			return fmt.Sprintf(`<a href="/jobs/%d">%s %d %s</a>`, i, floodTitle, i, strings.Repeat(filler, 10))
		}
		return fmt.Sprintf(`<a href="/jobs/%d-%d">%s %d-%d</a>`, n, i, floodTitle, n, i)
	})
}

// poison shows invented roles for a while, then nothing, and then leads to the victim.
func (t *traps) poison(w http.ResponseWriter, r *http.Request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.planted[r.Host].IsZero() {
		t.planted[r.Host] = time.Now()
	}
	switch age := time.Since(t.planted[r.Host]); {
	case age < 10*time.Second:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		list(w, 20, func(i int) string {
			return fmt.Sprintf(`<a href="http://%s/jobs/%d">%s %d</a>`, r.Host, i, inventedTitle, i)
		})
	case age < 20*time.Second:
		http.NotFound(w, r)
	default:
		t.lured++
		http.Redirect(w, r, t.victim, http.StatusMovedPermanently)
	}
}

// list writes a list of roles.
func list(w io.Writer, n int, link func(i int) string) {
	_, _ = io.WriteString(w, `<!doctype html><html><head><title>Careers at Contoso</title></head><body><main><h1>Open positions</h1><ul class="jobs">`)
	for i := range n {
		_, _ = fmt.Fprintf(w, `<li class="job">%s <span class="location">Hamburg</span></li>`, link(i))
	}
	_, _ = io.WriteString(w, `</ul></main></body></html>`)
}

// drip answers with a page that never ends.
func (t *traps) drip(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	for r.Context().Err() == nil {
		if _, err := w.Write([]byte("<p>x")); err != nil {
			return
		}
		_ = http.NewResponseController(w).Flush()
		pause(r.Context(), time.Second)
	}
}
