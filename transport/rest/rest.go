// Package rest is the REST door: the five operations under /v1, the description of the interface at /openapi.json and the
// same for people at /docs. Every answer goes through one writer and every failure through another.
package rest

import (
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// Options are the settings of a Handler. The zero value works.
type Options struct {
	Log     *slog.Logger // nil means that nothing is logged
	BaseURL string       // the address of the service, for the examples of /docs
}

// Handler answers /v1, /openapi.json and /docs; anything else is not_found.
type Handler struct {
	gate    *account.Gate
	tracker *track.Tracker
	log     *slog.Logger
	mux     *http.ServeMux
}

// New returns a Handler.
func New(gate *account.Gate, tracker *track.Tracker, o Options) *Handler {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	h := &Handler{gate: gate, tracker: tracker, log: o.Log, mux: http.NewServeMux()}
	h.mux.Handle("/v1/status", methods{http.MethodGet: h.guard(h.status)})
	h.mux.Handle("/v1/boards", methods{http.MethodGet: h.guard(h.listBoards), http.MethodPost: h.guard(h.addBoard)})
	h.mux.Handle("/v1/boards/{id}", methods{http.MethodDelete: h.guard(h.deleteBoard)})
	h.mux.Handle("/v1/jobs", methods{http.MethodGet: h.guard(h.listJobs)})
	h.mux.Handle("/openapi.json", methods{http.MethodGet: http.HandlerFunc(serveDocument)})
	p := newPages(o.BaseURL)
	h.mux.Handle("/docs", methods{http.MethodGet: http.HandlerFunc(p.serveDocs)})
	h.mux.Handle("/docs/style.css", methods{http.MethodGet: http.HandlerFunc(p.serveStyle)})
	h.mux.Handle("/", http.HandlerFunc(NotFound))
	return h
}

// Patterns are what a mux hands to the Handler.
func Patterns() []string { return []string{"/v1", "/v1/", "/openapi.json", "/docs", "/docs/style.css"} }

// ServeHTTP answers a request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

// Plain wraps a mux. A request whose path the mux would redirect to a plainer one, without doubled slashes and dots, is
// answered as one for a path that is no endpoint: programs do not follow redirects with their keys.
func Plain(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := r.URL.Path
		if r.Method == http.MethodConnect || !strings.HasPrefix(p, "/") || path.Clean(p) != p && path.Clean(p)+"/" != p {
			NotFound(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// methods are what a path answers; HEAD is answered as GET is.
type methods map[string]http.Handler

func (m methods) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if h, ok := m[method]; ok {
		h.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Allow", m.allowed())
	fail(w, &boardwatch.Error{Code: boardwatch.CodeNotFound, Message: "this path does not answer that method"})
}

func (m methods) allowed() string {
	var names []string
	for name := range m {
		names = append(names, name)
		if name == http.MethodGet {
			names = append(names, http.MethodHead)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
