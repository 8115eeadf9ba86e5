package memory

import (
	"cmp"
	"context"
	"slices"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Hits lists changes of roles on the account's active boards, newest first.
func (s *Store) Hits(_ context.Context, accountID string, f boardwatch.HitFilter) (page boardwatch.HitPage, err error) {
	s.read(func(d *Database) {
		page.PolledAt = d.horizon()
		for _, t := range d.active(accountID, "") {
			page.Hits = append(page.Hits, d.hits(t, f)...)
		}
	})
	slices.SortFunc(page.Hits, func(a, b boardwatch.Hit) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.CheckID, b.CheckID), cmp.Compare(a.Job.Title, b.Job.Title), cmp.Compare(a.Job.ID, b.Job.ID))
	})
	page.Total = len(page.Hits)
	page.Hits = page.Hits[:min(page.Total, cmp.Or(max(f.Limit, 0), 50))]
	return page, nil
}

// hits are those of one board.
func (d *Database) hits(t boardwatch.TrackedBoard, f boardwatch.HitFilter) (out []boardwatch.Hit) {
	b := d.boards[t.Board.ID]
	add := func(h boardwatch.Hit, id string) {
		j, ok := b.jobs[id]
		if !ok || !f.Wants(h.Kind, h.At) || !d.covered(f.Only, t.Subscription, j.Job) {
			return
		}
		h.Job = t.Subscription.Sees(j.shown(b))
		h.Job.Company = t.Subscription.CompanyOf(t.Board)
		out = append(out, h)
	}
	for _, c := range b.checks {
		for _, e := range c.events {
			if !c.At.Before(t.Subscription.Since) && (!c.First || e.Kind != boardwatch.ChangeFound) {
				add(boardwatch.Hit{Kind: e.Kind, CheckID: c.ID, At: c.At}, e.JobID)
			}
		}
	}
	if t.Subscription.Arrived() {
		moved := t.Subscription.Moved(b.Board, boardwatch.JobList{})
		for _, id := range b.asOf(t.Subscription.AsOf) {
			add(boardwatch.Hit{Kind: boardwatch.ChangeFound, CheckID: moved.CheckID, At: moved.At}, id)
		}
	}
	return out
}
