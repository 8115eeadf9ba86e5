package boardwatch

import (
	"context"
	"time"
)

// ClosedFilter chooses closed jobs of an account by when they were closed.
type ClosedFilter struct {
	BoardID string    // empty: every board
	After   time.Time // zero: no bound; otherwise only roles closed after it
	Limit   int       // at most this many; 0: none, only the total
	Skip    int64
}

// ClosedStore is what showing closed roles needs from a store.
type ClosedStore interface {
	// ClosedJobs lists the jobs of the account's active boards that are closed, the last one closed first. The page and
	// its total are of one instant, and its PolledAt may be passed as After of the next call: a role may then appear
	// twice, never zero times.
	ClosedJobs(ctx context.Context, accountID string, f ClosedFilter) (JobPage, error)
}
