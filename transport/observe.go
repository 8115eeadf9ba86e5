package transport

import (
	"context"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// RequestIDHeader carries the number of a request in its answer, so that a person can name it when asking for help.
const RequestIDHeader = "X-Request-Id"

type requestIDKey struct{}

// RequestID is the number of the request that the context belongs to, or empty outside of one.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// Observe wraps a handler: each request gets a number, one log line when it ends, and an answer from failed when the
// handler panics before it has written anything. A nil failed answers a line of plain text. Paths are logged without
// their query, which may hold what a person searched for.
func Observe(next http.Handler, log *slog.Logger, failed http.Handler) http.Handler {
	if failed == nil {
		failed = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "internal error", http.StatusInternalServerError)
		})
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		id := boardwatch.NewID()
		ctx := context.WithValue(r.Context(), requestIDKey{}, id)
		r = r.WithContext(ctx)
		rec := &recorder{ResponseWriter: w}
		rec.Header().Set(RequestIDHeader, id)
		defer func() {
			fault := recover()
			if fault == http.ErrAbortHandler { //nolint:errorlint // the very value, by the contract of net/http
				panic(fault)
			}
			if fault != nil {
				log.ErrorContext(ctx, "handler panicked", "request_id", id, "panic", fault, "stack", string(debug.Stack()))
				if rec.status != 0 {
					panic(http.ErrAbortHandler) // half an answer must not look like a whole one
				}
				failed.ServeHTTP(rec, r)
			}
			log.LogAttrs(ctx, levelOf(rec.status), "request",
				slog.String("request_id", id), slog.String("method", r.Method), slog.String("path", r.URL.Path),
				slog.Int("status", max(rec.status, http.StatusOK)), slog.Int64("bytes", rec.bytes),
				slog.Duration("duration", time.Since(start)), slog.String("remote", r.RemoteAddr))
		}()
		next.ServeHTTP(rec, r)
	})
}

// levelOf keeps the log of a healthy service quiet.
func levelOf(status int) slog.Level {
	if status >= http.StatusInternalServerError {
		return slog.LevelWarn
	}
	return slog.LevelDebug
}

// recorder notes what a handler answers.
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

// Unwrap lets http.ResponseController reach the connection: to flush, and to move deadlines.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
