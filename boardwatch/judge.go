package boardwatch

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// verdict is the judgement of the rules about a reading.
type verdict struct {
	Health Health
	// Counts says that the absence of a role from the reading counts towards closing it.
	Counts bool
	// Since is the last healthy check before this one: the LastSeenAt of every role that it saw.
	Since time.Time
}

// judge decides how far a reading can be trusted, given what the board showed before. It returns the verdict and the
// state to remember for the next check; Decide fills in Missing and SetHash of the new state.
func judge(last BoardState, known []Job, r Reading, fleetHold bool, rules Rules, now time.Time) (verdict, BoardState) {
	next := last
	next.LastCheckedAt = now
	r = r.proven(known).standing(known).explained()
	next.Health, next.Cause, next.Reason, next.BlockedBy = r.Health, r.Cause, r.Reason, r.BlockedBy
	next.RetryAfter = r.quietUntil(now)
	next.PartialRuns, next.UnknownRuns = 0, 0
	next.Taught = cmp.Or(r.Taught, last.Taught)
	if r.Unknown {
		next.UnknownRuns = last.UnknownRuns + 1
	}

	switch r.Health {
	case HealthOK:
		next.Failures = 0
		if next.suspects(known, r, fleetHold, rules, now) {
			next.Health, next.Cause = HealthSuspect, CauseMassLoss
			next.Reason = "too many roles vanished at once (" + itoa(len(next.Vanished)) +
				"): waiting to see whether they stay away before any of them counts as closed"
		}
	case HealthPartial:
		next.Failures = 0
		next.PartialRuns = last.PartialRuns + 1
		next.returned(r)
	default: // blocked, failed; a reader that says anything else is not trusted either
		if r.Health != HealthBlocked {
			next.Health = HealthFailed
		}
		next.Failures = last.Failures + 1
	}

	if next.Health == HealthOK {
		next.SickSince = time.Time{}
		next.LastSuccessAt = now
		next.Cause, next.Reason, next.BlockedBy = "", "", ""
	} else if next.SickSince.IsZero() && !last.LastSuccessAt.IsZero() {
		next.SickSince = now
	}
	if next.Health.Read() {
		// A later answer must not refer to a doubtful one.
		next.Fingerprint = ""
		if next.Health == HealthOK {
			next.Fingerprint = r.Fingerprint
		}
		if !r.Unchanged {
			next.Shortcut, next.Took = r.Shortcut, r.Took
		}
	}
	return verdict{Health: next.Health, Counts: next.Health == HealthOK && !fleetHold, Since: last.LastSuccessAt}, next
}

// proven returns the reading, made partial if its reader was never checked against a real board and the reading lacks a
// role known to be open: the fault may be the reader's.
func (r Reading) proven(known []Job) Reading {
	if !r.Unproven || r.Unchanged || r.Health != HealthOK {
		return r
	}
	present := r.keys()
	missing := 0
	for _, j := range known {
		if j.Status == JobOpen && !present[j.Key] {
			missing++
		}
	}
	if missing > 0 {
		r.Health, r.Cause = HealthPartial, CauseUnsure
		r.Reason = itoa(missing) + " known roles are not listed, and how this system is read was never checked against a real board:" +
			" none of them counts as closed"
	}
	return r
}

// keys returns the keys of all rows, whether they can be shown or not.
func (r Reading) keys() map[string]bool {
	keys := make(map[string]bool, len(r.Postings)+len(r.Present))
	for _, p := range r.Postings {
		keys[p.Key] = true
	}
	for _, key := range r.Present {
		keys[key] = true
	}
	return keys
}

// suspects compares an ok reading with the roles that were open until now and keeps the suspicion up to date. The
// reading is suspect when it lost all of them, or more than half of six or more, until the roles that vanished have
// stayed away for the required number of further checks and for the required time. Other changes meanwhile do not
// restart it, unless they are such a loss themselves. While the board's system is sick, staying away proves nothing.
func (s *BoardState) suspects(known []Job, r Reading, fleetHold bool, rules Rules, now time.Time) bool {
	present, before := r.keys(), make(map[string]bool, len(s.Vanished))
	for _, key := range s.Vanished {
		before[key] = true
	}
	all := loss{of: r.unnamed}
	healthy, rest, healthyRest := all, all, all
	var lost []string
	for _, j := range known {
		if !s.expects(j) {
			continue
		}
		gone, fromHealthy := !present[j.Key], j.LastSeenAt.Equal(s.LastSuccessAt)
		all.count(gone)
		if fromHealthy {
			healthy.count(gone)
		}
		if gone {
			lost = append(lost, j.Key)
		}
		if gone && before[j.Key] {
			continue
		}
		rest.count(gone)
		if fromHealthy {
			healthyRest.count(gone)
		}
	}
	// Roles found by other readings since then must not make the loss look small, neither compared with the last
	// healthy reading nor with the current suspicion.
	stayed := len(lost) - rest.lost
	first := loss{s.VanishedOf, stayed}
	if !all.doubtful(rules) && !healthy.doubtful(rules) && !first.doubtful(rules) {
		s.trust()
		return false
	}
	slices.Sort(lost)
	s.Vanished = lost
	switch {
	case stayed == 0 || rest.doubtful(rules) || healthyRest.doubtful(rules):
		s.VanishedSince, s.VanishedChecks, s.VanishedOf = now, 0, healthy.of
		if all.doubtful(rules) {
			s.VanishedOf = all.of
		}
	case fleetHold:
		s.VanishedSince, s.VanishedChecks = now, 0
	default:
		s.VanishedChecks++
	}
	if s.VanishedChecks >= rules.suspectChecks() && now.Sub(s.VanishedSince) >= rules.SuspectHold {
		s.trust()
		return false
	}
	return true
}

// expects reports whether a healthy reading should show the job: it is open, and the last healthy reading showed it.
func (s *BoardState) expects(j Job) bool {
	return j.Status == JobOpen && j.Misses == 0 &&
		(!j.LastSeenAt.Before(s.LastSuccessAt) || strings.HasPrefix(j.Key, MergedKey))
}

// trust ends a suspicion.
func (s *BoardState) trust() {
	s.Vanished, s.VanishedSince, s.VanishedChecks, s.VanishedOf = nil, time.Time{}, 0, 0
}

// loss counts the roles that a reading does not show, and says how many there were.
type loss struct{ of, lost int }

func (l *loss) count(gone bool) {
	l.of++
	if gone {
		l.lost++
	}
}

// doubtful reports whether so large a loss is unlikely on a board that was read correctly.
func (l loss) doubtful(rules Rules) bool {
	return l.lost > 0 && (l.lost == l.of || l.of >= rules.suspectFrom() && 2*l.lost > l.of)
}

// returned removes roles shown by an incomplete reading from the list of vanished ones, because they did not stay away.
func (s *BoardState) returned(r Reading) {
	present := r.keys()
	s.Vanished = slices.DeleteFunc(slices.Clone(s.Vanished), func(key string) bool { return present[key] })
	if len(s.Vanished) == 0 {
		s.trust()
	}
}
