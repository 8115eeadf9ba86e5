package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

func lessonCases() cases {
	take := func(t *testing.T, w *world, lease time.Duration) (boardwatch.Lesson, boardwatch.Board) {
		t.Helper()
		l, b, err := w.TakeLesson(t.Context(), lease)
		require.NoError(t, err)
		return l, b
	}
	return cases{
		"a lesson is asked, taken once, answered and read": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			_, err := w.Lesson(t.Context(), b.ID)
			require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
			l, _ := take(t, w, time.Minute)
			require.Empty(t, l.BoardID)

			ask := boardwatch.Lesson{BoardID: b.ID, Like: []string{"Cook", "Ä & <b>"}, Not: []string{"Tea"}}
			require.NoError(t, w.AskLesson(t.Context(), ask))
			waiting, err := w.Lesson(t.Context(), b.ID)
			require.NoError(t, err)
			require.False(t, waiting.Done)
			require.Equal(t, ask.Like, waiting.Like)
			require.Equal(t, ask.Not, waiting.Not)

			l, of := take(t, w, time.Minute)
			require.Equal(t, waiting, l)
			require.Equal(t, b.ID, of.ID)
			none, _ := take(t, w, time.Minute)
			require.Empty(t, none.BoardID, "it is taken")

			l.Recipe, l.Health, l.Roles = `{"version":1}`, boardwatch.HealthOK, 7
			l.Lists = []boardwatch.TextList{{First: []string{"Cook"}, Count: 7}}
			l.Postings = []boardwatch.Posting{{Key: "k", Title: "Cook", Location: "Bergen", Department: "Galley", URL: "https://northwind.example/cook"}}
			require.NoError(t, w.AnswerLesson(t.Context(), l))
			answered, err := w.Lesson(t.Context(), b.ID)
			require.NoError(t, err)
			l.Done = true
			require.Equal(t, l, answered)
			none, _ = take(t, w, time.Minute)
			require.Empty(t, none.BoardID)
		},
		"a lesson whose lease has ended is taken again": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			require.NoError(t, w.AskLesson(t.Context(), boardwatch.Lesson{BoardID: b.ID}))
			take(t, w, 0)
			l, _ := take(t, w, time.Minute)
			require.Equal(t, b.ID, l.BoardID)
		},
		"the lesson that has waited longest is taken first": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			at := boardwatch.Milli(time.Now())
			first, second := w.track(a, "northwind").Board, w.track(a, "contoso").Board
			require.NoError(t, w.AskLesson(t.Context(), boardwatch.Lesson{BoardID: second.ID, AskedAt: at}))
			require.NoError(t, w.AskLesson(t.Context(), boardwatch.Lesson{BoardID: first.ID, AskedAt: at.Add(-time.Second)}))
			l, _ := take(t, w, time.Minute)
			require.Equal(t, first.ID, l.BoardID)
			l, _ = take(t, w, time.Minute)
			require.Equal(t, second.ID, l.BoardID)
		},
		"an answer to a question that was asked again is discarded": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			at := boardwatch.Milli(time.Now())
			require.NoError(t, w.AskLesson(t.Context(), boardwatch.Lesson{BoardID: b.ID, AskedAt: at, Like: []string{"Cook"}}))
			old, _ := take(t, w, time.Minute)
			require.NoError(t, w.AskLesson(t.Context(), boardwatch.Lesson{BoardID: b.ID, AskedAt: at, Like: []string{"Baker"}}))
			old.Recipe = "old"
			require.NoError(t, w.AnswerLesson(t.Context(), old))
			l, _ := take(t, w, time.Minute)
			require.Equal(t, []string{"Baker"}, l.Like, "it waits, though the old one was taken")
			require.Empty(t, l.Recipe)
		},
		"a question about an unknown board is refused": func(t *testing.T, w *world) {
			err := w.AskLesson(t.Context(), boardwatch.Lesson{BoardID: boardwatch.NewID()})
			require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
		},
		"an account has one report about a board, which operators can see and answer": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanPro), w.account(account.PlanPro)
			b := w.track(a, "northwind").Board
			w.track(other, "northwind")
			at := boardwatch.Milli(time.Now())
			require.NoError(t, w.SaveMisread(t.Context(), account.Misread{BoardID: b.ID, AccountID: a.ID, At: at, Text: "first"}))
			report := account.Misread{BoardID: b.ID, AccountID: a.ID, At: at.Add(time.Second), Text: "The list is of cakes.", Titles: []string{"Cook", "Baker"}}
			require.NoError(t, w.SaveMisread(t.Context(), report))
			require.NoError(t, w.SaveMisread(t.Context(), account.Misread{BoardID: b.ID, AccountID: other.ID, At: at, Text: "second"}))
			reports, err := w.Misreads(t.Context(), 10)
			require.NoError(t, err)
			require.Len(t, reports, 2)
			require.Equal(t, report, reports[0].Misread)
			require.Equal(t, a.Email, reports[0].Email)
			require.Equal(t, b.ID, reports[0].Board.ID)
			reports, err = w.Misreads(t.Context(), 1)
			require.NoError(t, err)
			require.Len(t, reports, 1)

			require.NoError(t, w.AnswerMisreads(t.Context(), b.ID, "It is a bakery."))
			reports, err = w.Misreads(t.Context(), 10)
			require.NoError(t, err)
			require.Empty(t, reports)
			mine, err := w.MisreadsOf(t.Context(), a.ID)
			require.NoError(t, err)
			require.Len(t, mine, 1)
			require.Equal(t, "It is a bakery.", mine[0].Answer)
			require.False(t, mine[0].AnsweredAt.IsZero())
			require.NoError(t, w.AnswerMisreads(t.Context(), b.ID, "Again."))
			mine, err = w.MisreadsOf(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, "It is a bakery.", mine[0].Answer, "an answer stays")

			require.NoError(t, w.SaveMisread(t.Context(), report))
			reports, err = w.Misreads(t.Context(), 10)
			require.NoError(t, err)
			require.Equal(t, []account.Misread{report}, []account.Misread{reports[0].Misread}, "a new report waits for an answer")
			require.NoError(t, w.DropMisread(t.Context(), a.ID, b.ID))
			mine, err = w.MisreadsOf(t.Context(), a.ID)
			require.NoError(t, err)
			require.Empty(t, mine)
			theirs, err := w.MisreadsOf(t.Context(), other.ID)
			require.NoError(t, err)
			require.Len(t, theirs, 1)
		},
		"a report is about a board on the account's own list, and goes with the account": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanPro), w.account(account.PlanPro)
			b := w.track(a, "northwind").Board
			err := w.SaveMisread(t.Context(), account.Misread{BoardID: b.ID, AccountID: other.ID, Text: "not mine"})
			require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
			require.NoError(t, w.SaveMisread(t.Context(), account.Misread{BoardID: b.ID, AccountID: a.ID, Text: "mine"}))
			require.NoError(t, w.DeleteAccount(t.Context(), a.ID))
			reports, err := w.Misreads(t.Context(), 10)
			require.NoError(t, err)
			require.Empty(t, reports)
		},
	}
}
