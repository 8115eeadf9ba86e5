package boardwatch

import (
	"context"
	"time"
)

// ClosedFilter selects closed jobs of an account by closing time.
type ClosedFilter struct {
	BoardID string    // empty: every board
	After   time.Time // zero: no bound; otherwise only roles closed after it
	Limit   int       // at most this many; 0: none, only the total
	Skip    int64
}

// ClosedStore is what showing closed roles needs from a store.
type ClosedStore interface {
	// ClosedJobs lists the closed jobs of the account's active boards, most recently closed first. The page and its
	// total are read at one instant, and its PolledAt may be passed as After of the next call: a role may then appear
	// twice, but never zero times.
	ClosedJobs(ctx context.Context, accountID string, f ClosedFilter) (JobPage, error)
}
