package transport

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// RequestIDHeader carries the id of a request in its answer, so that a person can name it when asking for help.
const RequestIDHeader = "X-Request-Id"

// longestPath is how much of a path is logged, in bytes.
const longestPath = 256

// request is what is known about a request while it is answered.
type request struct {
	id string

	mu    sync.Mutex
	attrs []slog.Attr
}

type requestKey struct{}

// RequestID returns the id of the context's request; empty outside of one.
func RequestID(ctx context.Context) string {
	if r, ok := ctx.Value(requestKey{}).(*request); ok {
		return r.id
	}
	return ""
}

// Note adds facts to the log line of the context's request, such as who is asking. They must not contain secrets.
// Outside of a request it does nothing.
func Note(ctx context.Context, attrs ...slog.Attr) {
	if r, ok := ctx.Value(requestKey{}).(*request); ok {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.attrs = append(r.attrs, attrs...)
	}
}

// Noted returns the facts added so far to the log line of the context's request.
func Noted(ctx context.Context) []slog.Attr {
	r, ok := ctx.Value(requestKey{}).(*request)
	if !ok {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.attrs)
}

// Observe wraps a handler: each request gets an id, one log line when it ends, and an answer from o.Failed if the
// handler panics before it has written anything. Only the method and the path (as o.Path shows it) are logged, because
// a query may contain what a person searched for, and headers contain secrets.
func Observe(next http.Handler, o Options) http.Handler {
	o = o.withDefaults()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		known := &request{id: boardwatch.NewID()}
		ctx := context.WithValue(r.Context(), requestKey{}, known)
		if o.Began != nil {
			ctx = o.Began(ctx, r)
		}
		r = r.WithContext(ctx)
		rec := &recorder{ResponseWriter: w}
		rec.Header().Set(RequestIDHeader, known.id)
		rec.Header().Set("X-Content-Type-Options", "nosniff")
		if o.HTTPS {
			rec.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		defer func() {
			fault := recover()
			if fault != nil && fault != http.ErrAbortHandler { //nolint:errorlint // the very value, by the contract of net/http
				o.Log.ErrorContext(ctx, "handler panicked", "request_id", known.id, "panic", fault, "stack", string(debug.Stack()))
				if rec.status == 0 {
					o.Failed.ServeHTTP(rec, r)
					fault = nil
				}
			}
			took := time.Since(start)
			o.Ended(r, rec.said(), took)
			o.Log.LogAttrs(ctx, o.levelOf(r, rec.status), "request", known.line(r, o.Path(r.URL.Path), rec, fault != nil, took)...)
			if fault != nil {
				panic(http.ErrAbortHandler) // half an answer must not look like a complete one
			}
		}()
		next.ServeHTTP(rec, r)
	})
}

// line logs a request that has ended.
func (k *request) line(r *http.Request, path string, rec *recorder, broken bool, took time.Duration) []slog.Attr {
	attrs := []slog.Attr{
		slog.String("request_id", k.id), slog.String("method", r.Method), slog.String("path", shortened(path)),
		slog.Int("status", rec.said()), slog.Int64("bytes", rec.bytes),
		slog.Duration("duration", took), slog.String("remote", r.RemoteAddr),
	}
	if broken {
		attrs = append(attrs, slog.Bool("broken_off", true))
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return append(attrs, k.attrs...)
}

func shortened(path string) string {
	if len(path) <= longestPath {
		return path
	}
	return strings.ToValidUTF8(path[:longestPath], "") + "…"
}

// levelOf returns the log level of a request: our failures need attention, and health checks are not worth a line each
// time.
func (o Options) levelOf(r *http.Request, status int) slog.Level {
	switch {
	case status >= http.StatusInternalServerError:
		return slog.LevelWarn
	case o.Quiet(r):
		return slog.LevelDebug
	default:
		return slog.LevelInfo
	}
}

// recorder records what a handler answers.
type recorder struct {
	http.ResponseWriter

	status int // 0 until something is written
	bytes  int64
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 && status >= http.StatusOK {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(p)
	r.bytes += int64(n)
	return n, err
}

// said returns the status of the answer; if nothing was written, net/http sends 200.
func (r *recorder) said() int { return cmp.Or(r.status, http.StatusOK) }

// Unwrap lets http.ResponseController reach the connection: to flush, and to move deadlines.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
