package boardwatch_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// record is a board whose checks are decided one after the other, with the histories of its roles.
type record struct {
	board  boardwatch.Board
	jobs   []boardwatch.Job
	events []boardwatch.RoleEvent
	now    time.Time
	rules  boardwatch.Rules
	newID  func() string
}

func newRecord() *record {
	return &record{board: boardwatch.Board{ID: "b", Source: "greenhouse:northwind", Cadence: time.Hour}, now: noon, rules: boardwatch.Rules{}, newID: ids()}
}

func (r *record) check(reading boardwatch.Reading) boardwatch.CheckResult {
	return r.held(reading, false)
}

func (r *record) held(reading boardwatch.Reading, fleetHold bool) boardwatch.CheckResult {
	in := boardwatch.CheckInput{Now: r.now, Board: r.board, Known: r.jobs}
	result := boardwatch.Decide(in, reading.Normalize(), fleetHold, r.rules, r.newID)
	r.board, r.jobs = result.Board, result.Jobs(in)
	r.events = append(r.events, result.RoleEvents()...)
	r.now = r.now.Add(time.Hour)
	return result
}

// of returns the events of the role with a key, as a word each.
func (r *record) of(key string) (kinds []boardwatch.ChangeKind) {
	for _, e := range r.events {
		for _, j := range r.jobs {
			if j.Key == key && j.ID == e.JobID {
				kinds = append(kinds, e.Kind)
			}
		}
	}
	return kinds
}

func listed(titles ...string) boardwatch.Reading {
	r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1}
	for _, title := range titles {
		r.Postings = append(r.Postings, boardwatch.Posting{Key: title, Title: title})
	}
	return r
}

func TestRoleEvents(t *testing.T) {
	t.Parallel()
	const (
		found, updated, missing   = boardwatch.ChangeFound, boardwatch.ChangeUpdated, boardwatch.ChangeMissing
		closed, reopened          = boardwatch.ChangeClosed, boardwatch.ChangeReopened
		ok, partial               = boardwatch.HealthOK, boardwatch.HealthPartial
		cook, baker, smith, mason = "Cook", "Baker", "Smith", "Mason"
	)
	type kinds = []boardwatch.ChangeKind

	t.Run("a role is missing once, and its closing names every check that missed it", func(t *testing.T) {
		t.Parallel()
		r := newRecord()
		r.check(listed(cook, baker))
		var absences []boardwatch.Absence
		for range 3 {
			c := r.check(listed(baker)).Check
			require.Equal(t, 1, c.Missed)
			absences = append(absences, boardwatch.Absence{CheckID: c.ID, At: c.At})
		}
		require.Equal(t, kinds{found, missing, closed}, r.of(cook))
		last := r.events[len(r.events)-1]
		require.Equal(t, absences, last.Absences)
		for _, a := range absences {
			require.Contains(t, last.Reason(), a.CheckID+" at "+a.At.Format(boardwatch.TimeFormat))
		}
		require.Equal(t, kinds{found}, r.of(baker))
	})

	t.Run("checks that say nothing about an absence are not among those that missed the role", func(t *testing.T) {
		t.Parallel()
		r := newRecord()
		r.check(listed(cook, baker))
		r.check(listed(baker))
		r.check(boardwatch.Failed(cause.SiteError, "no answer"))
		part := listed(baker)
		part.Health, part.Cause, part.Reason = partial, cause.PageMissing, "a page is missing"
		require.Zero(t, r.check(part).Check.Missed)
		require.Zero(t, r.held(listed(baker), true).Check.Missed, "the fleet guard holds")
		first, second, third := r.check(listed(baker)).Check, r.check(listed(baker)).Check, r.check(listed(baker)).Check
		require.Equal(t, kinds{found, missing, missing, closed}, r.of(cook), "absences begin anew after the hold")
		require.Equal(t, []boardwatch.Absence{{first.ID, first.At}, {second.ID, second.At}, {third.ID, third.At}}, r.events[len(r.events)-1].Absences)
	})

	t.Run("roles that vanish one after the other have their own checks", func(t *testing.T) {
		t.Parallel()
		r := newRecord()
		r.check(listed(cook, baker, smith, mason))
		a := r.check(listed(baker, smith, mason)).Check
		b := r.check(listed(smith, mason)).Check
		c := r.check(listed(smith, mason)).Check // closes cook
		require.Equal(t, []boardwatch.Absence{{a.ID, a.At}, {b.ID, b.At}, {c.ID, c.At}}, r.events[len(r.events)-1].Absences)
		d := r.check(listed(smith, mason)).Check // closes the baker
		require.Equal(t, []boardwatch.Absence{{b.ID, b.At}, {c.ID, c.At}, {d.ID, d.At}}, r.events[len(r.events)-1].Absences)
		r.check(listed(smith, mason))
		require.Empty(t, r.board.State.Absences, "nothing is missing any more")
	})

	t.Run("who is back before the role closes begins anew", func(t *testing.T) {
		t.Parallel()
		r := newRecord()
		r.check(listed(cook, baker))
		r.check(listed(baker))
		r.check(listed(baker))
		r.check(listed(cook, baker))
		for range 5 { // twice the two hours for which it was away before
			r.check(listed(baker))
		}
		require.Equal(t, kinds{found, missing, missing, closed}, r.of(cook))
		require.Len(t, r.events[len(r.events)-1].Absences, 3)
	})

	t.Run("an update has what was before and after, also when the role opens again with it", func(t *testing.T) {
		t.Parallel()
		r := newRecord()
		r.check(listed(cook, baker))
		other := listed(cook, baker)
		other.Postings[0] = boardwatch.Posting{Key: cook, Title: "Head Cook", Location: "Oslo", Department: "Kitchen", URL: "https://northwind.example/1"}
		r.check(other)
		want := []boardwatch.FieldChange{
			{boardwatch.FieldTitle, cook, "Head Cook"},
			{boardwatch.FieldLocation, "", "Oslo"},
			{boardwatch.FieldDepartment, "", "Kitchen"},
			{boardwatch.FieldURL, "", "https://northwind.example/1"},
		}
		require.Equal(t, want, r.events[len(r.events)-1].Changes)
		for range 3 {
			r.check(listed(baker))
		}
		other.Postings[0].Title = cook
		require.Equal(t, 1, r.check(other).Check.Reopened)
		last := r.events[len(r.events)-1]
		require.Equal(t, []boardwatch.FieldChange{{boardwatch.FieldTitle, "Head Cook", cook}}, last.Changes)
		require.Equal(t, kinds{found, updated, missing, closed, reopened}, r.of(cook))
	})

	t.Run("the first reading, and the first whole one, found what was there before", func(t *testing.T) {
		t.Parallel()
		r := newRecord()
		require.False(t, r.check(boardwatch.Failed(cause.Timeout, "no answer")).Check.First)
		part := listed(cook)
		part.Health, part.Cause, part.Reason = partial, cause.PageMissing, "a page is missing"
		require.True(t, r.check(part).Check.First)
		more := listed(cook, baker)
		more.Health, more.Cause, more.Reason = partial, cause.PageMissing, "a page is missing"
		require.False(t, r.check(more).Check.First, "on a board that is never read whole, there is news all the same")
		require.True(t, r.check(listed(cook, baker, smith)).Check.First)
		require.False(t, r.check(listed(cook, baker, smith, mason)).Check.First)
		var origins []boardwatch.RoleOrigin
		for _, e := range r.events {
			origins = append(origins, e.Origin)
		}
		require.Equal(t, []boardwatch.RoleOrigin{boardwatch.OriginFirst, "", boardwatch.OriginFirst, ""}, origins)
		empty := newRecord()
		require.True(t, empty.check(listed()).Check.First)
		require.False(t, empty.check(listed(cook)).Check.First, "the first role of a board that had none is news")
	})

	t.Run("an answer that is unchanged goes on missing what the last one missed", func(t *testing.T) {
		t.Parallel()
		r := newRecord()
		with := func(titles ...string) boardwatch.Reading {
			out := listed(titles...)
			out.Fingerprint = fmt.Sprint(titles)
			return out
		}
		r.check(with(cook, baker))
		r.check(with(baker))
		for range 2 {
			require.Equal(t, 1, r.check(boardwatch.Reading{Health: ok, Unchanged: true, Claimed: -1, Fingerprint: "same"}).Check.Missed)
		}
		require.Len(t, r.events[len(r.events)-1].Absences, 3)
	})
}
