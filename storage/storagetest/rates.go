package storagetest

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

func rateCases() cases {
	hourly := func(limit int) boardwatch.Rate { return boardwatch.Rate{Name: "test", Limit: limit, Window: time.Hour} }
	return cases{
		"a budget is spent request by request, and refused ones count": func(t *testing.T, w *world) {
			a, rate := w.account(account.PlanPro), hourly(2)
			first, err := w.Spend(t.Context(), a.ID, "", rate)
			require.NoError(t, err)
			require.Equal(t, boardwatch.Budget{Limit: 2, Remaining: 1, At: first.At, ResetAt: first.At.Add(time.Hour)}, first)
			second, err := w.Spend(t.Context(), a.ID, "", rate)
			require.NoError(t, err)
			require.Equal(t, 0, second.Remaining)
			require.Zero(t, second.Wait)
			third, err := w.Spend(t.Context(), a.ID, "", rate)
			require.NoError(t, err)
			require.Equal(t, second.At.Add(time.Hour), third.ResetAt, "the refused one pushed the first one out")
			require.Equal(t, third.ResetAt.Sub(third.At), third.Wait)
		},
		"budgets of accounts and of interfaces are separate": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanPro), w.account(account.PlanPro)
			for _, rate := range []boardwatch.Rate{hourly(1), {Name: "other", Limit: 1, Window: time.Hour}} {
				for _, id := range []string{a.ID, other.ID} {
					b, err := w.Spend(t.Context(), id, "", rate)
					require.NoError(t, err)
					require.Zero(t, b.Wait)
				}
			}
		},
		"a window that has passed is forgotten": func(t *testing.T, w *world) {
			a, rate := w.account(account.PlanPro), boardwatch.Rate{Name: "test", Limit: 1, Window: 100 * time.Millisecond}
			require.Eventually(t, func() bool {
				first, err := w.Spend(t.Context(), a.ID, "", rate)
				return err == nil && first.Wait == 0 && first.Remaining == 0
			}, 10*time.Second, 150*time.Millisecond)
			require.Eventually(t, func() bool {
				next, err := w.Spend(t.Context(), a.ID, "", rate)
				return err == nil && next.Wait == 0
			}, 10*time.Second, 150*time.Millisecond)
		},
		"a budget is exact, however many processes and requests share it": func(t *testing.T, w *world) {
			a, rate := w.account(account.PlanPro), hourly(20)
			another := w.another(options()).Store
			var fitting, refused atomic.Int64
			var group sync.WaitGroup
			for i := range 40 {
				group.Go(func() {
					store := w.Store
					if i%2 == 1 {
						store = another
					}
					b, err := store.Spend(t.Context(), a.ID, "", rate)
					switch {
					case err != nil:
						t.Error(err)
					case b.Wait == 0:
						fitting.Add(1)
					default:
						refused.Add(1)
					}
				})
			}
			group.Wait()
			require.EqualValues(t, 20, fitting.Load())
			require.EqualValues(t, 20, refused.Load())
		},
		"a request marks its key as used, and a deleted key allows nothing": func(t *testing.T, w *world) {
			a, rate := w.account(account.PlanPro), hourly(5)
			k, _ := account.NewAPIKey(a.ID, "laptop", time.UnixMilli(1))
			require.NoError(t, w.CreateKey(t.Context(), k, account.MaxKeys))
			b, err := w.Spend(t.Context(), a.ID, k.ID, rate)
			require.NoError(t, err)
			keys, err := w.Keys(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, b.At, keys[0].LastUsedAt)
			require.NoError(t, w.DeleteKey(t.Context(), a.ID, k.ID))
			_, err = w.Spend(t.Context(), a.ID, k.ID, rate)
			hasCode(t, boardwatch.CodeNotFound, err)
			b, err = w.Spend(t.Context(), a.ID, "", rate)
			require.NoError(t, err)
			require.Equal(t, 3, b.Remaining)
		},
		"a budget is deleted with its account": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			_, err := w.Spend(t.Context(), a.ID, "", hourly(5))
			require.NoError(t, err)
			require.NoError(t, w.DeleteAccount(t.Context(), a.ID))
			_, err = w.Spend(t.Context(), a.ID, "", hourly(5))
			hasCode(t, boardwatch.CodeNotFound, err)
		},
	}
}
