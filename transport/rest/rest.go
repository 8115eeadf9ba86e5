// Package rest is the REST interface: five operations under /v1, their description at /openapi.json, and the same as a
// page for people at /docs. One function writes all answers and another all failures.
package rest

import (
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/transport"
)

// Options are the settings of a Handler. The zero value works.
type Options struct {
	Log *slog.Logger // nil means that nothing is logged
}

// Handler answers /v1 and /openapi.json; anything else is not_found.
type Handler struct {
	gate    *account.Gate
	tracker *track.Tracker
	log     *slog.Logger
	mux     *http.ServeMux
	answer  http.Handler // the mux, for clients that close their half of the connection early
}

// longest is how long an answer may take.
const longest = 25 * time.Second

// New returns a Handler.
func New(gate *account.Gate, tracker *track.Tracker, o Options) *Handler {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	h := &Handler{gate: gate, tracker: tracker, log: o.Log, mux: http.NewServeMux()}
	paths := map[string]methods{}
	for _, op := range h.operations() {
		if paths[op.path] == nil {
			paths[op.path] = methods{}
		}
		paths[op.path][op.method] = h.guard(op.answer)
	}
	paths["/openapi.json"] = methods{http.MethodGet: http.HandlerFunc(serveDocument)}
	for path, m := range paths {
		h.mux.Handle(path, m)
	}
	h.mux.HandleFunc("/", NotFound)
	h.answer = transport.Finish(h.mux, longest)
	return h
}

// operation is one of the published operations.
type operation struct {
	id, method, path string
	answer           func(r request) (answer, error)
}

func (h *Handler) operations() []operation {
	return []operation{
		{"getStatus", http.MethodGet, "/v1/status", h.getStatus},
		{"listBoards", http.MethodGet, "/v1/boards", h.listBoards},
		{"addBoard", http.MethodPost, "/v1/boards", h.addBoard},
		{"deleteBoard", http.MethodDelete, "/v1/boards/{id}", h.deleteBoard},
		{"listJobs", http.MethodGet, "/v1/jobs", h.listJobs},
	}
}

// Patterns are what a mux hands to the Handler.
func Patterns() []string { return []string{"/v1", "/v1/", "/openapi.json"} }

// ServeHTTP answers a request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.answer.ServeHTTP(w, r) }

// Plain wraps a mux. A request whose path the mux would redirect to a plainer one, without doubled slashes and dots, is
// answered as one for a path that is no endpoint: programs do not follow redirects with their keys.
func Plain(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := r.URL.Path
		plain := path.Clean(p)
		if r.Method == http.MethodConnect || !strings.HasPrefix(p, "/") || plain != p && (plain == "/" || plain+"/" != p) {
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
