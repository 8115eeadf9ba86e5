package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

func accessCases() cases {
	const plain = "http://proxy.example:3128"
	secret := "http://robin:open-" + "sesame@proxy.example:3128"
	return cases{
		"a board is read the way the operator chose, until that changes": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			want := boardwatch.Access{Proxy: plain, Robots: boardwatch.RobotsIgnore}
			require.NoError(t, w.SetAccess(t.Context(), b.ID, want))
			require.Equal(t, want, w.claim(b.ID).Board.State.Access)
			got, err := w.Access(t.Context(), b.ID)
			require.NoError(t, err)
			require.Equal(t, want, got)

			require.NoError(t, w.SetAccess(t.Context(), b.ID, boardwatch.Access{}))
			got, err = w.Access(t.Context(), b.ID)
			require.NoError(t, err)
			require.Zero(t, got)
		},
		"checks leave it as it is": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			want := boardwatch.Access{Proxy: boardwatch.NoProxy}
			claim := w.claim(b.ID)
			require.NoError(t, w.SetAccess(t.Context(), b.ID, want), "while it is checked")
			require.NoError(t, w.Release(t.Context(), claim))
			w.check(b.ID, roles("Cook"))
			require.Equal(t, want, w.board(b.ID).State.Access)
			require.NoError(t, w.saveUnchanged(t.Context(), w.claim(b.ID), "x", time.Now()))
			require.Equal(t, want, w.board(b.ID).State.Access)
		},
		"a check under way when it changes is discarded, and the new way is tried at once": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			w.check(b.ID, roles("Cook"))
			before := w.history(b.ID)
			for _, proxy := range []string{plain, boardwatch.NoProxy} {
				c := w.claim(b.ID)
				require.NoError(t, w.SetAccess(t.Context(), b.ID, boardwatch.Access{Proxy: proxy}))
				if proxy == plain {
					err := w.SaveCheck(t.Context(), c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
						return decide(in, boardwatch.Failed(cause.SiteError, "it was asked the old way"))
					})
					require.ErrorIs(t, err, boardwatch.ErrLeaseLost)
				} else {
					err := w.saveUnchanged(t.Context(), c, "x", time.Now().Add(time.Hour))
					require.ErrorIs(t, err, boardwatch.ErrLeaseLost)
				}
				require.Equal(t, before, w.history(b.ID))
				require.Equal(t, boardwatch.BoardReady, w.board(b.ID).Status)
				next := w.claim(b.ID)
				require.Equal(t, proxy, next.Board.State.Access.Proxy)
				require.NoError(t, w.Release(t.Context(), next))
			}
		},
		"a changed way is tried at once, unless the site asked to be left alone": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			w.check(b.ID, roles("Cook"))
			require.NoError(t, w.SetAccess(t.Context(), b.ID, boardwatch.Access{Proxy: plain}))
			require.True(t, w.board(b.ID).NextCheckAt.Before(b.AddedAt), "ahead of everything scheduled")

			busy := boardwatch.Failed(cause.SiteError, "asked to wait")
			busy.RetryAfter = time.Hour
			w.check(b.ID, busy)
			scheduled := w.board(b.ID).NextCheckAt
			require.NoError(t, w.SetAccess(t.Context(), b.ID, boardwatch.Access{}))
			require.Equal(t, scheduled, w.board(b.ID).NextCheckAt)
		},
		"a password is revealed where the board is read, and nowhere else": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			want := boardwatch.Access{Proxy: secret}
			require.NoError(t, w.SetAccess(t.Context(), b.ID, want))
			require.NotContains(t, w.board(b.ID).State.Access.Proxy, "sesame")
			require.Equal(t, want, w.claim(b.ID).Board.State.Access)
			got, err := w.Access(t.Context(), b.ID)
			require.NoError(t, err)
			require.Equal(t, want, got)
		},
		"a board that does not exist": func(t *testing.T, w *world) {
			id := boardwatch.NewID()
			require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(w.SetAccess(t.Context(), id, boardwatch.Access{})))
			_, err := w.Access(t.Context(), id)
			require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
		},
	}
}
