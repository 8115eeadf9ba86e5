// Package transport is the common base of all HTTP interfaces: a server with limits, an id and a log line for each request,
// and an answer even if a request cannot be parsed or a handler panics.
package transport

import (
	"cmp"
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
	Grace        time.Duration // how long running requests may take to finish at shutdown; 0 means 10 s

	// MaxBody is how much of a request's body a handler may read, in bytes; 0 means 1 MiB. The interfaces have tighter
	// limits.
	MaxBody int64
	// MaxHeader bounds a request's first line and headers, in bytes; 0 means 64 KiB.
	MaxHeader int

	// Failed answers a request whose handler panicked before it wrote anything; nil means a line of plain text.
	Failed http.Handler
	// HTTPS says that people reach the service over https, behind a proxy: every answer tells browsers to use only
	// https.
	HTTPS bool
	// Quiet reports requests that are logged only at debug level; nil means none.
	Quiet func(r *http.Request) bool
	// Path returns the form in which a path is logged; nil means the path itself. It has to hide secrets in paths.
	Path func(path string) string
	// Began may add values to the context of a request before its handler sees it; nil means that nothing is added.
	Began func(ctx context.Context, r *http.Request) context.Context
	// Ended is called after every request, with its status and duration. May be nil.
	Ended func(r *http.Request, status int, took time.Duration)
}

func (o Options) withDefaults() Options {
	o.ReadTimeout = cmp.Or(o.ReadTimeout, 15*time.Second)
	o.WriteTimeout = cmp.Or(o.WriteTimeout, 30*time.Second)
	o.IdleTimeout = cmp.Or(o.IdleTimeout, 2*time.Minute)
	o.Grace = cmp.Or(o.Grace, 10*time.Second)
	o.MaxBody = cmp.Or(o.MaxBody, 1<<20)
	o.MaxHeader = cmp.Or(o.MaxHeader, 64<<10)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Quiet == nil {
		o.Quiet = func(*http.Request) bool { return false }
	}
	if o.Path == nil {
		o.Path = func(path string) string { return path }
	}
	if o.Ended == nil {
		o.Ended = func(*http.Request, int, time.Duration) {}
	}
	if o.Failed == nil {
		o.Failed = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "internal error", http.StatusInternalServerError)
		})
	}
	return o
}

// Server serves one handler until it is stopped.
type Server struct {
	http  *http.Server
	log   *slog.Logger
	grace time.Duration
}

// NewServer returns a Server for a handler, which it wraps with Observe and Compress. A client that is slow to send its
// request or to read the answer is cut off, and the memory used for what a client sends is bounded.
func NewServer(handler http.Handler, o Options) *Server {
	o = o.withDefaults()
	return &Server{
		http: &http.Server{
			Handler:                      handling(limited(Observe(Compress(handler), o), o.MaxBody)),
			ConnContext:                  withConn,
			ConnState:                    answered,
			DisableGeneralOptionsHandler: true, // "OPTIONS *" is handled like any other request
			ReadHeaderTimeout:            o.ReadTimeout,
			ReadTimeout:                  o.ReadTimeout,
			WriteTimeout:                 o.WriteTimeout,
			IdleTimeout:                  o.IdleTimeout,
			MaxHeaderBytes:               o.MaxHeader,
			ErrorLog:                     slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug), // noise of strangers' connections
		},
		log:   o.Log,
		grace: o.Grace,
	}
}

// limited limits how much of a body a handler can read. It goes outside of everything that wraps the answer, because it
// closes the connection of a client that sends more.
func limited(next http.Handler, most int64) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, most)
		next.ServeHTTP(w, r)
	})
}

// Serve accepts connections from the listener until the context ends. It then takes no new ones, lets running requests
// finish for the grace period, and cuts off what is left. It closes the listener. The result is nil after an orderly
// shutdown, whatever happened to the last requests.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(stopped)
		s.shutdown(context.WithoutCancel(ctx))
	})
	err := s.http.Serve(readable{l, s.log})
	if stop() { // the context has not ended, so the listener has failed
		_ = s.http.Close() // the remaining connections belong to a dead listener
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
		s.log.WarnContext(ctx, "requests cut off at shutdown", "error", context.Cause(ctx))
		_ = s.http.Close() // the connections are abandoned anyway
	}
}
