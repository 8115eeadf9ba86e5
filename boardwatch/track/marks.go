package track

import (
	"context"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// Mark saves the account's mark on a role on its active boards; any other role is a not_found error, whether it exists
// or not. An invalid mark is an invalid_request error that names every fault.
func (t *Tracker) Mark(ctx context.Context, a account.Account, m Mark) error {
	if !boardwatch.ValidID(m.JobID) {
		return boardwatch.NotFound("role")
	}
	m.AccountID = a.ID
	m, err := m.Clean()
	if err != nil {
		return err
	}
	return boardwatch.Wrap("mark role", t.store.SaveMark(ctx, m, MaxMarks))
}

// Marks returns the account's marks on these roles, or on all if no ids are given, by the role's id.
func (t *Tracker) Marks(ctx context.Context, a account.Account, jobIDs ...string) (map[string]Mark, error) {
	marks, err := t.store.Marks(ctx, a.ID, jobIDs...)
	return marks, boardwatch.Wrap("read marks", err)
}
