package floor_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/postgres"
	"github.com/boardwatch/boardwatch/storage/sqlite"
	"github.com/boardwatch/boardwatch/storage/storagetest"
	"github.com/boardwatch/boardwatch/storage/storagetest/floor"
)

// A store has to be able to read what the floor writes, or the floor would measure something else.
func TestStoreReadsTheFloor(t *testing.T) {
	t.Parallel()
	o := storage.Options{Plans: account.Plans{account.PlanUltra: {Boards: 10, Cadence: time.Millisecond}}}
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "boardwatch.db")
		store, err := sqlite.Open(t.Context(), path, o)
		require.NoError(t, err)
		least, err := floor.SQLite(t.Context(), path)
		require.NoError(t, err)
		readsTheFloor(t, store, least)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		url := storagetest.PostgresURL(t)
		store, err := postgres.Open(t.Context(), url, o)
		require.NoError(t, err)
		least, err := floor.Postgres(t.Context(), url)
		require.NoError(t, err)
		readsTheFloor(t, store, least)
	})
}

func readsTheFloor(t *testing.T, store *storage.Store, least floor.Database) {
	t.Helper()
	ctx := t.Context()
	a := account.Account{ID: boardwatch.NewID(), Email: "robin@northwind.example", Plan: account.PlanUltra, CreatedAt: boardwatch.Milli(time.Now())}
	require.NoError(t, store.CreateAccount(ctx, a))
	_, _, err := store.Subscribe(ctx, boardwatch.Subscription{AccountID: a.ID}, boardwatch.Board{
		Source: "greenhouse:northwind", URL: "https://boards.greenhouse.io/northwind", Status: boardwatch.BoardReady,
	}, "northwind")
	require.NoError(t, err)

	stays := floor.Job{ID: boardwatch.NewID(), Key: "1", Title: "Site Lead", Location: "Lisbon", URL: "https://northwind.example/1"}
	goes := floor.Job{ID: boardwatch.NewID(), Key: "2", Title: "Data Analyst", Location: "Oslo", URL: "https://northwind.example/2"}
	checks := []string{boardwatch.NewID(), boardwatch.NewID(), boardwatch.NewID(), boardwatch.NewID()}
	claim := func() floor.Board {
		due, err := least.Due(ctx, 10)
		require.NoError(t, err)
		require.Len(t, due, 1)
		return due[0]
	}
	read := func(only bool) (b floor.Board, jobs []floor.Job) {
		b = claim()
		require.NoError(t, least.Change(ctx, b, only, func(known []floor.Job) floor.Change {
			jobs = known
			return floor.Change{Print: b.Print}
		}))
		return b, jobs
	}
	check := func(c floor.Change) {
		require.NoError(t, least.Change(ctx, claim(), false, func([]floor.Job) floor.Change { return c }))
	}

	check(floor.Change{CheckID: checks[0], Print: "a", Found: []floor.Job{stays, goes}})
	check(floor.Change{CheckID: checks[1], Print: "b", Missed: []string{goes.ID}})
	b, all := read(false)
	_, missing := read(true)
	require.Equal(t, "b", b.Print)
	require.Len(t, all, 2)
	goes.Misses = 1
	require.Equal(t, []floor.Job{goes}, missing)
	check(floor.Change{CheckID: checks[2], Print: "b", Again: []string{goes.ID}})
	check(floor.Change{CheckID: checks[3], Print: "b", Closed: []string{goes.ID}})
	require.NoError(t, least.Stamp(ctx, []floor.Board{claim()}))

	history, err := store.History(ctx, b.ID, 10)
	require.NoError(t, err)
	require.Len(t, history, 4)
	require.Equal(t, []int{2, 0, 0, 0}, []int{history[3].Found, history[2].Found, history[1].Found, history[0].Found})
	require.Equal(t, []int{0, 1, 1, 1}, []int{history[3].Missed, history[2].Missed, history[1].Missed, history[0].Missed})
	require.Positive(t, history[0].Repeats)
	events, err := store.RoleEvents(ctx, []string{stays.ID, goes.ID}, time.Time{}, 10)
	require.NoError(t, err)
	require.Len(t, events[stays.ID], 1)
	require.Len(t, events[goes.ID], 3)
	closed := events[goes.ID][2]
	require.Equal(t, boardwatch.ChangeClosed, closed.Kind)
	require.Equal(t, history[0].At, closed.At)
	require.Equal(t, []boardwatch.Absence{
		{CheckID: checks[1], At: history[2].At}, {CheckID: checks[2], At: history[1].At}, {CheckID: checks[3], At: history[0].At},
	}, closed.Absences)
	board, err := store.Board(ctx, b.ID)
	require.NoError(t, err)
	require.Equal(t, [3]int{1, 1, 0}, [3]int{board.OpenJobs, board.ClosedJobs, board.State.Missing})
	require.Equal(t, closed.Absences, board.State.Absences)
	page, err := store.Jobs(ctx, a.ID, track.JobFilter{Status: boardwatch.JobOpen})
	require.NoError(t, err)
	require.Len(t, page.Jobs, 1)
	require.Equal(t, stays.Title, page.Jobs[0].Title)
	require.Equal(t, board.State.LastSuccessAt, page.Jobs[0].LastSeenAt)
	require.NoError(t, least.Close(ctx))
	require.NoError(t, store.Close())
}
