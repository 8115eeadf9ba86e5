package memory

import (
	"context"
	"slices"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// SaveMark keeps a mark in place of the account's earlier one; an empty one is forgotten.
func (s *Store) SaveMark(ctx context.Context, m boardwatch.Mark, limit int) error {
	return s.change(ctx, m.AccountID, func(d *Database, a *account) error {
		if len(d.jobsOf(a.ID, "", func(_ boardwatch.Subscription, j boardwatch.Job) bool { return j.ID == m.JobID })) == 0 {
			return boardwatch.NotFound("role")
		}
		_, known := a.marks[m.JobID]
		switch {
		case m.Empty():
			delete(a.marks, m.JobID)
		case !known && len(a.marks) >= limit:
			return full("mark")
		case a.marks == nil:
			a.marks = map[string]boardwatch.Mark{m.JobID: m}
		default:
			a.marks[m.JobID] = m
		}
		return nil
	})
}

// Marks are what the account has noted about these roles, or about all.
func (s *Store) Marks(_ context.Context, accountID string, jobIDs ...string) (marks map[string]boardwatch.Mark, err error) {
	marks = map[string]boardwatch.Mark{}
	s.read(func(d *Database) {
		if a, ok := d.accounts[accountID]; ok {
			for id, m := range a.marks {
				if len(jobIDs) == 0 || slices.Contains(jobIDs, id) {
					marks[id] = m
				}
			}
		}
	})
	return marks, nil
}
