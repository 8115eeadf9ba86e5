package transport

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// Finish wraps a handler of short answers: its context ends after the given time, but not when the client closes its
// half of the connection. net/http treats a half-closed connection as a client that has gone, but a client that has
// sent everything may still be waiting for the answer.
func Finish(next http.Handler, within time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(r.Context()), within, errors.New("the answer took too long"))
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// Gone reports whether a client has gone before it was answered. A failure is then nobody's fault, but a failure by
// timeout is ours.
func Gone(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }
