package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
)

// Changes lists what has changed on the account's active boards, newest first.
func (s *Store) Changes(_ context.Context, accountID string, f boardwatch.ChangeFilter) (page boardwatch.ChangePage, err error) {
	s.read(func(d *Database) {
		page.PolledAt = d.horizon()
		if f.BoardID != "" {
			if _, err = d.trackedBoard(accountID, f.BoardID); err != nil {
				return
			}
		}
		for _, t := range d.active(accountID, f.BoardID) {
			page.Changes = append(page.Changes, d.changesOf(t, f)...)
		}
	})
	for i, c := range page.Changes {
		page.Changes[i] = c.Only(f.Kind)
	}
	page.Changes = slices.DeleteFunc(page.Changes, func(c boardwatch.BoardChange) bool {
		return c.Empty() && !c.Beginning
	})
	slices.SortFunc(page.Changes, func(a, b boardwatch.BoardChange) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.CheckID, b.CheckID))
	})
	// Changes of the same moment stay together, so that nothing is lost between two pages.
	limit := cmp.Or(max(f.Limit, 0), 50)
	for limit < len(page.Changes) && page.Changes[limit].At.Equal(page.Changes[limit-1].At) {
		limit++
	}
	if page.More = limit < len(page.Changes); page.More {
		page.Changes = page.Changes[:limit]
		page.Next = page.Changes[limit-1].At
	}
	return page, err
}

// changesOf is what has changed on one board.
func (d *Database) changesOf(t boardwatch.TrackedBoard, f boardwatch.ChangeFilter) (out []boardwatch.BoardChange) {
	b := d.boards[t.Board.ID]
	company := t.Subscription.CompanyOf(t.Board)
	most := cmp.Or(max(f.Jobs, 0), 20)
	asked := func(at time.Time) bool { return at.After(f.After) && (f.Before.IsZero() || at.Before(f.Before)) }
	if began, ok := t.Subscription.Began(b.Board); ok && asked(began.At) {
		began.Company = company
		out = append(out, began)
	}
	if t.Subscription.Arrived() && asked(t.Subscription.AsOf) {
		if moved := b.asOf(t.Subscription.AsOf); len(moved) > 0 {
			out = append(out, t.Subscription.Moved(b.Board, b.list(moved, company, most)))
		}
	}
	for _, c := range b.checks {
		if c.Found+c.Closed+c.Updated == 0 || !asked(c.At) || c.At.Before(t.Subscription.Since) {
			continue
		}
		out = append(out, b.change(c, company, most))
	}
	return out
}

// change is what a check changed on the board.
func (b *board) change(c check, company string, most int) boardwatch.BoardChange {
	ids := map[boardwatch.ChangeKind][]string{}
	fields := map[string][]boardwatch.FieldChange{}
	for _, e := range c.events {
		ids[e.Kind] = append(ids[e.Kind], e.JobID)
		if len(e.Changes) > 0 {
			fields[e.JobID] = e.Changes
		}
	}
	out := boardwatch.BoardChange{
		CheckID: c.ID, BoardID: b.ID, Company: company, CareersURL: b.URL, At: c.At, Beginning: c.First, Open: c.OpenJobs,
		Found:    b.list(ids[boardwatch.ChangeFound], company, most),
		Reopened: b.list(ids[boardwatch.ChangeReopened], company, most),
		Closed:   b.list(ids[boardwatch.ChangeClosed], company, most),
		Updated:  b.list(ids[boardwatch.ChangeUpdated], company, most),
	}
	for _, j := range slices.Concat(out.Reopened.Jobs, out.Updated.Jobs) {
		if changes, ok := fields[j.ID]; ok {
			if out.Fields == nil {
				out.Fields = map[string][]boardwatch.FieldChange{}
			}
			out.Fields[j.ID] = changes
		}
	}
	return out
}

// asOf are the roles that were open when a merge brought an account to the board; without a moment, there are none.
func (b *board) asOf(at time.Time) (ids []string) {
	for id, j := range b.jobs {
		if j.FirstSeenAt.Before(at) && (j.Status == boardwatch.JobOpen || j.ClosedAt.After(at)) {
			ids = append(ids, id)
		}
	}
	return ids
}

// list is the beginning of a list of jobs by title.
func (b *board) list(ids []string, company string, most int) boardwatch.JobList {
	var jobs []boardwatch.Job
	for _, id := range ids {
		if j, ok := b.jobs[id]; ok {
			out := j.shown(b)
			out.Company = company
			jobs = append(jobs, out)
		}
	}
	slices.SortFunc(jobs, func(a, b boardwatch.Job) int {
		return cmp.Or(cmp.Compare(storage.Fold(a.Title), storage.Fold(b.Title)), cmp.Compare(a.ID, b.ID))
	})
	return boardwatch.JobList{Jobs: jobs[:min(most, len(jobs))], Total: len(ids)}
}

// Series is how many roles were open on each of the account's boards on each day.
func (s *Store) Series(
	_ context.Context, accountID, boardID string, since time.Time,
) (series map[string][]boardwatch.Point, err error) {
	series = map[string][]boardwatch.Point{}
	s.read(func(d *Database) {
		list := d.tracked(accountID)
		if boardID != "" {
			var t boardwatch.TrackedBoard
			if t, err = d.trackedBoard(accountID, boardID); err != nil {
				return
			}
			list = []boardwatch.TrackedBoard{t}
		}
		for _, t := range list {
			if points := d.boards[t.Board.ID].points(since); len(points) > 0 {
				series[t.Board.ID] = points
			}
		}
	})
	return series, err
}

// points are how many roles were open at the end of each day since then, and after the last check before.
func (b *board) points(since time.Time) (points []boardwatch.Point) {
	for _, c := range b.checks {
		if c.merged {
			continue
		}
		p := boardwatch.Point{Day: boardwatch.Date(c.At, since.Location()), Open: c.OpenJobs}
		n := len(points)
		switch {
		case n > 0 && (points[n-1].Day.Equal(p.Day) || c.At.Before(since)):
			points[n-1] = p
		default:
			points = append(points, p)
		}
	}
	return points
}

// isNews reports whether the check tells a subscriber anything that was not there before.
func (c check) isNews(sub boardwatch.Subscription) bool { return !c.First && !c.At.Before(sub.Since) }

// Activity is what has happened on each of the account's active boards since then.
func (s *Store) Activity(
	_ context.Context, accountID string, since time.Time,
) (activity map[string]boardwatch.Activity, err error) {
	activity = map[string]boardwatch.Activity{}
	s.read(func(d *Database) {
		for _, t := range d.active(accountID, "") {
			for _, c := range d.boards[t.Board.ID].checks {
				if c.At.After(since) && c.Found+c.Closed > 0 && c.isNews(t.Subscription) {
					sum := activity[t.Board.ID]
					activity[t.Board.ID] = boardwatch.Activity{Found: sum.Found + c.Found, Closed: sum.Closed + c.Closed}
				}
			}
		}
	})
	return activity, nil
}

// FlowPerDay is how many roles were found and closed on the account's active boards on each day since then.
func (s *Store) FlowPerDay(_ context.Context, accountID, boardID string, since time.Time) (out []boardwatch.DayFlow, err error) {
	flow := map[time.Time]boardwatch.DayFlow{}
	s.read(func(d *Database) {
		if boardID != "" {
			if _, err = d.trackedBoard(accountID, boardID); err != nil {
				return
			}
		}
		for _, t := range d.active(accountID, boardID) {
			for _, c := range d.boards[t.Board.ID].checks {
				if !c.At.Before(since) && c.Found+c.Closed > 0 && c.isNews(t.Subscription) {
					day := boardwatch.Date(c.At, since.Location())
					sum := flow[day]
					flow[day] = boardwatch.DayFlow{Day: day, Found: sum.Found + c.Found, Closed: sum.Closed + c.Closed}
				}
			}
		}
	})
	for _, f := range flow {
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b boardwatch.DayFlow) int { return a.Day.Compare(b.Day) })
	return out, err
}

// Shares are the open roles of the account's active boards, or of the one that is asked for, one by one.
func (s *Store) Shares(_ context.Context, accountID, boardID string) (out []boardwatch.Share, err error) {
	s.read(func(d *Database) {
		for _, t := range d.active(accountID, boardID) {
			b := d.boards[t.Board.ID]
			for _, j := range b.jobs {
				if role := j.shown(b); role.Status == boardwatch.JobOpen {
					out = append(out, boardwatch.Share{Department: role.Department, Location: role.Location, Open: 1})
				}
			}
		}
	})
	return out, nil
}

// MedianStay is how long the closed roles of one of the account's active boards were open in the median.
func (s *Store) MedianStay(_ context.Context, accountID, boardID string) (stay time.Duration, closed int, err error) {
	s.read(func(d *Database) {
		for _, t := range d.active(accountID, boardID) {
			stays := d.boards[t.Board.ID].stays()
			if closed = len(stays); closed > 0 {
				stay = stays[(closed-1)/2]
			}
		}
	})
	return stay, closed, nil
}

// stays are how long the closed roles that opened while the board was watched were open, the shortest first.
func (b *board) stays() (stays []time.Duration) {
	var first time.Time
	for _, j := range b.jobs {
		if role := j.shown(b); first.IsZero() || role.FirstSeenAt.Before(first) {
			first = role.FirstSeenAt
		}
	}
	for _, j := range b.jobs {
		if role := j.shown(b); role.Status != boardwatch.JobOpen && role.FirstSeenAt.After(first) {
			stays = append(stays, role.ClosedAt.Sub(role.FirstSeenAt))
		}
	}
	slices.Sort(stays)
	return stays
}
