package storagetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
)

// Exercise runs the suite that every driver passes. open gives each case a store with an empty database of its own and
// closes it when the case ends; options without a key for secrets get SealKey.
func Exercise(t *testing.T, open func(t testing.TB, o storage.Options) *storage.Store) {
	t.Helper()
	for name, cases := range map[string]map[string]func(*testing.T, *world){
		"checks": checkCases(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for name, run := range cases {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					run(t, newWorld(t, open(t, storage.Options{})))
				})
			}
		})
	}
}

func checkCases() map[string]func(*testing.T, *world) {
	return map[string]func(*testing.T, *world){
		"the first check finds every role": func(t *testing.T, w *world) {
			a := w.account(boardwatch.PlanPro)
			b, _ := w.track(a, "northwind")
			w.check(b.ID, roles("Cook", "Baker"))
			page, err := w.Jobs(t.Context(), a.ID, boardwatch.JobFilter{})
			require.NoError(t, err)
			require.Len(t, page.Jobs, 2)
			require.EqualValues(t, 2, page.Total)
			for range 3 {
				w.check(b.ID, roles("Cook", "Baker"))
			}
			w.check(b.ID, roles("Cook", "Smith"))
			w.check(b.ID, roles("Cook", "Smith"))
			page, err = w.Jobs(t.Context(), a.ID, boardwatch.JobFilter{Status: boardwatch.JobClosed})
			require.NoError(t, err)
			require.Len(t, page.Jobs, 1)
			h, err := w.History(t.Context(), b.ID, 10)
			require.NoError(t, err)
			require.Len(t, h, 3)
		},
	}
}
