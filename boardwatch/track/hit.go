package track

import (
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Hit is a change of one role found by a search.
type Hit struct {
	Job     boardwatch.Job
	Kind    boardwatch.ChangeKind
	CheckID string
	At      time.Time
}

// HitFilter selects changes of roles on an account's active boards. The zero value selects all.
type HitFilter struct {
	Only  boardwatch.Criteria
	Kinds []boardwatch.ChangeKind // empty: all kinds that a search can select
	After time.Time               // zero: no bound; otherwise only changes after it
	Until time.Time               // zero: no bound; otherwise only changes up to then
	Limit int                     // at most this many; 0 means 50
}

// Wants reports whether the filter selects a change of that kind and moment.
func (f HitFilter) Wants(kind boardwatch.ChangeKind, at time.Time) bool {
	return at.After(f.After) && (f.Until.IsZero() || !at.After(f.Until)) && slices.Contains(f.AllKinds(), kind)
}

// AllKinds returns the selected kinds.
func (f HitFilter) AllKinds() []boardwatch.ChangeKind {
	if len(f.Kinds) == 0 {
		return boardwatch.ChangeKinds()
	}
	return f.Kinds
}

// HitPage is a page of the newest selected changes.
type HitPage struct {
	Hits     []Hit
	Total    int       // including changes that are not on the page
	PolledAt time.Time // may be passed as After of the next call: a change may then appear twice, never zero times
}

// HitsOnce returns changes of roles as people are told them: those of one check once.
func HitsOnce(hits []Hit) (lines []Hit, others [][]boardwatch.Job) {
	return boardwatch.Once(hits, func(h *Hit) *boardwatch.Job { return &h.Job }, func(h Hit) string { return string(h.Kind) + h.CheckID })
}
