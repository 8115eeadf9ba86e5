package boardwatch

import (
	"context"
	"slices"
	"time"
)

// Hit is a change of one role that a search asks for.
type Hit struct {
	Job     Job
	Kind    ChangeKind
	CheckID string
	At      time.Time
}

// HitFilter chooses changes of roles on an account's active boards. The zero value asks for all.
type HitFilter struct {
	Only  Criteria
	Kinds []ChangeKind // empty: all that a search may ask for
	After time.Time    // zero: no bound; otherwise only what changed after it
	Until time.Time    // zero: no bound; otherwise only what had changed by then
	Limit int          // at most this many; 0 means 50
}

// Wants reports whether a change of that kind and moment is asked for.
func (f HitFilter) Wants(kind ChangeKind, at time.Time) bool {
	return at.After(f.After) && (f.Until.IsZero() || !at.After(f.Until)) && slices.Contains(f.AllKinds(), kind)
}

// AllKinds are the kinds that are asked for.
func (f HitFilter) AllKinds() []ChangeKind {
	if len(f.Kinds) == 0 {
		return ChangeKinds()
	}
	return f.Kinds
}

// HitPage is the newest of the changes that were asked for.
type HitPage struct {
	Hits     []Hit
	Total    int       // also of those that are not on the page
	PolledAt time.Time // may be passed as After of the next call: a change may then appear twice, never zero times
}

// HitStore is what telling what a search asks for needs from a store.
type HitStore interface {
	// Hits lists changes of roles on the account's active boards, newest first. Like Changes, it begins when the account began to
	// watch a board, and what the first reading of a board found is not among them.
	Hits(ctx context.Context, accountID string, f HitFilter) (HitPage, error)
}
