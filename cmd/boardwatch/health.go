package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
)

// readiness is what /readyz says: whether the service can do its work, part by part.
type readiness struct {
	Status string                `json:"status"` // ready or unavailable
	Parts  map[string]partStatus `json:"parts"`
}

// partStatus is one part of it.
type partStatus struct {
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

func (h health) judge(ctx context.Context) readiness {
	ctx, cancel := context.WithTimeoutCause(ctx, partTimeout, errors.New("no answer in time"))
	defer cancel()
	r := readiness{Status: "ready", Parts: map[string]partStatus{"database": {OK: true}}}
	// The causes may name what strangers must not know.
	if err := h.database(ctx); err != nil {
		h.log.WarnContext(ctx, "database does not answer", slog.Any("error", err))
		r.Parts["database"] = partStatus{Reason: "does not answer"}
	} else if err := h.writing.ask(ctx); err != nil {
		h.log.WarnContext(ctx, "database cannot be written to", slog.Any("error", err))
		r.Parts["database"] = partStatus{Reason: "cannot be written to"}
	}
	if h.watching != nil {
		r.Parts["watcher"] = partStatus{OK: true}
		if !h.watching.Load() {
			r.Parts["watcher"] = partStatus{Reason: "does not run"}
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

func newHealthCmd(c *cli) *cobra.Command {
	var base string
	cmd := &cobra.Command{
		Use:   "health",
		Short: "Ask a running service whether it is ready",
		Long: `Ask a running service whether it can do its work: {status, parts}. The service is looked for at the address of the
setting "listen", or at --url. Exit code 0 means that every part is well. The command is meant for container health
checks.

  boardwatch health
  boardwatch health --url http://127.0.0.1:9090`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := c.config(cmd)
			if err != nil {
				return err
			}
			if base == "" {
				base = config.Config{}.PublicURL(cfg.Listen)
			}
			if err := config.CheckOrigin(base); err != nil {
				return usageError(cmd, fmt.Errorf("--url %w", err))
			}
			return c.health(cmd.Context(), strings.TrimSuffix(base, "/"))
		},
	}
	config.AddFlags(cmd.Flags(), "listen")
	cmd.Flags().StringVar(&base, "url", "", "`URL` of the service")
	return cmd
}

func (c *cli) health(ctx context.Context, base string) error {
	state, err := askReady(ctx, base)
	if err != nil {
		return fail(fmt.Errorf("no service answers at %s: %s", base, unwell(err)), `Start one with "boardwatch serve", or name another address with --url.`)
	}
	if err := c.printReadiness(state); err != nil {
		return err
	}
	if state.Status != "ready" {
		return errNegative()
	}
	return nil
}

func (c *cli) printReadiness(state readiness) error {
	if c.format() == outputJSON || c.format() == outputNDJSON {
		return printItem(c, state)
	}
	var parts []partView
	for _, name := range slices.Sorted(maps.Keys(state.Parts)) {
		parts = append(parts, partView{name, state.Parts[name].OK, optional(state.Parts[name].Reason)})
	}
	return printList(c, parts,
		column[partView]{"PART", func(p partView) string { return p.Part }},
		column[partView]{"STATE", func(p partView) string {
			if p.OK {
				return "ok"
			}
			return text(p.Reason)
		}},
	)
}

// partView is a part as a row of a table.
type partView struct {
	Part   string  `json:"part"`
	OK     bool    `json:"ok"`
	Reason *string `json:"reason"`
}

// errStranger says that something else answers at the address.
var errStranger = errors.New("the program that answers there is not boardwatch")

// unwell is why there is no answer, for a person.
func unwell(err error) string {
	if errors.Is(err, errStranger) {
		return err.Error()
	}
	return unconnected(err)
}

// askReady asks the service directly: no proxy stands between a machine and itself.
func askReady(ctx context.Context, base string) (readiness, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, 2*partTimeout, errors.New("no answer in time"))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/readyz", nil)
	if err != nil {
		return readiness{}, err
	}
	transport := &http.Transport{DialContext: (&net.Dialer{}).DialContext, DisableKeepAlives: true}
	res, err := transport.RoundTrip(req)
	if ctx.Err() != nil {
		return readiness{}, ctx.Err()
	}
	if err != nil {
		if urlErr, ok := errors.AsType[*url.Error](err); ok {
			err = urlErr.Err
		}
		return readiness{}, err
	}
	defer res.Body.Close()
	var state readiness
	if err := json.NewDecoder(io.LimitReader(res.Body, 64<<10)).Decode(&state); err != nil || state.Parts == nil {
		return readiness{}, fmt.Errorf("%w (status %s)", errStranger, res.Status)
	}
	return state, nil
}
