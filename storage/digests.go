package storage

import (
	"context"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// digests reads accounts with the state of their daily mail.
func (s *Store) digests(ctx context.Context, rest string, args ...any) (due []track.DueDigest, err error) {
	none := track.DueDigest{Preferences: account.DefaultPreferences("")}
	next := none
	owner, chosen := accountRecord(&next.Account), preferenceRecord(&next)
	err = queryRows(ctx, s.db(), targets(owner, chosen), func() error {
		next.Preferences.AccountID = next.Account.ID
		due, next = append(due, next), none
		return nil
	}, "SELECT "+columns(owner, chosen)+" FROM accounts AS a LEFT JOIN preferences AS p ON p.account_id = a.id "+rest, args...)
	return due, err
}

func (s *Store) DueDigests(ctx context.Context, now time.Time, hour, n int) ([]track.DueDigest, error) {
	due, err := s.digests(ctx, `WHERE a.verified AND (p.account_id IS NULL
		OR p.digest AND (p.digest_at <= ? OR p.digest_hour < 0 AND p.planned_hour <> ?))
		ORDER BY COALESCE(p.digest_at, 0), a.id LIMIT ?`, millis(now), hour, n)
	return due, wrap("read due mail", err)
}

func (s *Store) Digest(ctx context.Context, accountID string) (track.DueDigest, error) {
	due, err := s.digests(ctx, "WHERE a.id = ?", plain(accountID))
	if err != nil {
		return track.DueDigest{}, wrap("read daily mail", err)
	}
	if len(due) == 0 {
		return track.DueDigest{}, boardwatch.NotFound("account")
	}
	return due[0], nil
}

func (s *Store) PlanDigest(ctx context.Context, accountID string, next time.Time, hour int) error {
	return s.write(ctx, "plan daily mail", func(ctx context.Context, tx driver.Tx) error {
		if err := s.ownRow(ctx, tx, accountID); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE preferences SET digest_at = ?, planned_hour = ? WHERE account_id = ?",
			millis(next), hour, plain(accountID))
		return err
	})
}

func (s *Store) BeginDigest(ctx context.Context, accountID string, day account.DigestDay, again bool) (bool, error) {
	var begun bool
	err := s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		if err := s.ownRow(ctx, tx, accountID); err != nil {
			return err
		}
		earlier := "digest_day < ?1"
		if again {
			earlier = "digest_day <= ?1"
		}
		n, err := affected(ctx, tx, "UPDATE preferences SET digest_day = ?1, digest_at = ?2 WHERE account_id = ?0 AND digest AND "+earlier,
			plain(accountID), plain(day.Date), millis(day.Next))
		begun = n == 1
		return err
	})
	return begun, wrap("begin daily mail", err)
}

func (s *Store) EndDigest(ctx context.Context, accountID string, until time.Time) error {
	return s.exec(ctx, "end daily mail", "UPDATE preferences SET digest_until = ?1 WHERE account_id = ?0 AND digest_until < ?1",
		plain(accountID), millis(until))
}

func (s *Store) UndoDigest(ctx context.Context, accountID, day, before string, at time.Time) error {
	return s.exec(ctx, "take back daily mail", "UPDATE preferences SET digest_day = ?, digest_at = ? WHERE account_id = ? AND digest_day = ?",
		plain(before), millis(at), plain(accountID), plain(day))
}

// noticeRow is a notice that is owed.
type noticeRow struct {
	ID        string `bun:"id"`
	AccountID string `bun:"account_id"`
	Subject   string `bun:"subject"` // the webhook or the board
	Since     int64  `bun:"since"`
}

// dueWebhooks selects the webhooks that were switched off and whose owner has not been told yet.
const dueWebhooks = `SELECT 'webhook:' || w.id AS id, w.account_id, w.id AS subject, w.disabled_at AS since
	FROM webhooks AS w JOIN accounts AS a ON a.id = w.account_id LEFT JOIN preferences AS p ON p.account_id = a.id
	WHERE w.disabled_at > 0 AND a.verified AND COALESCE(p.notices, TRUE)
	AND NOT EXISTS (SELECT 1 FROM notices AS n WHERE n.id = 'webhook:' || w.id AND (n.told_at > 0 OR n.lease_until > ?0))
	ORDER BY w.id LIMIT ?1`

// webhookNotice returns the id of the notice that a webhook or a channel was switched off.
func webhookNotice(id string) string { return "webhook:" + id }

// dueBoards selects the boards that no check could read since ?2, with the accounts that have tracked them that long
// and were not told yet. A board that was never read counts as sick since it was added.
const dueBoards = `SELECT * FROM (
		SELECT 'board:' || s.account_id || ':' || b.id || ':' || CASE WHEN b.sick_since > 0 THEN b.sick_since ELSE b.added_at END AS id,
			s.account_id, b.id AS subject, CASE WHEN b.sick_since > 0 THEN b.sick_since ELSE b.added_at END AS since
		FROM boards AS b JOIN subscriptions AS s ON s.board_id = b.id JOIN accounts AS a ON a.id = s.account_id
			LEFT JOIN preferences AS p ON p.account_id = a.id
		WHERE b.status = 'failed' AND NOT s.locked AND s.added_at <= ?2 AND a.verified AND COALESCE(p.notices, TRUE)
			AND NOT EXISTS (SELECT 1 FROM checks AS c WHERE c.board_id = b.id AND NOT c.merged
				AND c.health IN ('ok', 'partial', 'suspect') AND (c.at > ?2 OR c.last_at > ?2))
	) AS sick
	WHERE since <= ?2 AND NOT EXISTS (SELECT 1 FROM notices AS n WHERE n.id = sick.id AND (n.told_at > 0 OR n.lease_until > ?0))
	ORDER BY account_id, since, id LIMIT ?1`

func (s *Store) DueNotices(ctx context.Context, now time.Time, n int) ([]track.Notice, error) {
	var rows []noticeRow
	if err := s.db().NewRaw(dueWebhooks, millis(now), n).Scan(ctx, &rows); err != nil {
		return nil, wrap("read notices", err)
	}
	var out []track.Notice
	for _, r := range rows {
		notice, err := s.notice(ctx, r)
		if err == nil {
			notice.Webhook, err = s.webhookBrief(ctx, r.Subject)
		}
		if out, err = appendFound(out, notice, err); err != nil {
			return nil, wrap("read notices", err)
		}
	}
	rows = nil
	cut := millis(now.Add(-track.FailingLong))
	if err := s.db().NewRaw(dueBoards, millis(now), n-len(out), cut).Scan(ctx, &rows); err != nil {
		return nil, wrap("read notices", err)
	}
	for _, r := range rows {
		notice, err := s.notice(ctx, r)
		if err == nil {
			var b track.TrackedBoard
			b, err = s.TrackedBoard(ctx, r.AccountID, r.Subject)
			notice.Board = &b
		}
		if out, err = appendFound(out, notice, err); err != nil {
			return nil, wrap("read notices", err)
		}
	}
	return out, nil
}

func (s *Store) notice(ctx context.Context, r noticeRow) (track.Notice, error) {
	a, err := s.Account(ctx, r.AccountID)
	return track.Notice{ID: r.ID, Account: a, Since: instant(r.Since)}, err
}

// webhookBrief is a webhook without its secret.
func (s *Store) webhookBrief(ctx context.Context, id string) (*boardwatch.Webhook, error) {
	row, err := readRow(ctx, s.db(), webhookRecord, "WHERE w.id = ?", id)
	return &row.Webhook, found("read webhook", "webhook", err)
}

// appendFound appends a notice, unless its subject was deleted meanwhile.
func appendFound(list []track.Notice, n track.Notice, err error) ([]track.Notice, error) {
	switch {
	case err == nil:
		return append(list, n), nil
	case boardwatch.CodeOf(err) == boardwatch.CodeNotFound:
		return list, nil
	default:
		return list, err
	}
}

func (s *Store) BeginNotice(ctx context.Context, n track.Notice, now time.Time, lease time.Duration) (bool, error) {
	var begun bool
	err := s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		if _, err := s.planOf(ctx, tx, n.Account.ID); err != nil {
			return err
		}
		rows, err := affected(ctx, tx, `INSERT INTO notices (id, account_id, lease_until) VALUES (?0, ?1, ?2)
			ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until
			WHERE notices.told_at = 0 AND notices.lease_until <= ?3`,
			plain(n.ID), plain(n.Account.ID), millis(now.Add(lease)), millis(now))
		begun = rows == 1
		return err
	})
	return begun, wrap("begin notice", err)
}

func (s *Store) EndNotice(ctx context.Context, n track.Notice, now time.Time) error {
	return s.exec(ctx, "end notice", "UPDATE notices SET told_at = ?, lease_until = 0 WHERE id = ?", millis(now), plain(n.ID))
}
