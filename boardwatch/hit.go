package boardwatch

import (
	"context"
	"slices"
	"time"
)

// Hit is a change of one role found by a search.
type Hit struct {
	Job     Job
	Kind    ChangeKind
	CheckID string
	At      time.Time
}

// HitFilter selects changes of roles on an account's active boards. The zero value selects all.
type HitFilter struct {
	Only  Criteria
	Kinds []ChangeKind // empty: all kinds that a search can select
	After time.Time    // zero: no bound; otherwise only changes after it
	Until time.Time    // zero: no bound; otherwise only changes up to then
	Limit int          // at most this many; 0 means 50
}

// Wants reports whether the filter selects a change of that kind and moment.
func (f HitFilter) Wants(kind ChangeKind, at time.Time) bool {
	return at.After(f.After) && (f.Until.IsZero() || !at.After(f.Until)) && slices.Contains(f.AllKinds(), kind)
}

// AllKinds returns the selected kinds.
func (f HitFilter) AllKinds() []ChangeKind {
	if len(f.Kinds) == 0 {
		return ChangeKinds()
	}
	return f.Kinds
}

// HitPage is a page of the newest selected changes.
type HitPage struct {
	Hits     []Hit
	Total    int       // including changes that are not on the page
	PolledAt time.Time // may be passed as After of the next call: a change may then appear twice, never zero times
}

// HitStore is what reporting the results of searches needs from a store.
type HitStore interface {
	// Hits lists changes of roles on the account's active boards, newest first. Like Changes, it begins when the
	// account began to watch a board, and leaves out what the first reading of a board found.
	Hits(ctx context.Context, accountID string, f HitFilter) (HitPage, error)
}
