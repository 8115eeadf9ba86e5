//go:build siege

package siege_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"strings"
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
}

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
	return &traps{bomb: packed.Bytes(), toil: map[string][]byte{"/frames": frames.Bytes(), "/links": links.Bytes()}}, nil
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
