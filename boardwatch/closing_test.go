package boardwatch_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// hoursUntilClosed repeats a reading every hour and returns how many hours after the first of them a role closed.
func (w *world) hoursUntilClosed(r boardwatch.Reading, most int) int {
	w.t.Helper()
	for hour := range most {
		if len(w.check(r, false).Change.Closed) > 0 {
			return hour
		}
	}
	w.t.Fatalf("nothing closed in %d hours", most)
	return 0
}

func TestARoleClosesWhenItsHoldIsOver(t *testing.T) {
	t.Parallel()

	t.Run("a day by default", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.DefaultRules())
		w.check(ok(seq(1, 10)...), false)
		require.Equal(t, 24, w.hoursUntilClosed(ok(seq(1, 9)...), 100))
	})
	t.Run("three days after a mass loss, which is shown as suspect meanwhile", func(t *testing.T) {
		t.Parallel()
		for _, left := range [][]int{nil, {1, 2, 3, 4}} {
			w := newWorld(t, boardwatch.DefaultRules())
			w.check(ok(seq(1, 10)...), false)
			success := w.board.State.LastSuccessAt
			for range 72 {
				require.Equal(t, boardwatch.HealthSuspect, health(w.check(ok(left...), false)))
				require.Equal(t, cause.MassLoss, w.board.State.Cause)
				require.Equal(t, success, w.board.State.LastSuccessAt)
				require.Equal(t, boardwatch.BoardReady, w.board.Status)
			}
			require.Len(t, w.check(ok(left...), false).Change.Closed, 10-len(left))
			require.Equal(t, boardwatch.HealthOK, w.board.State.Health)
		}
	})
	t.Run("losing half of six, or four of five, is no mass loss; losing the only one is", func(t *testing.T) {
		t.Parallel()
		for _, c := range []struct {
			before, after int
			want          boardwatch.Health
		}{
			{6, 3, boardwatch.HealthOK},
			{6, 2, boardwatch.HealthSuspect},
			{5, 1, boardwatch.HealthOK},
			{1, 0, boardwatch.HealthSuspect},
		} {
			w := newWorld(t, boardwatch.DefaultRules())
			w.check(ok(seq(1, c.before)...), false)
			require.Equal(t, c.want, health(w.check(ok(seq(1, c.after)...), false)))
		}
	})
	t.Run("roles that only an incomplete reading showed make no loss look small", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.DefaultRules())
		w.check(ok(seq(1, 10)...), false)
		w.check(partial(append(seq(1, 10), seq(100, 104)...)...), false)
		require.Equal(t, boardwatch.HealthSuspect, health(w.check(ok(seq(100, 104)...), false)))
	})
	t.Run("while a mass loss is doubted, no other role closes", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.DefaultRules())
		w.check(ok(seq(1, 20)...), false)
		w.check(ok(seq(1, 19)...), false)
		require.Equal(t, 72, w.hoursUntilClosed(ok(1, 2), 100))
	})
	t.Run("twice as long as a role was away before, for ninety days", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.DefaultRules())
		w.check(ok(seq(1, 10)...), false)
		for range 20 {
			w.check(ok(seq(1, 9)...), false)
		}
		w.check(ok(seq(1, 10)...), false) // it was away for 20 hours
		require.Equal(t, 40, w.hoursUntilClosed(ok(seq(2, 10)...), 100))
		w.now = w.now.Add(91 * 24 * time.Hour)
		require.Equal(t, 24, w.hoursUntilClosed(ok(seq(3, 10)...), 100))
	})
	t.Run("a role that came back after it had closed is remembered as well, up to fourteen days", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.DefaultRules())
		w.check(ok(seq(1, 10)...), false)
		w.hoursUntilClosed(ok(seq(1, 9)...), 100)
		for range 200 {
			w.check(ok(seq(1, 9)...), false)
		}
		require.Len(t, w.check(ok(seq(1, 10)...), false).Change.Reopened, 1)
		require.Equal(t, 14*24, w.hoursUntilClosed(ok(seq(2, 10)...), 400))
	})
	t.Run("counted from when another role came back that had been away for half of it", func(t *testing.T) {
		t.Parallel()
		for away, want := range map[int]int{13: 2 * 13, 11: 24 - 7} {
			w := newWorld(t, boardwatch.DefaultRules())
			w.check(ok(seq(1, 10)...), false)
			for range 4 {
				w.check(ok(seq(2, 10)...), false) // 1 is away
			}
			for range away - 4 {
				w.check(ok(seq(2, 9)...), false) // and 10 for good
			}
			require.Equal(t, want, w.hoursUntilClosed(ok(seq(1, 9)...), 100))
		}
	})
	t.Run("a half that takes turns with the other closes nothing", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.DefaultRules())
		w.check(ok(seq(1, 20)...), false)
		for i := range 500 {
			r := ok(seq(1, 12)...)
			if i%3 == 0 {
				r = ok(seq(9, 20)...)
			}
			require.Empty(t, w.check(r, false).Change.Closed)
		}
	})
}

func TestARolesOwnPageIsAskedBeforeItCloses(t *testing.T) {
	t.Parallel()
	setup := func(t *testing.T) *keeper {
		t.Helper()
		k := newKeeper(t)
		k.rules = boardwatch.DefaultRules()
		k.check(addressed("Baker", "Miller", "Cooper"), false)
		return k
	}
	const want = 24
	for says, closesAfter := range map[boardwatch.Testimony]int{
		boardwatch.TestimonyGone: want, boardwatch.TestimonyClosed: want, boardwatch.TestimonySilent: want, boardwatch.TestimonyThere: 7 * 24,
	} {
		t.Run(string(says), func(t *testing.T) {
			t.Parallel()
			k := setup(t)
			asked := 0
			for hour := range closesAfter {
				k.testimonies = map[string]boardwatch.Testimony{}
				for _, j := range boardwatch.ToAsk(k.board, k.jobs, addressed("Baker", "Miller"), k.rules, k.now) {
					require.Equal(t, "Cooper", j.Title)
					require.GreaterOrEqual(t, hour, want)
					k.testimonies[j.ID] = says
					asked++
				}
				require.Empty(t, k.check(addressed("Baker", "Miller"), false).Closed, hour)
			}
			for _, j := range boardwatch.ToAsk(k.board, k.jobs, addressed("Baker", "Miller"), k.rules, k.now) {
				k.testimonies[j.ID] = says
				asked++
			}
			closed := k.check(addressed("Baker", "Miller"), false).Closed
			require.Len(t, closed, 1)
			require.Equal(t, says, closed[0].Testimony)
			require.Equal(t, 1, asked)
		})
	}
	t.Run("roles that were not asked yet wait for the next check", func(t *testing.T) {
		t.Parallel()
		k := setup(t)
		k.testimonies = map[string]boardwatch.Testimony{}
		for range 50 {
			require.Empty(t, k.check(addressed("Baker", "Miller"), false).Closed)
		}
	})
	t.Run("where nobody asks, the list is trusted alone", func(t *testing.T) {
		t.Parallel()
		k := setup(t)
		for range 24 {
			require.Empty(t, k.check(addressed("Baker", "Miller"), false).Closed)
		}
		require.Len(t, k.check(addressed("Baker", "Miller"), false).Closed, 1)
	})
	t.Run("of a hosted system as well", func(t *testing.T) {
		t.Parallel()
		k := setup(t)
		k.board.Source = "greenhouse:northwind"
		k.testimonies = map[string]boardwatch.Testimony{}
		for range 24 {
			k.check(addressed("Baker", "Miller"), false)
		}
		asked := boardwatch.ToAsk(k.board, k.jobs, addressed("Baker", "Miller"), k.rules, k.now)
		require.Len(t, asked, 1)
		require.Equal(t, "Cooper", asked[0].Title)
	})
	t.Run("and one that was gone, and is back, was not away by mistake", func(t *testing.T) {
		t.Parallel()
		for says, want := range map[boardwatch.Testimony]int{boardwatch.TestimonyGone: 24, boardwatch.TestimonyClosed: 24, boardwatch.TestimonySilent: 200} {
			k := setup(t)
			absent := func(title string, rest ...string) (hours int) {
				for hours = range 400 {
					k.testimonies = map[string]boardwatch.Testimony{}
					for _, j := range k.jobs {
						if j.Title == title {
							k.testimonies[j.ID] = says
						}
					}
					if len(k.check(addressed(rest...), false).Closed) > 0 {
						break
					}
				}
				return hours
			}
			require.Equal(t, 24, absent("Cooper", "Baker", "Miller"))
			for range 75 {
				k.check(addressed("Baker", "Miller"), false)
			}
			require.Len(t, k.check(addressed("Baker", "Miller", "Cooper"), false).Reopened, 1)
			require.Equal(t, want, absent("Miller", "Baker", "Cooper"), says)
		}
	})
	t.Run("unless it is listed under another address", func(t *testing.T) {
		t.Parallel()
		k := setup(t)
		k.testimonies = map[string]boardwatch.Testimony{}
		for range 24 {
			k.check(addressed("Baker", "Miller"), false)
		}
		moved := addressed("Baker", "Miller", "Cooper")
		moved.Postings[2].Key, moved.Postings[2].URL = "", "https://northwind.example/jobs/9"
		require.Empty(t, boardwatch.ToAsk(k.board, k.jobs, moved.Normalize(), k.rules, k.now))
	})
	t.Run("but not the list itself, or nothing", func(t *testing.T) {
		t.Parallel()
		for _, address := range []string{"", "https://northwind.example/careers/"} {
			k := newKeeper(t)
			k.board.URL = "https://northwind.example/careers"
			k.rules, k.testimonies = boardwatch.DefaultRules(), map[string]boardwatch.Testimony{}
			first := addressed("Baker", "Miller", "Cooper")
			first.Postings[2].URL = address
			k.check(first, false)
			for range 24 {
				k.check(addressed("Baker", "Miller"), false)
			}
			require.Empty(t, boardwatch.ToAsk(k.board, k.jobs, addressed("Baker", "Miller"), k.rules, k.now))
			require.Len(t, k.check(addressed("Baker", "Miller"), false).Closed, 1)
		}
	})
	t.Run("roles that nobody could ask for seven days wait no longer", func(t *testing.T) {
		t.Parallel()
		k := setup(t)
		k.testimonies = map[string]boardwatch.Testimony{}
		for range 7 * 24 {
			require.Empty(t, k.check(addressed("Baker", "Miller"), false).Closed)
		}
		require.Len(t, k.check(addressed("Baker", "Miller"), false).Closed, 1)
	})
	t.Run("at most twenty at a check", func(t *testing.T) {
		t.Parallel()
		k := newKeeper(t)
		k.rules, k.testimonies = boardwatch.DefaultRules(), map[string]boardwatch.Testimony{}
		var titles []string
		for i := range 80 {
			titles = append(titles, "Lamp "+string(rune('A'+i/26))+string(rune('A'+i%26)))
		}
		k.check(addressed(titles...), false)
		for range 24 {
			k.check(addressed(titles[:50]...), false)
		}
		require.Len(t, boardwatch.ToAsk(k.board, k.jobs, addressed(titles[:50]...), k.rules, k.now), boardwatch.MostTestimonies)
	})
}

// addressed returns a reading of roles with addresses of their own.
func addressed(titles ...string) boardwatch.Reading {
	r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1}
	for _, title := range titles {
		r.Postings = append(r.Postings, boardwatch.Posting{Key: title, Title: title, URL: "https://northwind.example/careers/" + title})
	}
	return r
}

func TestWhatGainsTooMuchIsKeptBackUntilItIsSeenAgain(t *testing.T) {
	t.Parallel()

	t.Run("all roles replaced", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.DefaultRules())
		w.check(ok(seq(1, 10)...), false)
		res := w.check(ok(seq(50, 60)...), false)
		require.Empty(t, res.Change.Found)
		require.Equal(t, cause.Replaced, res.Check.Cause)
		require.False(t, res.Board.NextCheckAt.After(w.now.Add(time.Hour)))
		require.Empty(t, w.check(ok(seq(70, 80)...), false).Change.Found, "others again")
		require.Len(t, w.check(ok(seq(75, 85)...), false).Change.Found, 11, "half of them again")
	})
	t.Run("for a single reading nothing is told", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.DefaultRules())
		w.check(ok(seq(1, 10)...), false)
		for range 50 {
			require.True(t, w.check(ok(seq(50, 60)...), false).Change.Empty())
			require.True(t, w.check(ok(seq(1, 10)...), false).Change.Empty())
		}
		require.Equal(t, 10, w.board.OpenJobs)
	})
	t.Run("a flood", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.DefaultRules())
		w.check(ok(seq(1, 20)...), false)
		require.Len(t, w.check(ok(seq(1, 60)...), false).Change.Found, 40, "three times as many")
		res := w.check(ok(seq(1, 3000)...), false)
		require.Equal(t, cause.Flooded, res.Check.Cause)
		require.Empty(t, res.Change.Found)
		require.Len(t, w.check(ok(seq(1, 3000)...), false).Change.Found, 2940)
	})
	t.Run("another company has to stay for the hold", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.DefaultRules())
		r := ok(seq(1, 10)...)
		r.Company = "Northwind"
		w.check(r, false)
		other := ok(seq(50, 60)...)
		other.Company = "Southwind"
		for range 72 {
			require.Empty(t, w.check(other, false).Change.Found)
			require.Equal(t, "Northwind", w.board.Company)
		}
		require.Len(t, w.check(other, false).Change.Found, 11)
		require.Equal(t, "Southwind", w.board.Company)
	})
	t.Run("the first reading of a board is no gain", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, boardwatch.DefaultRules())
		require.Len(t, w.check(ok(seq(1, 500)...), false).Change.Found, 500)
	})
}

func TestABoardHoldsOnlySoManyRoles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, boardwatch.Rules{MaxRoles: 100})
	res := w.check(ok(seq(1, 150)...), false)
	require.Len(t, res.Change.Found, 100)
	require.Equal(t, cause.PageLimit, res.Check.Cause)
	require.Equal(t, boardwatch.HealthPartial, res.Check.Health)
	require.Empty(t, w.check(ok(seq(1, 150)...), false).Change.Found)
}

func TestACountThatIsAlwaysTooHighIsAHabit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, boardwatch.Rules{})
	claims := func(over int, keys ...int) boardwatch.Reading {
		r := ok(keys...)
		r.Claimed, r.EndSeen = len(keys)+over, true
		return r.Normalize()
	}
	w.check(ok(seq(1, 10)...), false)
	for range 10 {
		require.Equal(t, boardwatch.HealthPartial, health(w.check(claims(2, seq(1, 10)...), false)))
	}
	for range 5 {
		require.Equal(t, boardwatch.HealthOK, health(w.check(claims(2, seq(1, 10)...), false)))
	}
	require.Equal(t, boardwatch.HealthPartial, health(w.check(claims(3, seq(1, 9)...), false)), "this time one is missing")
	require.Equal(t, boardwatch.HealthOK, health(w.check(ok(seq(1, 10)...), false)))
	require.Equal(t, boardwatch.HealthPartial, health(w.check(claims(2, seq(1, 10)...), false)), "and it begins anew")
}
