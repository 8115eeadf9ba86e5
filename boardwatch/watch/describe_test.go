package watch_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
)

// describing is a source whose roles say more on their own pages.
type describing struct {
	source

	asked map[string]int
	ended func(asked int) bool
}

func (d *describing) Describe(_ context.Context, _ boardwatch.Board, j boardwatch.Job) (boardwatch.Facts, string, error) {
	if d.ended != nil && d.ended(len(d.asked)) {
		return boardwatch.Facts{}, "", errors.New("the context has ended")
	}
	d.asked[j.Title]++
	if j.Title == "Role 7" {
		return boardwatch.Facts{}, "", nil // its page states nothing
	}
	return boardwatch.Facts{Mode: boardwatch.ModeRemote}, "We look for a " + j.Title + ".", nil
}

// The own page of each role is read once, a hundred of them in a check, and not in the first one.
func TestOwnPagesOfRolesAreReadOnce(t *testing.T) {
	t.Parallel()
	titles := make([]string, 250)
	for i := range titles {
		titles[i] = fmt.Sprintf("Role %d", i)
	}
	for name, tt := range map[string]struct {
		details boardwatch.Details
		asked   []int
		left    []bool // whether pages are left
	}{
		"all":    {boardwatch.DetailsAll, []int{0, 100, 200, 250, 250}, []bool{true, true, true, false, false}},
		"listed": {boardwatch.DetailsListed, []int{0, 0}, []bool{false, false}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			board := w.track(t, "greenhouse:northwind", "https://boards.greenhouse.io/northwind")
			d := &describing{source: shows(titles...), asked: make(map[string]int)}
			rules := boardwatch.DefaultRules()
			rules.Details = tt.details
			watcher := watch.New(w.store, d, watch.Options{Rules: rules})
			for i, asked := range tt.asked {
				require.NoError(t, watcher.Check(t.Context(), w.claim(t)))
				require.Len(t, d.asked, asked)
				require.Equal(t, tt.left[i], w.board(t, board.ID).State.Fingerprint == "")
			}
			for title, times := range d.asked {
				require.Equal(t, 1, times, title)
			}
			if tt.details == boardwatch.DetailsAll {
				jobs := w.jobs(t)
				require.Equal(t, boardwatch.TextHash("We look for a Role 3."), jobs["Role 3"].TextHash)
				require.Equal(t, boardwatch.ModeRemote, jobs["Role 3"].Facts.Mode)
				require.Empty(t, jobs["Role 7"].TextHash)
			}
		})
	}
}

// A check that is interrupted while it reads pages keeps what it has read of the list and of the pages.
func TestAnInterruptedDescriptionGoesOnLater(t *testing.T) {
	t.Parallel()
	w := setup(t)
	board := w.track(t, "greenhouse:northwind", "https://boards.greenhouse.io/northwind")
	d := &describing{source: shows("Baker", "Miller", "Brewer"), asked: make(map[string]int)}
	rules := boardwatch.DefaultRules()
	rules.Details = boardwatch.DetailsAll
	watcher := watch.New(w.store, d, watch.Options{Rules: rules})
	require.NoError(t, watcher.Check(t.Context(), w.claim(t)))
	d.ended = func(asked int) bool { return asked == 2 }
	require.NoError(t, watcher.Check(t.Context(), w.claim(t)))
	require.Empty(t, w.board(t, board.ID).State.Fingerprint)
	require.Equal(t, boardwatch.HealthOK, w.board(t, board.ID).State.Health)
	d.ended = nil
	require.NoError(t, watcher.Check(t.Context(), w.claim(t)))
	require.Equal(t, map[string]int{"Baker": 1, "Miller": 1, "Brewer": 1}, d.asked)
}
