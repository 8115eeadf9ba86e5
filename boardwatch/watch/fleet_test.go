package watch_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
)

// runUntil runs a new watcher, as another process would, until done accepts a report.
func (w world) runUntil(t *testing.T, s source, done func(watch.CheckReport) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var mu sync.Mutex
	enough := false
	observe := func(r watch.CheckReport) {
		mu.Lock()
		defer mu.Unlock()
		if r.Err == nil && done(r) {
			enough = true
			cancel()
		}
	}
	require.NoError(t, watch.New(w.store, s, watch.Options{Observe: observe, Concurrency: 4}).Run(ctx))
	require.True(t, enough, "not within a minute")
}

// each counts reports until every one of n boards has had that many that count.
func each(n, times int, counts func(watch.CheckReport) bool) func(watch.CheckReport) bool {
	seen := make(map[string]int)
	complete := 0
	return func(r watch.CheckReport) bool {
		if counts(r) {
			if seen[r.Board.ID]++; seen[r.Board.ID] == times {
				complete++
			}
		}
		return complete == n
	}
}

func TestFleetGuard(t *testing.T) {
	t.Parallel()
	const boards = 20
	tests := []struct {
		name   string
		system string
		sick   int
		closed int
	}{
		{name: "holds when five boards of a system, and a fifth of it, turn sick", system: "greenhouse", sick: 5},
		{name: "does not hold for four", system: "greenhouse", sick: 4, closed: 16},
		{name: "does not hold for pages, which have nothing in common", system: boardwatch.PageSystem, sick: 5, closed: 15},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			ill := make(map[string]bool)
			for n := range boards {
				name := fmt.Sprintf("%s:northwind-%d", tt.system, n)
				w.track(t, name, fmt.Sprintf("https://northwind-%d.example/", n))
				ill[name] = n < tt.sick
			}
			broken := func(titles ...string) source {
				return source{read: func(_ context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
					if ill[b.Source] {
						return boardwatch.Failed(cause.SiteError, "the site answered 500"), nil
					}
					return roles(titles...), nil
				}}
			}
			healthy := func(r watch.CheckReport) bool { return r.Board.State.Health == boardwatch.HealthOK }
			sick := func(r watch.CheckReport) bool { return !healthy(r) }

			w.runUntil(t, shows("Baker", "Miller", "Brewer"), each(boards, 1, healthy))
			w.runUntil(t, broken("Baker", "Miller", "Brewer"), each(tt.sick, 1, sick))
			w.runUntil(t, broken("Baker", "Miller"), each(boards-tt.sick, 5, healthy))

			page, err := w.store.Jobs(t.Context(), w.account.ID, track.JobFilter{Status: boardwatch.JobClosed})
			require.NoError(t, err)
			require.EqualValues(t, tt.closed, page.Total)
		})
	}
}
