package storagetest

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
)

func guessCases() cases {
	five := account.Allowance{Burst: 5, Every: 30 * time.Second}
	return cases{
		"guesses are counted by key, come back with time, and can be given back": func(t *testing.T, w *world) {
			now := w.now()
			guess := func(at time.Time, keys ...string) time.Duration {
				wait, err := w.Guess(t.Context(), keys, five, at)
				require.NoError(t, err)
				return wait
			}
			for range 5 {
				require.Zero(t, guess(now, "ann", "here"))
			}
			require.Equal(t, 30*time.Second, guess(now, "ann"))
			require.Equal(t, 30*time.Second, guess(now, "here", "bob"))
			require.Zero(t, guess(now, "bob"), "what was refused took nothing")
			require.Equal(t, 10*time.Second, guess(now.Add(20*time.Second), "ann"))
			require.Zero(t, guess(now.Add(30*time.Second), "ann"))
			require.NoError(t, w.GiveBack(t.Context(), []string{"here", "ann", "here"}, five))
			require.Zero(t, guess(now.Add(30*time.Second), "ann"))
			require.Equal(t, 30*time.Second, guess(now.Add(30*time.Second), "ann"))
			require.LessOrEqual(t, guess(now.Add(-time.Hour), "ann"), 30*time.Second, "a clock that was set back locks nobody out")
		},
		"of simultaneous guesses in several processes no more than the limit are allowed": func(t *testing.T, w *world) {
			now := w.now()
			stores := []*world{w, w.another(options())}
			var allowed atomic.Int64
			var all sync.WaitGroup
			for i := range 40 {
				keys := []string{"ann", "here"}
				if i%4 > 1 {
					keys = []string{"here", "ann"}
				}
				all.Go(func() {
					wait, err := stores[i%2].Guess(t.Context(), keys, five, now)
					if err != nil {
						t.Error(err)
					}
					if wait == 0 {
						allowed.Add(1)
					}
				})
			}
			all.Wait()
			require.EqualValues(t, 5, allowed.Load())
		},
		"guesses that no longer count are pruned": func(t *testing.T, w *world) {
			now := w.now()
			for key, at := range map[string]time.Time{"old": now.Add(-time.Hour), "new": now} {
				for range 5 {
					_, err := w.Guess(t.Context(), []string{key}, five, at)
					require.NoError(t, err)
				}
			}
			require.NoError(t, w.Prune(t.Context(), storage.Retention{}))
			for key, at := range map[string]time.Time{"old": now.Add(-time.Hour), "new": now} {
				wait, err := w.Guess(t.Context(), []string{key}, five, at)
				require.NoError(t, err)
				require.Equal(t, key == "new", wait > 0, key)
			}
		},
	}
}
