package transport

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// Finish wraps a handler of short answers: its context does not end when the client closes its half of the connection,
// but after so long. net/http takes a closed half for a client that has gone. One that has said all it has to say may
// still be waiting for the answer.
func Finish(next http.Handler, within time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(r.Context()), within, errors.New("the answer took too long"))
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// Gone reports whether a client has gone before it was answered. What came of its request then is nobody's fault; what
// came of one whose time was up is ours.
func Gone(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }
