package storagetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// mark marks a role.
func (w *world) mark(m track.Mark) {
	w.t.Helper()
	require.NoError(w.t, w.SaveMark(w.t.Context(), m, track.MaxMarks, track.MaxNotes))
}

// marks returns the account's marks.
func (w *world) marks(a account.Account, jobIDs ...string) map[string]track.Mark {
	w.t.Helper()
	marks, err := w.Marks(w.t.Context(), a.ID, jobIDs...)
	require.NoError(w.t, err)
	return marks
}

func markCases() cases {
	return cases{
		"a mark belongs to its account, and replaces the earlier one": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanUltra), w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			w.track(other, "northwind")
			w.check(b.ID, roles("A", "B"))
			jobs := w.jobs(a, track.JobFilter{}).Jobs
			w.mark(track.Mark{AccountID: a.ID, JobID: jobs[0].ID, Starred: true})
			want := track.Mark{AccountID: a.ID, JobID: jobs[0].ID, Hidden: true, AppliedOn: "2026-11-20", Stage: track.StageOffer, Note: "Ask „Zoë“\nabout it"}
			w.mark(want)
			w.mark(track.Mark{AccountID: a.ID, JobID: jobs[1].ID, Starred: true})
			w.mark(track.Mark{AccountID: other.ID, JobID: jobs[1].ID, Note: "theirs"})
			require.Equal(t, map[string]track.Mark{jobs[0].ID: want}, w.marks(a, jobs[0].ID))
			require.Len(t, w.marks(a), 2)
			require.Equal(t, "theirs", w.marks(other, jobs[0].ID, jobs[1].ID)[jobs[1].ID].Note)
			require.Len(t, w.marks(other, jobs[0].ID, jobs[1].ID), 1)
			w.mark(track.Mark{AccountID: a.ID, JobID: jobs[1].ID})
			require.Len(t, w.marks(a), 1, "an empty mark is forgotten")
			w.check(b.ID, roles("A"))
			w.check(b.ID, roles("A")) // closes the other role
			require.Len(t, w.marks(a), 1)
			require.NoError(t, w.DeleteAccount(t.Context(), a.ID))
			require.Empty(t, w.marks(a))
		},
		"roles that are not on an active board of the account are not marked": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanFree), w.account(account.PlanUltra)
			b := w.track(other, "northwind").Board
			w.check(b.ID, roles("A"))
			id := w.jobs(other, track.JobFilter{}).Jobs[0].ID
			m := track.Mark{AccountID: a.ID, JobID: id, Starred: true}
			hasCode(t, boardwatch.CodeNotFound, w.SaveMark(t.Context(), m, 10, 100))
			w.track(a, "one")
			w.track(a, "two")
			require.True(t, w.track(a, "northwind").Subscription.Locked)
			hasCode(t, boardwatch.CodeNotFound, w.SaveMark(t.Context(), m, 10, 100))
			m.JobID = boardwatch.NewID()
			hasCode(t, boardwatch.CodeNotFound, w.SaveMark(t.Context(), m, 10, 100))
			m.AccountID = boardwatch.NewID()
			hasCode(t, boardwatch.CodeNotFound, w.SaveMark(t.Context(), m, 10, 100))
			require.Empty(t, w.marks(a))
		},
		"an account has at most its limit of marks": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			w.check(b.ID, roles("A", "B", "C"))
			jobs := w.jobs(a, track.JobFilter{}).Jobs
			save := func(i int, note string) error {
				return w.SaveMark(t.Context(), track.Mark{AccountID: a.ID, JobID: jobs[i].ID, Note: note}, 2, 100)
			}
			require.NoError(t, save(0, "one"))
			require.NoError(t, save(1, "two"))
			hasCode(t, boardwatch.CodeInvalidRequest, save(2, "three"))
			require.NoError(t, save(0, "another"), "it has a place already")
			require.Equal(t, "another", w.marks(a)[jobs[0].ID].Note)
		},
		"an account has at most so many characters of notes": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanUltra), w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			w.track(other, "northwind")
			w.check(b.ID, roles("A", "B", "C"))
			jobs := w.jobs(a, track.JobFilter{}).Jobs
			save := func(a account.Account, i int, note string) error {
				return w.SaveMark(t.Context(), track.Mark{AccountID: a.ID, JobID: jobs[i].ID, Starred: true, Note: note}, 10, 6)
			}
			require.NoError(t, save(a, 0, "éé"))
			require.NoError(t, save(a, 1, "abcd"))
			hasCode(t, boardwatch.CodeInvalidRequest, save(a, 2, "x"))
			hasCode(t, boardwatch.CodeInvalidRequest, save(a, 0, "ééé"))
			require.Equal(t, "éé", w.marks(a)[jobs[0].ID].Note, "it stays as it was")
			require.NoError(t, save(a, 0, "ee"), "it takes the place of its own")
			require.NoError(t, save(a, 2, ""))
			require.NoError(t, save(other, 2, "x"))
		},
		"roles are chosen by their marks": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanUltra), w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			w.track(other, "northwind")
			w.check(b.ID, roles("A", "B", "C", "D"))
			find := func(title string) string {
				return w.jobs(a, track.JobFilter{Search: title}).Jobs[0].ID
			}
			choose := func(who account.Account, k track.Marked) []string {
				page := w.jobs(who, track.JobFilter{Marked: k})
				require.Len(t, page.Jobs, int(page.Total))
				return titles(page.Jobs)
			}
			require.Len(t, choose(a, track.MarkedVisible), 4)
			w.mark(track.Mark{AccountID: a.ID, JobID: find("A"), Starred: true})
			w.mark(track.Mark{AccountID: a.ID, JobID: find("B"), Starred: true, Hidden: true})
			w.mark(track.Mark{AccountID: a.ID, JobID: find("C"), AppliedOn: "2026-11-20"})
			require.ElementsMatch(t, []string{"A", "B"}, choose(a, track.MarkedStarred))
			require.Equal(t, []string{"B"}, choose(a, track.MarkedHidden))
			require.Equal(t, []string{"C"}, choose(a, track.MarkedApplied))
			require.ElementsMatch(t, []string{"A", "C", "D"}, choose(a, track.MarkedVisible))
			require.Len(t, choose(a, track.MarkedAny), 4, "programs see all")
			require.Len(t, choose(other, track.MarkedVisible), 4)
			require.Empty(t, choose(other, track.MarkedStarred))
			page := w.jobs(a, track.JobFilter{Marked: track.MarkedStarred, Only: boardwatch.Criteria{Text: "a"}, Status: boardwatch.JobOpen})
			require.Equal(t, []string{"A"}, titles(page.Jobs))
		},
		"marks stay with roles that continue under other ids": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b, from := w.track(a, "northwind").Board, w.track(a, "tailspin").Board
			w.check(b.ID, roles("A", "B"))
			w.check(from.ID, roles("A", "B"))
			theirs := func(boardID, title string) string {
				return w.jobs(a, track.JobFilter{BoardID: boardID, Search: title}).Jobs[0].ID
			}
			for _, m := range []track.Mark{
				{JobID: theirs(from.ID, "A"), Note: "moves"}, {JobID: theirs(from.ID, "B"), Note: "younger"}, {JobID: theirs(b.ID, "B"), Note: "stays"},
			} {
				m.AccountID = a.ID
				w.mark(m)
			}
			_, merged, err := w.Resolve(t.Context(), w.claim(from.ID), hosted("northwind"))
			require.NoError(t, err)
			require.True(t, merged)
			notes := map[string]string{}
			for _, j := range w.jobs(a, track.JobFilter{Status: boardwatch.JobOpen}).Jobs {
				notes[j.Title] = w.marks(a, j.ID)[j.ID].Note
			}
			require.Equal(t, map[string]string{"A": "moves", "B": "stays"}, notes)
			require.Len(t, w.marks(a), 2)
		},
	}
}
