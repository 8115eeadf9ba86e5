// Package deliver sends what is owed to webhooks. A Dispatcher leases webhooks that something is due for, sends their
// deliveries, at most a few at a time to each, and records every outcome. All it knows is in the store: any number of
// dispatchers may share one, and one that dies loses nothing but the time until its leases end.
package deliver

import (
	"log/slog"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Options adjusts a Dispatcher. The zero value works.
type Options struct {
	Rules boardwatch.Rules
	Log   *slog.Logger     // nil: nothing is logged
	Now   func() time.Time // nil means time.Now
	NewID func() string    // nil means boardwatch.NewID
}

func (o Options) withDefaults() Options {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.NewID == nil {
		o.NewID = boardwatch.NewID
	}
	return o
}

// Dispatcher sends deliveries. Ping and Replay work whether it runs or not.
type Dispatcher struct {
	store  boardwatch.DeliveryStore
	sender boardwatch.Deliverer
	o      Options
}

// New returns a dispatcher that is not running yet.
func New(store boardwatch.DeliveryStore, sender boardwatch.Deliverer, o Options) *Dispatcher {
	return &Dispatcher{store: store, sender: sender, o: o.withDefaults()}
}
