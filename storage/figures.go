package storage

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// failingShown is the number of failing boards shown to an operator.
const failingShown = 100

func (s *Store) Figures(ctx context.Context) (account.Figures, error) {
	now, err := s.driver.Now(ctx)
	if err != nil {
		return account.Figures{}, wrap("count figures", err)
	}
	f := account.Figures{At: now, Accounts: map[account.PlanName]int{}, Deliveries: map[boardwatch.DeliveryState]int{}, Ways: map[account.Way]int{}}
	if f.Boards, err = s.BoardStats(ctx); err != nil {
		return account.Figures{}, wrap("count figures", err)
	}
	for _, count := range []func(context.Context, *account.Figures) error{
		s.countAccounts, s.countWays, s.countDue, s.countVerdicts, s.listFailing, s.countDeliveries,
	} {
		if err := count(ctx, &f); err != nil {
			return account.Figures{}, wrap("count figures", err)
		}
	}
	return f, nil
}

func (s *Store) countAccounts(ctx context.Context, f *account.Figures) error {
	var rows []struct {
		Plan       account.PlanName `bun:"plan"`
		Total      int              `bun:"total"`
		Unverified int              `bun:"unverified"`
	}
	err := s.db().NewRaw(`SELECT plan, count(*) AS total, sum(CASE WHEN verified THEN 0 ELSE 1 END) AS unverified
		FROM accounts GROUP BY plan`).Scan(ctx, &rows)
	if err != nil {
		return err
	}
	for _, r := range rows {
		f.Accounts[r.Plan] = r.Total
		f.Unverified += r.Unverified
	}
	return s.db().QueryRowContext(ctx, "SELECT count(*) FROM sessions WHERE last_used_at > ? AND created_at > ?",
		millis(f.At.Add(-account.SessionIdle)), millis(f.At.Add(-account.SessionLife))).Scan(&f.Sessions)
}

func (s *Store) countWays(ctx context.Context, f *account.Figures) error {
	var password, provider, passkey int
	err := s.db().QueryRowContext(ctx, `SELECT (SELECT count(*) FROM accounts WHERE password_hash <> ''),
		(SELECT count(DISTINCT account_id) FROM logins), (SELECT count(DISTINCT account_id) FROM passkeys)`).
		Scan(&password, &provider, &passkey)
	f.Ways[account.WayPassword], f.Ways[account.WayProvider], f.Ways[account.WayPasskey] = password, provider, passkey
	return err
}

func (s *Store) countDue(ctx context.Context, f *account.Figures) error {
	var oldest int64
	err := s.db().QueryRowContext(ctx, `SELECT count(*), COALESCE(min(CASE WHEN next_check_at > ? THEN next_check_at END), 0) FROM boards
		WHERE next_check_at IS NOT NULL AND next_check_at <= ?`, atOnce, millis(f.At)).Scan(&f.Due, &oldest)
	if oldest > 0 {
		f.OldestDue = f.At.Sub(instant(oldest))
	}
	return err
}

// countVerdicts counts boards by their last verdict.
func (s *Store) countVerdicts(ctx context.Context, f *account.Figures) error {
	err := s.db().NewRaw(`SELECT system, health, count(*) AS boards FROM boards GROUP BY system, health
		ORDER BY system, health`).Scan(ctx, &f.Verdicts)
	return err
}

func (s *Store) listFailing(ctx context.Context, f *account.Figures) error {
	var row boardRow
	var b account.FailingBoard
	board := boardRecord(&row)
	return queryRows(ctx, s.db(), append(targets(board), moment(&b.Since), &b.Trackers), func() error {
		b.Board = row.Board
		f.Failing = append(f.Failing, b)
		return nil
	}, "SELECT "+columns(board)+`, CASE WHEN b.last_success_at > 0 THEN b.last_success_at ELSE b.added_at END AS since,
			(SELECT count(*) FROM subscriptions AS s WHERE s.board_id = b.id AND NOT s.locked) AS trackers
		FROM boards AS b WHERE b.status = ? ORDER BY since, b.id LIMIT ?`, boardwatch.BoardFailed, failingShown)
}

// Returned reads the checks of that time, which is too much for every count.
func (s *Store) Returned(ctx context.Context) ([]account.ReturnedBoard, error) {
	now, err := s.driver.Now(ctx)
	if err != nil {
		return nil, wrap("list returned boards", err)
	}
	var row boardRow
	var next account.ReturnedBoard
	var returned []account.ReturnedBoard
	board, within := boardRecord(&row), account.ReturnedWithin.Milliseconds()
	err = queryRows(ctx, s.db(), append(targets(board), &next.Roles, moment(&next.LastAt)), func() error {
		next.Board = row.Board
		returned = append(returned, next)
		return nil
	}, "SELECT "+columns(board)+`, r.roles, r.returned_at FROM boards AS b JOIN (
			SELECT max(k.board_id) AS board_id, count(*) AS roles, max(k.at) AS returned_at
			FROM checks AS k CROSS JOIN changes AS o -- in this order, because such checks are few
			WHERE k.reopened > 0 AND k.at > ? AND o.board_id = k.board_id AND o.at = k.at AND o.kind = 'reopened' AND EXISTS (SELECT 1 FROM changes AS c
				WHERE c.board_id = o.board_id AND c.job_id = o.job_id AND c.kind = 'closed' AND c.at < o.at AND c.at > o.at - ?)
			GROUP BY k.board_id || '' -- not by the index of all checks
		) AS r ON r.board_id = b.id ORDER BY r.roles DESC, r.returned_at DESC, b.id LIMIT ?`, millis(now)-within, within, failingShown)
	return returned, wrap("list returned boards", err)
}

func (s *Store) countDeliveries(ctx context.Context, f *account.Figures) error {
	var rows []struct {
		State boardwatch.DeliveryState `bun:"state"`
		N     int                      `bun:"n"`
	}
	if err := s.db().NewRaw("SELECT state, count(*) AS n FROM deliveries GROUP BY state").Scan(ctx, &rows); err != nil {
		return err
	}
	for _, r := range rows {
		f.Deliveries[r.State] = r.N
	}
	err := s.db().QueryRowContext(ctx, "SELECT count(*) FROM deliveries WHERE state = 'pending' AND next_attempt_at <= ?",
		millis(f.At)).Scan(&f.Waiting)
	if err != nil {
		return err
	}
	return s.db().QueryRowContext(ctx, `SELECT COALESCE(sum(CASE WHEN disabled_at = 0 THEN 1 ELSE 0 END), 0),
		COALESCE(sum(CASE WHEN disabled_at > 0 THEN 1 ELSE 0 END), 0) FROM webhooks WHERE channel = ''`).Scan(&f.WebhooksOn, &f.WebhooksOff)
}

func (s *Store) Usage(ctx context.Context, accountIDs []string) (map[string]account.Usage, error) {
	usage := make(map[string]account.Usage, len(accountIDs))
	if len(accountIDs) == 0 {
		return usage, nil
	}
	var id string
	var next account.Usage
	err := queryRows(ctx, s.db(), []any{&id, &next.Boards, moment(&next.LastAt)}, func() error {
		usage[id] = next
		return nil
	}, `SELECT a.id, (SELECT count(*) FROM subscriptions AS s WHERE s.account_id = a.id),
		COALESCE((SELECT max(n.last_used_at) FROM sessions AS n WHERE n.account_id = a.id), 0) FROM accounts AS a WHERE a.id IN (?)`, bun.List(accountIDs))
	return usage, wrap("read usage", err)
}
