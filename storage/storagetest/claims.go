package storagetest

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

func claimCases() cases {
	return cases{
		"nothing is due where nothing is tracked": func(t *testing.T, w *world) {
			claims, err := w.ClaimDue(t.Context(), 10, time.Minute, boardwatch.ClaimFilter{})
			require.NoError(t, err)
			require.Empty(t, claims)
			next, err := w.NextDue(t.Context())
			require.NoError(t, err)
			require.True(t, next.IsZero())
		},
		"a claimed board is given to nobody else": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			c := w.claim(b.ID)
			require.Equal(t, b.ID, c.Board.ID)
			_, again := w.tryClaim(b.ID)
			require.False(t, again)
			next, err := w.NextDue(t.Context())
			require.NoError(t, err)
			require.True(t, next.IsZero(), "it is under way")
		},
		"a released board is due again at once": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			c := w.claim(b.ID)
			require.NoError(t, w.Release(t.Context(), c))
			require.NoError(t, w.Release(t.Context(), c), "twice is as good as once")
			w.claim(b.ID)
		},
		"every due board is claimed once by many workers": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			for _, title := range many(40) {
				w.track(a, title)
			}
			var mu sync.Mutex
			count := map[string]int{}
			var group sync.WaitGroup
			for range 8 {
				group.Go(func() {
					for {
						claims, err := w.ClaimDue(t.Context(), 4, time.Minute, boardwatch.ClaimFilter{})
						if err != nil || len(claims) == 0 {
							return
						}
						mu.Lock()
						for _, c := range claims {
							count[c.Board.ID]++
						}
						mu.Unlock()
					}
				})
			}
			group.Wait()
			// A worker may find every due row locked by others and stop; the rows it leaves are still due.
			rest, err := w.ClaimDue(t.Context(), 100, time.Minute, boardwatch.ClaimFilter{})
			require.NoError(t, err)
			for _, c := range rest {
				count[c.Board.ID]++
			}
			require.Len(t, count, 40)
			for id, n := range count {
				require.Equal(t, 1, n, id)
			}
		},
		"a claim sees what has changed since the last one": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			left := make(map[string]bool)
			for _, title := range many(30) {
				b := w.track(a, title).Board
				w.check(b.ID, roles("Cook"))
				left[b.ID] = true
			}
			claim := func(n int) (ids []string) {
				claims, err := w.ClaimDue(t.Context(), n, time.Minute, boardwatch.ClaimFilter{Kind: boardwatch.ClaimScheduled})
				require.NoError(t, err)
				for _, c := range claims {
					require.True(t, left[c.Board.ID], "it was claimed twice, or nobody tracks it any more")
					delete(left, c.Board.ID)
					ids = append(ids, c.Board.ID)
				}
				return ids
			}
			for range 4 { // several at once, so that a store may read ahead
				require.Len(t, claim(2), 2)
			}
			for id := range left {
				if len(left) == 2 {
					break
				}
				require.NoError(t, w.Unsubscribe(t.Context(), a.ID, id))
				delete(left, id)
			}
			require.Len(t, claim(1), 1)
			require.Len(t, claim(100), 1)
			require.Empty(t, left)
		},
		"an expired lease passes the board on, and fences off the first worker": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			late, err := w.ClaimDue(t.Context(), 1, time.Nanosecond, boardwatch.ClaimFilter{})
			require.NoError(t, err)
			require.Len(t, late, 1)
			var c boardwatch.Claim
			require.Eventually(t, func() bool {
				var ok bool
				c, ok = w.tryClaim(b.ID)
				return ok
			}, 10*time.Second, time.Millisecond)
			_, err = w.save(late[0], roles("Cook"))
			require.ErrorIs(t, err, boardwatch.ErrLeaseLost)
			require.ErrorIs(t, w.saveUnchanged(t.Context(), late[0], "x", time.Now()), boardwatch.ErrLeaseLost)
			_, _, err = w.Resolve(t.Context(), late[0], hosted("other"))
			require.ErrorIs(t, err, boardwatch.ErrLeaseLost)
			require.True(t, w.board(b.ID).State.LastCheckedAt.IsZero())
			_, err = w.save(c, roles("Cook"))
			require.NoError(t, err)
		},
		"a lease that is extended does not expire, however often it would have": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			claims, err := w.ClaimDue(t.Context(), 1, time.Nanosecond, boardwatch.ClaimFilter{})
			require.NoError(t, err)
			require.Len(t, claims, 1)
			renew := func(lease time.Duration) []boardwatch.Claim {
				lost, err := w.RenewClaims(t.Context(), claims, lease)
				require.NoError(t, err)
				return lost
			}
			for range 3 {
				require.Empty(t, renew(time.Hour))
				_, passed := w.tryClaim(b.ID)
				require.False(t, passed)
				require.Empty(t, renew(time.Nanosecond), "it ends now")
			}
			require.Empty(t, renew(time.Hour))
			_, err = w.save(claims[0], roles("Cook"))
			require.NoError(t, err)
			require.Equal(t, claims, renew(time.Hour), "it was used up")
		},
		"an expired lease is valid again as long as nobody else has claimed the board": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			claims, err := w.ClaimDue(t.Context(), 1, time.Nanosecond, boardwatch.ClaimFilter{})
			require.NoError(t, err)
			<-time.After(5 * time.Millisecond)
			lost, err := w.RenewClaims(t.Context(), claims, time.Minute)
			require.NoError(t, err)
			require.Empty(t, lost)
			_, passed := w.tryClaim(b.ID)
			require.False(t, passed)
		},
		"a heartbeat names the leases that have passed on, and extends the others": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			mine, passed := w.track(a, "northwind").Board, w.track(a, "contoso").Board
			c := w.claim(mine.ID)
			late, err := w.ClaimDue(t.Context(), 1, time.Nanosecond, boardwatch.ClaimFilter{})
			require.NoError(t, err)
			require.Len(t, late, 1)
			require.Equal(t, passed.ID, late[0].Board.ID)
			var other boardwatch.Claim
			require.Eventually(t, func() bool {
				var ok bool
				other, ok = w.tryClaim(passed.ID)
				return ok
			}, 10*time.Second, time.Millisecond)
			lost, err := w.RenewClaims(t.Context(), []boardwatch.Claim{c, late[0]}, time.Minute)
			require.NoError(t, err)
			require.Equal(t, late, lost)
			lost, err = w.RenewClaims(t.Context(), []boardwatch.Claim{c, other}, time.Minute)
			require.NoError(t, err)
			require.Empty(t, lost)
			lost, err = w.RenewClaims(t.Context(), nil, time.Minute)
			require.NoError(t, err)
			require.Empty(t, lost)
		},
		"a heartbeat ends for a board that was merged away": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			w.track(a, "northwind")
			page := w.pending(a, "https://northwind.example/careers")
			c := w.claim(page.ID)
			_, merged, err := w.Resolve(t.Context(), c, hosted("northwind"))
			require.NoError(t, err)
			require.True(t, merged)
			lost, err := w.RenewClaims(t.Context(), []boardwatch.Claim{c}, time.Minute)
			require.NoError(t, err)
			require.Len(t, lost, 1)
		},
		"a claim saves once": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			c := w.claim(b.ID)
			_, err := w.save(c, roles("Cook"))
			require.NoError(t, err)
			_, err = w.save(c, roles("Cook", "Baker"))
			require.ErrorIs(t, err, boardwatch.ErrLeaseLost)
			require.ErrorIs(t, w.saveUnchanged(t.Context(), c, "x", time.Now()), boardwatch.ErrLeaseLost)
			c = w.claim(b.ID)
			require.NoError(t, w.saveUnchanged(t.Context(), c, "x", time.Now()))
			require.ErrorIs(t, w.saveUnchanged(t.Context(), c, "x", time.Now()), boardwatch.ErrLeaseLost)
			require.Equal(t, 1, w.board(b.ID).OpenJobs)
		},
		"the longest overdue board comes first, after one that was asked for": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			now, err := w.Now(t.Context())
			require.NoError(t, err)
			var ids []string
			for i, token := range []string{"a", "b", "c"} {
				b := w.track(a, token).Board
				ids = append(ids, b.ID)
				require.NoError(t, w.saveUnchanged(t.Context(), w.claim(b.ID), "x", now.Add(time.Duration(i-10)*time.Minute)))
			}
			asked := w.track(a, "asked").Board
			claims, err := w.ClaimDue(t.Context(), 3, time.Minute, boardwatch.ClaimFilter{})
			require.NoError(t, err)
			require.Len(t, claims, 3)
			require.Equal(t, asked.ID, claims[0].Board.ID)
			require.Equal(t, ids[0], claims[1].Board.ID)
			require.Equal(t, ids[1], claims[2].Board.ID)
			next, err := w.NextDue(t.Context())
			require.NoError(t, err)
			require.Equal(t, now.Add(-8*time.Minute), next)
		},
		"a claim for one system gets only its boards, in their order": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			ids := w.scheduled(a, -10*time.Minute, "lever:a", "greenhouse:b", "lever:c", "lever:d", "greenhouse:e")
			asked := w.trackSource(a, "lever:asked")
			lever := boardwatch.ClaimFilter{Only: []string{"lever"}}
			require.Equal(t, []string{asked.ID, ids[0], ids[2]}, w.claimed(3, lever))
			require.Equal(t, ids[3:4], w.claimed(3, lever))
			require.Empty(t, w.claimed(3, lever))
			require.Equal(t, ids[1:2], w.claimed(1, boardwatch.ClaimFilter{Only: []string{"ashby", "greenhouse"}}))
			require.Equal(t, ids[4:], w.claimed(9, boardwatch.ClaimFilter{}))
		},
		"a board that a claim leaves out stays due, and hides no other board": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			sources := many(40)
			for i := range sources {
				sources[i] = "greenhouse:" + sources[i]
			}
			out := w.scheduled(a, -100*time.Minute, sources...)
			in := w.scheduled(a, -10*time.Second, "lever:a", "ashby:b", "lever:c")
			pending := w.pending(a, "https://northwind.example/careers")
			except := boardwatch.ClaimFilter{Except: []string{"greenhouse"}}
			require.Equal(t, []string{pending.ID, in[0]}, w.claimed(2, except))
			require.Equal(t, in[2:], w.claimed(5, boardwatch.ClaimFilter{Except: []string{"ashby", "greenhouse"}}))
			require.Equal(t, in[1:2], w.claimed(5, except))
			require.Empty(t, w.claimed(5, except))
			next, err := w.NextDue(t.Context())
			require.NoError(t, err)
			require.Equal(t, w.board(out[0]).NextCheckAt, next)
			require.Equal(t, out, w.claimed(50, boardwatch.ClaimFilter{}))
		},
		"a claim may be for pages, and for boards whose source is not known yet": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			pending := w.pending(a, "https://northwind.example/careers")
			page := w.trackSource(a, "page:https://contoso.example/jobs")
			lever := w.trackSource(a, "lever:fabrikam")
			require.Empty(t, w.claimed(5, boardwatch.ClaimFilter{Only: []string{"lever"}, Except: []string{"lever"}}))
			require.Equal(t, []string{pending.ID}, w.claimed(5, boardwatch.ClaimFilter{Only: []string{""}}))
			require.Equal(t, []string{page.ID}, w.claimed(5, boardwatch.ClaimFilter{Except: []string{"lever"}}))
			require.Equal(t, []string{lever.ID}, w.claimed(5, boardwatch.ClaimFilter{Except: []string{`it's "none"`}}))
		},
		"filtered claims give out every board once, too": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			for _, title := range many(40) {
				w.trackSource(a, "greenhouse:"+title)
				w.trackSource(a, "lever:"+title)
			}
			filters := []boardwatch.ClaimFilter{{}, {Only: []string{"lever"}}, {Except: []string{"greenhouse"}}}
			var mu sync.Mutex
			count := map[string]int{}
			note := func(ids []string) {
				mu.Lock()
				defer mu.Unlock()
				for _, id := range ids {
					count[id]++
				}
			}
			var group sync.WaitGroup
			for i := range 6 {
				group.Go(func() {
					for range 10 {
						claims, err := w.ClaimDue(t.Context(), 3, time.Minute, filters[i%len(filters)])
						if err != nil {
							return
						}
						note(idsClaimed(claims))
					}
				})
			}
			group.Wait()
			note(w.claimed(100, boardwatch.ClaimFilter{}))
			require.Len(t, count, 80)
			for id, n := range count {
				require.Equal(t, 1, n, id)
			}
		},
		"an unchanged board falls due at the planned time": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanPro), "northwind").Board
			next := time.Now().Add(time.Hour).UTC().Truncate(time.Millisecond)
			require.NoError(t, w.saveUnchanged(t.Context(), w.claim(b.ID), "print", next))
			now := w.board(b.ID)
			require.Equal(t, next, now.NextCheckAt)
			require.Equal(t, "print", now.State.Fingerprint)
			require.Equal(t, now.State.LastCheckedAt, now.State.LastSuccessAt)
			_, due := w.tryClaim(b.ID)
			require.False(t, due)
		},
		"subscribers who come and go during a check decide the time of the next": func(t *testing.T, w *world) {
			slow, fast := w.account(account.PlanFree), w.account(account.PlanUltra)
			b := w.track(slow, "northwind").Board
			c := w.claim(b.ID)
			w.track(fast, "northwind")
			require.NoError(t, w.saveUnchanged(t.Context(), c, "x", c.At.Add(20*time.Hour)))
			now := w.board(b.ID)
			require.Equal(t, time.Hour, now.Cadence)
			require.LessOrEqual(t, now.NextCheckAt.Sub(now.State.LastCheckedAt), time.Hour)

			d := w.track(slow, "contoso").Board
			c = w.claim(d.ID)
			require.NoError(t, w.Unsubscribe(t.Context(), slow.ID, d.ID))
			require.NoError(t, w.saveUnchanged(t.Context(), c, "x", c.At.Add(time.Hour)))
			require.True(t, w.board(d.ID).NextCheckAt.IsZero(), "nobody tracks it")
			e := w.track(slow, "fabrikam").Board
			c = w.claim(e.ID)
			require.NoError(t, w.Unsubscribe(t.Context(), slow.ID, e.ID))
			_, err := w.save(c, roles("Cook"))
			require.NoError(t, err)
			require.True(t, w.board(e.ID).NextCheckAt.IsZero(), "nobody tracks it")
		},
		"the fleet consists of the latest readings of hosted boards": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			b := w.track(a, "northwind").Board
			w.track(a, "never")
			w.check(b.ID, roles("Cook"))
			sick := w.check(b.ID, boardwatch.Failed(cause.SiteError, "no answer"))
			readings, err := w.FleetReadings(t.Context(), sick.Check.At)
			require.NoError(t, err)
			require.Equal(t, []boardwatch.FleetReading{
				{BoardID: b.ID, System: "greenhouse", At: sick.Check.At, SickSince: sick.Check.At},
			}, readings)
		},
		"sick boards belong to the fleet as long as they are sick and tracked": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			b, well, first := w.track(a, "northwind").Board, w.track(a, "well").Board, w.track(a, "first").Board
			page := w.trackSource(a, "page:https://northwind.example/careers")
			for _, id := range []string{b.ID, well.ID, page.ID} {
				w.check(id, roles("Cook"))
			}
			sick := w.check(b.ID, boardwatch.Failed(cause.Unreachable, "no answer"))
			w.check(page.ID, boardwatch.Failed(cause.Unreachable, "no answer"))
			w.check(first.ID, boardwatch.Failed(cause.Unreachable, "no answer"))
			later := w.clock().Add(time.Hour)
			fleet := func() []boardwatch.FleetReading {
				readings, err := w.FleetReadings(t.Context(), later)
				require.NoError(t, err)
				sickOnly, err := w.FleetReadings(t.Context(), time.Time{})
				require.NoError(t, err)
				require.Equal(t, readings, sickOnly, "nothing was checked later")
				return readings
			}
			require.Equal(t, []boardwatch.FleetReading{
				{BoardID: b.ID, System: "greenhouse", At: sick.Check.At, SickSince: sick.Check.At},
			}, fleet(), "neither those that are well, nor ordinary pages, nor boards that never were healthy")
			w.check(b.ID, roles("Cook"))
			require.False(t, fleet()[0].WellSince.IsZero(), "it has recovered, but not for a day yet")
			w.check(b.ID, boardwatch.Failed(cause.Unreachable, "no answer"))
			require.Len(t, fleet(), 1)
			require.NoError(t, w.Unsubscribe(t.Context(), a.ID, b.ID))
			require.Empty(t, fleet(), "nobody tracks it, and so it would stay sick for ever")
			w.track(a, "northwind")
			require.Len(t, fleet(), 1)
		},
	}
}

// trackSource adds the board of a source to the account's list.
func (w *world) trackSource(a account.Account, source string) boardwatch.Board {
	w.t.Helper()
	address := "https://" + boardwatch.NewID() + ".example/"
	b, _, err := w.Subscribe(w.t.Context(), boardwatch.Subscription{AccountID: a.ID},
		boardwatch.Board{Source: source, URL: address}, address)
	require.NoError(w.t, err)
	return b
}

// scheduled adds boards to the account's list that fall due one second after the other, the first one that long from
// now. It returns their ids.
func (w *world) scheduled(a account.Account, in time.Duration, sources ...string) (ids []string) {
	w.t.Helper()
	now, err := w.Now(w.t.Context())
	require.NoError(w.t, err)
	for i, source := range sources {
		b := w.trackSource(a, source)
		next := now.Add(in + time.Duration(i)*time.Second)
		require.NoError(w.t, w.saveUnchanged(w.t.Context(), w.claim(b.ID), "x", next))
		ids = append(ids, b.ID)
	}
	return ids
}

// claimed leases up to n boards and returns their ids.
func (w *world) claimed(n int, f boardwatch.ClaimFilter) []string {
	w.t.Helper()
	claims, err := w.ClaimDue(w.t.Context(), n, time.Minute, f)
	require.NoError(w.t, err)
	return idsClaimed(claims)
}

func idsClaimed(claims []boardwatch.Claim) []string {
	ids := make([]string, len(claims))
	for i, c := range claims {
		ids[i] = c.Board.ID
	}
	return ids
}
