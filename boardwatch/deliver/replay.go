package deliver

import (
	"context"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Replayed is a stored delivery that was sent once more.
type Replayed struct {
	Delivery boardwatch.Delivery // as it was before
	URL      string              // the address it was sent to
	Receipt  boardwatch.Receipt
}

// Replay sends a stored delivery again: same id and body, a new signature, one attempt. It goes to the webhook's
// address, even if the webhook is switched off, or to another one if to is not empty. It does not count: it
// changes neither the state and schedule of the delivery nor the webhook's failures. The delivery's log keeps it, unless it
// went to another address. It is a not_found error if there
// is no such delivery, and a rate_limited error under the same conditions as Ping. The store's FindDeliveries selects
// by webhook, state and time.
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
	now := boardwatch.Milli(d.o.Now())
	receipt := d.sender.Deliver(ctx, hook, stored)
	again := Replayed{Delivery: stored, URL: hook.URL, Receipt: receipt}
	if ctx.Err() != nil || to != "" {
		return again, ctx.Err()
	}
	return again, d.store.SaveResend(ctx, stored.ID, receipt.Attempt(now, true))
}
