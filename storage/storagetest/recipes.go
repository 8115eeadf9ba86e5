package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

func recipeCases() cases {
	const first, second = `{"version":1,"entry":"li.job"}`, `{"version":1,"entry":"li.role","not":["Ä & <b>"]}`
	return cases{
		"a board is read by its recipe until that is removed": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			require.Empty(t, b.Recipe)
			for _, recipe := range []string{first, second, ""} {
				require.NoError(t, w.SetRecipe(t.Context(), b.ID, recipe))
				require.Equal(t, recipe, w.board(b.ID).Recipe)
				c := w.claim(b.ID)
				require.Equal(t, recipe, c.Board.Recipe)
				require.NoError(t, w.Release(t.Context(), c))
			}
		},
		"checks leave the recipe as it is": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			require.NoError(t, w.SetRecipe(t.Context(), b.ID, first))
			w.check(b.ID, roles("Cook"))
			require.JSONEq(t, first, w.board(b.ID).Recipe)
			require.NoError(t, w.saveUnchanged(t.Context(), w.claim(b.ID), "x", time.Now()))
			require.JSONEq(t, first, w.board(b.ID).Recipe)
			w.check(b.ID, boardwatch.Failed(cause.RecipeBroken, "its elements are gone"))
			require.JSONEq(t, first, w.board(b.ID).Recipe)
		},
		"a recipe that was made again is saved with the check that made it, and the history says so": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			require.NoError(t, w.SetRecipe(t.Context(), b.ID, first))
			w.check(b.ID, roles("Cook"))
			healed := roles("Cook")
			healed.Recipe = second
			w.check(b.ID, healed)
			require.JSONEq(t, second, w.board(b.ID).Recipe)
			w.check(b.ID, roles("Cook"))
			require.JSONEq(t, second, w.board(b.ID).Recipe)
			events := make([]boardwatch.CheckEvent, 0, 3)
			for _, c := range w.history(b.ID) {
				events = append(events, c.Event)
			}
			require.Equal(t, []boardwatch.CheckEvent{boardwatch.EventRecipeHealed, ""}, events, "the check after it repeats it")
		},
		"a recipe that somebody sets while a check makes one stays": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			w.check(b.ID, roles("Cook"))
			c := w.claim(b.ID)
			require.NoError(t, w.SetRecipe(t.Context(), b.ID, first))
			healed := roles("Cook")
			healed.Recipe = second
			err := w.SaveCheck(t.Context(), c, func(in boardwatch.CheckInput) boardwatch.CheckResult { return decide(in, healed) })
			require.ErrorIs(t, err, boardwatch.ErrLeaseLost)
			require.JSONEq(t, first, w.board(b.ID).Recipe)
			require.Len(t, w.history(b.ID), 1)
		},
		"a new recipe is tried at once, and in full": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			w.check(b.ID, roles("Cook"))
			require.NotEmpty(t, w.board(b.ID).State.Fingerprint)
			require.NoError(t, w.SetRecipe(t.Context(), b.ID, first))
			require.Empty(t, w.claim(b.ID).Board.State.Fingerprint)
		},
		"a board that has merged is found by its old id, and a pending board's recipe goes with it": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			page := "page:https://northwind.example/careers"
			survivor, _, err := w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID},
				boardwatch.Board{Source: page, URL: "https://northwind.example/careers", Status: boardwatch.BoardScraping}, "https://northwind.example/careers")
			require.NoError(t, err)
			other, _, err := w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: w.account(account.PlanPro).ID},
				boardwatch.Board{URL: "https://northwind.example", Status: boardwatch.BoardPending}, "https://northwind.example")
			require.NoError(t, err)
			require.NoError(t, w.SetRecipe(t.Context(), other.ID, first))
			_, merged, err := w.Resolve(t.Context(), w.claim(other.ID), boardwatch.Board{Source: page})
			require.NoError(t, err)
			require.True(t, merged)
			require.JSONEq(t, first, w.board(survivor.ID).Recipe)
			require.NoError(t, w.SetRecipe(t.Context(), other.ID, second))
			require.JSONEq(t, second, w.board(survivor.ID).Recipe)
		},
		"a recipe found with the source is kept, and no other search removes it": func(t *testing.T, w *world) {
			b, _, err := w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: w.account(account.PlanPro).ID},
				boardwatch.Board{URL: "https://northwind.example", Status: boardwatch.BoardPending}, "https://northwind.example")
			require.NoError(t, err)
			found := boardwatch.Board{Source: "page:https://northwind.example", Recipe: first}
			c, _, err := w.Resolve(t.Context(), w.claim(b.ID), found)
			require.NoError(t, err)
			require.JSONEq(t, first, c.Board.Recipe)
			found.Recipe = ""
			c, _, err = w.Resolve(t.Context(), c, found)
			require.NoError(t, err)
			require.JSONEq(t, first, c.Board.Recipe)
		},
		"the form of a page that a teacher was asked about is remembered": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			asked := boardwatch.Failed(cause.NoList, "nothing was found")
			asked.Taught = "f00"
			w.check(b.ID, asked)
			w.check(b.ID, boardwatch.Failed(cause.NoList, "nothing was found"))
			require.Equal(t, "f00", w.claim(b.ID).Board.State.Taught)
		},
		"a recipe for a board without one comes from a teacher": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			taught := roles("Cook")
			taught.Recipe = first
			w.check(b.ID, taught)
			require.Equal(t, boardwatch.EventRecipeTaught, w.history(b.ID)[0].Event)
			require.JSONEq(t, first, w.board(b.ID).Recipe)
		},
		"a recipe for an unknown board is refused": func(t *testing.T, w *world) {
			err := w.SetRecipe(t.Context(), boardwatch.NewID(), first)
			require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
		},
		"open roles": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			w.check(b.ID, roles("Cook", "Baker", "Brewer", "Miller", "Cooper", "Smith", "Potter"))
			for range 3 {
				w.check(b.ID, roles("Cook", "Baker", "Miller", "Cooper", "Smith", "Potter"))
			}
			open, err := w.OpenJobs(t.Context(), b.ID)
			require.NoError(t, err)
			require.ElementsMatch(t, []string{"Cook", "Baker", "Miller", "Cooper", "Smith", "Potter"}, titles(open))
			open, err = w.OpenJobs(t.Context(), boardwatch.NewID())
			require.NoError(t, err)
			require.Empty(t, open)
		},
	}
}
