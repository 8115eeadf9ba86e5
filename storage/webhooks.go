package storage

import (
	"context"
	"strings"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// webhookRow is a row of webhooks.
type webhookRow struct {
	bun.BaseModel `bun:"table:webhooks,alias:w"`

	ID             string `bun:"id,pk"`
	AccountID      string `bun:"account_id"`
	Name           string `bun:"name"`
	URL            string `bun:"url"`
	Events         string `bun:"events"` // separated by blanks
	Secret         []byte `bun:"secret"` // sealed
	CreatedAt      int64  `bun:"created_at"`
	FailingSince   int64  `bun:"failing_since"`
	DisabledAt     int64  `bun:"disabled_at"`
	DisabledReason string `bun:"disabled_reason"`
	LeaseUntil     int64  `bun:"lease_until"`
	LeaseToken     string `bun:"lease_token"`
	Tested         string `bun:"tested"` // as a line of a delivery's log

	// Only for a channel: its url is the part of the address that may be shown, and its secret is the address.
	Channel    boardwatch.ChannelKind `bun:"channel"` // empty for a webhook
	Searches   string                 `bun:"searches"`
	AllChanges bool                   `bun:"all_changes"`
	Failures   bool                   `bun:"failures"`
}

// webhook converts everything but the secret.
func (r webhookRow) webhook() boardwatch.Webhook {
	w := boardwatch.Webhook{
		ID: r.ID, AccountID: r.AccountID, Channel: r.Channel, Name: r.Name, URL: r.URL, CreatedAt: instant(r.CreatedAt),
		FailingSince: instant(r.FailingSince), DisabledAt: instant(r.DisabledAt), DisabledReason: r.DisabledReason,
	}
	for _, a := range attemptsOf(r.Tested) {
		w.Tested = a
	}
	for e := range strings.FieldsSeq(r.Events) {
		w.Events = append(w.Events, boardwatch.EventType(e))
	}
	return w
}

// eventText returns events as a row stores them.
func eventText(list []boardwatch.EventType) string {
	events := make([]string, len(list))
	for i, e := range list {
		events[i] = string(e)
	}
	return plain(strings.Join(events, " "))
}

// CreateWebhook saves a webhook. If the account already has limit of them, the error is invalid_request.
func (s *Store) CreateWebhook(ctx context.Context, w boardwatch.Webhook, limit int) error {
	row := webhookRow{
		ID: w.ID, AccountID: plain(w.AccountID), Name: plain(w.Name), URL: plain(w.URL), Events: eventText(w.Events),
		CreatedAt: millis(w.CreatedAt), FailingSince: millis(w.FailingSince), DisabledAt: millis(w.DisabledAt),
		DisabledReason: plain(w.DisabledReason),
	}
	err := s.driver.Write(ctx, func(ctx context.Context, tx Tx) (err error) {
		if err := s.roomFor(ctx, tx, w.AccountID, "(SELECT * FROM webhooks WHERE channel = '') AS hooks", "webhook", limit); err != nil {
			return err
		}
		if row.Secret, err = s.sealFor(ctx, tx, w.ID, w.Secret); err != nil {
			return err
		}
		_, err = tx.NewInsert().Model(&row).Returning("NULL").Exec(ctx)
		return err
	})
	return wrap("create webhook", err)
}

// ChangeWebhook saves the fields that a webhook's owner can change. A claim on it ends.
func (s *Store) ChangeWebhook(ctx context.Context, w boardwatch.Webhook) error {
	return s.write(ctx, "change webhook", func(ctx context.Context, tx Tx) error {
		secret, err := s.sealFor(ctx, tx, w.ID, w.Secret)
		if err != nil {
			return err
		}
		return existing(ctx, tx, "webhook",
			"UPDATE webhooks SET name = ?, url = ?, events = ?, secret = ?, lease_until = 0, lease_token = '' WHERE account_id = ? AND id = ? AND channel = ''",
			plain(w.Name), plain(w.URL), eventText(w.Events), secret, plain(w.AccountID), plain(w.ID))
	})
}

// EnableWebhook switches one of the account's webhooks on again.
func (s *Store) EnableWebhook(ctx context.Context, accountID, id string) error {
	return s.write(ctx, "switch webhook on", func(ctx context.Context, tx Tx) error {
		if _, err := s.planOf(ctx, tx, plain(accountID)); err != nil { // locks the account's row first, as deleting an account does
			return err
		}
		err := existing(ctx, tx, "webhook", "UPDATE webhooks SET failing_since = 0, disabled_at = 0, disabled_reason = '' WHERE account_id = ? AND id = ? AND channel = ''",
			plain(accountID), plain(id))
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM notices WHERE id = ?", webhookNotice(plain(id)))
		return err
	})
}

// Webhooks lists an account's webhooks with their secrets, oldest first.
func (s *Store) Webhooks(ctx context.Context, accountID string) ([]boardwatch.Webhook, error) {
	var rows []webhookRow
	err := s.db().NewSelect().Model(&rows).Where("w.account_id = ? AND w.channel = ''", plain(accountID)).Order("w.created_at", "w.id").Scan(ctx)
	if err != nil {
		return nil, wrap("read webhooks", err)
	}
	out := make([]boardwatch.Webhook, len(rows))
	for i, r := range rows {
		if out[i], err = s.opened(r); err != nil {
			return nil, wrap("read webhooks", err)
		}
	}
	return out, nil
}

// DeleteWebhook removes one of the account's webhooks and its pending deliveries; otherwise a not_found error.
func (s *Store) DeleteWebhook(ctx context.Context, accountID, id string) error {
	return s.write(ctx, "delete webhook", func(ctx context.Context, tx Tx) error {
		err := existing(ctx, tx, "webhook", "DELETE FROM webhooks WHERE account_id = ? AND id = ? AND channel = ''", plain(accountID), plain(id))
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM rates WHERE account_id = ? AND name = ?", plain(accountID), boardwatch.TestRate(plain(id)).Name)
		return err
	})
}

// enabledHooks reads the enabled webhooks and channels of the accounts that actively track a board, without secrets.
// None of them can be deleted before the transaction ends.
func (s *Store) enabledHooks(boardID string, hooks *[]webhookRow) Question {
	query := `SELECT w.id, w.account_id, w.url, w.events, w.created_at, w.failing_since, w.channel, w.searches, w.all_changes, w.failures
		FROM subscriptions AS s JOIN webhooks AS w ON w.account_id = s.account_id
		WHERE s.board_id = ? AND NOT s.locked AND w.disabled_at = 0 ORDER BY w.id` + s.dialect.HookLock
	return Question{Statement{query, []any{boardID}}, func(rows Rows) error {
		for rows.Next() {
			var r webhookRow
			err := rows.Scan(&r.ID, &r.AccountID, &r.URL, &r.Events, &r.CreatedAt, &r.FailingSince, &r.Channel, &r.Searches,
				&r.AllChanges, &r.Failures)
			if err != nil {
				return err
			}
			*hooks = append(*hooks, r)
		}
		return rows.Err()
	}}
}

// webhooksOf returns the webhooks among the enabled hooks whose owner's plan includes webhooks.
func (s *Store) webhooksOf(hooks []webhookRow, subs []boardwatch.Subscription) (out []boardwatch.Webhook) {
	entitled := make(map[string]bool, len(subs))
	for _, sub := range subs {
		if s.allowed(account.PlanName(sub.Plan)).Webhooks {
			entitled[sub.AccountID] = true
		}
	}
	for _, r := range hooks {
		if r.Channel == "" && entitled[r.AccountID] {
			out = append(out, r.webhook())
		}
	}
	return out
}
