package storage

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

func (s *Store) ClaimWebhooks(ctx context.Context, n int, lease time.Duration) ([]boardwatch.WebhookClaim, error) {
	if n <= 0 {
		return nil, nil
	}
	due, err := s.anyDue(ctx)
	if err != nil || !due {
		return nil, wrap("claim webhooks", err)
	}
	token := boardwatch.NewID()
	var rows []webhookRow
	var now time.Time
	err = s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		if now, err = tx.Now(ctx); err != nil {
			return err
		}
		if err := s.recover(ctx, tx); err != nil {
			return err
		}
		if rows, err = s.dueWebhooks(ctx, tx, now, n); err != nil || len(rows) == 0 {
			return err
		}
		ids := make([]string, len(rows))
		for i, r := range rows {
			ids[i] = r.ID
		}
		_, err := tx.ExecContext(ctx, "UPDATE webhooks SET lease_until = ?, lease_token = ? WHERE id IN (?)",
			millis(now.Add(lease)), token, bun.List(ids))
		return err
	})
	if err != nil {
		return nil, wrap("claim webhooks", err)
	}
	for i := range rows {
		rows[i].LeaseToken = token
	}
	return s.webhookClaims(ctx, rows, now), nil
}

// webhookClaims returns the claims on leased webhooks. A webhook whose secret cannot be decrypted is left out, so that
// it does not hold up the others.
func (s *Store) webhookClaims(ctx context.Context, rows []webhookRow, now time.Time) []boardwatch.WebhookClaim {
	claims := make([]boardwatch.WebhookClaim, 0, len(rows))
	for _, r := range rows {
		w, err := s.opened(r)
		if err != nil {
			s.log.ErrorContext(ctx, "a webhook's secret cannot be read", slog.String("webhook_id", r.ID), slog.Any("error", err))
			continue
		}
		claims = append(claims, boardwatch.WebhookClaim{Webhook: w, At: now, Token: r.LeaseToken})
	}
	return claims
}

// anyDue looks before a write transaction is begun, because most of the time there is nothing to do.
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

// recover ends the leases of an earlier process if only one process works at a time. Otherwise they expire.
func (s *Store) recover(ctx context.Context, tx driver.Tx) error {
	if !s.dialect.Alone || s.recovered.Load() {
		return nil
	}
	_, err := tx.ExecContext(ctx, "UPDATE webhooks SET lease_until = 0, lease_token = '' WHERE lease_token <> ''")
	if err == nil {
		s.recovered.Store(true)
	}
	return err
}

// dueWebhooks returns up to n webhooks with a due delivery that nobody sends to, locked against other claims. The query
// steps from one webhook with something pending to the next, however much is pending for each.
func (s *Store) dueWebhooks(ctx context.Context, tx driver.Tx, now time.Time, n int) ([]webhookRow, error) {
	var id string
	var disabled bool
	var ids, off []string
	err := queryRows(ctx, tx, []any{&id, &disabled}, func() error {
		if disabled {
			off = append(off, id)
		} else {
			ids = append(ids, id)
		}
		return nil
	}, `WITH RECURSIVE owed (id) AS (
			SELECT min(webhook_id) FROM deliveries WHERE state = 'pending'
			UNION ALL
			SELECT (SELECT min(d.webhook_id) FROM deliveries AS d WHERE d.state = 'pending' AND d.webhook_id > owed.id)
			FROM owed WHERE owed.id IS NOT NULL
		)
		SELECT w.id, w.disabled_at <> 0 AS disabled FROM owed JOIN webhooks AS w ON w.id = owed.id
		WHERE w.lease_until <= ?0 AND ?0 >=
			(SELECT min(d.next_attempt_at) FROM deliveries AS d WHERE d.webhook_id = w.id AND d.state = 'pending')
		ORDER BY w.lease_until, w.id LIMIT ?1`, millis(now), n)
	if err != nil {
		return nil, err
	}
	for _, id := range off {
		if err := bury(ctx, tx, id); err != nil {
			return nil, err
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return readRows(ctx, tx, webhookRecord, "WHERE w.id IN (?) AND w.lease_until <= ? AND w.disabled_at = 0 ORDER BY w.lease_until, w.id"+
		s.dialect.TryLock, bun.List(ids), millis(now))
}

// bury marks the deliveries pending for a webhook that is switched off as dead, with the reason. A check that committed
// at the same time as the switch may have added them.
func bury(ctx context.Context, tx driver.Tx, webhookID string) error {
	_, err := tx.ExecContext(ctx, `UPDATE deliveries SET state = 'dead', next_attempt_at = 0,
		error = (SELECT disabled_reason FROM webhooks WHERE id = ?0) WHERE webhook_id = ?0 AND state = 'pending'`, webhookID)
	return err
}

func (s *Store) RenewWebhooks(
	ctx context.Context, claims []boardwatch.WebhookClaim, lease time.Duration,
) ([]boardwatch.WebhookClaim, error) {
	if len(claims) == 0 {
		return nil, nil
	}
	var rows []webhookRow
	var now time.Time
	err := s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		var err error
		if now, err = tx.Now(ctx); err != nil {
			return err
		}
		if rows, err = s.heldWebhooks(ctx, tx, claims); err != nil || len(rows) == 0 {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE webhooks SET lease_until = ? WHERE id IN (?)", millis(now.Add(lease)), idsOf(rows))
		return err
	})
	if err != nil {
		return nil, wrap("renew leases of webhooks", err)
	}
	return s.webhookClaims(ctx, rows, now), nil
}

// ReleaseWebhooks keeps the time they were last held, because it is their place in the queue.
func (s *Store) ReleaseWebhooks(ctx context.Context, claims []boardwatch.WebhookClaim) error {
	if len(claims) == 0 {
		return nil
	}
	return s.write(ctx, "release webhooks", func(ctx context.Context, tx driver.Tx) error {
		now, err := tx.Now(ctx)
		if err != nil {
			return err
		}
		rows, err := s.heldWebhooks(ctx, tx, claims)
		if err != nil || len(rows) == 0 {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE webhooks SET lease_until = ?, lease_token = '' WHERE id IN (?)", millis(now), idsOf(rows))
		return err
	})
}

// heldWebhooks reads and locks, in the order of their ids, the webhooks whose claims still hold.
func (s *Store) heldWebhooks(ctx context.Context, tx driver.Tx, claims []boardwatch.WebhookClaim) ([]webhookRow, error) {
	ids := make([]string, len(claims))
	tokens := make(map[string]string, len(claims))
	for i, c := range claims {
		ids[i] = plain(c.Webhook.ID)
		tokens[c.Webhook.ID] = c.Token
	}
	rows, err := readRows(ctx, tx, webhookRecord, "WHERE w.id IN (?) AND w.lease_token <> '' ORDER BY w.id"+s.dialect.RowLock, bun.List(ids))
	held := rows[:0]
	for _, r := range rows {
		if tokens[r.ID] == r.LeaseToken {
			held = append(held, r)
		}
	}
	return held, err
}

func idsOf(rows []webhookRow) any {
	return bun.List(valuesOf(rows, func(r webhookRow) string { return r.ID }))
}

// opened returns the webhook of a row, with its secret decrypted.
func (s *Store) opened(r webhookRow) (boardwatch.Webhook, error) {
	secret, err := s.seal.open(r.ID, r.Sealed)
	r.Secret = secret
	return r.Webhook, err
}
