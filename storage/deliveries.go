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
		LastAttemptAt: instant(r.LastAttemptAt), NextAttemptAt: instant(r.NextAttemptAt),
	}
}

// saveDeliveries adds what a check owes.
func saveDeliveries(
	ctx context.Context, tx Tx, payloads []boardwatch.Payload, deliveries []boardwatch.Delivery,
) error {
	owed := make([][]any, len(payloads))
	for i, p := range payloads {
		owed[i] = []any{p.ID, string(p.Type), p.BoardID, millis(p.CreatedAt), p.Tail}
	}
	if err := insert(ctx, tx, "payloads", "id, type, board_id, created_at, tail", owed); err != nil {
		return wrap("save payloads", err)
	}
	rows := make([][]any, len(deliveries))
	for i, d := range deliveries {
		rows[i] = []any{
			d.ID, d.WebhookID, d.BoardID, d.PayloadID, string(d.Type), string(d.State), d.Attempts, millis(d.CreatedAt),
			millis(d.NextAttemptAt),
		}
	}
	return wrap("save deliveries", insert(ctx, tx, "deliveries",
		"id, webhook_id, board_id, payload_id, type, state, attempts, created_at, next_attempt_at", rows))
}

// ClaimDeliveries leases up to n due deliveries, taking turns over the webhooks, and never so many that a webhook has
// more than perWebhook under way.
func (s *Store) ClaimDeliveries(
	ctx context.Context, n, perWebhook int, lease time.Duration,
) ([]boardwatch.DeliveryClaim, error) {
	if n <= 0 || perWebhook <= 0 {
		return nil, nil
	}
	due, err := s.anyDue(ctx)
	if err != nil || !due {
		return nil, wrap("claim deliveries", err)
	}
	token := boardwatch.NewID()
	var ids []string
	err = s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
		now, err := tx.now(ctx)
		if err != nil {
			return err
		}
		if err := s.recover(ctx, tx); err != nil {
			return err
		}
		hooks, err := s.dueWebhooks(ctx, tx, now, n)
		if err != nil {
			return err
		}
		if ids, err = takeTurns(ctx, tx, hooks, now, n, perWebhook); err != nil || len(ids) == 0 {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE deliveries SET lease_until = ?, lease_token = ? WHERE id IN (?)",
			millis(now.Add(lease)), token, bun.List(ids))
		return err
	})
	if err != nil {
		return nil, wrap("claim deliveries", err)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	claims, err := s.claimedDeliveries(ctx, ids, token)
	return claims, wrap("claim deliveries", err)
}

// recover ends what an earlier process had under way when it stopped, where there is one process at a time. Elsewhere,
// and should this transaction fail, its leases run out.
func (s *Store) recover(ctx context.Context, tx Tx) error {
	if !s.dialect.Alone || s.recovered.Swap(true) {
		return nil
	}
	_, err := tx.ExecContext(ctx, "UPDATE deliveries SET lease_until = 0, lease_token = '' WHERE lease_until > 0")
	return err
}

// anyDue looks before taking a write transaction, which most of the time there is nothing to do in.
func (s *Store) anyDue(ctx context.Context) (bool, error) {
	now, err := s.driver.Now(ctx)
	if err != nil {
		return false, err
	}
	var one int
	err = s.db().QueryRowContext(ctx, `SELECT 1 FROM deliveries WHERE state = 'pending' AND next_attempt_at <= ? LIMIT 1`,
		millis(now)).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// dueWebhooks are up to n webhooks with a due delivery that nobody is at, the longest waiting first, locked against
// other claims: how many deliveries of each are under way stays true until the transaction ends.
func (s *Store) dueWebhooks(ctx context.Context, tx Tx, now time.Time, n int) ([]string, error) {
	var ids []string
	err := tx.NewRaw(`SELECT id FROM (
			SELECT w.id, (SELECT min(d.next_attempt_at) FROM deliveries AS d WHERE d.webhook_id = w.id
				AND d.state = 'pending' AND d.next_attempt_at <= ?0 AND d.lease_until <= ?0) AS due
			FROM webhooks AS w
		) AS waiting WHERE due IS NOT NULL ORDER BY due LIMIT ?1`, millis(now), n).Scan(ctx, &ids)
	if err != nil || len(ids) == 0 || s.dialect.TryLock == "" {
		return ids, err
	}
	var locked []string
	err = tx.NewRaw("SELECT id FROM webhooks WHERE id IN (?)"+s.dialect.TryLock, bun.List(ids)).Scan(ctx, &locked)
	return slices.DeleteFunc(ids, func(id string) bool { return !slices.Contains(locked, id) }), err
}

// takeTurns chooses due deliveries: one of every webhook, then a second one, and so on.
func takeTurns(ctx context.Context, tx Tx, hooks []string, now time.Time, n, perWebhook int) ([]string, error) {
	queues := make([][]string, 0, len(hooks))
	for _, hook := range hooks {
		var busy int
		err := tx.QueryRowContext(ctx, "SELECT count(*) FROM deliveries WHERE webhook_id = ? AND lease_until > ?",
			hook, millis(now)).Scan(&busy)
		if err != nil {
			return nil, err
		}
		if busy >= perWebhook {
			continue
		}
		var queue []string
		err = tx.NewRaw(`SELECT id FROM deliveries WHERE webhook_id = ?0 AND state = 'pending' AND next_attempt_at <= ?1
			AND lease_until <= ?1 ORDER BY next_attempt_at, id LIMIT ?2`, hook, millis(now), min(n, perWebhook-busy)).
			Scan(ctx, &queue)
		if err != nil {
			return nil, err
		}
		queues = append(queues, queue)
	}
	var ids []string
	for turn := range perWebhook {
		for _, queue := range queues {
			if turn < len(queue) && len(ids) < n {
				ids = append(ids, queue[turn])
			}
		}
	}
	return ids, nil
}

// claimedDeliveries reads leased deliveries with body, webhook and secret.
func (s *Store) claimedDeliveries(ctx context.Context, ids []string, token string) ([]boardwatch.DeliveryClaim, error) {
	var rows []struct {
		deliveryRow

		PayloadAt int64  `bun:"payload_at"`
		Tail      []byte `bun:"tail"`
	}
	err := s.db().NewRaw(`SELECT d.id, d.webhook_id, d.board_id, d.payload_id, d.type, d.state, d.attempts, d.response_code,
		d.error, d.duration_ms, d.created_at, d.last_attempt_at, d.next_attempt_at, p.created_at AS payload_at, p.tail
		FROM deliveries AS d JOIN payloads AS p ON p.id = d.payload_id WHERE d.id IN (?) AND d.lease_token = ?`,
		bun.List(ids), token).Scan(ctx, &rows)
	if err != nil {
		return nil, err
	}
	var hookIDs []string
	for _, r := range rows {
		hookIDs = append(hookIDs, r.WebhookID)
	}
	hooks, err := s.webhooksByID(ctx, hookIDs)
	if err != nil {
		return nil, err
	}
	claims := make([]boardwatch.DeliveryClaim, 0, len(rows))
	for _, r := range rows {
		d := r.delivery()
		d.Body = boardwatch.Payload{Tail: r.Tail}.Body(d.ID)
		if w, ok := hooks[d.WebhookID]; ok {
			claims = append(claims, boardwatch.DeliveryClaim{Delivery: d, Webhook: w, Token: token})
		}
	}
	slices.SortFunc(claims, func(a, b boardwatch.DeliveryClaim) int {
		return slices.Index(ids, a.Delivery.ID) - slices.Index(ids, b.Delivery.ID)
	})
	return claims, nil
}

func (s *Store) webhooksByID(ctx context.Context, ids []string) (map[string]boardwatch.Webhook, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var rows []webhookRow
	if err := s.db().NewSelect().Model(&rows).Where("w.id IN (?)", bun.List(ids)).Scan(ctx); err != nil {
		return nil, err
	}
	out := make(map[string]boardwatch.Webhook, len(rows))
	for _, r := range rows {
		w := r.webhook()
		var err error
		if w.Secret, err = s.seal.open(r.ID, r.Secret); err != nil {
			return nil, err
		}
		out[w.ID] = w
	}
	return out, nil
}

// SaveAttempt records the outcome of a claimed attempt and what it makes of the webhook.
func (s *Store) SaveAttempt(
	ctx context.Context, c boardwatch.DeliveryClaim, after boardwatch.Delivery, w boardwatch.Webhook,
) error {
	err := s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
		var hook webhookRow // locked before its deliveries, as a claim does
		err := tx.NewRaw("SELECT id, failing_since, disabled_at FROM webhooks WHERE id = ?"+s.dialect.RowLock,
			plain(c.Delivery.WebhookID)).Scan(ctx, &hook)
		if errors.Is(err, sql.ErrNoRows) {
			return boardwatch.ErrLeaseLost // deleted, and its deliveries with it
		}
		if err != nil {
			return err
		}
		if err := saveOutcome(ctx, tx, c, after); err != nil {
			return err
		}
		return saveHealth(ctx, tx, hook, overlapped(hook, c, after, w))
	})
	return wrap("save attempt", err)
}

func saveOutcome(ctx context.Context, tx Tx, c boardwatch.DeliveryClaim, after boardwatch.Delivery) error {
	row := newDeliveryRow(after)
	n, err := affected(ctx, tx, `UPDATE deliveries SET state = ?, attempts = ?, response_code = ?, error = ?,
		duration_ms = ?, last_attempt_at = ?, next_attempt_at = ?, lease_until = 0, lease_token = ''
		WHERE id = ? AND lease_token = ? AND lease_token <> ''`,
		row.State, row.Attempts, row.ResponseCode, row.Error, row.Duration, row.LastAttemptAt, row.NextAttemptAt,
		plain(c.Delivery.ID), plain(c.Token))
	if err == nil && n == 0 {
		err = boardwatch.ErrLeaseLost
	}
	return err
}

// overlapped is the webhook after an attempt that others may have overlapped. What the attempt makes of it was judged on
// the webhook as the claim saw it. If another outcome came first, the first failure since the last success is the one
// that is known now, and whether to switch it off is for a later attempt to say.
func overlapped(
	now webhookRow, c boardwatch.DeliveryClaim, after boardwatch.Delivery, judged boardwatch.Webhook,
) boardwatch.Webhook {
	if after.State == boardwatch.DeliveryDelivered || now.FailingSince == millis(c.Webhook.FailingSince) {
		return judged
	}
	judged.DisabledAt, judged.DisabledReason = time.Time{}, ""
	judged.FailingSince = instant(now.FailingSince)
	if now.FailingSince == 0 {
		judged.FailingSince = after.LastAttemptAt
	}
	return judged
}

// saveHealth records whether a webhook fails and since when. Switching it off ends all that waits for it.
func saveHealth(ctx context.Context, tx Tx, now webhookRow, w boardwatch.Webhook) error {
	if now.DisabledAt != 0 {
		return nil
	}
	_, err := tx.ExecContext(ctx, "UPDATE webhooks SET failing_since = ?, disabled_at = ?, disabled_reason = ? WHERE id = ?",
		millis(w.FailingSince), millis(w.DisabledAt), plain(w.DisabledReason), now.ID)
	if err != nil || w.DisabledAt.IsZero() {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE deliveries SET state = ?, error = ?, next_attempt_at = 0, lease_until = 0,
		lease_token = '' WHERE webhook_id = ? AND state = 'pending'`,
		boardwatch.DeliveryDead, plain(w.DisabledReason), now.ID)
	return err
}

// DeliveriesOf lists a webhook's last deliveries, newest first, without bodies.
func (s *Store) DeliveriesOf(ctx context.Context, webhookID string, limit int) ([]boardwatch.Delivery, error) {
	var rows []deliveryRow
	err := s.db().NewSelect().Model(&rows).Where("d.webhook_id = ?", plain(webhookID)).
		Order("d.created_at DESC", "d.id DESC").Limit(int64(limit)).Scan(ctx)
	if err != nil {
		return nil, wrap("read deliveries", err)
	}
	out := make([]boardwatch.Delivery, len(rows))
	for i, r := range rows {
		out[i] = r.delivery()
	}
	return out, nil
}
