package storage

import (
	"context"
	"database/sql"
	"errors"

	"github.com/boardwatch/boardwatch/boardwatch"
)

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
