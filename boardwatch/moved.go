package boardwatch

import (
	"slices"
	"strings"
)

// unknownLimit is the number of consecutive answers that there is no such board after which the board is discovered
// again.
const unknownLimit = 3

// Lost reports whether the board's source has answered often enough that it does not know the board, so that the board
// may have moved.
func (b Board) Lost() bool { return b.State.UnknownRuns >= unknownLimit }

// elsewhere reports whether the board is lost and has a new source that has not had a healthy reading yet. The state
// from the old source is then forgotten.
func (b Board) elsewhere() bool { return b.Lost() && b.State.SetHash == "" }

// Offered returns the board as it is passed to its source. The fingerprint allows the answer "unchanged", which is only
// useful after a healthy check, so it is left out otherwise.
func (b Board) Offered() Board {
	if b.State.Health != HealthOK {
		b.State.Fingerprint = ""
	}
	return b
}

// SaysNothingNew reports whether the reading is healthy and equal to the last healthy one, on a board where only the
// time of the last check depends on it.
func (r Reading) SaysNothingNew(b Board) bool {
	if r.Health != HealthOK || r.RetryAfter > 0 || r.Recipe != "" || !b.State.Settled() {
		return false
	}
	if r.Unchanged {
		return b.State.Fingerprint != ""
	}
	return b.State.SetHash != "" && r.Shortcut == b.State.Shortcut &&
		(r.Company == "" || r.Company == b.Company) && (r.Domain == "" || r.Domain == b.Domain) &&
		r.SetHash() == b.State.SetHash
}

// rekeyed returns the known jobs under their keys in the reading, in cases where a key may change while the role stays
// the same: on a board whose source changed, for roles that came with a merge, and on a page, for roles without an
// address. A crash in between loses nothing, because all of this is in the store.
func (in CheckInput) rekeyed(r Reading) []Job {
	switch {
	case r.Unchanged || !r.Health.Read():
		return in.Known
	case in.Board.elsewhere():
		return Rekey(in.Known, r)
	case slices.ContainsFunc(in.Known, func(j Job) bool { return j.Status == JobOpen && j.merged() }):
		return RekeyMerged(in.Known, r)
	case in.Board.System() == PageSystem:
		return rekeyTexts(in.Known, r)
	default:
		return in.Known
	}
}

// rekeyTexts matches roles without an address by title and place. Their key is made from their texts, so that a
// different department, or a place read slightly differently, would make a different role.
func rekeyTexts(known []Job, r Reading) []Job {
	byText := func(key string) bool { return strings.HasPrefix(key, textKey) }
	r.Postings = slices.DeleteFunc(slices.Clone(r.Postings), func(p Posting) bool { return !byText(p.Key) })
	return rekey(known, r, func(j Job) bool { return byText(j.Key) })
}

// keepKeys makes sure that the new key of a job is saved even if nothing else about it has changed.
func (r *CheckResult) keepKeys(before, after []Job) {
	if slices.EqualFunc(before, after, func(a, b Job) bool { return a.Key == b.Key }) {
		return
	}
	saved := make(map[string]bool)
	for _, list := range [][]Job{r.Change.Reopened, r.Change.Updated, r.Change.Touched, r.Change.Closed} {
		for _, j := range list {
			saved[j.ID] = true
		}
	}
	for i, j := range after {
		if j.Key == before[i].Key || saved[j.ID] {
			continue
		}
		if r.Check.Health == HealthOK {
			j.LastSeenAt = r.Check.At
		}
		r.Change.Touched = append(r.Change.Touched, j)
	}
}
