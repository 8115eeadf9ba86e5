package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// webhook is a webhook with what is owed to it.
type webhook struct {
	boardwatch.Webhook

	deliveries []*delivery // in the order they were owed
	lease      string      // the token of the claim that holds; empty: nobody has one
	leaseUntil time.Time   // when the lease ends or was given back: its place in the line
}

// delivery is a delivery with what is to be sent.
type delivery struct {
	boardwatch.Delivery

	payload boardwatch.Payload
}

// withBody is the delivery with the bytes to send.
func (o *delivery) withBody() boardwatch.Delivery {
	out := o.Delivery
	out.Body = o.payload.Body(out.ID)
	return out
}

// due reports whether the delivery is to be sent by now.
func (o *delivery) due(now time.Time) bool {
	return o.State == boardwatch.DeliveryPending && !o.NextAttemptAt.After(now)
}

// hidden is the webhook without its secret.
func (w *webhook) hidden() boardwatch.Webhook {
	out := w.Webhook
	out.Secret = ""
	return out
}

func (w *webhook) moveDeliveries(from, into string) {
	for _, o := range w.deliveries {
		if o.BoardID == from {
			o.BoardID = into
		}
	}
}

// bury marks what waits for a webhook that is switched off as dead.
func (w *webhook) bury() {
	for _, o := range w.deliveries {
		if o.State == boardwatch.DeliveryPending {
			o.State, o.NextAttemptAt, o.Error = boardwatch.DeliveryDead, time.Time{}, w.DisabledReason
		}
	}
}

// enabledWebhooks are the account's webhooks that are on, without their secrets.
func (a *account) enabledWebhooks() (out []boardwatch.Webhook) {
	for _, w := range a.webhooks {
		if w.DisabledAt.IsZero() {
			out = append(out, w.hidden())
		}
	}
	return out
}

// webhooks are all webhooks.
func (d *Database) webhooks() (out []*webhook) {
	for _, a := range d.accounts {
		out = append(out, a.webhooks...)
	}
	return out
}

// webhook finds a webhook, or nil.
func (d *Database) webhook(id string) *webhook {
	for _, w := range d.webhooks() {
		if w.ID == id {
			return w
		}
	}
	return nil
}

// CreateWebhook saves a webhook unless the account has too many.
func (s *Store) CreateWebhook(ctx context.Context, w boardwatch.Webhook, limit int) error {
	return s.change(ctx, w.AccountID, func(_ *Database, a *account) error {
		if len(a.webhooks) >= limit {
			return full("webhook")
		}
		a.webhooks = append(a.webhooks, &webhook{Webhook: w})
		return nil
	})
}

// ChangeWebhook saves what the owner of a webhook can change about it. A claim on it ends.
func (s *Store) ChangeWebhook(ctx context.Context, w boardwatch.Webhook) error {
	return s.change(ctx, w.AccountID, func(_ *Database, a *account) error {
		for _, known := range a.webhooks {
			if known.ID == w.ID {
				known.Name, known.URL, known.Events, known.Secret = w.Name, w.URL, w.Events, w.Secret
				known.lease, known.leaseUntil = "", time.Time{}
				return nil
			}
		}
		return boardwatch.NotFound("webhook")
	})
}

// Webhooks lists an account's webhooks with their secrets, oldest first.
func (s *Store) Webhooks(_ context.Context, accountID string) (out []boardwatch.Webhook, err error) {
	s.read(func(d *Database) {
		if a, ok := d.accounts[accountID]; ok {
			for _, w := range a.webhooks {
				out = append(out, w.Webhook)
			}
		}
	})
	return out, nil
}

// DeleteWebhook removes one of the account's webhooks and what waits for it.
func (s *Store) DeleteWebhook(ctx context.Context, accountID, id string) error {
	return s.write(ctx, func(d *Database) error {
		w := d.webhook(id)
		if w == nil || w.AccountID != accountID {
			return boardwatch.NotFound("webhook")
		}
		a := d.accounts[accountID]
		delete(a.spent, boardwatch.TestRate(id).Name)
		a.webhooks = slices.DeleteFunc(a.webhooks, func(other *webhook) bool { return other == w })
		return nil
	})
}

// ClaimWebhooks leases up to n webhooks that something is due for and nobody sends to.
func (s *Store) ClaimWebhooks(ctx context.Context, n int, lease time.Duration) (claims []boardwatch.WebhookClaim, err error) {
	err = s.write(ctx, func(d *Database) error {
		now := d.now()
		list := slices.DeleteFunc(d.webhooks(), func(w *webhook) bool {
			return w.leaseUntil.After(now) || !slices.ContainsFunc(w.deliveries, func(o *delivery) bool { return o.due(now) })
		})
		slices.SortFunc(list, func(a, b *webhook) int {
			return cmp.Or(a.leaseUntil.Compare(b.leaseUntil), cmp.Compare(a.ID, b.ID))
		})
		for _, w := range list {
			switch {
			case !w.DisabledAt.IsZero():
				w.bury()
			case len(claims) < n:
				w.lease, w.leaseUntil = boardwatch.NewID(), now.Add(lease)
				claims = append(claims, boardwatch.WebhookClaim{Webhook: w.Webhook, At: now, Token: w.lease})
			}
		}
		return nil
	})
	return claims, err
}

// held is the webhook of a claim that holds, or nil.
func (d *Database) held(c boardwatch.WebhookClaim) *webhook {
	w := d.webhook(c.Webhook.ID)
	if w == nil || w.lease == "" || w.lease != c.Token {
		return nil
	}
	return w
}

// RenewWebhooks prolongs leases and returns the claims that still hold.
func (s *Store) RenewWebhooks(
	ctx context.Context, claims []boardwatch.WebhookClaim, lease time.Duration,
) (held []boardwatch.WebhookClaim, err error) {
	err = s.write(ctx, func(d *Database) error {
		for _, c := range claims {
			if w := d.held(c); w != nil {
				w.leaseUntil = d.now().Add(lease)
				held = append(held, boardwatch.WebhookClaim{Webhook: w.Webhook, At: d.now(), Token: w.lease})
			}
		}
		return nil
	})
	return held, err
}

// ReleaseWebhooks gives claims back.
func (s *Store) ReleaseWebhooks(ctx context.Context, claims []boardwatch.WebhookClaim) error {
	return s.write(ctx, func(d *Database) error {
		for _, c := range claims {
			if w := d.held(c); w != nil {
				w.lease, w.leaseUntil = "", d.now()
			}
		}
		return nil
	})
}

// DueDeliveries are deliveries of a webhook that are due, with their bodies, the longest due first.
func (s *Store) DueDeliveries(
	_ context.Context, webhookID string, now time.Time, skip map[string]bool, n, size int,
) (due []boardwatch.Delivery, more bool, err error) {
	s.read(func(d *Database) {
		w := d.webhook(webhookID)
		if w == nil {
			return
		}
		var list []*delivery
		for _, o := range w.deliveries {
			if o.due(now) && !skip[o.ID] {
				list = append(list, o)
			}
		}
		slices.SortFunc(list, func(a, b *delivery) int {
			return cmp.Or(a.NextAttemptAt.Compare(b.NextAttemptAt), cmp.Compare(a.ID, b.ID))
		})
		for _, o := range list {
			next := o.withBody()
			if size -= len(next.Body); len(due) == n || size < 0 && len(due) > 0 {
				more = true
				return
			}
			due = append(due, next)
		}
	})
	return due, more, nil
}

// SaveAttempts records outcomes and returns the claims among them that no longer hold.
func (s *Store) SaveAttempts(
	ctx context.Context, outcomes []boardwatch.Attempts,
) (lost []boardwatch.WebhookClaim, err error) {
	err = s.write(ctx, func(d *Database) error {
		for _, outcome := range outcomes {
			if w := d.held(outcome.Claim); w != nil {
				w.record(outcome)
			} else {
				lost = append(lost, outcome.Claim)
			}
		}
		return nil
	})
	return lost, err
}

// record keeps what attempts made of deliveries and of the webhook.
func (w *webhook) record(outcome boardwatch.Attempts) {
	for _, after := range outcome.Deliveries {
		i := slices.IndexFunc(w.deliveries, func(o *delivery) bool { return o.ID == after.ID })
		if i >= 0 {
			after.Body = nil
			w.deliveries[i].Delivery = after
		}
	}
	if !w.DisabledAt.IsZero() {
		return
	}
	after := outcome.Webhook
	w.FailingSince, w.DisabledAt, w.DisabledReason = after.FailingSince, after.DisabledAt, after.DisabledReason
	if !w.DisabledAt.IsZero() {
		w.bury()
	}
}

// FindDeliveries are the ids of the deliveries that a filter chooses, oldest first.
func (s *Store) FindDeliveries(_ context.Context, f boardwatch.DeliveryFilter) (ids []string, err error) {
	var found []boardwatch.Delivery
	s.read(func(d *Database) {
		for _, w := range d.webhooks() {
			for _, o := range w.deliveries {
				if (f.WebhookID == "" || w.ID == f.WebhookID) && (f.State == "" || o.State == f.State) && !o.CreatedAt.Before(f.Since) {
					found = append(found, o.Delivery)
				}
			}
		}
	})
	slices.SortFunc(found, byAge)
	for _, o := range found {
		ids = append(ids, o.ID)
	}
	return ids, nil
}

func byAge(a, b boardwatch.Delivery) int {
	return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
}

// StoredDelivery is a delivery with its body, and its webhook with the secret.
func (s *Store) StoredDelivery(_ context.Context, id string) (out boardwatch.Delivery, to boardwatch.Webhook, err error) {
	err = boardwatch.NotFound("delivery")
	s.read(func(d *Database) {
		for _, w := range d.webhooks() {
			if i := slices.IndexFunc(w.deliveries, func(o *delivery) bool { return o.ID == id }); i >= 0 {
				out, to, err = w.deliveries[i].withBody(), w.Webhook, nil
			}
		}
	})
	return out, to, err
}

// DeliveriesOf lists a webhook's last deliveries, newest first, without bodies.
func (s *Store) DeliveriesOf(_ context.Context, webhookID string, limit int) (out []boardwatch.Delivery, err error) {
	s.read(func(d *Database) {
		if w := d.webhook(webhookID); w != nil {
			for _, o := range w.deliveries {
				out = append(out, o.Delivery)
			}
		}
	})
	slices.SortFunc(out, func(a, b boardwatch.Delivery) int { return byAge(b, a) })
	return out[:min(limit, len(out))], nil
}
