package storage

import (
	"context"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// webhookRow is a row of webhooks.
type webhookRow struct {
	boardwatch.Webhook // without its secret

	Sealed     []byte // the secret
	LeaseUntil time.Time
	LeaseToken string

	// Of a channel: its URL is the part of the address that may be shown, and its secret is the address.
	Searches      []string
	All, Failures bool
}

func webhookRecord(r *webhookRow) record {
	tested := stored[string]{func() string {
		if r.Tested.At.IsZero() {
			return ""
		}
		return lineOf(r.Tested)
	}, func(log string) error {
		for _, a := range attemptsOf(log) {
			r.Tested = a
		}
		return nil
	}}
	return newRecord("webhooks", "w",
		col("id", &r.ID), col("account_id", &r.AccountID), col("name", &r.Name), col("url", &r.URL), col("events", wordList(&r.Events)),
		col("secret", &r.Sealed), col("created_at", moment(&r.CreatedAt)), col("failing_since", moment(&r.FailingSince)),
		col("disabled_at", moment(&r.DisabledAt)), col("disabled_reason", &r.DisabledReason), col("lease_until", moment(&r.LeaseUntil)),
		col("lease_token", &r.LeaseToken), col("tested", tested), col("channel", &r.Channel), col("searches", entries(&r.Searches)),
		col("all_changes", &r.All), col("failures", &r.Failures),
	)
}

func (s *Store) CreateWebhook(ctx context.Context, w boardwatch.Webhook, limit int) error {
	row := webhookRow{Webhook: w}
	err := s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) (err error) {
		if err := s.roomFor(ctx, tx, w.AccountID, "(SELECT * FROM webhooks WHERE channel = '') AS hooks", "webhook", limit); err != nil {
			return err
		}
		if row.Sealed, err = s.sealFor(ctx, tx, w.ID, w.Secret); err != nil {
			return err
		}
		_, err = insertRow(ctx, tx, webhookRecord(&row), "")
		return err
	})
	return wrap("create webhook", err)
}

func (s *Store) ChangeWebhook(ctx context.Context, w boardwatch.Webhook) error {
	return s.write(ctx, "change webhook", func(ctx context.Context, tx driver.Tx) error {
		secret, err := s.sealFor(ctx, tx, w.ID, w.Secret)
		if err != nil {
			return err
		}
		set, args := webhookRecord(&webhookRow{Webhook: w, Sealed: secret}).set("name", "url", "events", "secret", "lease_until", "lease_token")
		return existing(ctx, tx, "webhook", "UPDATE webhooks SET "+set+" WHERE account_id = ? AND id = ? AND channel = ''",
			append(args, plain(w.AccountID), plain(w.ID))...)
	})
}

func (s *Store) EnableWebhook(ctx context.Context, accountID, id string) error {
	return s.write(ctx, "switch webhook on", func(ctx context.Context, tx driver.Tx) error {
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

func (s *Store) Webhooks(ctx context.Context, accountID string) ([]boardwatch.Webhook, error) {
	rows, err := readRows(ctx, s.db(), webhookRecord, "WHERE w.account_id = ? AND w.channel = '' ORDER BY w.created_at, w.id", plain(accountID))
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

func (s *Store) DeleteWebhook(ctx context.Context, accountID, id string) error {
	return s.write(ctx, "delete webhook", func(ctx context.Context, tx driver.Tx) error {
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
func (s *Store) enabledHooks(boardID string, hooks *[]webhookRow) driver.Question {
	var next webhookRow
	r := webhookRecord(&next).only("id", "account_id", "url", "events", "created_at", "failing_since", "channel", "searches", "all_changes", "failures")
	query := "SELECT " + columns(r) + ` FROM subscriptions AS s JOIN webhooks AS w ON w.account_id = s.account_id
		WHERE s.board_id = ? AND NOT s.locked AND w.disabled_at = 0 ORDER BY w.id` + s.dialect.HookLock
	return driver.Ask(query, []any{boardID}, func() error {
		*hooks = append(*hooks, next)
		return nil
	}, targets(r)...)
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
			out = append(out, r.Webhook)
		}
	}
	return out
}
