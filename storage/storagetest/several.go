package storagetest

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
)

// severalCases are about several processes on one database, at the same time or one after the other.
func severalCases() cases {
	return cases{
		"what one process saves another sees": func(t *testing.T, w *world) {
			a := w.account(boardwatch.PlanPro)
			b := w.track(a, "northwind").Board
			o := w.another(options())
			w.check(b.ID, roles("Cook"))
			require.Equal(t, w.board(b.ID), o.board(b.ID))
			require.NoError(t, o.Unsubscribe(t.Context(), a.ID, b.ID))
			require.True(t, w.board(b.ID).NextCheckAt.IsZero())
		},
		"a process that starts claims what another left": func(t *testing.T, w *world) {
			a := w.account(boardwatch.PlanUltra)
			w.webhook(a)
			b := w.owe(a, "northwind", 2)
			w.check(b.ID, roles(many(3)...))
			require.NoError(t, w.Close())
			o := w.another(options())
			require.Len(t, o.claimWebhooks(10)[0].due, 3)
			o.check(b.ID, roles(many(4)...))
			require.EqualValues(t, 4, o.jobs(a, boardwatch.JobFilter{}).Total)
			require.Len(t, o.history(b.ID), 4)
		},
		"a schema is made once by many that start together": func(t *testing.T, w *world) {
			require.NoError(t, w.sql().Ping(t.Context()))
			var group sync.WaitGroup
			stores := make([]*storage.Store, 4)
			for i := range stores {
				group.Go(func() { stores[i] = w.another(options()).sql() })
			}
			group.Wait()
			for _, s := range stores {
				steps, err := s.Migrate(t.Context())
				require.NoError(t, err)
				require.Empty(t, steps)
				all, err := s.Migrations(t.Context())
				require.NoError(t, err)
				for _, m := range all {
					require.NotEmpty(t, m.Name)
					require.False(t, m.AppliedAt.IsZero())
				}
			}
		},
		"a schema is left alone when asked to": func(t *testing.T, w *world) {
			o := w.another(storage.Options{NoMigrate: true})
			require.NoError(t, o.sql().Ping(t.Context()))
		},
	}
}
