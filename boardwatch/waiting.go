package boardwatch

import "context"

// waitsKey is the key of what is told about waiting.
type waitsKey struct{}

// Waits are functions that a reader tells what it waits for while it reads a board. They must not block, and may be called from
// several goroutines; any may be nil. A reader that never waits, or does not report it, can ignore them.
type Waits struct {
	// Host is called with true when a request begins to wait for its host, which is busy or asked for a pause, and with false when
	// that wait is over.
	Host func(waits bool)
	// Long is called when the page is so large that it waits for its turn among all that computes for long.
	Long func()
}

// WithWaits returns the context for reading a board.
func WithWaits(ctx context.Context, w Waits) context.Context {
	return context.WithValue(ctx, waitsKey{}, w)
}

// Waiting reports to the caller of WithWaits, if there is one, that a request waits for its host or has waited.
func Waiting(ctx context.Context, waits bool) {
	if told, _ := ctx.Value(waitsKey{}).(Waits); told.Host != nil {
		told.Host(waits)
	}
}

// WaitingLong reports to the caller of WithWaits, if there is one, that a large page waits for its turn.
func WaitingLong(ctx context.Context) {
	if told, _ := ctx.Value(waitsKey{}).(Waits); told.Long != nil {
		told.Long()
	}
}
