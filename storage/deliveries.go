package storage

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// deliveryRecord is a row of deliveries.
func deliveryRecord(d *boardwatch.Delivery) record {
	log := stored[string]{nil, func(log string) error { d.Log = attemptsOf(log); return nil }} // written a line at a time
	return newRecord("deliveries", "d",
		col("id", &d.ID), col("webhook_id", &d.WebhookID), col("board_id", &d.BoardID), col("payload_id", &d.PayloadID), col("type", &d.Type),
		col("state", &d.State), col("attempts", &d.Attempts), col("response_code", &d.ResponseCode), col("error", &d.Error),
		col("duration_ms", span(&d.Duration)), col("created_at", moment(&d.CreatedAt)), col("last_attempt_at", moment(&d.LastAttemptAt)),
		col("next_attempt_at", moment(&d.NextAttemptAt)), col("log", log),
	)
}

// saveDeliveries adds the deliveries that a check causes.
func (s *script) saveDeliveries(payloads []boardwatch.Payload, deliveries []boardwatch.Delivery) {
	owed := make([][]any, len(payloads))
	for i, p := range payloads {
		owed[i] = []any{p.ID, string(p.Type), p.BoardID, millis(p.CreatedAt), p.Tail}
	}
	s.insert("payloads", "id, type, board_id, created_at, tail", owed)
	rows := make([][]any, len(deliveries))
	for i, d := range deliveries {
		rows[i] = []any{
			d.ID, d.WebhookID, d.BoardID, d.PayloadID, string(d.Type), string(d.State), d.Attempts, millis(d.CreatedAt),
			millis(d.NextAttemptAt),
		}
	}
	s.insert("deliveries", "id, webhook_id, board_id, payload_id, type, state, attempts, created_at, next_attempt_at", rows)
}

func (s *Store) DueDeliveries(
	ctx context.Context, webhookID string, now time.Time, skip map[string]bool, n, size int,
) (due []boardwatch.Delivery, more bool, err error) {
	due, more, err = s.dueDeliveries(ctx, webhookID, now, skip, n, size)
	return due, more, wrap("read due deliveries", err)
}

// bodiesAtOnce is the number of bodies read by one query.
const bodiesAtOnce = 32

func (s *Store) dueDeliveries(
	ctx context.Context, webhookID string, now time.Time, skip map[string]bool, n, size int,
) (due []boardwatch.Delivery, more bool, err error) {
	var ids []string // answered by the index alone
	err = s.db().NewRaw(`SELECT id FROM deliveries WHERE webhook_id = ? AND state = 'pending' AND next_attempt_at <= ?
		ORDER BY next_attempt_at, id LIMIT ?`, plain(webhookID), millis(now), n+len(skip)+1).Scan(ctx, &ids)
	if err != nil {
		return nil, false, err
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { return skip[id] })
	if len(ids) > n {
		ids, more = ids[:n], true
	}
	for chunk := range slices.Chunk(ids, bodiesAtOnce) {
		found, err := s.withBodies(ctx, chunk)
		if err != nil {
			return nil, false, err
		}
		for _, d := range found {
			if size -= len(d.Body); size < 0 && len(due) > 0 {
				return due, true, nil
			}
			due = append(due, d)
		}
	}
	return due, more, nil
}

// withBodies reads deliveries with their bodies, in the order of the ids, leaving out those that were deleted.
func (s *Store) withBodies(ctx context.Context, ids []string) ([]boardwatch.Delivery, error) {
	var found []boardwatch.Delivery
	var d boardwatch.Delivery
	var tail []byte
	r := deliveryRecord(&d)
	err := queryRows(ctx, s.db(), append(targets(r), &tail), func() error {
		d.Body = boardwatch.Payload{Tail: tail}.Body(d.ID)
		found = append(found, d)
		return nil
	}, "SELECT "+columns(r)+", p.tail FROM deliveries AS d JOIN payloads AS p ON p.id = d.payload_id WHERE d.id IN (?)", bun.List(ids))
	slices.SortFunc(found, func(a, b boardwatch.Delivery) int { return slices.Index(ids, a.ID) - slices.Index(ids, b.ID) })
	return found, err
}

func (s *Store) DeliveriesOf(ctx context.Context, webhookID string, limit int) ([]boardwatch.Delivery, error) {
	deliveries, err := readRows(ctx, s.db(), deliveryRecord, "WHERE d.webhook_id = ? ORDER BY d.created_at DESC, d.id DESC LIMIT ?", plain(webhookID), limit)
	return deliveries, wrap("read deliveries", err)
}

func (s *Store) FindDeliveries(ctx context.Context, f boardwatch.DeliveryFilter) ([]string, error) {
	q := s.db().NewSelect().Table("deliveries").Column("id").Order("created_at", "id").
		Where("webhook_id IN (SELECT id FROM webhooks WHERE channel = '')")
	if f.WebhookID != "" {
		q = q.Where("webhook_id = ?", plain(f.WebhookID))
	}
	if f.State != "" {
		q = q.Where("state = ?", plain(string(f.State)))
	}
	if !f.Since.IsZero() {
		q = q.Where("created_at >= ?", millis(f.Since))
	}
	var ids []string
	return ids, wrap("find deliveries", q.Scan(ctx, &ids))
}

func (s *Store) StoredDelivery(ctx context.Context, id string) (boardwatch.Delivery, boardwatch.Webhook, error) {
	d, w, err := s.storedDelivery(ctx, plain(id))
	return d, w, wrap("read delivery", err)
}

func (s *Store) storedDelivery(ctx context.Context, id string) (d boardwatch.Delivery, w boardwatch.Webhook, err error) {
	found, err := s.withBodies(ctx, []string{id})
	if err == nil && len(found) == 0 {
		err = boardwatch.NotFound("delivery")
	}
	if err != nil {
		return d, w, err
	}
	d = found[0]
	hook, err := readRow(ctx, s.db(), webhookRecord, "WHERE w.id = ?", d.WebhookID)
	if errors.Is(err, sql.ErrNoRows) {
		err = boardwatch.NotFound("delivery") // deleted in between
	}
	if err != nil {
		return d, w, err
	}
	w, err = s.opened(hook)
	return d, w, err
}
