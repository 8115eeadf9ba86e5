// Package mcp is the MCP interface: five tools at /mcp for agents that a person has connected, the same tools on standard
// input and output for agents on the same machine, and the card that describes the server. It supports both generations of
// the protocol and keeps no state between requests, so that any process can answer. It uses the same services as the REST
// interface to decide who may enter and what they may do.
package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/transport"
)

// MaxBody is how long the body of a request may be, in bytes.
const MaxBody = 1 << 20

// longest is how long an answer may take.
const longest = 25 * time.Second

// Tokens authenticates callers.
type Tokens interface {
	// ByToken returns the caller that an access token belongs to. An invalid or expired token is an unauthorized error.
	ByToken(ctx context.Context, token string) (account.Caller, error)
}

// Services are the parts of the program that the tools use. All are required.
type Services struct {
	Tokens  Tokens // a Stdio needs none
	Gate    *account.Gate
	Tracker *track.Tracker
	Feed    *track.Feed
}

// Options are the settings of a Handler.
type Options struct {
	BaseURL  string           // the address of the service, without a slash at its end; needed
	Origins  []string         // web pages that may ask from a browser, besides those that may anyway
	Loopback bool             // the server listens on this machine only, and may be asked under its names
	Version  string           // of the program
	Log      *slog.Logger     // nil means that nothing is logged
	Now      func() time.Time // the clock; nil means time.Now
}

// Handler answers /mcp, with or without a slash at its end, and serves the server card. It may be used concurrently.
type Handler struct {
	*kit

	site     site
	protocol http.Handler // the JSON-RPC below all gates
	answer   http.Handler
}

// New returns a Handler. Its error is about the base URL or the origins.
func New(s Services, o Options) (*Handler, error) {
	base, err := url.Parse(o.BaseURL)
	if err != nil || base.Host == "" {
		return nil, fmt.Errorf("base URL %q is not an address", o.BaseURL)
	}
	h := &Handler{kit: newKit(s, o.BaseURL, o.Version, o.Log, o.Now)}
	if h.site, err = newSite(base, o.Origins, o.Loopback); err != nil {
		return nil, err
	}
	h.protocol = h.newProtocol()
	mux := http.NewServeMux()
	for _, path := range paths() {
		mux.Handle(path, transport.Finish(http.HandlerFunc(h.serve), longest))
	}
	for path, d := range newDocuments(o.BaseURL, base.Hostname(), o.Version) {
		mux.Handle(path, d)
	}
	h.answer = mux
	return h, nil
}

// paths are those of the protocol. People copy the address with and without a slash at its end, and clients that are
// redirected may lose the body or the token.
func paths() []string { return []string{"/mcp", "/mcp/{$}"} }

// Patterns are the routes of the Handler, as http.ServeMux takes them.
func Patterns() []string { return append(paths(), cardPath, cardPathOfMCP, catalogPath) }

// ServeHTTP answers a request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.answer.ServeHTTP(w, r) }

// newProtocol sets up mcp-go, which speaks the protocol. Access is decided before it is called, and by the tools.
func (h *Handler) newProtocol() http.Handler {
	return server.NewStreamableHTTPServer(h.newServer(instructions+aboutScopes, h.allTools()),
		server.WithStateLess(true),
		server.WithDisableStreaming(true),
		server.WithDisableLocalhostProtection(true), // it refuses every name but localhost behind a proxy; site does it right
		server.WithStreamableHTTPProtocolVersions(versions()...),
		server.WithStreamableHTTPLogger(h.log),
	)
}

// serve checks that the request is meant for this server, that the page it comes from may ask, and that its token is valid.
// Only then does it read the body.
func (h *Handler) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if !h.site.admits(w, r) {
		return
	}
	if r.Method == http.MethodOptions {
		w.Header().Set("Allow", "POST, OPTIONS")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	caller, err := h.admit(r)
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST, OPTIONS")
		writeError(w, http.StatusMethodNotAllowed, errNotPost)
		return
	}
	if r, id, ok := readable(w, r); ok {
		h.pass(w, r, &call{caller: caller, id: id, begun: make(chan struct{})})
	}
}

// pass hands an authorized request to mcp-go. If the tool needs a scope that the token lacks, the answer is a challenge.
func (h *Handler) pass(w http.ResponseWriter, r *http.Request, c *call) {
	a := &answer{ResponseWriter: w, call: c, stepUp: func(w http.ResponseWriter) { h.stepUp(w, c) }}
	h.protocol.ServeHTTP(a, r.WithContext(context.WithValue(r.Context(), callKey{}, c)))
	if a.status == 0 { // the library has nothing to say when the time is up
		h.fail(r.Context(), w, context.Cause(r.Context()))
	}
}

// readable reads the body, which must be one JSON-RPC message. It returns the request with the body to be read again, and
// the message's id. If ok is false, it has answered the request with an error.
func readable(w http.ResponseWriter, r *http.Request) (*http.Request, json.RawMessage, bool) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		writeProtocolError(w, http.StatusUnsupportedMediaType, codeInvalidRequest, "the Content-Type must be application/json")
		return nil, nil, false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	if _, long := errors.AsType[*http.MaxBytesError](err); long {
		writeProtocolError(w, http.StatusRequestEntityTooLarge, codeInvalidRequest, "the body must be at most 1 MiB")
		return nil, nil, false
	}
	if err != nil {
		writeProtocolError(w, http.StatusBadRequest, codeParse, "the body ended too early, or came too slowly")
		return nil, nil, false
	}
	m, code, fault := readMessage(body)
	if fault != "" {
		writeProtocolError(w, http.StatusBadRequest, code, fault)
		return nil, nil, false
	}
	if named := r.Header.Get("Mcp-Protocol-Version"); !isVersion(named) {
		refuseVersion(w, m.ID, named)
		return nil, nil, false
	}
	r = r.WithContext(r.Context()) // a copy: the request belongs to the caller
	r.Body = io.NopCloser(bytes.NewReader(m.numbered(body)))
	return r, m.ID, true
}
