package track_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

func TestDays(t *testing.T) {
	t.Parallel()
	change := func(board, at string) track.BoardChange {
		moment, err := time.Parse(time.RFC3339, at)
		require.NoError(t, err)
		return track.BoardChange{BoardID: board, Company: "Company " + board, CheckID: at, At: moment}
	}
	berlin, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	changes := []track.BoardChange{
		change("b", "2026-11-20T12:00:00Z"), change("a", "2026-11-20T11:00:00Z"), change("b", "2026-11-20T10:00:00Z"),
		change("a", "2026-11-19T23:30:00Z"), change("a", "2026-11-19T22:30:00Z"),
	}
	type entry struct {
		day, board string
		changes    int
	}
	flat := func(zone *time.Location) (out []entry) {
		for _, d := range track.Days(changes, zone) {
			require.Equal(t, time.UTC, d.Date.Location())
			for _, b := range d.Boards {
				require.Equal(t, "Company "+b.BoardID, b.Company)
				out = append(out, entry{d.Date.Format(time.DateOnly), b.BoardID, len(b.Changes)})
			}
		}
		return out
	}
	require.Equal(t, []entry{{"2026-11-20", "b", 2}, {"2026-11-20", "a", 1}, {"2026-11-19", "a", 2}}, flat(time.UTC))
	require.Equal(t, []entry{{"2026-11-20", "b", 2}, {"2026-11-20", "a", 2}, {"2026-11-19", "a", 1}}, flat(berlin))
	require.Empty(t, track.Days(nil, time.UTC))
}

// restless is a world whose boards are always due.
func restless(t *testing.T) world {
	t.Helper()
	plans := account.Plans{account.PlanPro: {Boards: 10, Cadence: time.Millisecond}}
	store := storagetest.Open(t, storage.Options{Plans: plans})
	return world{store, track.New(store, recognize, track.Options{})}
}

func TestFeed(t *testing.T) {
	t.Parallel()

	t.Run("tells what has changed, and of one board alone", func(t *testing.T) {
		t.Parallel()
		w := restless(t)
		a := w.account(t, account.PlanPro)
		f := track.NewFeed(w.Store, nil)
		b := w.add(t, a, "https://boards.hosted.example/acme").Board
		w.check(t, "Engineer", "Writer")
		page, err := f.Changes(t.Context(), a, track.ChangeFilter{BoardID: b.ID})
		require.NoError(t, err)
		require.Len(t, page.Changes, 1)
		require.Equal(t, "Northwind Labs", page.Changes[0].Company)
		require.Equal(t, 2, page.Changes[0].Found.Total)
		for _, id := range []string{"x", boardwatch.NewID()} {
			_, err = f.Changes(t.Context(), a, track.ChangeFilter{BoardID: id})
			require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
			_, err = f.Series(t.Context(), a, id, 30, time.UTC)
			require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
		}
		activity, err := f.Activity(t.Context(), a, 1)
		require.NoError(t, err)
		require.Empty(t, activity, "the first reading is no news")
		w.check(t, "Engineer", "Writer", "Cook")
		activity, err = f.Activity(t.Context(), a, 1)
		require.NoError(t, err)
		require.Equal(t, map[string]track.Activity{b.ID: {Found: 1}}, activity)
	})

	t.Run("a series goes on to today, with the days between filled in", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		a := w.account(t, account.PlanPro)
		b := w.add(t, a, "https://boards.hosted.example/acme").Board
		w.add(t, a, "https://boards.hosted.example/never")
		w.check(t, "Engineer", "Writer")
		later := time.Now().Add(72 * time.Hour)
		today := later.UTC().Truncate(24 * time.Hour)
		f := track.NewFeed(w.Store, func() time.Time { return later })
		for days, want := range map[int]int{30: 4, 2: 2, 1: 1, 0: 1} {
			series, err := f.Series(t.Context(), a, b.ID, days, time.UTC)
			require.NoError(t, err)
			points := series[b.ID]
			require.Len(t, points, want, "%d days", days)
			require.Equal(t, track.Point{Day: today, Open: 2}, points[len(points)-1])
			for i := 1; i < len(points); i++ {
				require.Equal(t, 24*time.Hour, points[i].Day.Sub(points[i-1].Day))
			}
		}
		activity, err := f.Activity(t.Context(), a, 1)
		require.NoError(t, err)
		require.Empty(t, activity, "it was days ago")
	})

	t.Run("counts what was found by day", func(t *testing.T) {
		t.Parallel()
		w := restless(t)
		a := w.account(t, account.PlanPro)
		w.add(t, a, "https://boards.hosted.example/acme")
		w.check(t, "Engineer", "Writer")
		w.check(t, "Engineer", "Writer", "Cook", "Smith")
		counts, err := track.NewFeed(w.Store, nil).FlowPerDay(t.Context(), a, nil, 7, time.UTC)
		require.NoError(t, err)
		require.Len(t, counts, 7)
		found := 0
		for _, c := range counts {
			found += c.Found
		}
		require.Equal(t, 2, found)
	})
}
