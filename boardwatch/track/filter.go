package track

import (
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// JobFilter selects jobs of an account. The zero value selects the first 50 roles, open and closed.
type JobFilter struct {
	BoardID    string               // empty: every board
	AddedAfter time.Time            // zero: no bound; otherwise only roles first seen after it
	Status     boardwatch.JobStatus // empty: open and closed
	Search     string               // folded match inside the title; wildcards mean themselves
	Location   string               // folded match inside the location
	Only       boardwatch.Criteria  // further conditions, such as those of a saved search
	Marked     Marked               // by the marks of their viewer
	Order      string               // OrderTitle or OrderPlace, OrderReversed before either or alone; empty: newest first
	Limit      int                  // at most this many; 0 means 50
	Skip       int64
}

// The orders of roles besides newest first.
const (
	OrderTitle    = "title"
	OrderPlace    = "location"
	OrderReversed = "-"
)

// JobPage is one page of jobs, newest first unless the filter gives another order.
type JobPage struct {
	Jobs  []boardwatch.Job
	Total int64 // matches across all pages
	// PolledAt may be passed as AddedAfter of the next call: a role may then appear twice, but never zero times. It is
	// never later than the stamp of a role that this page could not see yet.
	PolledAt time.Time
}

// ClosedFilter selects closed jobs of an account by closing time.
type ClosedFilter struct {
	BoardID string    // empty: every board
	After   time.Time // zero: no bound; otherwise only roles closed after it
	Limit   int       // at most this many; 0: none, only the total
	Skip    int64
}

// ChangedFilter selects jobs of an account that were updated or reopened after a moment.
type ChangedFilter struct {
	BoardID string // empty: every board
	After   time.Time
	Limit   int // at most this many; 0: none, only the total
	Skip    int64
}
