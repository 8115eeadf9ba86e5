package storage

import (
	"context"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// digestRow is an account with its preferences.
type digestRow struct {
	accountRow

	PreferenceOf *string        `bun:"p_account_id"` // nil: the account has no preferences of its own
	Digest       *bool          `bun:"digest"`
	DigestHour   *int           `bun:"digest_hour"`
	TimeZone     *string        `bun:"time_zone"`
	Notices      *bool          `bun:"notices"`
	Theme        *account.Theme `bun:"theme"`
	Shortcuts    *bool          `bun:"shortcuts"`
	OnlySaved    *bool          `bun:"digest_searches"`
	Steps        *bool          `bun:"steps"`
	SeenAt       *int64         `bun:"seen_at"`
	LookedAt     *int64         `bun:"looked_at"`
	DigestAt     *int64         `bun:"digest_at"`
	DigestDay    *string        `bun:"digest_day"`
	DigestUntil  *int64         `bun:"digest_until"`
}

const digestSelect = `SELECT a.id, a.email, a.plan, a.verified, a.admin, a.password_hash, a.created_at,
	p.account_id AS p_account_id, p.digest, p.digest_hour, p.time_zone, p.notices, p.theme, p.shortcuts, p.digest_searches, p.digest_at,
	p.digest_day, p.digest_until, p.steps, p.seen_at, p.looked_at
	FROM accounts AS a LEFT JOIN preferences AS p ON p.account_id = a.id `

func (r digestRow) due() track.DueDigest {
	d := track.DueDigest{Account: r.account(), Preferences: account.DefaultPreferences(r.ID)}
	if r.PreferenceOf == nil {
		return d
	}
	d.Preferences = account.Preferences{
		AccountID: r.ID, Digest: *r.Digest, DigestHour: *r.DigestHour, TimeZone: *r.TimeZone, Notices: *r.Notices,
		Theme: *r.Theme, Shortcuts: *r.Shortcuts, OnlySaved: *r.OnlySaved, Steps: *r.Steps,
		Visits: account.Visits{SeenAt: instant(*r.SeenAt), LastAt: instant(*r.LookedAt)},
	}
	d.Planned, d.Day, d.Until = instant(*r.DigestAt), *r.DigestDay, instant(*r.DigestUntil)
	return d
}

// DueDigests lists accounts whose daily mail is due or not planned yet.
func (s *Store) DueDigests(ctx context.Context, now time.Time, hour, n int) ([]track.DueDigest, error) {
	var rows []digestRow
	err := s.db().NewRaw(digestSelect+`WHERE a.verified AND (p.account_id IS NULL
		OR p.digest AND (p.digest_at <= ? OR p.digest_hour < 0 AND p.planned_hour <> ?))
		ORDER BY COALESCE(p.digest_at, 0), a.id LIMIT ?`, millis(now), hour, n).Scan(ctx, &rows)
	return valuesOf(rows, digestRow.due), wrap("read due mail", err)
}

// Digest returns the progress of the account's daily mail; otherwise a not_found error.
func (s *Store) Digest(ctx context.Context, accountID string) (track.DueDigest, error) {
	var rows []digestRow
	if err := s.db().NewRaw(digestSelect+"WHERE a.id = ?", plain(accountID)).Scan(ctx, &rows); err != nil {
		return track.DueDigest{}, wrap("read daily mail", err)
	}
	if len(rows) == 0 {
		return track.DueDigest{}, boardwatch.NotFound("account")
	}
	return rows[0].due(), nil
}

// PlanDigest sets when the account's mail is due next.
func (s *Store) PlanDigest(ctx context.Context, accountID string, next time.Time, hour int) error {
	return s.write(ctx, "plan daily mail", func(ctx context.Context, tx Tx) error {
		if err := s.ownRow(ctx, tx, accountID); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE preferences SET digest_at = ?, planned_hour = ? WHERE account_id = ?",
			millis(next), hour, plain(accountID))
		return err
	})
}

// BeginDigest marks a day's mail as begun and plans the next one.
func (s *Store) BeginDigest(ctx context.Context, accountID string, day account.DigestDay, again bool) (bool, error) {
	var begun bool
	err := s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
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

// EndDigest records that the account has been told everything up to that moment.
func (s *Store) EndDigest(ctx context.Context, accountID string, until time.Time) error {
	return s.exec(ctx, "end daily mail", "UPDATE preferences SET digest_until = ?1 WHERE account_id = ?0 AND digest_until < ?1",
		plain(accountID), millis(until))
}

// UndoDigest reverts BeginDigest for a day's mail. It is due again at the given time.
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

// DueNotices lists up to n notices that have not been sent yet.
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
	var rows []webhookRow
	err := s.db().NewRaw(`SELECT id, account_id, channel, url, events, created_at, failing_since, disabled_at, disabled_reason
		FROM webhooks WHERE id = ?`, id).Scan(ctx, &rows)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, boardwatch.NotFound("webhook")
	}
	w := rows[0].webhook()
	return &w, nil
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

// BeginNotice leases a notice for that long. False means that another process holds it or has already sent it.
func (s *Store) BeginNotice(ctx context.Context, n track.Notice, now time.Time, lease time.Duration) (bool, error) {
	var begun bool
	err := s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
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

// EndNotice records that the owner was told.
func (s *Store) EndNotice(ctx context.Context, n track.Notice, now time.Time) error {
	return s.exec(ctx, "end notice", "UPDATE notices SET told_at = ?, lease_until = 0 WHERE id = ?", millis(now), plain(n.ID))
}
