package storage

import (
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// deliveryRow is a row of deliveries.
type deliveryRow struct {
	bun.BaseModel `bun:"table:deliveries,alias:d"`

	ID            string                   `bun:"id,pk"`
	WebhookID     string                   `bun:"webhook_id"`
	BoardID       string                   `bun:"board_id"`
	PayloadID     string                   `bun:"payload_id"`
	Type          boardwatch.EventType     `bun:"type"`
	State         boardwatch.DeliveryState `bun:"state"`
	Attempts      int                      `bun:"attempts"`
	ResponseCode  int                      `bun:"response_code"`
	Error         string                   `bun:"error"`
	Duration      int64                    `bun:"duration_ms"`
	CreatedAt     int64                    `bun:"created_at"`
	LastAttemptAt int64                    `bun:"last_attempt_at"`
	NextAttemptAt int64                    `bun:"next_attempt_at"`
	Log           string                   `bun:"log"`
}

func newDeliveryRow(d boardwatch.Delivery) deliveryRow {
	return deliveryRow{
		ID: d.ID, WebhookID: d.WebhookID, BoardID: d.BoardID, PayloadID: d.PayloadID, Type: d.Type, State: d.State,
		Attempts: d.Attempts, ResponseCode: d.ResponseCode, Error: plain(d.Error), Duration: d.Duration.Milliseconds(),
		CreatedAt: millis(d.CreatedAt), LastAttemptAt: millis(d.LastAttemptAt), NextAttemptAt: millis(d.NextAttemptAt),
	}
}

func (r deliveryRow) delivery() boardwatch.Delivery {
	return boardwatch.Delivery{
		ID: r.ID, WebhookID: r.WebhookID, BoardID: r.BoardID, PayloadID: r.PayloadID, Type: r.Type, State: r.State,
		Attempts: r.Attempts, ResponseCode: r.ResponseCode, Error: r.Error,
		Duration: time.Duration(r.Duration) * time.Millisecond, CreatedAt: instant(r.CreatedAt),
		LastAttemptAt: instant(r.LastAttemptAt), NextAttemptAt: instant(r.NextAttemptAt), Log: attemptsOf(r.Log),
	}
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

// DueDeliveries returns up to n deliveries of a webhook that are due now, with their bodies, the longest due first,
// leaving out those in skip. It returns at least one, and no more than fit into size bytes. more reports whether others
// are due.
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
	var rows []struct {
		deliveryRow

		Tail []byte `bun:"tail"`
	}
	err := s.db().NewRaw(`SELECT d.*, p.tail FROM deliveries AS d JOIN payloads AS p ON p.id = d.payload_id WHERE d.id IN (?)`,
		bun.List(ids)).Scan(ctx, &rows)
	if err != nil {
		return nil, err
	}
	found := make([]boardwatch.Delivery, len(rows))
	for i, r := range rows {
		found[i] = r.delivery()
		found[i].Body = boardwatch.Payload{Tail: r.Tail}.Body(r.ID)
	}
	slices.SortFunc(found, func(a, b boardwatch.Delivery) int { return slices.Index(ids, a.ID) - slices.Index(ids, b.ID) })
	return found, nil
}

// DeliveriesOf lists a webhook's last deliveries, newest first, without bodies.
func (s *Store) DeliveriesOf(ctx context.Context, webhookID string, limit int) ([]boardwatch.Delivery, error) {
	var rows []deliveryRow
	err := s.db().NewSelect().Model(&rows).Where("d.webhook_id = ?", plain(webhookID)).
		Order("d.created_at DESC", "d.id DESC").Limit(int64(limit)).Scan(ctx)
	return valuesOf(rows, deliveryRow.delivery), wrap("read deliveries", err)
}
