package boardwatch

import "context"

// waitingKey is the key of the function that is told about waiting requests.
type waitingKey struct{}

// WithWaiting returns the context for reading a board. told is called with true when a request begins to wait for its
// host, which is busy or asked for a pause, and with false when that wait is over. It must not block, and may be called
// from several goroutines. A reader that never waits, or does not report it, can ignore it.
func WithWaiting(ctx context.Context, told func(waits bool)) context.Context {
	return context.WithValue(ctx, waitingKey{}, told)
}

// Waiting reports to the caller of WithWaiting, if there is one, that a request waits for its host or has waited.
func Waiting(ctx context.Context, waits bool) {
	if told, ok := ctx.Value(waitingKey{}).(func(bool)); ok {
		told(waits)
	}
}
