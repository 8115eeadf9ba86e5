package track

import (
	"context"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// Closed lists the roles on the account's active boards that were closed, most recently closed first. A filter that is
// out of bounds is an invalid_request error.
func (f *Feed) Closed(ctx context.Context, a account.Account, filter ClosedFilter) (JobPage, error) {
	var wrong []boardwatch.FieldError
	if filter.BoardID != "" && !boardwatch.ValidID(filter.BoardID) {
		wrong = append(wrong, boardwatch.FieldError{Field: "boardId", Message: MustBeID})
	}
	if filter.Limit < 0 || filter.Limit > MaxLimit {
		wrong = append(wrong, boardwatch.FieldError{Field: "limit", Message: MustBeFrom(0, MaxLimit)})
	}
	if filter.Skip < 0 || filter.Skip > MaxSkip {
		wrong = append(wrong, boardwatch.FieldError{Field: "skip", Message: MustBeFrom(0, MaxSkip)})
	}
	if err := boardwatch.InvalidFields(wrong); err != nil {
		return JobPage{}, err
	}
	page, err := f.store.ClosedJobs(ctx, a.ID, filter)
	return page, boardwatch.Wrap("list closed roles", err)
}
