package track_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// recognize is a reader that knows one hosted system.
func recognize(input string) (boardwatch.Recognized, error) {
	u, err := url.Parse(input)
	if err != nil || u.Host == "" || u.User != nil {
		return boardwatch.Recognized{}, errors.New("is not a web address")
	}
	r := boardwatch.Recognized{Address: "https://" + u.Host + u.Path, URL: "https://" + u.Host + u.Path}
	if token, ok := strings.CutPrefix(u.Path, "/"); ok && u.Host == "boards.hosted.example" {
		r.Source, r.URL = "hosted:"+token, "https://boards.hosted.example/"+token
	}
	return r, nil
}

// world is a store with a tracker on it.
type world struct {
	*storage.Store
	*track.Tracker
}

func setup(t *testing.T) world {
	t.Helper()
	store := storagetest.New(t)
	return world{store, track.New(store, recognize, track.Options{})}
}

func (w world) account(t *testing.T, plan account.PlanName) account.Account {
	t.Helper()
	a := account.Account{ID: boardwatch.NewID(), Plan: plan, Verified: true, CreatedAt: boardwatch.Milli(time.Now())}
	a.Email = a.ID + "@accounts.example"
	require.NoError(t, w.CreateAccount(t.Context(), a))
	return a
}

func (w world) add(t *testing.T, a account.Account, address string) track.Added {
	t.Helper()
	added, err := w.Add(t.Context(), a, track.NewBoard{URL: address})
	require.NoError(t, err)
	return added
}

// check reads every due board, with these roles.
func (w world) check(t *testing.T, titles ...string) {
	t.Helper()
	r := boardwatch.Reading{Company: "Northwind Labs", Domain: "northwind.example", Claimed: -1, Health: boardwatch.HealthOK}
	for _, title := range titles {
		r.Postings = append(r.Postings, boardwatch.Posting{Key: title, Title: title, Location: "Zürich"})
	}
	w.save(t, r)
}

// save checks all due boards with this reading.
func (w world) save(t *testing.T, r boardwatch.Reading) {
	t.Helper()
	claims, err := w.ClaimDue(t.Context(), 100, time.Minute, boardwatch.ClaimFilter{})
	require.NoError(t, err)
	require.NotEmpty(t, claims)
	for _, c := range claims {
		require.NoError(t, w.SaveCheck(t.Context(), c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
			return boardwatch.Decide(in, r.Normalize(), false, boardwatch.DefaultRules(), boardwatch.NewID)
		}))
	}
}

func TestAdd(t *testing.T) {
	t.Parallel()

	t.Run("starts a board that nobody knows as pending", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		a := w.account(t, account.PlanPro)
		added, err := w.Add(t.Context(), a, track.NewBoard{URL: " https://acme.example/careers ", CompanyName: "Acme"})
		require.NoError(t, err)
		require.False(t, added.Fresh)
		require.False(t, added.Locked)
		require.Equal(t, boardwatch.BoardPending, added.Board.Status)
		require.Equal(t, "https://acme.example/careers", added.Board.CareersURL)
		require.Equal(t, "Acme", added.Board.Company)
		require.False(t, added.Board.AddedAt.IsZero())
		stored, err := w.Store.Board(t.Context(), added.Board.ID)
		require.NoError(t, err)
		require.Empty(t, stored.Source)
		require.Empty(t, stored.Company, "an account's own name for a company is nobody else's")
	})

	t.Run("gives a board its source at once where the address shows it, and shares it", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		first := w.add(t, w.account(t, account.PlanPro), "https://boards.hosted.example/acme")
		second := w.add(t, w.account(t, account.PlanFree), "http://boards.hosted.example/acme?utm_source=x")
		require.Equal(t, first.Board.ID, second.Board.ID)
		stored, err := w.Store.Board(t.Context(), first.Board.ID)
		require.NoError(t, err)
		require.Equal(t, "hosted:acme", stored.Source)
	})

	t.Run("answers at once for a board that was read of late", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		w.add(t, w.account(t, account.PlanUltra), "https://boards.hosted.example/acme")
		w.check(t, "Engineer")
		added, err := w.Add(t.Context(), w.account(t, account.PlanPro),
			track.NewBoard{URL: "https://boards.hosted.example/acme", CompanyName: "My name for it"})
		require.NoError(t, err)
		require.True(t, added.Fresh)
		require.Equal(t, boardwatch.BoardReady, added.Board.Status)
		require.Equal(t, "Northwind Labs", added.Board.Company)
		require.Equal(t, 1, added.Board.OpenJobs)
	})

	t.Run("refuses a board that is on the list already, and names it", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		a := w.account(t, account.PlanPro)
		first := w.add(t, a, "https://acme.example/careers")
		_, err := w.Add(t.Context(), a, track.NewBoard{URL: "https://acme.example/careers"})
		require.Equal(t, boardwatch.CodeAlreadyTracked, boardwatch.CodeOf(err))
		e, ok := errors.AsType[*boardwatch.Error](err)
		require.True(t, ok)
		require.Equal(t, boardwatch.AlreadyTracked{BoardID: first.Board.ID}, e.Details)
	})

	t.Run("locks what is past the plan's limit", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		a := w.account(t, account.PlanFree)
		for _, token := range []string{"a", "b", "c", "d", "e"} {
			require.False(t, w.add(t, a, "https://boards.hosted.example/"+token).Locked)
		}
		sixth := w.add(t, a, "https://boards.hosted.example/f")
		require.True(t, sixth.Locked)
		require.Equal(t, boardwatch.TrackingLocked, sixth.Board.Tracking)
	})

	t.Run("stores nothing for input that is wrong", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		a := w.account(t, account.PlanPro)
		for _, b := range []track.NewBoard{{}, {URL: "   "}, {URL: "no address"}, {URL: "https://acme.example", CompanyName: strings.Repeat("x", 121)}} {
			_, err := w.Add(t.Context(), a, b)
			require.NotEmpty(t, fields(t, err))
		}
		boards, err := w.Boards(t.Context(), a, "")
		require.NoError(t, err)
		require.Empty(t, boards)
	})
}

func TestRemove(t *testing.T) {
	t.Parallel()

	t.Run("keeps the board and its roles for the day it is added again", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		a := w.account(t, account.PlanPro)
		added := w.add(t, a, "https://boards.hosted.example/acme")
		w.check(t, "Engineer", "Writer")
		require.NoError(t, w.Remove(t.Context(), a, added.Board.ID))
		page, err := w.Tracker.Jobs(t.Context(), a, track.JobFilter{})
		require.NoError(t, err)
		require.Empty(t, page.Jobs)

		again := w.add(t, a, "https://boards.hosted.example/acme")
		require.Equal(t, added.Board.ID, again.Board.ID)
		require.True(t, again.Fresh)
		page, err = w.Tracker.Jobs(t.Context(), a, track.JobFilter{})
		require.NoError(t, err)
		require.Len(t, page.Jobs, 2)
	})

	t.Run("unlocks the oldest locked board", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		a := w.account(t, account.PlanFree)
		first := w.add(t, a, "https://boards.hosted.example/a")
		for _, token := range []string{"b", "c", "d", "e"} {
			w.add(t, a, "https://boards.hosted.example/"+token)
		}
		locked := w.add(t, a, "https://boards.hosted.example/f")
		require.True(t, locked.Locked)
		require.NoError(t, w.Remove(t.Context(), a, first.Board.ID))
		b, err := w.Tracker.Board(t.Context(), a, locked.Board.ID)
		require.NoError(t, err)
		require.Equal(t, boardwatch.TrackingActive, b.Tracking)
	})

	t.Run("does not tell a stranger's board from none", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		a := w.account(t, account.PlanPro)
		theirs := w.add(t, w.account(t, account.PlanPro), "https://boards.hosted.example/acme")
		for _, id := range []string{theirs.Board.ID, boardwatch.NewID(), "", "not-an-id"} {
			require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(w.Remove(t.Context(), a, id)))
			_, err := w.Tracker.Board(t.Context(), a, id)
			require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
		}
	})
}

func TestBoards(t *testing.T) {
	t.Parallel()
	w := setup(t)
	a := w.account(t, account.PlanPro)
	read := w.add(t, a, "https://boards.hosted.example/acme")
	w.check(t)
	waiting := w.add(t, a, "https://acme.example/careers")

	boards, err := w.Boards(t.Context(), a, "")
	require.NoError(t, err)
	require.Len(t, boards, 2)
	require.Equal(t, []string{read.Board.ID, waiting.Board.ID}, []string{boards[0].ID, boards[1].ID}, "in the order they were added")

	boards, err = w.Boards(t.Context(), a, boardwatch.BoardPending)
	require.NoError(t, err)
	require.Len(t, boards, 1)
	require.Equal(t, waiting.Board.ID, boards[0].ID)
}

func TestJobs(t *testing.T) {
	t.Parallel()
	w := setup(t)
	a := w.account(t, account.PlanPro)
	w.add(t, a, "https://boards.hosted.example/acme")
	w.check(t, "Engineer", "Writer", "Data ENGINEER")

	t.Run("finds roles whatever the case, by title and place", func(t *testing.T) {
		t.Parallel()
		page, err := w.Tracker.Jobs(t.Context(), a, track.JobFilter{Search: "engineer", Location: "ZÜRICH", Limit: 1})
		require.NoError(t, err)
		require.Len(t, page.Jobs, 1)
		require.EqualValues(t, 2, page.Total)
		require.False(t, page.PolledAt.IsZero())
	})

	t.Run("refuses what is out of bounds", func(t *testing.T) {
		t.Parallel()
		_, err := w.Tracker.Jobs(t.Context(), a, track.JobFilter{Limit: 101})
		require.Equal(t, []string{"limit"}, fields(t, err))
		_, err = w.AllJobs(t.Context(), a, track.JobFilter{Limit: -1})
		require.Equal(t, []string{"limit"}, fields(t, err))
	})

	t.Run("lists all there are, however many", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		a := w.account(t, account.PlanPro)
		w.add(t, a, "https://boards.hosted.example/large")
		titles := make([]string, 1234)
		for i := range titles {
			titles[i] = "Role " + strings.Repeat("x", i%50) + string(rune('a'+i%26)) + strings.Repeat("y", i/50)
		}
		w.check(t, titles...)
		jobs, err := w.AllJobs(t.Context(), a, track.JobFilter{})
		require.NoError(t, err)
		seen := map[string]bool{}
		for _, j := range jobs {
			seen[j.ID] = true
		}
		require.Len(t, jobs, len(seen))
		page, err := w.Tracker.Jobs(t.Context(), a, track.JobFilter{})
		require.NoError(t, err)
		require.Len(t, page.Jobs, track.DefaultLimit)
		require.EqualValues(t, len(jobs), page.Total)

		some, err := w.AllJobs(t.Context(), a, track.JobFilter{Limit: 120, Skip: 10})
		require.NoError(t, err)
		require.Equal(t, jobs[10:130], some)
	})
}

func TestStatus(t *testing.T) {
	t.Parallel()
	w := setup(t)
	a := w.account(t, account.PlanFree)
	for _, token := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		w.add(t, a, "https://boards.hosted.example/"+token)
	}
	s, err := w.Status(t.Context(), a)
	require.NoError(t, err)
	require.Equal(t, account.PlanFree, s.Plan)
	require.Equal(t, 7, s.Tracked)
	require.Equal(t, 5, s.Limit)
	require.Equal(t, 2, s.Locked)
	require.False(t, s.At.IsZero())
}

func TestRequestCheck(t *testing.T) {
	t.Parallel()
	const address = "https://boards.hosted.example/acme"
	refusal := func(t *testing.T, w world, id string) string {
		t.Helper()
		refusal, err := w.Tracker.RequestCheck(t.Context(), "", id)
		require.NoError(t, err)
		return refusal
	}

	t.Run("queues a board that was never read, and asks for patience afterwards", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		id := w.add(t, w.account(t, account.PlanPro), address).Board.ID
		require.Empty(t, refusal(t, w, id))
		w.check(t, "Engineer")
		require.Equal(t, "it was checked less than a minute ago", refusal(t, w, id))
	})
	t.Run("says that nobody tracks the board", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		a := w.account(t, account.PlanPro)
		id := w.add(t, a, address).Board.ID
		require.NoError(t, w.Remove(t.Context(), a, id))
		require.Equal(t, "nobody actively tracks it", refusal(t, w, id))
	})
	t.Run("says how long the site asks to be left alone", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		id := w.add(t, w.account(t, account.PlanPro), address).Board.ID
		r := boardwatch.Failed(cause.SiteError, "too many requests")
		r.RetryAfter = time.Hour
		w.save(t, r)
		require.Regexp(t, `^its site asks to be left alone until 20\d\d-.*Z$`, refusal(t, w, id))
	})
	t.Run("says when a board that failed is tried again", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		id := w.add(t, w.account(t, account.PlanPro), address).Board.ID
		w.save(t, boardwatch.Failed(cause.SiteError, "the site is in trouble"))
		require.Regexp(t, `^its last check failed, and the next attempt is at 20\d\d-.*Z$`, refusal(t, w, id))
	})
	t.Run("knows only boards that exist", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		for _, id := range []string{boardwatch.NewID(), "not-an-id"} {
			_, err := w.Tracker.RequestCheck(t.Context(), "", id)
			require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
		}
	})
}

func TestHistory(t *testing.T) {
	t.Parallel()
	w := setup(t)
	a := w.account(t, account.PlanPro)
	added := w.add(t, a, "https://boards.hosted.example/acme")
	w.check(t, "Engineer", "Writer")

	checks, err := w.Tracker.History(t.Context(), added.Board.ID, 10)
	require.NoError(t, err)
	require.Len(t, checks, 1)
	require.Equal(t, boardwatch.HealthOK, checks[0].Health)
	require.Equal(t, 2, checks[0].Found)

	for _, id := range []string{boardwatch.NewID(), "not-an-id"} {
		_, err = w.Tracker.History(t.Context(), id, 10)
		require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
	}
}
