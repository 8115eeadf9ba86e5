package storagetest

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
)

// now returns the time of the store's clock.
func (w *world) now() time.Time {
	w.t.Helper()
	now, err := w.Now(w.t.Context())
	require.NoError(w.t, err)
	return now
}

// session signs an account in.
func (w *world) session(a account.Account, at time.Time) account.Session {
	w.t.Helper()
	s, _ := account.NewSession(a.ID, "203.0.113.7", "Browser/1.0", at)
	require.NoError(w.t, w.CreateSession(w.t.Context(), s, account.MaxSessions))
	return s
}

// link saves a link about an account, with its address.
func (w *world) link(kind account.LinkKind, a account.Account) account.Link {
	w.t.Helper()
	l, _ := account.NewLink(kind, w.now())
	l.AccountID, l.Email, l.Plan, l.PasswordHash = a.ID, a.Email, account.PlanPro, "hash"
	require.NoError(w.t, w.CreateLink(w.t.Context(), l))
	return l
}

// redeem uses a link now.
func (w *world) redeem(l account.Link, o account.Outcome) (account.Account, error) {
	w.t.Helper()
	return w.Redeem(w.t.Context(), l.Kind, l.Hash, w.now(), func(account.Link) account.Outcome { return o })
}

func identityCases() cases {
	return cases{
		"a session is found by its hash, with its account": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			s := w.session(a, w.now())
			got, owner, err := w.SessionByHash(t.Context(), s.Hash)
			require.NoError(t, err)
			require.Equal(t, s, got)
			require.Equal(t, a, owner)
			later := s.LastUsedAt.Add(time.Hour)
			require.NoError(t, w.TouchSession(t.Context(), s.ID, later))
			require.NoError(t, w.TouchSession(t.Context(), s.ID, s.LastUsedAt), "late news is no news")
			got, _, err = w.SessionByHash(t.Context(), s.Hash)
			require.NoError(t, err)
			require.Equal(t, later, got.LastUsedAt)
			_, _, err = w.SessionByHash(t.Context(), "nothing\x00")
			hasCode(t, boardwatch.CodeNotFound, err)
			hasCode(t, boardwatch.CodeNotFound, w.CreateSession(t.Context(), account.Session{ID: boardwatch.NewID(), AccountID: "nobody"}, 1))
		},
		"sessions end one by one, all but one, and with their account": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanPro), w.account(account.PlanPro)
			now := w.now()
			first, second, third := w.session(a, now), w.session(a, now.Add(time.Hour)), w.session(a, now.Add(2*time.Hour))
			foreign := w.session(other, now)
			list, err := w.Sessions(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, []account.Session{third, second, first}, list)
			hasCode(t, boardwatch.CodeNotFound, w.DeleteSession(t.Context(), a.ID, foreign.ID))
			require.NoError(t, w.DeleteSession(t.Context(), a.ID, first.ID))
			require.NoError(t, w.DeleteSessions(t.Context(), a.ID, second.ID))
			list, err = w.Sessions(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, []account.Session{second}, list)
			require.NoError(t, w.DeleteAccount(t.Context(), a.ID))
			_, _, err = w.SessionByHash(t.Context(), second.Hash)
			hasCode(t, boardwatch.CodeNotFound, err)
			_, _, err = w.SessionByHash(t.Context(), foreign.Hash)
			require.NoError(t, err)
		},
		"of an account's sessions the newest are kept": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanPro), w.account(account.PlanPro)
			now := w.now()
			foreign := w.session(other, now.Add(-time.Hour))
			made := make([]account.Session, 5)
			for i := range made {
				made[i], _ = account.NewSession(a.ID, "203.0.113.7", "Browser/1.0", now.Add(time.Duration(i)*time.Second))
				require.NoError(t, w.CreateSession(t.Context(), made[i], 3))
				require.NoError(t, w.TouchSession(t.Context(), made[0].ID, now.Add(time.Hour)))
			}
			list, err := w.Sessions(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, []account.Session{made[4], made[3], made[2]}, list)
			_, _, err = w.SessionByHash(t.Context(), foreign.Hash)
			require.NoError(t, err)
		},
		"the operator's choice of who may sign up is kept": func(t *testing.T, w *world) {
			for _, mode := range []string{"", "open", "invite", ""} {
				if mode != "" {
					require.NoError(t, w.SetSignUpMode(t.Context(), mode))
				}
				kept, err := w.SignUpMode(t.Context())
				require.NoError(t, err)
				require.Equal(t, mode, kept)
				if mode == "invite" {
					require.NoError(t, w.SetSignUpMode(t.Context(), ""))
				}
			}
		},
		"expired sessions and links are pruned": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			now := w.now()
			live := w.session(a, now.Add(-account.SessionIdle+time.Hour))
			w.session(a, now.Add(-account.SessionIdle-time.Hour))
			old := w.session(a, now.Add(-account.SessionLife-time.Hour))
			require.NoError(t, w.TouchSession(t.Context(), old.ID, now))
			good, gone := w.link(account.LinkVerify, a), w.link(account.LinkVerify, a)
			expired, _ := account.NewLink(account.LinkVerify, now.Add(-25*time.Hour))
			expired.AccountID = a.ID
			require.NoError(t, w.CreateLink(t.Context(), expired))
			_, err := w.redeem(gone, account.Outcome{})
			require.NoError(t, err)
			require.NoError(t, w.Prune(t.Context(), storage.Retention{}))
			list, err := w.Sessions(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, []account.Session{live}, list)
			_, err = w.Link(t.Context(), expired.Kind, expired.Hash, expired.CreatedAt)
			hasCode(t, boardwatch.CodeNotFound, err)
			got, err := w.Link(t.Context(), good.Kind, good.Hash, now)
			require.NoError(t, err)
			require.Equal(t, good, got)
		},
		"a link is valid for its kind, until it expires": func(t *testing.T, w *world) {
			l := w.link(account.LinkVerify, w.account(account.PlanPro))
			_, err := w.Link(t.Context(), account.LinkReset, l.Hash, w.now())
			hasCode(t, boardwatch.CodeNotFound, err)
			_, err = w.Link(t.Context(), l.Kind, l.Hash, l.ExpiresAt)
			hasCode(t, boardwatch.CodeNotFound, err)
			_, err = w.Link(t.Context(), l.Kind, l.Hash, l.ExpiresAt.Add(-time.Millisecond))
			require.NoError(t, err)
			_, err = w.Redeem(t.Context(), l.Kind, l.Hash, l.ExpiresAt, nil)
			hasCode(t, boardwatch.CodeNotFound, err)
		},
		"a link can be used only once, however many try at once": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			l := w.link(account.LinkVerify, a)
			var used atomic.Int64
			var group sync.WaitGroup
			for range 8 {
				group.Go(func() {
					_, err := w.Redeem(t.Context(), l.Kind, l.Hash, l.CreatedAt, func(account.Link) account.Outcome {
						return account.Outcome{Verified: true}
					})
					if err == nil {
						used.Add(1)
					} else if boardwatch.CodeOf(err) != boardwatch.CodeNotFound {
						t.Error(err)
					}
				})
			}
			group.Wait()
			require.EqualValues(t, 1, used.Load())
		},
		"of all that set the service up at once, only one creates the first account": func(t *testing.T, w *world) {
			links := make([]account.Link, 8)
			for i := range links {
				links[i] = w.link(account.LinkSetup, account.Account{})
			}
			some, err := w.HasAccounts(t.Context())
			require.NoError(t, err)
			require.False(t, some)
			var made atomic.Int64
			var group sync.WaitGroup
			for _, l := range links {
				group.Go(func() {
					_, err := w.Redeem(t.Context(), l.Kind, l.Hash, l.CreatedAt, func(account.Link) account.Outcome {
						id := boardwatch.NewID()
						return account.Outcome{First: true, Create: &account.Account{
							ID: id, Email: id + "@northwind.example", Plan: account.PlanUltra, Admin: true,
						}}
					})
					if err == nil {
						made.Add(1)
					} else if boardwatch.CodeOf(err) != boardwatch.CodeNotFound {
						t.Error(err)
					}
				})
			}
			group.Wait()
			require.EqualValues(t, 1, made.Load())
			some, err = w.HasAccounts(t.Context())
			require.NoError(t, err)
			require.True(t, some)
		},
		"a link whose account cannot be created stays valid": func(t *testing.T, w *world) {
			taken := w.account(account.PlanPro)
			l := w.link(account.LinkInvite, taken)
			n := account.Account{ID: boardwatch.NewID(), Email: taken.Email, Plan: account.PlanPro}
			_, err := w.redeem(l, account.Outcome{Create: &n})
			hasCode(t, boardwatch.CodeInvalidRequest, err)
			n.Email = "new@northwind.example"
			wish := w.link(account.LinkSignUp, account.Account{Email: n.Email})
			made, err := w.redeem(l, account.Outcome{Create: &n})
			require.NoError(t, err)
			require.Equal(t, n, made)
			_, err = w.Link(t.Context(), wish.Kind, wish.Hash, wish.CreatedAt)
			hasCode(t, boardwatch.CodeNotFound, err)
		},
		"a new password set by a link ends everything that somebody else may hold, for that account only": func(t *testing.T, w *world) {
			a, other, now := w.account(account.PlanPro), w.account(account.PlanPro), w.now()
			access, asks, feeds := map[string]account.Token{}, map[string]account.Ask{}, map[string]string{}
			for _, owner := range []account.Account{a, other} {
				g, code := w.granted(owner, w.client(now).ID, now)
				access[owner.ID] = token(account.TokenAccess, g, time.Hour)
				w.issue(code, now, access[owner.ID])
				asks[owner.ID] = account.Ask{Hash: boardwatch.NewID(), AccountID: owner.ID, ExpiresAt: now.Add(time.Hour)}
				require.NoError(t, w.CreateAsk(t.Context(), asks[owner.ID]))
				feeds[owner.ID] = account.NewToken()
				require.NoError(t, w.SetFeedToken(t.Context(), owner.ID, feeds[owner.ID]))
				key, _ := account.NewAPIKey(owner.ID, "CI", now)
				require.NoError(t, w.CreateKey(t.Context(), key, account.MaxKeys))
				w.session(owner, now)
			}
			move := w.link(account.LinkMove, account.Account{ID: a.ID, Email: "elsewhere@northwind.example"})
			_, err := w.redeem(w.link(account.LinkReset, a), account.Outcome{Verified: true, PasswordHash: "new"})
			require.NoError(t, err)
			for _, owner := range []account.Account{a, other} {
				ended := owner.ID == a.ID
				_, grant, _, err := w.AccessToken(t.Context(), access[owner.ID].Hash)
				require.NoError(t, err)
				require.Equal(t, ended, !grant.Live(now))
				_, err = w.TakeAsk(t.Context(), owner.ID, asks[owner.ID].Hash, now)
				require.Equal(t, ended, err != nil)
				_, err = w.AccountByFeed(t.Context(), account.HashSecret(feeds[owner.ID]))
				require.Equal(t, ended, err != nil)
				feed, err := w.FeedToken(t.Context(), owner.ID)
				require.NoError(t, err)
				require.Equal(t, ended, feed == "")
				sessions, err := w.Sessions(t.Context(), owner.ID)
				require.NoError(t, err)
				require.Equal(t, ended, len(sessions) == 0)
				keys, err := w.Keys(t.Context(), owner.ID)
				require.NoError(t, err)
				require.Len(t, keys, 1, "keys are the person's to keep or delete")
			}
			_, err = w.redeem(move, account.Outcome{Move: true})
			hasCode(t, boardwatch.CodeNotFound, err)
		},
		"a new password ends all sessions and all links that set one": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			w.session(a, w.now())
			first, second, verify := w.link(account.LinkReset, a), w.link(account.LinkReset, a), w.link(account.LinkVerify, a)
			got, err := w.redeem(first, account.Outcome{PasswordHash: "new"})
			require.NoError(t, err)
			require.Equal(t, "new", got.PasswordHash)
			list, err := w.Sessions(t.Context(), a.ID)
			require.NoError(t, err)
			require.Empty(t, list)
			_, err = w.redeem(second, account.Outcome{PasswordHash: "other"})
			hasCode(t, boardwatch.CodeNotFound, err)
			_, err = w.redeem(verify, account.Outcome{Verified: true})
			require.NoError(t, err)
			require.NoError(t, w.RehashPassword(t.Context(), a.ID, "old", "wrong"))
			require.NoError(t, w.RehashPassword(t.Context(), a.ID, "new", "newer"))
			w.session(a, w.now())
			got, err = w.Account(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, "newer", got.PasswordHash)
			require.NoError(t, w.SetPassword(t.Context(), a.ID, "last"))
			list, err = w.Sessions(t.Context(), a.ID)
			require.NoError(t, err)
			require.Empty(t, list)
			hasCode(t, boardwatch.CodeNotFound, w.SetPassword(t.Context(), "nobody", "last"))
		},
		"a new address takes effect when its link is used, and links to the old one end": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanPro), w.account(account.PlanPro)
			require.NoError(t, w.SetVerified(t.Context(), a.ID, false))
			kept := w.link(account.LinkInvite, a)
			ended := []account.Link{w.link(account.LinkVerify, a), w.link(account.LinkReset, a), w.link(account.LinkUnsubscribe, a)}
			move := func(to string) account.Link {
				return w.link(account.LinkMove, account.Account{ID: a.ID, Email: to})
			}
			taken := move(other.Email)
			_, err := w.redeem(taken, account.Outcome{Move: true})
			hasCode(t, boardwatch.CodeInvalidRequest, err)
			_, err = w.Link(t.Context(), taken.Kind, taken.Hash, taken.CreatedAt)
			require.NoError(t, err, "nothing has happened")
			ended = append(ended, taken, move("second@northwind.example"))
			moved, err := w.redeem(move("moved@northwind.example"), account.Outcome{Move: true})
			require.NoError(t, err)
			got, err := w.Account(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, got, moved)
			require.Equal(t, "moved@northwind.example", got.Email)
			require.True(t, got.Verified)
			for _, l := range ended {
				_, err := w.Link(t.Context(), l.Kind, l.Hash, l.CreatedAt)
				hasCode(t, boardwatch.CodeNotFound, err)
			}
			_, err = w.Link(t.Context(), kept.Kind, kept.Hash, kept.CreatedAt)
			require.NoError(t, err)
			late := w.link(account.LinkVerify, a) // with the old address, from a slower process
			_, err = w.redeem(late, account.Outcome{Verified: true})
			hasCode(t, boardwatch.CodeNotFound, err)
		},
		"invitations are listed and withdrawn": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			l := w.link(account.LinkInvite, a)
			other := w.link(account.LinkReset, a)
			list, err := w.Invitations(t.Context(), w.now())
			require.NoError(t, err)
			require.Equal(t, []account.Link{l}, list)
			hasCode(t, boardwatch.CodeNotFound, w.DeleteInvitation(t.Context(), other.ID))
			require.NoError(t, w.DeleteInvitation(t.Context(), l.ID))
			list, err = w.Invitations(t.Context(), w.now())
			require.NoError(t, err)
			require.Empty(t, list)
		},
	}
}
