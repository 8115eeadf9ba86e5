package storagetest

import (
	"bytes"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
)

func rotationCases() cases {
	next := bytes.Repeat([]byte{9}, 32)
	return cases{
		"a rotated key opens every secret, the old one none": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			want := []boardwatch.Webhook{w.webhook(a), w.webhook(a)}
			require.NoError(t, w.SetFeedToken(t.Context(), a.ID, "feed-token"))
			old := w.another(options())

			n, err := w.RotateSealKey(t.Context(), next)
			require.NoError(t, err)
			require.Equal(t, 2, n)
			for _, s := range []*world{w, w.another(storage.Options{Plans: plans(), SealKey: next})} {
				got, err := s.Webhooks(t.Context(), a.ID)
				require.NoError(t, err)
				require.Equal(t, secrets(want), secrets(got))
				token, err := s.FeedToken(t.Context(), a.ID)
				require.NoError(t, err)
				require.Equal(t, "feed-token", token)
			}
			_, err = old.Webhooks(t.Context(), a.ID)
			require.ErrorIs(t, err, storage.ErrSealKey)
			_, err = old.RotateSealKey(t.Context(), bytes.Repeat([]byte{1}, 32))
			require.ErrorIs(t, err, storage.ErrSealKey)
			hook := boardwatch.Webhook{ID: boardwatch.NewID(), AccountID: a.ID, Secret: account.NewWebhookSecret()}
			require.ErrorIs(t, old.CreateWebhook(t.Context(), hook, boardwatch.MaxWebhooks), storage.ErrSealKey)
		},
		"the previous key cannot rotate, even if there is no secret to show that it is wrong": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			require.NoError(t, w.SetFeedToken(t.Context(), a.ID, "feed-token")) // one that cannot be decrypted is skipped
			old := w.another(options())
			_, err := w.RotateSealKey(t.Context(), next)
			require.NoError(t, err)
			_, err = old.RotateSealKey(t.Context(), bytes.Repeat([]byte{1}, 32))
			require.ErrorIs(t, err, storage.ErrSealKey)
			token, err := w.another(storage.Options{Plans: plans(), SealKey: next}).FeedToken(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, "feed-token", token)
		},
		"a running process takes over the new key": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			w.webhook(a)
			running := w.another(storage.Options{Plans: plans(), ReloadSealKey: func() ([]byte, error) { return next, nil }})
			_, err := w.RotateSealKey(t.Context(), next)
			require.NoError(t, err)

			made := running.webhook(a)
			got, err := w.Webhooks(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, made.Secret, got[1].Secret)
			got, err = running.Webhooks(t.Context(), a.ID)
			require.NoError(t, err)
			require.Len(t, got, 2)
		},
		"a lost key can be given up, and its webhooks with it": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			w.webhook(a)
			require.NoError(t, w.SetFeedToken(t.Context(), a.ID, "feed-token"))
			n, err := w.ForgetSecrets(t.Context(), next)
			require.NoError(t, err)
			require.Equal(t, 1, n)

			s := w.another(storage.Options{Plans: plans(), SealKey: next})
			got, err := s.Webhooks(t.Context(), a.ID)
			require.NoError(t, err)
			require.Empty(t, got)
			token, err := s.FeedToken(t.Context(), a.ID)
			require.NoError(t, err)
			require.Empty(t, token)
			s.webhook(a)
			n, err = s.RotateSealKey(t.Context(), []byte(SealKey))
			require.NoError(t, err)
			require.Equal(t, 1, n)
			_, err = w.ForgetSecrets(t.Context(), []byte("short"))
			require.ErrorContains(t, err, "needs 32")
		},
		"the password of a board's proxy survives a rotation": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			want := boardwatch.Access{Proxy: "http://robin:open-" + "sesame@proxy.example:3128"}
			require.NoError(t, w.SetAccess(t.Context(), b.ID, want))
			_, err := w.RotateSealKey(t.Context(), next)
			require.NoError(t, err)
			got, err := w.Access(t.Context(), b.ID)
			require.NoError(t, err)
			require.Equal(t, want, got)
		},
		"an invalid key changes nothing": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			want := w.webhook(a)
			_, err := w.RotateSealKey(t.Context(), []byte("short"))
			require.ErrorContains(t, err, "needs 32")
			got, err := w.another(options()).Webhooks(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, want.Secret, got[0].Secret)
		},
		"webhooks made while the key is rotated are not lost": func(t *testing.T, w *world) {
			store := w.Store
			accounts := make([]account.Account, 4)
			for i := range accounts {
				accounts[i] = w.account(account.PlanUltra)
			}
			var key sync.Map
			key.Store("now", []byte(SealKey))
			running := w.another(storage.Options{Plans: plans(), ReloadSealKey: func() ([]byte, error) {
				k, _ := key.Load("now")
				return k.([]byte), nil
			}})
			var group sync.WaitGroup
			for _, a := range accounts {
				group.Go(func() {
					for range boardwatch.MaxWebhooks {
						hook := boardwatch.Webhook{ID: boardwatch.NewID(), AccountID: a.ID, Secret: "whsec_" + a.ID}
						// Between the rotation and the arrival of the new key nothing can be created, but nothing is
						// created wrongly either.
						for tries := 0; tries < 10_000 && running.CreateWebhook(t.Context(), hook, boardwatch.MaxWebhooks) != nil; {
							tries++
						}
					}
				})
			}
			for i := range byte(5) {
				k := bytes.Repeat([]byte{i}, 32)
				_, err := store.RotateSealKey(t.Context(), k)
				require.NoError(t, err)
				key.Store("now", k)
			}
			group.Wait()
			for _, a := range accounts {
				hooks, err := w.Webhooks(t.Context(), a.ID)
				require.NoError(t, err)
				require.Len(t, hooks, boardwatch.MaxWebhooks)
				for _, h := range hooks {
					require.Equal(t, "whsec_"+a.ID, h.Secret)
				}
			}
		},
	}
}

func secrets(hooks []boardwatch.Webhook) map[string]string {
	out := make(map[string]string, len(hooks))
	for _, h := range hooks {
		out[h.ID] = h.Secret
	}
	return out
}
