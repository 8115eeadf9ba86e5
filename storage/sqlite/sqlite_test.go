package sqlite_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/pace"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/sqlite"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// TestStore runs the suite, and has the database explain every statement that it was asked meanwhile.
func TestStore(t *testing.T) {
	t.Parallel()
	asked := storagetest.AskedOfSQLite(t)
	storagetest.Exercise(t, func(tb testing.TB) storagetest.Database {
		tb.Helper()
		return storagetest.SQLiteBy(tb, func(ctx context.Context, address string, o storage.Options) (*storage.Store, error) {
			return sqlite.OpenTelling(ctx, address, o, asked.Note)
		})
	})
}

func open(t *testing.T, path string, o storage.Options) *storage.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func TestOpenTakesAnyPath(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"plain.db", "with blank.db", "100%25.db", "what?.db", "a#b.db", "ü&x=1.db", ":memory:"} {
		path := filepath.Join(t.TempDir(), name)
		open(t, path, storage.Options{})
		require.FileExists(t, path)
	}
}

func TestOpenSaysWhichFileItCannotOpen(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "missing", "boardwatch.db")
	_, err := sqlite.Open(t.Context(), path, storage.Options{})
	require.ErrorContains(t, err, path)
	path = filepath.Join(t.TempDir(), "text.db")
	require.NoError(t, os.WriteFile(path, []byte("this is a text and no database, however long one makes it"), 0o600))
	_, err = sqlite.Open(t.Context(), path, storage.Options{})
	require.ErrorContains(t, err, path)
}

func TestOpenTakesARelativePath(t *testing.T) {
	t.Chdir(t.TempDir())
	open(t, "boardwatch.db", storage.Options{})
	require.FileExists(t, "boardwatch.db")
}

func TestLock(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "boardwatch.db")
	first, err := sqlite.Lock(path)
	require.NoError(t, err)
	_, err = sqlite.Lock(path)
	require.ErrorIs(t, err, sqlite.ErrLocked)
	require.ErrorContains(t, err, strconv.Itoa(os.Getpid()))
	require.NoError(t, first.Close())
	second, err := sqlite.Lock(path)
	require.NoError(t, err)
	require.NoError(t, second.Close())
	_, err = sqlite.Lock(filepath.Join(t.TempDir(), "missing", "boardwatch.db"))
	require.Error(t, err)
	require.NotErrorIs(t, err, sqlite.ErrLocked)
}

func TestLockIsOfTheFileWhateverItIsCalled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "data"), 0o700))
	require.NoError(t, os.Symlink("data", filepath.Join(dir, "other")))
	path := filepath.Join(dir, "data", "boardwatch.db")
	for _, there := range []bool{false, true} {
		if there {
			open(t, path, storage.Options{})
			require.NoError(t, os.Symlink(path, filepath.Join(dir, "link.db")))
		}
		first, err := sqlite.Lock(path)
		require.NoError(t, err)
		_, err = sqlite.Lock(filepath.Join(dir, "other", "boardwatch.db"))
		require.ErrorIs(t, err, sqlite.ErrLocked)
		if there {
			_, err = sqlite.Lock(filepath.Join(dir, "link.db"))
			require.ErrorIs(t, err, sqlite.ErrLocked)
		}
		require.NoError(t, first.Close())
	}
}

func TestCloseFinishesWhatHasBegun(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "boardwatch.db")
	s, err := sqlite.Open(t.Context(), path, storage.Options{})
	require.NoError(t, err)
	begun, saved := make(chan struct{}), make(chan error, 1)
	b, claim := tracked(t, s)
	go func() {
		saved <- s.SaveCheck(t.Context(), claim, func(in boardwatch.CheckInput) boardwatch.CheckResult {
			close(begun)
			return boardwatch.Decide(in, boardwatch.Failed(cause.SiteError, "no answer"), false, boardwatch.Rules{}, boardwatch.NewID)
		})
	}()
	<-begun
	require.NoError(t, s.Close())
	require.NoError(t, <-saved)
	require.Error(t, s.SetVerified(t.Context(), "anybody", true), "closed")
	now, err := open(t, path, storage.Options{}).Board(t.Context(), b.ID)
	require.NoError(t, err)
	require.Equal(t, boardwatch.BoardFailed, now.Status)
}

func TestManyUnchangedChecksAreSavedTogetherEachOnItsOwn(t *testing.T) {
	t.Parallel()
	s := storagetest.New(t)
	a := account.Account{ID: boardwatch.NewID(), Email: "robin@northwind.example", Plan: account.PlanUltra}
	require.NoError(t, s.CreateAccount(t.Context(), a))
	for i := range 200 {
		_, _, err := s.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID},
			boardwatch.Board{Source: "lever:company" + strconv.Itoa(i), URL: "https://northwind.example/"}, "")
		require.NoError(t, err)
	}
	claims, err := s.ClaimDue(t.Context(), 200, time.Minute, boardwatch.ClaimFilter{})
	require.NoError(t, err)
	require.Len(t, claims, 200)
	var group sync.WaitGroup
	for i, c := range claims {
		group.Go(func() {
			ctx := t.Context()
			if i%10 == 0 {
				gone, cancel := context.WithCancel(ctx)
				cancel()
				ctx = gone
			}
			outcome := make(chan error, 1)
			s.SaveUnchanged(ctx, c, "print", time.Now().Add(time.Hour), func(err error) { outcome <- err })
			if err := <-outcome; (err != nil) != (i%10 == 0) {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for i, c := range claims {
		b, err := s.Board(t.Context(), c.Board.ID)
		require.NoError(t, err)
		require.Equal(t, i%10 != 0, b.State.Fingerprint == "print")
	}
}

func TestStampsFollowTheClockAndNeverGoBack(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	now := time.UnixMilli(1_800_000_000_000).UTC()
	set := func(at time.Time) {
		mu.Lock()
		defer mu.Unlock()
		now = at
	}
	o := storage.Options{Now: func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}}
	path := filepath.Join(t.TempDir(), "boardwatch.db")
	s := open(t, path, o)
	b, claim := tracked(t, s)
	stamp := func(s *storage.Store, c boardwatch.Claim) (at time.Time) {
		require.NoError(t, s.SaveCheck(t.Context(), c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
			at = in.Now
			r := boardwatch.Decide(in, boardwatch.Reading{Health: boardwatch.HealthOK}, false, boardwatch.Rules{}, boardwatch.NewID)
			r.Board.NextCheckAt = in.Now.Add(-time.Hour)
			return r
		}))
		return at
	}
	again := func(s *storage.Store) boardwatch.Claim {
		claims, err := s.ClaimDue(t.Context(), 1, time.Minute, boardwatch.ClaimFilter{})
		require.NoError(t, err)
		require.Len(t, claims, 1)
		require.Equal(t, b.ID, claims[0].Board.ID)
		return claims[0]
	}
	first := stamp(s, claim)
	require.Equal(t, time.UnixMilli(1_800_000_000_000).UTC(), first)
	second := stamp(s, again(s))
	require.Equal(t, first.Add(time.Millisecond), second, "two checks of a board differ")
	set(first.Add(-10 * time.Second))
	third := stamp(s, again(s))
	require.True(t, third.After(second), "the machine's clock was set back")
	o2 := open(t, path, o)
	require.True(t, stamp(o2, again(o2)).After(third), "so was it before another process started")
	set(first.Add(time.Hour))
	require.Equal(t, first.Add(time.Hour), stamp(o2, again(o2)))
}

// tracked tracks a board and claims it.
func tracked(t *testing.T, s *storage.Store) (boardwatch.Board, boardwatch.Claim) {
	t.Helper()
	a := account.Account{ID: boardwatch.NewID(), Email: "robin@northwind.example", Plan: account.PlanUltra}
	require.NoError(t, s.CreateAccount(t.Context(), a))
	b, _, err := s.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID},
		boardwatch.Board{Source: "lever:northwind", URL: "https://northwind.example/"}, "")
	require.NoError(t, err)
	claims, err := s.ClaimDue(t.Context(), 1, time.Minute, boardwatch.ClaimFilter{})
	require.NoError(t, err)
	require.Len(t, claims, 1)
	return b, claims[0]
}

// The pacing of requests uses the store's memory directly, and the store sees the changes.
func TestPacesAreInMemory(t *testing.T) {
	t.Parallel()
	store := storagetest.New(t)
	memory := store.PacesInMemory()
	require.NotNil(t, memory)
	r := pace.TurnRequest{Host: "boards.example.com:443", Process: "a", Longest: time.Minute}
	turn := memory.Ask(r)
	memory.End(pace.TurnEnd{Host: r.Host, Process: r.Process, Number: turn.Number, Refused: true, RetryAfter: time.Minute})
	slow, err := store.SlowHosts(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, slow, 1)
	require.Equal(t, r.Host, slow[0].Host)
}

func TestOpenMakesNothingWhereNothingMayBeMade(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	missing, empty := filepath.Join(dir, "boardwatch.db"), filepath.Join(dir, "empty.db")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	for _, file := range []string{missing, empty} {
		for _, o := range []storage.Options{{NoCreate: true}, {NoCreate: true, NoMigrate: true}} {
			_, err := sqlite.Open(t.Context(), file, o)
			require.ErrorIs(t, err, storage.ErrNoDatabase, file)
		}
	}
	require.NoFileExists(t, missing)
	for _, o := range []storage.Options{{}, {NoCreate: true}} {
		s, err := sqlite.Open(t.Context(), missing, o)
		require.NoError(t, err)
		require.NoError(t, s.Close())
	}
}
