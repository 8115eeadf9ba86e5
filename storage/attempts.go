package storage

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

func (s *Store) SaveAttempts(
	ctx context.Context, outcomes []boardwatch.Attempts,
) (lost []boardwatch.WebhookClaim, err error) {
	if len(outcomes) == 0 {
		return nil, nil
	}
	err = s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		lost, err = s.saveAttempts(ctx, tx, outcomes)
		return err
	})
	return lost, wrap("save attempts", err)
}

func (s *Store) saveAttempts(
	ctx context.Context, tx driver.Tx, outcomes []boardwatch.Attempts,
) (lost []boardwatch.WebhookClaim, err error) {
	claims := make([]boardwatch.WebhookClaim, len(outcomes))
	for i, o := range outcomes {
		claims[i] = o.Claim
	}
	rows, err := s.heldWebhooks(ctx, tx, claims)
	if err != nil {
		return nil, err
	}
	held := make(map[string]webhookRow, len(rows))
	for _, r := range rows {
		held[r.ID] = r
	}
	var settled [][]any
	for _, o := range outcomes {
		if _, ok := held[o.Claim.Webhook.ID]; !ok {
			lost = append(lost, o.Claim)
			continue
		}
		for _, d := range o.Deliveries {
			settled = append(settled, []any{
				plain(d.ID), string(d.State), d.Attempts, d.ResponseCode, plain(d.Error), d.Duration.Milliseconds(), millis(d.LastAttemptAt),
				millis(d.NextAttemptAt), lastLine(d.Log),
			})
		}
	}
	if err := updateDeliveries(ctx, tx, settled); err != nil {
		return nil, err
	}
	for _, o := range outcomes {
		if row, ok := held[o.Claim.Webhook.ID]; ok {
			if err := saveHealth(ctx, tx, row, o.Webhook); err != nil {
				return nil, err
			}
			if err := putOff(ctx, tx, row.ID, o.Quiet); err != nil {
				return nil, err
			}
		}
	}
	return lost, nil
}

// lastLine is what the latest attempt adds to a log.
func lastLine(log []boardwatch.Attempt) string {
	if len(log) == 0 {
		return ""
	}
	return lineOf(log[len(log)-1])
}

// updateDeliveries writes outcomes into their rows, many rows per statement.
func updateDeliveries(ctx context.Context, tx driver.Tx, rows [][]any) error {
	const marks = "(CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS TEXT), " +
		"CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS TEXT))"
	var todo script
	todo.inBatches(rows, marks,
		`UPDATE deliveries SET state = v.column2, attempts = v.column3, response_code = v.column4, error = v.column5,
			duration_ms = v.column6, last_attempt_at = v.column7, next_attempt_at = v.column8, log = deliveries.log || v.column9
			FROM (VALUES `, ") AS v WHERE deliveries.id = v.column1")
	return tx.Run(ctx, todo)
}

// saveHealth records whether a webhook fails and since when. Switching it off drops everything that waits for it.
func saveHealth(ctx context.Context, tx driver.Tx, now webhookRow, w boardwatch.Webhook) error {
	if !now.DisabledAt.IsZero() || millis(now.FailingSince) == millis(w.FailingSince) && w.DisabledAt.IsZero() {
		return nil
	}
	_, err := tx.ExecContext(ctx, "UPDATE webhooks SET failing_since = ?, disabled_at = ?, disabled_reason = ? WHERE id = ?",
		millis(w.FailingSince), millis(w.DisabledAt), plain(w.DisabledReason), now.ID)
	if err != nil || w.DisabledAt.IsZero() {
		return err
	}
	return bury(ctx, tx, now.ID)
}

// putOff postpones everything for a receiver until then.
func putOff(ctx context.Context, tx driver.Tx, webhookID string, until time.Time) error {
	if until.IsZero() {
		return nil
	}
	_, err := tx.ExecContext(ctx, "UPDATE deliveries SET next_attempt_at = ?0 WHERE webhook_id = ?1 AND state = 'pending' AND next_attempt_at < ?0",
		millis(until), webhookID)
	return err
}

// attemptLine is an attempt in the log of a delivery, one JSON object a line.
type attemptLine struct {
	At        int64  `json:"at"`
	Resent    bool   `json:"resent,omitempty"`
	Code      int    `json:"code,omitempty"`
	Error     string `json:"error,omitempty"`
	Duration  int64  `json:"ms"`
	Signature string `json:"signature,omitempty"`
}

// maxLog is the size, in bytes, from which a delivery's log gets no more resends.
const maxLog = 64 << 10

func lineOf(a boardwatch.Attempt) string {
	raw, err := json.Marshal(attemptLine{millis(a.At), a.Resent, a.Code, plain(a.Error), a.Duration.Milliseconds(), plain(a.Signature)})
	if err != nil {
		panic("storage: an attempt that cannot be written: " + err.Error()) // numbers and strings only
	}
	return string(raw) + "\n"
}

// attemptsOf reads a log. A line that no version has written is left out.
func attemptsOf(log string) (list []boardwatch.Attempt) {
	for line := range strings.Lines(log) {
		var l attemptLine
		if json.Unmarshal([]byte(line), &l) == nil {
			list = append(list, boardwatch.Receipt{
				Code: l.Code, Error: l.Error, Duration: time.Duration(l.Duration) * time.Millisecond, Signature: l.Signature,
			}.Attempt(instant(l.At), l.Resent))
		}
	}
	return list
}

func (s *Store) SaveResend(ctx context.Context, deliveryID string, a boardwatch.Attempt) error {
	return wrap("save resend", s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE deliveries SET log = log || ? WHERE id = ? AND length(log) < ?", lineOf(a), plain(deliveryID), maxLog)
		return err
	}))
}

func (s *Store) SaveTest(ctx context.Context, webhookID string, a boardwatch.Attempt) error {
	return wrap("save test", s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE webhooks SET tested = ? WHERE id = ?", lineOf(a), plain(webhookID))
		return err
	}))
}
