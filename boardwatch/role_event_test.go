package boardwatch_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
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
		r.check(boardwatch.Failed(boardwatch.CauseSiteError, "no answer"))
		part := listed(baker)
		part.Health, part.Cause, part.Reason = partial, boardwatch.CausePageMissing, "a page is missing"
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
		require.False(t, r.check(boardwatch.Failed(boardwatch.CauseTimeout, "no answer")).Check.First)
		part := listed(cook)
		part.Health, part.Cause, part.Reason = partial, boardwatch.CausePageMissing, "a page is missing"
		require.True(t, r.check(part).Check.First)
		more := listed(cook, baker)
		more.Health, more.Cause, more.Reason = partial, boardwatch.CausePageMissing, "a page is missing"
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

func TestDaysOfATimeZone(t *testing.T) {
	t.Parallel()
	for zone, days := range map[string]map[string]string{ // the days, and when they begin
		"UTC":              {"2026-11-20": "2026-11-20T00:00:00Z"},
		"Asia/Tokyo":       {"2026-11-20": "2026-11-19T15:00:00Z"},
		"America/New_York": {"2026-03-08": "2026-03-08T05:00:00Z", "2026-03-09": "2026-03-09T04:00:00Z", "2026-11-02": "2026-11-02T05:00:00Z"},
		"Africa/Cairo":     {"2026-04-24": "2026-04-23T22:00:00Z", "2026-04-25": "2026-04-24T21:00:00Z"}, // midnight is skipped
		"America/Havana":   {"2026-11-01": "2026-11-01T04:00:00Z", "2026-11-02": "2026-11-02T05:00:00Z"}, // midnight comes twice
		"Asia/Kathmandu":   {"2026-11-20": "2026-11-19T18:15:00Z"},
	} {
		loc, err := time.LoadLocation(zone)
		require.NoError(t, err)
		for day, begins := range days {
			date, err := time.Parse(time.DateOnly, day)
			require.NoError(t, err)
			at := boardwatch.DayBegins(date, loc)
			require.Equal(t, begins, at.UTC().Format(time.RFC3339), "%s in %s", day, zone)
			require.Equal(t, loc, at.Location())
			require.Equal(t, date, boardwatch.Date(at, loc))
			require.Equal(t, date.AddDate(0, 0, -1), boardwatch.Date(at.Add(-time.Millisecond), loc))
		}
	}
}

func TestJoinFields(t *testing.T) {
	t.Parallel()
	change := func(field boardwatch.JobField, from, to string) boardwatch.FieldChange {
		return boardwatch.FieldChange{Field: field, From: from, To: to}
	}
	title, place := boardwatch.FieldTitle, boardwatch.FieldLocation
	type changes = []boardwatch.FieldChange
	for name, tt := range map[string]struct{ first, second, want changes }{
		"nothing":                       {},
		"one after the other":           {changes{change(title, "A", "B")}, changes{change(title, "B", "C")}, changes{change(title, "A", "C")}},
		"different fields":              {changes{change(place, "x", "y")}, changes{change(title, "A", "B")}, changes{change(title, "A", "B"), change(place, "x", "y")}},
		"what it was before is nothing": {changes{change(title, "A", "B"), change(place, "x", "")}, changes{change(title, "B", "A")}, changes{change(place, "x", "")}},
		"only the first":                {changes{change(title, "A", "B")}, nil, changes{change(title, "A", "B")}},
	} {
		require.Equal(t, tt.want, boardwatch.JoinFields(tt.first, tt.second), name)
	}
}
