package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// events returns the whole history of a role.
func (w *world) events(jobID string) []boardwatch.RoleEvent {
	w.t.Helper()
	events, err := w.RoleEvents(w.t.Context(), []string{jobID}, time.Time{}, track.MaxRoleEvents)
	require.NoError(w.t, err)
	return events[jobID]
}

// changed lists the roles that were updated or reopened.
func (w *world) changed(a account.Account, f track.ChangedFilter) track.JobPage {
	w.t.Helper()
	page, err := w.ChangedJobs(w.t.Context(), a.ID, f)
	require.NoError(w.t, err)
	return page
}

func roleCases() cases {
	return cases{
		"the history of a role says what changed, from what to what, and which checks missed it": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			first := w.check(b.ID, roles("Cook", "Baker"))
			second := roles("Cook", "Baker")
			second.Postings[0].Title, second.Postings[0].Department, second.Postings[0].URL = "Head \"Cook\" \x00& more", "", "https://northwind.example/jobs/é"
			updated := w.check(b.ID, second)
			missed := w.check(b.ID, roles("Baker"))
			closed := w.check(b.ID, roles("Baker"))
			w.check(b.ID, roles("Baker"))
			reopened := w.check(b.ID, roles("Cook", "Baker"))
			cook := first.Change.Found[0]
			was := cook
			require.Equal(t, "Cook", was.Title)
			changes := []boardwatch.FieldChange{
				{Field: boardwatch.FieldTitle, From: "Cook", To: "Head \"Cook\" & more"},
				{Field: boardwatch.FieldDepartment, From: was.Department},
				{Field: boardwatch.FieldURL, From: was.URL, To: "https://northwind.example/jobs/é"},
			}
			back := []boardwatch.FieldChange{
				{Field: boardwatch.FieldTitle, From: "Head \"Cook\" & more", To: "Cook"},
				{Field: boardwatch.FieldDepartment, To: was.Department},
				{Field: boardwatch.FieldURL, From: "https://northwind.example/jobs/é", To: was.URL},
			}
			of := func(r boardwatch.CheckResult, kind boardwatch.ChangeKind) boardwatch.RoleEvent {
				return boardwatch.RoleEvent{JobID: cook.ID, CheckID: r.Check.ID, At: r.Check.At, Kind: kind}
			}
			want := []boardwatch.RoleEvent{
				of(first, boardwatch.ChangeFound), of(updated, boardwatch.ChangeUpdated), of(missed, boardwatch.ChangeMissing),
				of(closed, boardwatch.ChangeClosed), of(reopened, boardwatch.ChangeReopened),
			}
			want[0].Origin, want[1].Changes, want[4].Changes = boardwatch.OriginFirst, changes, back
			want[3].Absences = []boardwatch.Absence{{CheckID: missed.Check.ID, At: missed.Check.At}, {CheckID: closed.Check.ID, At: closed.Check.At}}
			require.Equal(t, want, w.events(cook.ID))
			require.Len(t, w.events(first.Change.Found[1].ID), 1, "nothing happened to the other one")

			for _, absence := range want[3].Absences {
				require.True(t, containsCheck(w.history(b.ID), absence), "the board's history has the check")
			}
			events, err := w.RoleEvents(t.Context(), []string{cook.ID, first.Change.Found[1].ID, boardwatch.NewID()}, updated.Check.At, 2)
			require.NoError(t, err)
			require.Equal(t, map[string][]boardwatch.RoleEvent{cook.ID: want[3:]}, events, "the last two after a moment")
			events, err = w.RoleEvents(t.Context(), nil, time.Time{}, 2)
			require.NoError(t, err)
			require.Empty(t, events)
		},
		"consecutive absences are one event, until the role is back": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanUltra), "northwind").Board
			first := w.check(b.ID, roles("Cook", "Baker"))
			w.check(b.ID, roles("Baker"))
			w.check(b.ID, boardwatch.Failed(cause.SiteError, "no answer"))
			w.check(b.ID, roles("Cook", "Baker"))
			w.check(b.ID, roles("Baker"))
			var kinds []boardwatch.ChangeKind
			events := w.events(first.Change.Found[0].ID)
			for _, e := range events {
				kinds = append(kinds, e.Kind)
			}
			require.Equal(t, []boardwatch.ChangeKind{
				boardwatch.ChangeFound, boardwatch.ChangeMissing, boardwatch.ChangeMissing,
			}, kinds)
		},
		"a check that cannot be saved leaves no trace in the history of a role": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanUltra), "northwind").Board
			first := w.check(b.ID, roles("Cook"))
			c := w.claim(b.ID)
			require.Panics(t, func() {
				_ = w.SaveCheck(t.Context(), c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
					decide(in, roles("Cook", "Baker"))
					panic("stopped half-way")
				})
			})
			require.Len(t, w.events(first.Change.Found[0].ID), 1)
		},
		"a role is shown to accounts that actively track its board, and to the operator": func(t *testing.T, w *world) {
			a, other, full := w.account(account.PlanUltra), w.account(account.PlanUltra), w.account(account.PlanFree)
			_, _, err := w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID, CompanyName: "Mine"}, hosted("northwind"), "https://northwind.example/")
			require.NoError(t, err)
			b := w.boardOf(a, "greenhouse:northwind")
			w.check(b, roles("Cook"))
			want := w.jobs(a, track.JobFilter{}).Jobs[0]
			got, err := w.Job(t.Context(), a.ID, want.ID)
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.Equal(t, "Mine", got.Company)
			got, err = w.Job(t.Context(), "", want.ID)
			require.NoError(t, err)
			require.Empty(t, got.Company, "not under an account's own name")
			w.track(full, "one")
			w.track(full, "two")
			require.True(t, w.track(full, "northwind").Subscription.Locked)
			for _, owner := range []string{other.ID, full.ID, boardwatch.NewID()} {
				_, err = w.Job(t.Context(), owner, want.ID)
				hasCode(t, boardwatch.CodeNotFound, err)
			}
			for _, id := range []string{boardwatch.NewID(), "", b} {
				_, err = w.Job(t.Context(), a.ID, id)
				hasCode(t, boardwatch.CodeNotFound, err)
				_, err = w.Job(t.Context(), "", id)
				hasCode(t, boardwatch.CodeNotFound, err)
			}
		},
		"a role that stays behind at a merge keeps its history": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			s, b := w.track(a, "northwind").Board, w.track(a, "first").Board
			own := w.check(s.ID, roles("Cook"))
			was := w.check(b.ID, roles("Cook", "Baker"))
			w.merge(b.ID, hosted("northwind"))
			baker := w.events(was.Change.Found[1].ID)
			require.Len(t, baker, 2)
			require.Equal(t, was.Check.ID, baker[0].CheckID)
			require.Equal(t, boardwatch.OriginMerged, baker[1].Origin)
			require.Equal(t, boardwatch.ChangeClosed, baker[1].Kind)
			require.Len(t, w.events(own.Change.Found[0].ID), 1, "what its own board noted")
			_, err := w.Job(t.Context(), a.ID, was.Change.Found[1].ID)
			require.NoError(t, err)
		},
		"roles that changed since a moment are those that were there before it": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanUltra), w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			w.check(b.ID, roles("A", "B", "C", "D"))
			mark := w.check(b.ID, roles("A", "B", "C"))
			w.check(b.ID, roles("A", "B", "C")) // closes D
			moved := func(places ...string) boardwatch.Reading {
				r := roles("A", "B", "C", "D", "E")
				for i, place := range places {
					r.Postings[i].Location = place
				}
				return r
			}
			w.check(b.ID, moved("Oslo"))                         // changes A, reopens D
			w.check(b.ID, moved("Oslo", "Rome", "", "", "Bonn")) // B, C and D lose their place, E is found
			f := track.ChangedFilter{After: mark.Check.At, Limit: 10}
			page := w.changed(a, f)
			require.EqualValues(t, 4, page.Total)
			require.ElementsMatch(t, []string{"B", "C", "D"}, titles(page.Jobs[:3]))
			require.Equal(t, "A", page.Jobs[3].Title, "the last one changed first")
			require.False(t, page.PolledAt.After(w.now()))
			f.Limit, f.Skip = 2, 3
			require.Equal(t, page.Jobs[3:], w.changed(a, f).Jobs)
			require.Empty(t, w.changed(a, track.ChangedFilter{After: w.now(), Limit: 10}).Jobs)
			none := w.changed(a, track.ChangedFilter{After: mark.Check.At})
			require.Empty(t, none.Jobs)
			require.EqualValues(t, 4, none.Total, "the total is told without a page too")
			f.BoardID = boardwatch.NewID()
			require.Zero(t, w.changed(a, f).Total)
			require.Zero(t, w.changed(other, track.ChangedFilter{After: mark.Check.At, Limit: 10}).Total)
		},
	}
}

// containsCheck reports whether a check that missed a role is in its board's history.
func containsCheck(history []boardwatch.Check, a boardwatch.Absence) bool {
	for _, c := range history {
		if c.ID == a.CheckID && c.At.Equal(a.At) && c.Missed > 0 {
			return true
		}
	}
	return false
}
