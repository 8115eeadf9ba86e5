package boardwatch

import (
	"slices"
	"strings"
)

// unknownLimit is after how many answers in a row that there is no such board the board is discovered again.
const unknownLimit = 3

// Lost reports whether the board's source has answered so often that it does not know the board that the board may have
// moved.
func (b Board) Lost() bool { return b.State.UnknownRuns >= unknownLimit }

// elsewhere reports whether the board is lost and has a new source that has not had a healthy reading yet. What it
// showed under the old source is then forgotten.
func (b Board) elsewhere() bool { return b.Lost() && b.State.SetHash == "" }

// Offered is the board as it is passed to its source. The fingerprint allows the answer "unchanged", which is only
// useful after a healthy check, so it is left out otherwise.
func (b Board) Offered() Board {
	if b.State.Health != HealthOK {
		b.State.Fingerprint = ""
	}
	return b
}

// SaysNothingNew reports whether the reading is healthy and equal to the last healthy one, on a board where nothing but
// the time of the last check depends on it.
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

// rekeyed are the known jobs under the keys that the reading has for them, where a key may have changed though the role is
// the same: on a board whose source changed, for roles that came with a merge, and on a page, for roles without an address.
// A crash in between forgets nothing, because all of this stands in the store.
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

// rekeyTexts matches roles without an address by title and place. Their key is made of what the page says about them, so
// that another department, or a place that is read a little differently, would be another role.
func rekeyTexts(known []Job, r Reading) []Job {
	byText := func(key string) bool { return strings.HasPrefix(key, textKey) }
	r.Postings = slices.DeleteFunc(slices.Clone(r.Postings), func(p Posting) bool { return !byText(p.Key) })
	return rekey(known, r, func(j Job) bool { return byText(j.Key) })
}

// keepKeys has the new key of a job saved even when nothing else about it has changed.
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
