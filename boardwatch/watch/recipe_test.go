package watch_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
)

// healer is a source that can repair recipes.
type healer struct {
	source

	heal func(b boardwatch.Board, titles []string) (boardwatch.Reading, error)
}

func (h healer) Heal(_ context.Context, b boardwatch.Board, titles []string) (boardwatch.Reading, error) {
	return h.heal(b, titles)
}

// breaking is a source whose reading by the first recipe fails.
func breaking(heal func(boardwatch.Board, []string) (boardwatch.Reading, error)) healer {
	return healer{source{read: func(_ context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
		if b.Recipe == "first" {
			return boardwatch.Failed(cause.RecipeBroken, "its elements are gone"), nil
		}
		return roles("Baker", "Miller"), nil
	}}, heal}
}

const careers = "https://northwind.example/careers"

func TestCheckHealsARecipe(t *testing.T) {
	t.Parallel()
	w := setup(t)
	b := w.track(t, "page:"+careers, careers)
	w.checkWith(t, shows("Baker", "Miller"))
	require.NoError(t, w.store.SetRecipe(t.Context(), b.ID, "first"))

	var known []string
	h := breaking(func(b boardwatch.Board, titles []string) (boardwatch.Reading, error) {
		require.Equal(t, "first", b.Recipe)
		known = titles
		r := roles("Baker", "Miller")
		r.Recipe = "second"
		return r, nil
	})
	report := w.checkWith(t, h)
	require.ElementsMatch(t, []string{"Baker", "Miller"}, known)
	require.Equal(t, boardwatch.EventRecipeHealed, report.Check.Event)
	require.Equal(t, boardwatch.HealthOK, report.Check.Health)
	require.Equal(t, "second", w.board(t, b.ID).Recipe)
	require.Empty(t, report.Change.Closed)
}

func TestCheckFailsWhereARecipeCannotBeHealed(t *testing.T) {
	t.Parallel()
	for name, heal := range map[string]func(boardwatch.Board, []string) (boardwatch.Reading, error){
		"because nothing is found": func(boardwatch.Board, []string) (boardwatch.Reading, error) {
			return boardwatch.Failed(cause.RecipeBroken, "the roles are nowhere"), nil
		},
		"because what was made reads nothing": func(boardwatch.Board, []string) (boardwatch.Reading, error) {
			r := boardwatch.Failed(cause.Timeout, "it took too long")
			r.Recipe = "second"
			return r, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			b := w.track(t, "page:"+careers, careers)
			w.checkWith(t, shows("Baker", "Miller"))
			require.NoError(t, w.store.SetRecipe(t.Context(), b.ID, "first"))
			report := w.checkWith(t, breaking(heal))
			require.Equal(t, cause.RecipeBroken, report.Check.Cause)
			require.Equal(t, boardwatch.BoardFailed, report.Board.Status)
			require.Equal(t, "first", w.board(t, b.ID).Recipe)
			require.Equal(t, boardwatch.JobOpen, w.jobs(t)["Baker"].Status)
		})
	}
}

func TestCheckOfABoardWithARecipeNeedsNoDiscovery(t *testing.T) {
	t.Parallel()
	w := setup(t)
	b := w.track(t, "", careers)
	require.NoError(t, w.store.SetRecipe(t.Context(), b.ID, "second"))
	s := breaking(nil)
	s.discover = func(context.Context, string) (boardwatch.Board, error) {
		return boardwatch.Board{}, errors.New("no roles can be read there")
	}
	report := w.checkWith(t, s)
	require.Equal(t, "page:"+careers, report.Board.Source)
	require.Len(t, report.Change.Found, 2)
}

// checkWith claims the next due board and checks it with any source.
func (w world) checkWith(t *testing.T, s boardwatch.Source) watch.CheckReport {
	t.Helper()
	var report watch.CheckReport
	o := watch.Options{Observe: func(r watch.CheckReport) { report = r }}
	require.NoError(t, watch.New(w.store, s, o).Check(t.Context(), w.claim(t)))
	return report
}
