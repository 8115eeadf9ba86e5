package boardwatch

import (
	"context"
	"slices"
	"time"
)

// The rule that closes roles. An open role closes when all of these hold, and never otherwise:
//
//  1. CloseAfter healthy readings in a row did not show it.
//  2. It has been absent for its hold, counted from the first of them or from the last time another role came back
//     (Rules.hold, Rules.holdEnds).
//  3. The fleet guard does not hold its system (FleetHold).
//  4. Its own page does not contradict (hasOwnPage).
//
// docs/lifecycle.md explains it to users.

// How long a role must have been absent in special cases, and how long that is remembered.
const (
	longestHold  = 14 * 24 * time.Hour // however long roles of this board have been away before
	returnMemory = 90 * 24 * time.Hour // how long a board remembers that a role returned
	contradicted = 7 * 24 * time.Hour  // while the role's own page is still there, or nobody could ask it
)

// mostReturns is how many returns a board remembers: the longest ones, and the last.
const mostReturns = 16

// Testimony is what a role's own page says, asked before the role closes.
type Testimony string

// The testimonies. The zero value means that nobody has asked.
const (
	TestimonyGone   Testimony = "gone"   // the page is gone, or leads to the list or the home page
	TestimonyClosed Testimony = "closed" // the page says that the role is no longer open
	TestimonyThere  Testimony = "there"  // the page shows the role's title, and does not say that it is closed
	TestimonySilent Testimony = "silent" // a wall, a script, an error, or no page of its own: it says nothing
)

// Witness is an optional interface of a Source.
type Witness interface {
	// Testify asks the own page of a role that its board no longer lists. An error means that nobody was asked: the
	// context ended.
	Testify(ctx context.Context, b Board, j Job) (Testimony, error)
}

// Return is an absence from which a role came back.
type Return struct {
	At  time.Time     `json:"at"`
	For time.Duration `json:"for"`
}

// hold is how long a role must be absent before it closes: CloseHold, or SuspectHold after a mass loss, and at least
// twice as long as a role of this board was away and came back lately.
func (r Rules) hold(j Job, s BoardState, now time.Time) time.Duration {
	hold := r.CloseHold
	if j.MassLoss {
		hold = r.SuspectHold
	}
	for _, back := range s.Returns {
		if now.Sub(back.At) <= returnMemory {
			hold = max(hold, 2*back.For)
		}
	}
	return hold
}

// holdEnds returns when the hold of an absent job ends. It counts from its first absence, or from when another role came
// back since after an absence that makes holds longer, because the readings before that may have lacked any role. After
// longestHold that no longer matters.
func (r Rules) holdEnds(j Job, s BoardState, now time.Time) time.Time {
	from := j.MissedSince
	for _, back := range s.Returns {
		if back.At.After(from) && 2*back.For >= r.CloseHold {
			from = back.At
		}
	}
	return j.MissedSince.Add(min(from.Add(r.hold(j, s, now)).Sub(j.MissedSince), longestHold))
}

// absentLongEnough reports whether the role would close at one more absence now, unless its page contradicts.
func (r Rules) absentLongEnough(j Job, s BoardState, now time.Time) bool {
	return j.Misses+1 >= r.closeAfter() && !j.MissedSince.IsZero() && !now.Before(r.holdEnds(j, s, now))
}

// ClosesAt returns when an absent open job closes at the earliest, if no reading shows it until then. It closes later
// while its board is sick, and when a reading shows other roles that were absent. Zero if the job is not absent.
func (r Rules) ClosesAt(b Board, j Job) time.Time {
	if j.Status != JobOpen || j.MissedSince.IsZero() {
		return time.Time{}
	}
	at := []time.Time{
		r.holdEnds(j, b.State, b.State.LastCheckedAt), b.NextCheckAt.Add(time.Duration(r.closeAfter()-j.Misses-1) * b.Cadence),
	}
	if j.Testimony == TestimonyThere {
		at = append(at, j.MissedSince.Add(contradicted))
	}
	return slices.MaxFunc(at, time.Time.Compare)
}

// hasOwnPage reports whether the role has a page of its own, which is asked before it closes.
func hasOwnPage(b Board, j Job) bool { return j.URL != "" && !sameAddress(j.URL, b.URL) }

// contradicts reports whether the role's page keeps it open for now, or has still to be asked.
func (in CheckInput) contradicts(j Job) bool {
	waits := j.Testimony == TestimonyThere || j.Testimony == "" && in.Testimonies != nil && hasOwnPage(in.Board, j)
	return waits && in.Now.Sub(j.MissedSince) < contradicted
}

// missed records the absence of an open job, and closes it if the rule says so. renamed says that its key has changed.
func (c *Change) missed(j Job, in CheckInput, v verdict, renamed bool) {
	before := j
	switch {
	case v.FleetHold: // absences begin anew when the system is well
		j.Misses, j.MissedSince, j.MassLoss, j.Testimony = 0, time.Time{}, false, ""
	case v.Counts:
		if j.Testimony == "" {
			j.Testimony = in.Testimonies[j.ID]
		}
		sure := v.Health == HealthOK || in.Now.Sub(j.MissedSince) >= longestHold // a suspect board is given time, but not for ever
		if sure && v.absentLongEnough(j, in.Board.State, in.Now) && !in.contradicts(j) {
			j.Misses, j.Status, j.ClosedAt = v.closeAfter(), JobClosed, in.Now
			c.Counted++
			c.Closed = append(c.Closed, j)
			return
		}
		if j.MissedSince.IsZero() {
			j.MissedSince, j.MassLoss = in.Now, v.MassLoss
			c.Missed = append(c.Missed, j)
		}
		if j.Misses < v.closeAfter() {
			j.Misses++
			c.Counted++
		}
	}
	c.Missing++
	// From now on its LastSeenAt stays behind, while that of the seen roles moves.
	absence := func(j Job) [4]any { return [4]any{j.Misses, j.MissedSince, j.MassLoss, j.Testimony} }
	if renamed || absence(j) != absence(before) || v.Health == HealthOK && j.LastSeenAt.Equal(v.Since) {
		c.Touched = append(c.Touched, j)
	}
}

// rememberReturns remembers the roles that are back in a reading, before anything closes at it. A role whose own page had
// said that it was gone was not absent by mistake.
func (s *BoardState) rememberReturns(who identity, r Reading, now time.Time) {
	if !r.Health.Read() || r.Unchanged {
		return
	}
	var present map[string]bool
	for _, j := range who.known {
		if j.MissedSince.IsZero() || j.Testimony == TestimonyGone || j.Testimony == TestimonyClosed {
			continue
		}
		if present == nil {
			present = who.present(r)
		}
		if present[j.Key] {
			s.returned(now.Sub(j.MissedSince), now)
		}
	}
}

// returned remembers that a role came back now, after that absence. Of two returns, the later and longer one says
// everything. No hold would have outlasted an absence of more than longestHold.
func (s *BoardState) returned(away time.Duration, now time.Time) {
	if away > longestHold {
		return
	}
	s.Returns = slices.DeleteFunc(slices.Clone(s.Returns), func(r Return) bool { return r.For <= away || now.Sub(r.At) > returnMemory })
	s.Returns = append(s.Returns[:min(len(s.Returns), mostReturns-1)], Return{now, away})
}

// MostTestimonies is how many roles' own pages are asked at one check. The other roles wait for the next.
const MostTestimonies = 20

// ToAsk returns the jobs whose own pages are to be asked before a check with this reading is decided, given the open jobs
// of the board.
func ToAsk(b Board, open []Job, r Reading, rules Rules, now time.Time) (ask []Job) {
	state := b.State
	if r = state.habit(r); r.Health != HealthOK {
		return nil
	}
	due := func(j Job) bool {
		return j.Testimony == "" && rules.absentLongEnough(j, b.State, now) && hasOwnPage(b, j)
	}
	if !slices.ContainsFunc(open, due) {
		return nil
	}
	who := CheckInput{Now: now, Board: b, Known: open}.identify(r)
	present := who.present(r)
	for i, j := range open {
		if len(ask) < MostTestimonies && due(j) && !present[who.known[i].Key] {
			ask = append(ask, j)
		}
	}
	return ask
}
