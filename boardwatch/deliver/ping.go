package deliver

import (
	"context"
	"slices"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Ping sends a ping to one of the account's webhooks at once and returns the result. The webhook may be switched off,
// because that is when a person wants to test it. The ping is not retried and does not count; the
// webhook keeps the result of the last one. It is a
// not_found error if the account has no such webhook, and a rate_limited error after too many pings and replays, or
// while four of them are running for the webhook.
func (d *Dispatcher) Ping(ctx context.Context, accountID, webhookID string) (boardwatch.Receipt, error) {
	hooks, err := d.store.Webhooks(ctx, accountID)
	if err != nil {
		return boardwatch.Receipt{}, err
	}
	i := slices.IndexFunc(hooks, func(w boardwatch.Webhook) bool { return w.ID == webhookID })
	if i < 0 {
		return boardwatch.Receipt{}, boardwatch.NotFound("webhook")
	}
	done, err := d.ask(ctx, hooks[i])
	if err != nil {
		return boardwatch.Receipt{}, err
	}
	defer done()
	now := boardwatch.Milli(d.o.Now())
	ping := boardwatch.Delivery{
		ID: d.o.NewID(), WebhookID: hooks[i].ID, Type: boardwatch.EventPing, CreatedAt: now,
	}
	ping.Body = boardwatch.PingPayload("", hooks[i], now).Body(ping.ID)
	receipt := d.sender.Deliver(ctx, hooks[i], ping)
	if ctx.Err() != nil {
		return receipt, ctx.Err()
	}
	return receipt, d.store.SaveTest(ctx, hooks[i].ID, receipt.Attempt(now, true))
}

// PingChannel sends a test message to a channel, which must include its address, under the rules of Ping.
func (d *Dispatcher) PingChannel(ctx context.Context, c boardwatch.Channel) (boardwatch.Receipt, error) {
	place := c.Place()
	done, err := d.ask(ctx, place)
	if err != nil {
		return boardwatch.Receipt{}, err
	}
	defer done()
	now := boardwatch.Milli(d.o.Now())
	ping := boardwatch.Delivery{ID: d.o.NewID(), WebhookID: place.ID, Type: boardwatch.EventPing, CreatedAt: now}
	ping.Body = boardwatch.PingMessage(ping.ID, now)
	receipt := d.sender.Deliver(ctx, place, ping)
	return receipt, ctx.Err()
}
