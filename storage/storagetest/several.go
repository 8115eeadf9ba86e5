package storagetest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
)

// severalCases are about several processes on one database, simultaneously or one after the other.
func severalCases() cases {
	return cases{
		"one process sees what another saves": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			b := w.track(a, "northwind").Board
			o := w.another(options())
			w.check(b.ID, roles("Cook"))
			require.Equal(t, w.board(b.ID), o.board(b.ID))
			require.NoError(t, o.Unsubscribe(t.Context(), a.ID, b.ID))
			require.True(t, w.board(b.ID).NextCheckAt.IsZero())
		},
		"a new process claims boards that another left": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			w.webhook(a)
			b := w.owe(a, "northwind", 2)
			w.check(b.ID, roles(many(3)...))
			require.NoError(t, w.Close())
			o := w.another(options())
			require.Len(t, o.claimWebhooks(10)[0].due, 3)
			o.check(b.ID, roles(many(4)...))
			require.EqualValues(t, 4, o.jobs(a, track.JobFilter{}).Total)
			require.Len(t, o.history(b.ID), 4)
		},
		"a schema is created once by many processes that start together": func(t *testing.T, w *world) {
			require.NoError(t, w.Ping(t.Context()))
			var group sync.WaitGroup
			stores := make([]*storage.Store, 4)
			for i := range stores {
				group.Go(func() { stores[i] = w.another(options()).Store })
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
		"several processes prune history at once, and everything worth keeping stays": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			hook := w.webhook(a)
			var ids []string
			for _, token := range []string{"northwind", "contoso", "fabrikam"} {
				b := w.track(a, token).Board
				ids = append(ids, b.ID)
				for i := range 9 {
					w.check(b.ID, roles(many(i+1)...))
				}
			}
			c := w.claimWebhooks(1)[0]
			w.deliver(c.WebhookClaim, c.due...)
			w.passMoment()
			all := []*world{w, w.another(options()), w.another(options()), w.another(options())}
			var group sync.WaitGroup
			for _, o := range all {
				group.Go(func() {
					if err := o.Prune(t.Context(), storage.Retention{Checks: time.Millisecond, Deliveries: time.Millisecond}); err != nil {
						t.Error(err)
					}
				})
			}
			w.check(ids[0], roles(many(26)...)) // meanwhile
			group.Wait()
			for _, id := range ids {
				require.LessOrEqual(t, len(w.history(id)), 2)
				require.NotEmpty(t, w.history(id))
			}
			require.Contains(t, []int{20, 21}, len(w.deliveriesOf(hook)), "the last twenty, and one that came meanwhile")
		},
		"an interrupted look at the schema stops nobody from writing": func(t *testing.T, w *world) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, err := w.Migrations(ctx)
			require.ErrorIs(t, err, context.Canceled)
			w.account(account.PlanPro)
			_, err = w.Migrations(t.Context())
			require.NoError(t, err)
		},
		"a schema is left unchanged if the options say so": func(t *testing.T, w *world) {
			o := w.another(storage.Options{NoMigrate: true})
			require.NoError(t, o.Ping(t.Context()))
		},
	}
}
