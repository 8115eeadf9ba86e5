package storage_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
)

// reader is an account that opens pages and asks for changes.
type reader struct {
	*storage.Store

	account, board, role string
	now                  time.Time
}

// newReader picks the account's newest role and its board.
func newReader(tb testing.TB, s *storage.Store, account string) reader {
	tb.Helper()
	now, err := s.Now(tb.Context())
	require.NoError(tb, err)
	newest, err := s.Jobs(tb.Context(), account, track.JobFilter{Limit: 1})
	require.NoError(tb, err)
	require.NotEmpty(tb, newest.Jobs)
	return reader{s, account, newest.Jobs[0].BoardID, newest.Jobs[0].ID, now}
}

const daysOfAYear = 365

func (r reader) ago(days int) time.Time { return r.now.AddDate(0, 0, -days) }

// pages maps each page of the app, and list_updates, to its queries.
func (r reader) pages() map[string]func(ctx context.Context) error {
	return map[string]func(ctx context.Context) error{
		"home": r.home, "board": r.boardPage, "role": r.rolePage, "compare": r.compare, "search": r.search, "list_updates": r.updates,
		"roles": func(ctx context.Context) error {
			return r.list(ctx, track.JobFilter{Status: boardwatch.JobOpen, Limit: 100})
		},
		"changes": func(ctx context.Context) error { return r.listChanges(ctx, track.ChangeFilter{}) },
	}
}

// narrowed are the pages of roles and of changes with each of their filters.
func (r reader) narrowed() map[string]func(ctx context.Context) error {
	return map[string]func(ctx context.Context) error{"narrowed roles": r.narrowedRoles, "narrowed changes": r.narrowedChanges}
}

func (r reader) home(ctx context.Context) error {
	if _, err := r.Tracked(ctx, r.account, ""); err != nil {
		return err
	}
	if _, err := r.Activity(ctx, r.account, r.ago(1)); err != nil {
		return err
	}
	return r.charts(ctx, "")
}

// charts queries the charts of all boards, or of one, over a year.
func (r reader) charts(ctx context.Context, board string) error {
	if _, err := r.Series(ctx, r.account, board, r.ago(daysOfAYear)); err != nil {
		return err
	}
	var ids []string
	if board != "" {
		ids = []string{board}
	}
	if _, err := r.FlowPerDay(ctx, r.account, ids, r.ago(daysOfAYear)); err != nil {
		return err
	}
	_, err := r.Shares(ctx, r.account, ids)
	return err
}

func (r reader) boardPage(ctx context.Context) error {
	if _, err := r.TrackedBoard(ctx, r.account, r.board); err != nil {
		return err
	}
	if err := r.list(ctx, track.JobFilter{BoardID: r.board, Status: boardwatch.JobOpen, Limit: 100}); err != nil {
		return err
	}
	if _, err := r.History(ctx, r.board, 20); err != nil {
		return err
	}
	return r.charts(ctx, r.board)
}

// list lists roles with the account's marks.
func (r reader) list(ctx context.Context, f track.JobFilter) error {
	page, err := r.Jobs(ctx, r.account, f)
	if err != nil {
		return err
	}
	ids := make([]string, len(page.Jobs))
	for i, j := range page.Jobs {
		ids[i] = j.ID
	}
	_, err = r.Marks(ctx, r.account, ids...)
	return err
}

func (r reader) rolePage(ctx context.Context) error {
	if _, err := r.Job(ctx, r.account, r.role); err != nil {
		return err
	}
	if _, err := r.Marks(ctx, r.account, r.role); err != nil {
		return err
	}
	_, err := r.RoleEvents(ctx, []string{r.role}, time.Time{}, track.MaxRoleEvents)
	return err
}

func (r reader) compare(ctx context.Context) error {
	if _, err := r.Tracked(ctx, r.account, ""); err != nil {
		return err
	}
	if _, _, err := r.MedianStay(ctx, r.account, r.board); err != nil {
		return err
	}
	if _, err := r.Activity(ctx, r.account, r.ago(daysOfAYear)); err != nil {
		return err
	}
	return r.charts(ctx, r.board)
}

func (r reader) narrowedRoles(ctx context.Context) error {
	for _, f := range []track.JobFilter{
		{Search: "engineer"},
		{Location: "berlin"},
		{Status: boardwatch.JobClosed},
		{Only: boardwatch.Criteria{Department: "platform"}},
		{Marked: track.MarkedVisible},
		{Skip: 1000},
	} {
		f.Limit = 100
		if err := r.list(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

func (r reader) listChanges(ctx context.Context, f track.ChangeFilter) error {
	_, err := r.Changes(ctx, r.account, f)
	return err
}

func (r reader) narrowedChanges(ctx context.Context) error {
	for _, f := range []track.ChangeFilter{
		{Kind: boardwatch.ChangeFound},
		{Kind: boardwatch.ChangeClosed},
		{Kind: boardwatch.ChangeReopened},
		{Kind: boardwatch.ChangeUpdated},
		{BoardID: r.board},
		{Before: r.ago(30)},
		{After: r.ago(1)},
	} {
		if err := r.listChanges(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

func (r reader) search(ctx context.Context) error {
	_, err := r.Hits(ctx, r.account, track.HitFilter{Only: boardwatch.Criteria{Text: "engineer"}, After: r.ago(1)})
	return err
}

// updates runs the queries of list_updates for the last day.
func (r reader) updates(ctx context.Context) error {
	found, err := r.Jobs(ctx, r.account, track.JobFilter{AddedAfter: r.ago(1), Limit: 50})
	if err != nil {
		return err
	}
	closed, err := r.ClosedJobs(ctx, r.account, track.ClosedFilter{After: r.ago(1), Limit: 50})
	if err != nil {
		return err
	}
	changed, err := r.ChangedJobs(ctx, r.account, track.ChangedFilter{After: r.ago(1), Limit: 50})
	if err != nil {
		return err
	}
	var ids []string
	for _, page := range []track.JobPage{found, closed, changed} {
		for _, j := range page.Jobs {
			ids = append(ids, j.ID)
		}
	}
	_, err = r.RoleEvents(ctx, ids, r.ago(1), 10)
	return err
}
