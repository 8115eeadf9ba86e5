package memory

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
)

// job is a role of a board.
type job struct {
	boardwatch.Job

	// current says that the last healthy check saw it, whichever that is from now on.
	current bool
}

// missing reports whether the role is open and the last healthy check did not see it.
func (j *job) missing() bool { return j.Status == boardwatch.JobOpen && !j.current }

// concerns reports whether a check under the claim has to be decided with the role in view.
func (j *job) concerns(c boardwatch.Claim) bool {
	switch {
	case c.Unchanged:
		return j.missing()
	case j.Status == boardwatch.JobClosed && c.Listed != nil:
		return slices.Contains(c.Listed, j.Key)
	default:
		return true
	}
}

// shown is the role as it is to be seen.
func (j *job) shown(b *board) boardwatch.Job {
	out := j.Job
	out.Company = ""
	if j.current {
		out.LastSeenAt = b.State.LastSuccessAt
	}
	return out
}

// saveJobs keeps the jobs that a check changed.
func (b *board) saveJobs(r boardwatch.CheckResult) {
	c := r.Change
	for _, j := range slices.Concat(c.Found, c.Reopened, c.Closed, c.Updated, c.Touched) {
		for _, text := range []*string{&j.Key, &j.Title, &j.Location, &j.Department, &j.URL} {
			*text = clean(*text)
		}
		j.BoardID = b.ID
		b.jobs[j.ID] = &job{j, j.Status == boardwatch.JobOpen && j.LastSeenAt.Equal(r.Board.State.LastSuccessAt)}
	}
}

// Jobs lists the jobs of the account's active boards, newest first.
func (s *Store) Jobs(_ context.Context, accountID string, f boardwatch.JobFilter) (page boardwatch.JobPage, err error) {
	search, location := storage.Fold(clean(f.Search)), storage.Fold(clean(f.Location))
	s.read(func(d *Database) {
		list := d.jobsOf(accountID, f.BoardID, func(sub boardwatch.Subscription, j boardwatch.Job) bool {
			return d.covered(f.Only, sub, j) && f.Marked.Takes(d.accounts[accountID].marks[j.ID]) && (f.Status == "" || j.Status == f.Status) && j.FirstSeenAt.After(f.AddedAfter) &&
				strings.Contains(storage.Fold(j.Title), search) && strings.Contains(storage.Fold(j.Location), location)
		})
		slices.SortFunc(list, func(a, b boardwatch.Job) int {
			return cmp.Or(b.FirstSeenAt.Compare(a.FirstSeenAt), cmp.Compare(b.ID, a.ID))
		})
		page = pageOf(list, f.Skip, cmp.Or(max(f.Limit, 0), 50))
		page.PolledAt = d.horizon()
	})
	return page, nil
}

// ClosedJobs lists the closed jobs of the account's active boards, the last one closed first.
func (s *Store) ClosedJobs(_ context.Context, accountID string, f boardwatch.ClosedFilter) (page boardwatch.JobPage, err error) {
	s.read(func(d *Database) {
		list := d.jobsOf(accountID, f.BoardID, func(_ boardwatch.Subscription, j boardwatch.Job) bool {
			return j.Status == boardwatch.JobClosed && j.ClosedAt.After(f.After)
		})
		slices.SortFunc(list, func(a, b boardwatch.Job) int {
			return cmp.Or(b.ClosedAt.Compare(a.ClosedAt), cmp.Compare(b.ID, a.ID))
		})
		page = pageOf(list, f.Skip, max(f.Limit, 0))
		page.PolledAt = d.horizon()
	})
	return page, nil
}

// jobsOf are the wanted jobs of the account's active boards, or of the one that is asked for.
func (d *Database) jobsOf(accountID, boardID string, want func(boardwatch.Subscription, boardwatch.Job) bool) (list []boardwatch.Job) {
	for _, t := range d.active(accountID, boardID) {
		b := d.boards[t.Board.ID]
		for _, j := range b.jobs {
			if out := t.Subscription.Sees(j.shown(b)); want(t.Subscription, out) {
				out.Company = t.Subscription.CompanyOf(t.Board)
				list = append(list, out)
			}
		}
	}
	return list
}

func pageOf(list []boardwatch.Job, skip int64, limit int) boardwatch.JobPage {
	total := int64(len(list))
	list = list[min(max(skip, 0), total):]
	return boardwatch.JobPage{Jobs: append([]boardwatch.Job{}, list[:min(limit, len(list))]...), Total: total}
}

// Job is one job on the account's active boards, or any job for the operator, whose account has no id.
func (s *Store) Job(_ context.Context, accountID, jobID string) (out boardwatch.Job, err error) {
	err = boardwatch.NotFound("role")
	s.read(func(d *Database) {
		if accountID == "" {
			for _, b := range d.boards {
				if j, ok := b.jobs[jobID]; ok {
					out, err = j.shown(b), nil
					out.Company = b.Company
				}
			}
			return
		}
		for _, j := range d.jobsOf(accountID, "", func(_ boardwatch.Subscription, j boardwatch.Job) bool { return j.ID == jobID }) {
			out, err = j, nil
		}
	})
	return out, err
}

// RoleEvents are the histories of jobs after a moment.
func (s *Store) RoleEvents(
	_ context.Context, jobIDs []string, after time.Time, most int,
) (map[string][]boardwatch.RoleEvent, error) {
	events := map[string][]boardwatch.RoleEvent{}
	s.read(func(d *Database) {
		for _, b := range d.boards {
			for _, c := range b.checks { // oldest first
				for _, e := range c.events {
					if e.At.After(after) && slices.Contains(jobIDs, e.JobID) {
						events[e.JobID] = append(events[e.JobID], e)
					}
				}
			}
		}
	})
	for id, list := range events {
		events[id] = list[max(0, len(list)-most):]
	}
	return events, nil
}

// ChangedJobs lists jobs of the account's active boards that were updated or reopened after a moment.
func (s *Store) ChangedJobs(_ context.Context, accountID string, f boardwatch.ChangedFilter) (page boardwatch.JobPage, err error) {
	s.read(func(d *Database) {
		changed := map[string]time.Time{}
		for _, b := range d.boards {
			for _, c := range b.checks {
				for _, e := range c.events {
					if c.At.After(f.After) && (e.Kind == boardwatch.ChangeUpdated || e.Kind == boardwatch.ChangeReopened) {
						changed[e.JobID] = e.At
					}
				}
			}
		}
		list := d.jobsOf(accountID, f.BoardID, func(_ boardwatch.Subscription, j boardwatch.Job) bool {
			return !changed[j.ID].IsZero() && !d.firstSeen(j).After(f.After)
		})
		slices.SortFunc(list, func(a, b boardwatch.Job) int {
			return cmp.Or(changed[b.ID].Compare(changed[a.ID]), cmp.Compare(b.ID, a.ID))
		})
		page = pageOf(list, f.Skip, max(f.Limit, 0))
		page.PolledAt = d.horizon()
	})
	return page, nil
}

// firstSeen is when a job was first seen, by whomever.
func (d *Database) firstSeen(j boardwatch.Job) time.Time {
	return d.boards[j.BoardID].jobs[j.ID].FirstSeenAt
}
