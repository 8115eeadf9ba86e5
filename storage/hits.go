package storage

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// usualHits is the default number of hits on a page.
const usualHits = 50

// hitRows selects the recorded changes of roles on boards that an account tracks, after a moment and since it began to watch
// them. What the first reading of a board found is not news.
func hitRows(after time.Time) string {
	return ` FROM (
	SELECT e.check_id, e.kind, e.at, j.*
	FROM subscriptions AS s CROSS JOIN checks AS c CROSS JOIN changes AS e CROSS JOIN jobs AS j -- in this order: first readings are passed over
	WHERE s.account_id = ? AND s.board_id IN (?) AND c.board_id = s.board_id AND ` + newerThan(after) + ` AND c.at <= ? AND e.kind IN (?) AND c.found + c.closed + c.updated > 0 AND NOT c.first_reading
		AND e.board_id = c.board_id AND e.at = c.at AND e.check_id = c.id AND j.id = e.job_id
) AS hits WHERE TRUE`
}

func (s *Store) Hits(ctx context.Context, accountID string, f track.HitFilter) (track.HitPage, error) {
	polled, err := s.driver.Horizon(ctx) // before the query: what it cannot see is later
	if err != nil {
		return track.HitPage{}, wrap("list hits", err)
	}
	page := track.HitPage{PolledAt: polled}
	if f.Until.IsZero() {
		f.Until = boardwatch.Milli(polled.AddDate(1, 0, 0)) // later than every change
	}
	if f.Limit <= 0 {
		f.Limit = usualHits
	}
	err = s.snapshot(ctx, func(ctx context.Context, db bun.IDB) error {
		boards, err := s.changeBoards(ctx, db, accountID, "")
		if err != nil {
			return err
		}
		only, err := narrow(ctx, db, boards, f.Only)
		if err != nil || len(boards) == 0 {
			return err
		}
		further, err := s.condition(ctx, db, keysOf(boards), only)
		if err != nil {
			return err
		}
		return fillHits(ctx, db, &page, hitQuery{accountID: plain(accountID), boards: boards, filter: f, further: further})
	})
	return page, wrap("list hits", err)
}

// hitQuery is a query for hits.
type hitQuery struct {
	accountID string
	boards    map[string]listedBoard
	filter    track.HitFilter
	further   roleCondition
}

// fillHits reads the newest hits of both kinds: changes that checks recorded, and roles that merges brought to the
// account.
func fillHits(ctx context.Context, db bun.IDB, page *track.HitPage, q hitQuery) error {
	f := q.filter
	args := slices.Concat([]any{
		q.accountID, bun.List(keysOf(q.boards)), millis(f.Until), bun.List(f.AllKinds()),
	}, q.further.args)
	rows := hitRows(f.After) + q.further.and()
	if err := db.QueryRowContext(ctx, "SELECT count(*)"+rows, args...).Scan(&page.Total); err != nil {
		return fmt.Errorf("count hits: %w", err)
	}
	hits, err := q.read(ctx, db, "SELECT check_id, kind, at, "+jobColumns()+rows+
		" ORDER BY at DESC, check_id, kind, title_fold, id LIMIT ?", append(args, f.Limit)...)
	if err != nil {
		return fmt.Errorf("read hits: %w", err)
	}
	arrived, err := q.arrivals(ctx, db)
	if err != nil {
		return err
	}
	page.Total += len(arrived)
	if hits = append(hits, arrived...); len(arrived) > 0 {
		slices.SortStableFunc(hits, func(a, b track.Hit) int { return b.At.Compare(a.At) })
	}
	page.Hits = hits[:min(len(hits), f.Limit)]
	return nil
}

func (q hitQuery) read(ctx context.Context, db bun.IDB, text string, args ...any) (hits []track.Hit, err error) {
	var h track.Hit
	err = queryJobs(ctx, db, q.boards, func(j boardwatch.Job, _ listedBoard) {
		h.Job = j
		hits = append(hits, h)
	}, []any{&h.CheckID, &h.Kind, moment(&h.At)}, text, args...)
	return hits, err
}

// arrivals selects the roles that were open on a board when a merge moved the account to it: to the account they were
// found then.
func (q hitQuery) arrivals(ctx context.Context, db bun.IDB) (hits []track.Hit, err error) {
	for _, id := range keysOf(q.boards) {
		b := q.boards[id]
		if !b.sub.Arrived() || !q.filter.Wants(boardwatch.ChangeFound, b.sub.AsOf) {
			continue
		}
		check := track.Moved(b.sub, boardwatch.Board{ID: id}, track.JobList{}).CheckID
		found, err := q.read(ctx, db, "SELECT ?, 'found', ?, "+jobColumns()+
			" FROM jobs WHERE board_id = ? AND first_seen_at < ? AND (status = 0 OR closed_at > ?)"+q.further.and()+" ORDER BY title_fold, id",
			slices.Concat([]any{check, millis(b.sub.AsOf), id, millis(b.sub.AsOf), millis(b.sub.AsOf)}, q.further.args)...)
		if err != nil {
			return nil, fmt.Errorf("read roles of board %s: %w", id, err)
		}
		hits = append(hits, found...)
	}
	return hits, nil
}
