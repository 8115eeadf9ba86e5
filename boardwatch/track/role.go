package track

import (
	"context"
	"fmt"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Role returns one role on the account's active boards. Any other is a not_found error, whether it exists or not.
func (t *Tracker) Role(ctx context.Context, a boardwatch.Account, id string) (boardwatch.Job, error) {
	if a.ID == "" {
		return boardwatch.Job{}, boardwatch.NotFound("role") // an empty id would mean the operator
	}
	return t.role(ctx, a.ID, id)
}

// AnyRole returns a role of any board, for the operator.
func (t *Tracker) AnyRole(ctx context.Context, id string) (boardwatch.Job, error) {
	return t.role(ctx, "", id)
}

func (t *Tracker) role(ctx context.Context, accountID, id string) (boardwatch.Job, error) {
	if !boardwatch.ValidID(id) {
		return boardwatch.Job{}, boardwatch.NotFound("role")
	}
	j, err := t.store.Job(ctx, accountID, id)
	if err != nil {
		return boardwatch.Job{}, fmt.Errorf("find role: %w", err)
	}
	return j, nil
}

// RoleHistory returns the history of a role, oldest first: its last boardwatch.MaxRoleEvents entries. Call it only for
// a role that the account was allowed to see.
func (t *Tracker) RoleHistory(ctx context.Context, j boardwatch.Job) ([]boardwatch.RoleEvent, error) {
	events, err := t.RoleEvents(ctx, []boardwatch.Job{j}, time.Time{}, boardwatch.MaxRoleEvents)
	return events[j.ID], err
}

// RoleEvents returns the histories of roles after a moment, by the id of the role: at most that many of the newest
// entries of each, oldest first.
func (t *Tracker) RoleEvents(
	ctx context.Context, jobs []boardwatch.Job, after time.Time, most int,
) (map[string][]boardwatch.RoleEvent, error) {
	ids := make([]string, len(jobs))
	for i, j := range jobs {
		ids[i] = j.ID
	}
	events, err := t.store.RoleEvents(ctx, ids, after, most)
	if err != nil {
		return nil, fmt.Errorf("read history of roles: %w", err)
	}
	return events, nil
}

// Changed lists roles on the account's active boards that were updated or reopened after a moment and were first seen
// before it, most recently changed first.
func (t *Tracker) Changed(ctx context.Context, a boardwatch.Account, f boardwatch.ChangedFilter) (boardwatch.JobPage, error) {
	page, err := t.store.ChangedJobs(ctx, a.ID, f)
	if err != nil {
		return boardwatch.JobPage{}, fmt.Errorf("list changed roles: %w", err)
	}
	return page, nil
}
