package track

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// MaxRoleEvents is the most entries of a role's history that are shown; the newest ones.
const MaxRoleEvents = 1000

// Role returns one role on the account's active boards. Any other is a not_found error, whether it exists or not.
func (t *Tracker) Role(ctx context.Context, a account.Account, id string) (boardwatch.Job, error) {
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
	return j, boardwatch.Wrap("find role", err)
}

// RoleHistory returns the history of a role, oldest first: its last MaxRoleEvents entries. Call it only for
// a role that the account was allowed to see.
func (t *Tracker) RoleHistory(ctx context.Context, j boardwatch.Job) ([]boardwatch.RoleEvent, error) {
	events, err := t.RoleEvents(ctx, []boardwatch.Job{j}, time.Time{}, MaxRoleEvents)
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
	return events, boardwatch.Wrap("read history of roles", err)
}

// WithTexts returns roles with their texts, as far as these are kept. Call it only for roles that the account was allowed to see.
func (t *Tracker) WithTexts(ctx context.Context, jobs []boardwatch.Job) ([]boardwatch.Job, error) {
	var hashes []string
	for _, j := range jobs {
		if j.TextHash != "" {
			hashes = append(hashes, j.TextHash)
		}
	}
	texts, err := t.Texts(ctx, hashes...)
	if err != nil {
		return nil, err
	}
	jobs = slices.Clone(jobs)
	for i := range jobs {
		jobs[i].Text = texts[jobs[i].TextHash]
	}
	return jobs, nil
}

// Texts returns texts by their hashes; those that are not kept are left out.
func (t *Tracker) Texts(ctx context.Context, hashes ...string) (map[string]string, error) {
	texts, err := t.store.Texts(ctx, hashes...)
	return texts, boardwatch.Wrap("read texts of roles", err)
}

// Versions returns what the source of a role has stated, oldest first. Call it only for a role that the account was allowed to
// see, as well as EarlierPosting.
func (t *Tracker) Versions(ctx context.Context, j boardwatch.Job) ([]Version, error) {
	versions, err := t.store.Versions(ctx, j.ID)
	return versions, boardwatch.Wrap("read versions of a role", err)
}

// EarlierPosting finds the role that closed last before this one was seen and had the same title and text; its id is empty if
// there is none.
func (t *Tracker) EarlierPosting(ctx context.Context, j boardwatch.Job) (id string, closedAt time.Time, err error) {
	if id, closedAt, err = t.store.EarlierPosting(ctx, j); err != nil {
		return "", time.Time{}, fmt.Errorf("find earlier posting of a role: %w", err)
	}
	return id, closedAt, nil
}

// Changed lists roles on the account's active boards that were updated or reopened after a moment and were first seen
// before it, most recently changed first.
func (t *Tracker) Changed(ctx context.Context, a account.Account, f ChangedFilter) (JobPage, error) {
	page, err := t.store.ChangedJobs(ctx, a.ID, f)
	return page, boardwatch.Wrap("list changed roles", err)
}

// Version is what a role's source stated from a moment on.
type Version struct {
	At       time.Time
	Facts    boardwatch.Facts
	TextHash string
}

// MaxVersions is how many versions of a role are kept: the first one and the last ones.
const MaxVersions = 10

// JoinFields combines two changes of a role: the values of its fields before the first and after the second. A field
// with its old value is left out.
func JoinFields(first, second []boardwatch.FieldChange) (joined []boardwatch.FieldChange) {
	for _, field := range boardwatch.JobFields() {
		var both []boardwatch.FieldChange
		for _, f := range slices.Concat(first, second) {
			if f.Field == field {
				both = append(both, f)
			}
		}
		if len(both) == 0 {
			continue
		}
		if from, to := both[0].From, both[len(both)-1].To; from != to {
			joined = append(joined, boardwatch.FieldChange{Field: field, From: from, To: to})
		}
	}
	return joined
}
