package deliver

import (
	"context"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Replayed is a stored delivery that was sent once more.
type Replayed struct {
	Delivery boardwatch.Delivery // as the log has it: a replay changes nothing there
	URL      string              // where it went
	Receipt  boardwatch.Receipt
}

// Replay sends a stored delivery again: same id and body, a fresh signature, one attempt. It goes to the webhook's
// address, also when that is switched off, or to another one if to is not empty. It counts for nothing: neither the
// schedule of a delivery that still waits nor the log nor the webhook's failures change. It is a not_found error when
// there is no such delivery, and a rate_limited one like that of Ping. FindDeliveries of the store chooses by webhook, state and time.
func (d *Dispatcher) Replay(ctx context.Context, deliveryID, to string) (Replayed, error) {
	stored, hook, err := d.store.StoredDelivery(ctx, deliveryID)
	if err != nil {
		return Replayed{}, err
	}
	if to != "" && hook.Channel != "" {
		return Replayed{}, boardwatch.Invalid("to", "is for deliveries to webhooks; this is a message to a channel")
	}
	done, err := d.ask(ctx, hook)
	if err != nil {
		return Replayed{}, err
	}
	defer done()
	if to != "" {
		hook.URL = to
	}
	receipt := d.sender.Deliver(ctx, hook, stored)
	return Replayed{Delivery: stored, URL: hook.URL, Receipt: receipt}, ctx.Err()
}
