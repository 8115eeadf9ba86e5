// Package transport is what every door stands on: one HTTP server with limits, a number for each request, a log line, and
// an answer even when a handler panics.
package transport

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Options are the settings of a Server. The zero value works.
type Options struct {
	Log *slog.Logger // nil means that nothing is logged

	ReadTimeout  time.Duration // of a whole request, body included; 0 means 15 s
	WriteTimeout time.Duration // of a whole answer; 0 means 30 s. A handler that streams extends its own.
	IdleTimeout  time.Duration // of a kept connection; 0 means 2 min
	Grace        time.Duration // how long running requests may take to finish at the end; 0 means 10 s

	// Failed answers a request whose handler panicked before it wrote anything; nil means a line of plain text.
	Failed http.Handler
}

// Server serves one handler until it is told to stop.
type Server struct {
	http  *http.Server
	log   *slog.Logger
	grace time.Duration
}

// NewServer returns a Server for a handler, which it wraps with Observe.
func NewServer(handler http.Handler, o Options) *Server {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Server{
		http: &http.Server{
			Handler:           Observe(handler, o.Log, o.Failed),
			ReadHeaderTimeout: orDefault(o.ReadTimeout, 15*time.Second),
			ReadTimeout:       orDefault(o.ReadTimeout, 15*time.Second),
			WriteTimeout:      orDefault(o.WriteTimeout, 30*time.Second),
			IdleTimeout:       orDefault(o.IdleTimeout, 2*time.Minute),
			MaxHeaderBytes:    64 << 10,
			ErrorLog:          slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug), // noise of strangers' connections
		},
		log:   o.Log,
		grace: orDefault(o.Grace, 10*time.Second),
	}
}

// Serve accepts connections from the listener until the context ends. It then takes no new ones, lets running requests
// finish for the grace period, and cuts off what is left. It closes the listener. The result is nil after an orderly
// end, however the last requests fared.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(stopped)
		s.shutdown(context.WithoutCancel(ctx))
	})
	err := s.http.Serve(l)
	if stop() { // the context goes on: the listener failed by itself
		_ = s.http.Close() // what is left hangs on a dead listener
		return fmt.Errorf("serve %s: %w", l.Addr(), err)
	}
	<-stopped
	if !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve %s: %w", l.Addr(), err)
	}
	return nil
}

func (s *Server) shutdown(ctx context.Context) {
	ctx, cancel := context.WithTimeoutCause(ctx, s.grace, errors.New("requests were still running after the grace period"))
	defer cancel()
	if err := s.http.Shutdown(ctx); err != nil {
		s.log.WarnContext(ctx, "requests cut off at the end", "error", context.Cause(ctx))
		_ = s.http.Close() // the connections are given up already
	}
}

func orDefault(d, def time.Duration) time.Duration {
	if d == 0 {
		return def
	}
	return d
}
