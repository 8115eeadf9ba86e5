package boardwatch

import (
	"context"
	"time"
)

// missed is the rule that closes roles: an open role that a reading does not show is closed at the required number of
// counted absences in a row.
func (c *Change) missed(j Job, v verdict, rules Rules, now time.Time) {
	if v.Counts {
		j.Misses++
		c.Counted++
		if j.Misses >= rules.closeAfter() {
			j.Status, j.ClosedAt = JobClosed, now
			c.Closed = append(c.Closed, j)
			return
		}
	}
	c.Missing++
	if v.Counts && j.Misses == 1 {
		c.Missed = append(c.Missed, j)
	}
	// Its LastSeenAt stays behind from now on, while that of the roles that were seen moves.
	if v.Counts || v.Health == HealthOK && j.LastSeenAt.Equal(v.Since) {
		c.Touched = append(c.Touched, j)
	}
}

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
