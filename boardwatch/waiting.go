package boardwatch

import "context"

// waitingKey carries who wants to know that a look waits.
type waitingKey struct{}

// WithWaiting returns the context for a look at a board. told is called with true when a request of the look begins to
// wait for its host, which answers others first or asked to be left alone, and with false when that wait is over. It must
// not block, and may be called from several goroutines. A reader that never waits, or does not say so, need not know of
// it.
func WithWaiting(ctx context.Context, told func(waits bool)) context.Context {
	return context.WithValue(ctx, waitingKey{}, told)
}

// Waiting tells whoever runs the look under ctx, if that is one, that a request waits for its host or has waited.
func Waiting(ctx context.Context, waits bool) {
	if told, ok := ctx.Value(waitingKey{}).(func(bool)); ok {
		told(waits)
	}
}
