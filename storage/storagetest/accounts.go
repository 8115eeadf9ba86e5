package storagetest

import (
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

func accountCases() cases {
	return cases{
		"the usage of accounts is their boards and their last sign-in": func(t *testing.T, w *world) {
			a, idle := w.account(account.PlanPro), w.account(account.PlanPro)
			w.track(a, "northwind")
			w.track(a, "contoso")
			now := w.now()
			session := account.Session{ID: boardwatch.NewID(), AccountID: a.ID, Hash: "hash", CreatedAt: now, LastUsedAt: now}
			require.NoError(t, w.CreateSession(t.Context(), session, 10))
			usage, err := w.Usage(t.Context(), []string{a.ID, idle.ID, boardwatch.NewID()})
			require.NoError(t, err)
			require.Equal(t, map[string]account.Usage{a.ID: {Boards: 2, LastAt: now}, idle.ID: {}}, usage)
			usage, err = w.Usage(t.Context(), nil)
			require.NoError(t, err)
			require.Empty(t, usage)
		},
		"an account is found by id and by address": func(t *testing.T, w *world) {
			a := account.Account{
				ID: boardwatch.NewID(), Email: "robin@northwind.example", Plan: account.PlanPro, Admin: true,
				PasswordHash: "hash", CreatedAt: time.UnixMilli(1_700_000_000_123).UTC(),
			}
			require.NoError(t, w.CreateAccount(t.Context(), a))
			got, err := w.Account(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, a, got)
			require.NoError(t, w.SetVerified(t.Context(), a.ID, true))
			a.Verified = true
			got, err = w.AccountByEmail(t.Context(), a.Email)
			require.NoError(t, err)
			require.Equal(t, a, got)
			for _, err := range []error{
				func() error { _, err := w.Account(t.Context(), "nobody"); return err }(),
				func() error { _, err := w.AccountByEmail(t.Context(), "nobody\x00"); return err }(),
				w.SetVerified(t.Context(), "nobody", true),
				w.DeleteAccount(t.Context(), "nobody"),
			} {
				hasCode(t, boardwatch.CodeNotFound, err)
			}
		},
		"an address belongs to one account": func(t *testing.T, w *world) {
			var made atomic.Int64
			var group sync.WaitGroup
			for range 8 {
				group.Go(func() {
					err := w.CreateAccount(t.Context(), account.Account{
						ID: boardwatch.NewID(), Email: "robin@northwind.example", Plan: account.PlanFree,
					})
					if err == nil {
						made.Add(1)
					} else if boardwatch.CodeOf(err) != boardwatch.CodeInvalidRequest {
						t.Error(err)
					}
				})
			}
			group.Wait()
			require.EqualValues(t, 1, made.Load())
		},
		"an account can only be on a plan that exists": func(t *testing.T, w *world) {
			a := w.account(account.PlanFree)
			for _, plan := range []account.PlanName{"", "gold", "Free"} {
				hasCode(t, boardwatch.CodeInvalidRequest, w.CreateAccount(t.Context(), account.Account{
					ID: boardwatch.NewID(), Email: "robin@northwind.example", Plan: plan,
				}))
				hasCode(t, boardwatch.CodeInvalidRequest, w.SetPlan(t.Context(), a.ID, plan))
			}
			list, err := w.Accounts(t.Context())
			require.NoError(t, err)
			require.Equal(t, []account.Account{a}, list)
		},
		"accounts are listed by address": func(t *testing.T, w *world) {
			for _, name := range []string{"c", "a", "b"} {
				require.NoError(t, w.CreateAccount(t.Context(), account.Account{
					ID: boardwatch.NewID(), Email: name + "@northwind.example", Plan: account.PlanFree,
				}))
			}
			list, err := w.Accounts(t.Context())
			require.NoError(t, err)
			require.Len(t, list, 3)
			require.Equal(t, "a@northwind.example", list[0].Email)
			require.Equal(t, "c@northwind.example", list[2].Email)
		},
		"a key is found by its hash, with its account": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			now, err := w.Now(t.Context())
			require.NoError(t, err)
			k, secret := account.NewAPIKey(a.ID, "laptop", now)
			require.NoError(t, w.CreateKey(t.Context(), k, account.MaxKeys))
			got, owner, err := w.KeyByHash(t.Context(), account.HashSecret(secret))
			require.NoError(t, err)
			require.Equal(t, k, got)
			require.Equal(t, a, owner)
			keys, err := w.Keys(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, []account.APIKey{k}, keys)
			hasCode(t, boardwatch.CodeNotFound, w.DeleteKey(t.Context(), w.account(account.PlanPro).ID, k.ID))
			require.NoError(t, w.DeleteKey(t.Context(), a.ID, k.ID))
			_, _, err = w.KeyByHash(t.Context(), account.HashSecret(secret))
			hasCode(t, boardwatch.CodeNotFound, err)
		},
		"an account has at most its limit of keys, however many are created at once": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			var group sync.WaitGroup
			for i := range 12 {
				group.Go(func() {
					k, _ := account.NewAPIKey(a.ID, strconv.Itoa(i), time.Now())
					err := w.CreateKey(t.Context(), k, account.MaxKeys)
					if err != nil && boardwatch.CodeOf(err) != boardwatch.CodeInvalidRequest {
						t.Error(err)
					}
				})
			}
			group.Wait()
			keys, err := w.Keys(t.Context(), a.ID)
			require.NoError(t, err)
			require.Len(t, keys, account.MaxKeys)
			k, _ := account.NewAPIKey(boardwatch.NewID(), "", time.Now())
			hasCode(t, boardwatch.CodeNotFound, w.CreateKey(t.Context(), k, account.MaxKeys))
		},
		"a deleted account takes everything that belongs to it along, boards stay": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanUltra), w.account(account.PlanUltra)
			hook := w.webhook(a)
			b := w.owe(a, "northwind", 2)
			k, _ := account.NewAPIKey(a.ID, "laptop", time.Now())
			require.NoError(t, w.CreateKey(t.Context(), k, account.MaxKeys))
			require.NoError(t, w.DeleteAccount(t.Context(), a.ID))
			_, err := w.Account(t.Context(), a.ID)
			hasCode(t, boardwatch.CodeNotFound, err)
			_, _, err = w.KeyByHash(t.Context(), k.Hash)
			hasCode(t, boardwatch.CodeNotFound, err)
			require.Empty(t, w.deliveriesOf(hook))
			require.Zero(t, w.board(b.ID).Cadence)
			require.Equal(t, b.ID, w.track(other, "northwind").Board.ID)
			require.Len(t, w.jobs(other, track.JobFilter{}).Jobs, 2)
		},
	}
}
