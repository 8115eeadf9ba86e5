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
	"github.com/boardwatch/boardwatch/storage"
)

const appURL = "https://assistant.example/callback"

// client registers a client.
func (w *world) client(at time.Time) account.Client {
	w.t.Helper()
	c := account.Client{
		ID: boardwatch.NewID(), Name: "Assistant", URI: "https://assistant.example", RedirectURIs: []string{appURL, "cursor://a/b"},
		GrantTypes: []string{account.GrantTypeCode, account.GrantTypeRefresh}, Kind: "native", Scope: "boards:read", CreatedAt: at,
	}
	require.NoError(w.t, w.CreateClient(w.t.Context(), c, account.MaxUnusedClients))
	return c
}

func token(kind account.TokenKind, g account.Grant, life time.Duration) account.Token {
	return account.Token{
		Hash: account.HashSecret(account.NewTokenOf(kind)), Kind: kind, GrantID: g.ID, Scopes: g.Scopes, CreatedAt: g.CreatedAt,
		ExpiresAt: g.CreatedAt.Add(life),
	}
}

// granted creates a grant of the account to the client, with its code.
func (w *world) granted(a account.Account, clientID string, at time.Time) (account.Grant, account.Token) {
	w.t.Helper()
	g := account.Grant{
		ID: boardwatch.NewID(), AccountID: a.ID, ClientID: clientID, ClientName: "Assistant", Host: "assistant.example",
		Resource: "https://boards.example/mcp", Scopes: []account.Scope{account.ScopeBoardsRead, account.ScopeOfflineAccess},
		CreatedAt: at, ExpiresAt: at.Add(180 * 24 * time.Hour),
	}
	code := token(account.TokenCode, g, time.Minute)
	code.RedirectURI, code.Challenge = appURL, "challenge"
	require.NoError(w.t, w.CreateGrant(w.t.Context(), g, code))
	return g, code
}

// issue exchanges a code or a refresh token for new tokens.
func (w *world) issue(t account.Token, at time.Time, next ...account.Token) {
	w.t.Helper()
	err := w.Exchange(w.t.Context(), t.Kind, t.Hash, at, func(account.Token, account.Grant) account.Exchange {
		return account.Exchange{Spend: true, Issue: next}
	})
	require.NoError(w.t, err)
}

func grantCases() cases {
	return cases{
		"a client is found by its id": func(t *testing.T, w *world) {
			c := w.client(w.now())
			got, err := w.Client(t.Context(), c.ID)
			require.NoError(t, err)
			require.Equal(t, c, got)
			_, err = w.Client(t.Context(), boardwatch.NewID())
			require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
		},
		"a question can be answered only once, in time, by the person it was put to": func(t *testing.T, w *world) {
			a, b, now := w.account(account.PlanPro), w.account(account.PlanPro), w.now()
			ask := account.Ask{
				Hash: account.HashSecret("q"), AccountID: a.ID, Client: w.client(now), RedirectURI: appURL, State: "a b\"<\x00\xff", Challenge: "c",
				Resource: "https://boards.example/mcp", Scopes: []account.Scope{account.ScopeBoardsWrite}, ExpiresAt: now.Add(time.Minute),
			}
			require.NoError(t, w.CreateAsk(t.Context(), ask))
			for _, wrong := range []func() (account.Ask, error){
				func() (account.Ask, error) { return w.TakeAsk(t.Context(), b.ID, ask.Hash, now) },
				func() (account.Ask, error) { return w.TakeAsk(t.Context(), a.ID, ask.Hash, ask.ExpiresAt) },
				func() (account.Ask, error) { return w.TakeAsk(t.Context(), a.ID, "other", now) },
			} {
				_, err := wrong()
				require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
			}
			var got atomic.Int64
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() {
					if taken, err := w.TakeAsk(t.Context(), a.ID, ask.Hash, now); err == nil {
						got.Add(1)
						if taken.State != ask.State || taken.Client.ID != ask.Client.ID {
							got.Add(100)
						}
					}
				})
			}
			all.Wait()
			require.EqualValues(t, 1, got.Load())
		},
		"the newest questions to a person take the place of the oldest": func(t *testing.T, w *world) {
			a, b, now := w.account(account.PlanPro), w.account(account.PlanPro), w.now()
			ask := func(a account.Account, i int) account.Ask {
				return account.Ask{
					Hash: account.HashSecret(a.ID + strconv.Itoa(i)), AccountID: a.ID, Client: w.client(now), RedirectURI: appURL, Challenge: "c",
					ExpiresAt: now.Add(time.Minute + time.Duration(i/3)*time.Second),
				}
			}
			require.NoError(t, w.CreateAsk(t.Context(), ask(b, 0)))
			for i := range 3 * account.MaxAsks {
				require.NoError(t, w.CreateAsk(t.Context(), ask(a, i)))
			}
			kept := 0
			for i := range 3 * account.MaxAsks {
				if _, err := w.TakeAsk(t.Context(), a.ID, ask(a, i).Hash, now); err == nil {
					kept++
					require.GreaterOrEqual(t, i, 2*account.MaxAsks-2)
				}
			}
			require.Equal(t, account.MaxAsks, kept)
			_, err := w.TakeAsk(t.Context(), b.ID, ask(b, 0).Hash, now)
			require.NoError(t, err)
		},
		"an access token is found with its grant and account, a token of another kind is not": func(t *testing.T, w *world) {
			a, now := w.account(account.PlanPro), w.now()
			g, code := w.granted(a, w.client(now).ID, now)
			access := token(account.TokenAccess, g, time.Hour)
			w.issue(code, now, access)
			got, grant, owner, err := w.AccessToken(t.Context(), access.Hash)
			require.NoError(t, err)
			require.Equal(t, access, got)
			g.LastUsedAt = now
			require.Equal(t, g, grant)
			require.Equal(t, a, owner)
			_, _, _, err = w.AccessToken(t.Context(), code.Hash)
			require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
			require.NoError(t, w.TouchGrant(t.Context(), g.ID, now.Add(time.Hour)))
			_, grant, _, err = w.AccessToken(t.Context(), access.Hash)
			require.NoError(t, err)
			require.Equal(t, now.Add(time.Hour), grant.LastUsedAt)
		},
		"an unknown token is not exchanged": func(t *testing.T, w *world) {
			err := w.Exchange(t.Context(), account.TokenCode, "none", w.now(), func(account.Token, account.Grant) account.Exchange {
				panic("there is nothing to decide")
			})
			require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
		},
		"of twenty parallel exchanges of a refresh token one sees it unused": func(t *testing.T, w *world) {
			now := w.now()
			g, code := w.granted(w.account(account.PlanPro), w.client(now).ID, now)
			refresh := token(account.TokenRefresh, g, time.Hour)
			w.issue(code, now, refresh)
			stores := []*world{w, w.another(options())}
			var fresh atomic.Int64
			var all sync.WaitGroup
			errs := make([]error, 20)
			for i := range errs {
				all.Go(func() {
					unused := false
					errs[i] = stores[i%2].Exchange(t.Context(), refresh.Kind, refresh.Hash, now.Add(time.Second), func(t account.Token, g account.Grant) account.Exchange {
						unused = t.UsedAt.IsZero()
						e := account.Exchange{Spend: unused, Issue: []account.Token{token(account.TokenAccess, g, time.Hour)}}
						if unused {
							e.Issue = append(e.Issue, token(account.TokenRefresh, g, time.Hour))
						}
						return e
					})
					if unused && errs[i] == nil {
						fresh.Add(1)
					}
				})
			}
			all.Wait()
			for _, err := range errs {
				require.NoError(t, err)
			}
			require.EqualValues(t, 1, fresh.Load())
		},
		"an exchange can end the grant, and none of its tokens is exchanged afterwards": func(t *testing.T, w *world) {
			now := w.now()
			g, code := w.granted(w.account(account.PlanPro), w.client(now).ID, now)
			access := token(account.TokenAccess, g, time.Hour)
			w.issue(code, now, access)
			err := w.Exchange(t.Context(), code.Kind, code.Hash, now.Add(time.Second), func(c account.Token, _ account.Grant) account.Exchange {
				return account.Exchange{Revoke: !c.UsedAt.IsZero()}
			})
			require.NoError(t, err)
			_, grant, _, err := w.AccessToken(t.Context(), access.Hash)
			require.NoError(t, err)
			require.Equal(t, now.Add(time.Second), grant.RevokedAt)
		},
		"valid grants are listed, and only their account can end them": func(t *testing.T, w *world) {
			a, b, now := w.account(account.PlanPro), w.account(account.PlanPro), w.now()
			g, code := w.granted(a, "https://assistant.example/client.json", now)
			list := func(at time.Time) []account.Grant {
				all, err := w.Grants(t.Context(), a.ID, at)
				require.NoError(t, err)
				return all
			}
			require.Empty(t, list(now), "the code was not redeemed")
			w.issue(code, now, token(account.TokenAccess, g, time.Hour))
			require.Len(t, list(now), 1)
			require.Empty(t, list(now.Add(time.Hour)), "its only token has expired")
			require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(w.RevokeGrant(t.Context(), b.ID, g.ID, now)))
			require.NoError(t, w.RevokeGrant(t.Context(), a.ID, g.ID, now))
			require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(w.RevokeGrant(t.Context(), a.ID, g.ID, now)))
			require.Empty(t, list(now))
		},
		"a client can end only its own tokens": func(t *testing.T, w *world) {
			a, now := w.account(account.PlanPro), w.now()
			g, code := w.granted(a, w.client(now).ID, now)
			access, refresh := token(account.TokenAccess, g, time.Hour), token(account.TokenRefresh, g, time.Hour)
			w.issue(code, now, access, refresh)
			require.NoError(t, w.RevokeToken(t.Context(), "another", refresh.Hash, now))
			require.NoError(t, w.RevokeToken(t.Context(), g.ClientID, "none", now))
			got, grant, _, err := w.AccessToken(t.Context(), access.Hash)
			require.NoError(t, err)
			require.True(t, got.Live(now) && grant.Live(now))
			require.NoError(t, w.RevokeToken(t.Context(), g.ClientID, access.Hash, now))
			got, grant, _, err = w.AccessToken(t.Context(), access.Hash)
			require.NoError(t, err)
			require.True(t, !got.Live(now) && grant.Live(now))
			require.NoError(t, w.RevokeToken(t.Context(), g.ClientID, refresh.Hash, now))
			_, grant, _, err = w.AccessToken(t.Context(), access.Hash)
			require.NoError(t, err)
			require.False(t, grant.Live(now))
		},
		"of clients without consent the newest are kept": func(t *testing.T, w *world) {
			now := w.now()
			agreed := w.client(now.Add(-time.Hour))
			w.granted(w.account(account.PlanPro), agreed.ID, now.Add(-time.Hour))
			var made []account.Client
			for i := range 5 {
				c := account.Client{
					ID: boardwatch.NewID(), RedirectURIs: []string{appURL + "?a&b"}, CreatedAt: now.Add(time.Duration(i) * time.Millisecond),
				}
				require.NoError(t, w.CreateClient(t.Context(), c, 3))
				made = append(made, c)
			}
			for i, c := range append(made, agreed) {
				got, err := w.Client(t.Context(), c.ID)
				require.Equal(t, i >= 2, err == nil, i)
				if err == nil {
					require.Equal(t, c.RedirectURIs, got.RedirectURIs)
				}
			}
		},
		"many clients without consent are removed a hundredth at a time": func(t *testing.T, w *world) {
			const most = 200
			now := w.now()
			var ids []string
			for i := range 3*most + 1 {
				c := account.Client{ID: boardwatch.NewID(), CreatedAt: now.Add(time.Duration(i) * time.Millisecond)}
				require.NoError(t, w.CreateClient(t.Context(), c, most))
				ids = append(ids, c.ID)
			}
			var kept int
			for _, id := range ids {
				if _, err := w.Client(t.Context(), id); err == nil {
					kept++
				}
			}
			require.LessOrEqual(t, kept, most)
			require.Greater(t, kept, most-most/100)
			_, err := w.Client(t.Context(), ids[len(ids)-most+most/100])
			require.NoError(t, err)
		},
		"unused clients and grants are pruned": func(t *testing.T, w *world) {
			now, day := w.now(), 24*time.Hour
			a := w.account(account.PlanPro)
			fresh, stale, held := w.client(now.Add(-5*time.Hour)), w.client(now.Add(-7*time.Hour)), w.client(now.Add(-100*day))
			g, code := w.granted(a, held.ID, now.Add(-95*day))
			w.issue(code, now.Add(-95*day), token(account.TokenRefresh, g, 120*day))
			idle := w.client(now.Add(-100 * day))
			w.granted(a, idle.ID, now.Add(-95*day)) // its code was never redeemed
			require.NoError(t, w.Prune(t.Context(), storage.Retention{}))
			for c, kept := range map[*account.Client]bool{&fresh: true, &stale: false, &held: true, &idle: false} {
				_, err := w.Client(t.Context(), c.ID)
				require.Equal(t, kept, err == nil, "client of %s", c.CreatedAt)
			}
		},
		"an account takes its grants along": func(t *testing.T, w *world) {
			a, now := w.account(account.PlanPro), w.now()
			g, code := w.granted(a, w.client(now).ID, now)
			access := token(account.TokenAccess, g, time.Hour)
			w.issue(code, now, access)
			require.NoError(t, w.DeleteAccount(t.Context(), a.ID))
			_, _, _, err := w.AccessToken(t.Context(), access.Hash)
			require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
		},
	}
}
