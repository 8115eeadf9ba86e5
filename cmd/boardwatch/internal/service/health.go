package service

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"
)

// Readiness is what /readyz says: whether the service can do its work, part by part.
type Readiness struct {
	Status string                `json:"status"` // ready or unavailable
	Parts  map[string]PartStatus `json:"parts"`
}

// PartStatus is one part of it.
type PartStatus struct {
	OK     bool   `json:"ok"`
	Reason string `json:"reason,omitempty"` // why it is not
}

// health judges the parts of a running service.
type health struct {
	log      *slog.Logger
	database func(context.Context) error
	writing  *writeTrial
	watching *atomic.Bool // nil: this process does not watch
}

// partTimeout is how long a part may take to answer.
const partTimeout = 2 * time.Second

func (h health) judge(ctx context.Context) Readiness {
	ctx, cancel := context.WithTimeoutCause(ctx, partTimeout, errors.New("no answer in time"))
	defer cancel()
	r := Readiness{Status: "ready", Parts: map[string]PartStatus{"database": {OK: true}}}
	// The causes may name what strangers must not know.
	if err := h.database(ctx); err != nil {
		h.log.WarnContext(ctx, "database does not answer", slog.Any("error", err))
		r.Parts["database"] = PartStatus{Reason: "does not answer"}
	} else if err := h.writing.ask(ctx); err != nil {
		h.log.WarnContext(ctx, "database cannot be written to", slog.Any("error", err))
		r.Parts["database"] = PartStatus{Reason: "cannot be written to"}
	}
	if h.watching != nil {
		r.Parts["watcher"] = PartStatus{OK: true}
		if !h.watching.Load() {
			r.Parts["watcher"] = PartStatus{Reason: "does not run"}
		}
	}
	for _, p := range r.Parts {
		if !p.OK {
			r.Status = "unavailable"
		}
	}
	return r
}

// trialEvery is how often the database is written to only to see whether that works, however many people ask.
const trialEvery = 5 * time.Second

// writeTrial remembers for a while whether something could be written.
type writeTrial struct {
	write func(context.Context) error
	now   func() time.Time
	turn  chan struct{} // holds one: who has it may try, and use what follows
	at    time.Time
	err   error
}

func newWriteTrial(write func(context.Context) error, now func() time.Time) *writeTrial {
	return &writeTrial{write: write, now: now, turn: make(chan struct{}, 1)}
}

func (w *writeTrial) ask(ctx context.Context) error {
	select {
	case w.turn <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-w.turn }()
	if now := w.now(); w.at.IsZero() || now.Sub(w.at) >= trialEvery {
		w.err = w.write(ctx)
		w.at = now
	}
	return w.err
}

// serveReady answers /readyz: 200 when every part is well, else 503.
func (h health) serveReady(w http.ResponseWriter, r *http.Request) {
	state := h.judge(r.Context())
	status := http.StatusOK
	if state.Status != "ready" {
		status = http.StatusServiceUnavailable
	}
	answerJSON(w, status, state)
}

// serveAlive answers /healthz: the process takes requests.
func serveAlive(w http.ResponseWriter, _ *http.Request) {
	answerJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

func answerJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client has gone; there is nobody left to tell
}
