package sqlite_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// machine is a clock that a test can set.
type machine struct {
	mu  sync.Mutex
	off time.Duration
}

func (m *machine) now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return time.Now().Add(m.off)
}

func (m *machine) set(off time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.off = off
}

// TestClockThatIsSetBack gives a reader a promise and then sets the clock back: roles found from then on are later than
// the promise, in the same process and in later ones, and boards still fall due.
func TestClockThatIsSetBack(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		back    time.Duration
		restart bool
	}{
		{name: "by an hour while the process runs", back: -time.Hour},
		{name: "by an hour between two processes", back: -time.Hour, restart: true},
		{name: "by a second between two processes", back: -time.Second, restart: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "boardwatch.db")
			m := &machine{}
			o := storage.Options{Now: m.now, SealKey: []byte(storagetest.SealKey)}
			s := open(t, path, o)
			b, claim := tracked(t, s)
			save(t, s, claim, "Cook")
			<-time.After(20 * time.Millisecond) // nothing but a reader moves the time on
			accounts, err := s.Accounts(t.Context())
			require.NoError(t, err)
			account := accounts[0].ID
			promise, err := s.Jobs(t.Context(), account, track.JobFilter{Limit: 10})
			require.NoError(t, err)
			require.Len(t, promise.Jobs, 1)

			m.set(tt.back)
			if tt.restart {
				require.NoError(t, s.Close())
				s = open(t, path, o)
			}
			db, err := sql.Open("sqlite", path)
			require.NoError(t, err)
			_, err = db.ExecContext(t.Context(), "PRAGMA busy_timeout = 5000; UPDATE boards SET next_check_at = 1")
			require.NoError(t, err)
			require.NoError(t, db.Close())
			claims, err := s.ClaimDue(t.Context(), 1, time.Minute, boardwatch.ClaimFilter{})
			require.NoError(t, err)
			require.Len(t, claims, 1)
			result := save(t, s, claims[0], "Cook", "Baker")
			require.True(t, result.Check.At.After(promise.PolledAt))
			news, err := s.Jobs(t.Context(), account, track.JobFilter{AddedAfter: promise.PolledAt, Limit: 10})
			require.NoError(t, err)
			require.Len(t, news.Jobs, 1)
			require.Equal(t, "Baker", news.Jobs[0].Title)
			require.False(t, news.PolledAt.Before(promise.PolledAt))

			board, err := s.Board(t.Context(), b.ID)
			require.NoError(t, err)
			wait := board.NextCheckAt.Sub(m.now())
			require.LessOrEqual(t, wait, board.Cadence, "it does not wait for the clock to catch up")
		})
	}
}

// TestPromiseOfAnotherProcess shows that the watching process keeps another process's promise although its own clock is
// behind.
func TestPromiseOfAnotherProcess(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "boardwatch.db")
	slow := &machine{off: -time.Hour}
	s := open(t, path, storage.Options{Now: slow.now, SealKey: []byte(storagetest.SealKey)})
	_, claim := tracked(t, s)
	accounts, err := s.Accounts(t.Context())
	require.NoError(t, err)
	reader := open(t, path, storage.Options{SealKey: []byte(storagetest.SealKey)})
	promise, err := reader.Jobs(t.Context(), accounts[0].ID, track.JobFilter{Limit: 10})
	require.NoError(t, err)
	result := save(t, s, claim, "Cook")
	require.True(t, result.Check.At.After(promise.PolledAt))
}

// save saves a check whose reading has these roles.
func save(t *testing.T, s *storage.Store, c boardwatch.Claim, titles ...string) (result boardwatch.CheckResult) {
	t.Helper()
	r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1}
	for _, title := range titles {
		r.Postings = append(r.Postings, boardwatch.Posting{Key: title, Title: title})
	}
	err := s.SaveCheck(context.WithoutCancel(t.Context()), c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
		result = boardwatch.Decide(in, r, false, boardwatch.Rules{}, boardwatch.NewID)
		return result
	})
	require.NoError(t, err)
	return result
}

// jumpy is a clock that is an hour ahead for a number of looks, and right from then on.
type jumpy struct {
	mu    sync.Mutex
	ahead int // how many looks are left that are ahead
}

func (j *jumpy) now() time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.ahead > 0 {
		j.ahead--
		return time.Now().Add(time.Hour)
	}
	return time.Now()
}

// markOf returns the mark in the file.
func markOf(t *testing.T, db *sql.DB) (mark time.Time) {
	t.Helper()
	var ms int64
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT moment FROM mark").Scan(&ms))
	return time.UnixMilli(ms).UTC()
}

func raw(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path+"?_pragma=busy_timeout(5000)")
	require.NoError(t, err)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// TestAPromiseOutlivesAClockThatIsSetBackWhileItIsMade has the clock set back between a reader's look at it and the
// transaction that moves the mark on for that reader.
func TestAPromiseOutlivesAClockThatIsSetBackWhileItIsMade(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "boardwatch.db")
	j := &jumpy{}
	s := open(t, path, storage.Options{Now: j.now, SealKey: []byte(storagetest.SealKey)})
	_, claim := tracked(t, s)
	save(t, s, claim, "Cook")
	j.mu.Lock()
	j.ahead = 1
	j.mu.Unlock()
	var promise time.Time
	require.Eventually(t, func() bool { // a reader does not wait long for the writer
		var err error
		promise, err = s.Horizon(t.Context())
		return err != nil || promise.After(time.Now().Add(59*time.Minute))
	}, 10*time.Second, time.Millisecond, "the reader saw the clock before it was set back")
	require.False(t, markOf(t, raw(t, path)).Before(promise), "a process that starts on this file knows what was promised")
}

// TestNoPromiseIsAheadOfTheMark checks promises right after writes, when the mark is not moved for each reader, and
// while the writer is busy, when it cannot be moved.
func TestNoPromiseIsAheadOfTheMark(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "boardwatch.db")
	m := &machine{}
	s := open(t, path, storage.Options{Now: m.now, SealKey: []byte(storagetest.SealKey)})
	_, claim := tracked(t, s)
	db := raw(t, path)
	for i := range 30 {
		m.set(time.Duration(i) * time.Millisecond)
		promise, err := s.Horizon(t.Context())
		require.NoError(t, err)
		require.False(t, promise.After(markOf(t, db)))
	}
	m.set(time.Minute)
	require.NoError(t, s.SaveCheck(t.Context(), claim, func(in boardwatch.CheckInput) boardwatch.CheckResult {
		promise, err := s.Horizon(t.Context())
		require.NoError(t, err)
		require.False(t, promise.After(markOf(t, db)), "the writer is busy with this check")
		return boardwatch.Decide(in, boardwatch.Failed(cause.Unreachable, "no answer"), false, boardwatch.Rules{}, boardwatch.NewID)
	}))
}

// TestPromisesNeverGoBackwardsBesideAnotherProcess reads while another process holds the write lock. Nothing that this
// reads grows with the number of boards.
func TestPromisesNeverGoBackwardsBesideAnotherProcess(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "boardwatch.db")
	s := open(t, path, storage.Options{SealKey: []byte(storagetest.SealKey)})
	_, claim := tracked(t, s)
	save(t, s, claim, "Cook")
	reader := open(t, path, storage.Options{SealKey: []byte(storagetest.SealKey)})
	<-time.After(30 * time.Millisecond) // the mark has to be moved on
	before, err := reader.Horizon(t.Context())
	require.NoError(t, err)
	db := raw(t, path)
	_, err = db.ExecContext(t.Context(), "ALTER TABLE boards RENAME TO elsewhere; BEGIN IMMEDIATE")
	require.NoError(t, err)
	stalled, err := reader.Horizon(t.Context())
	require.NoError(t, err, "no board is read")
	require.False(t, stalled.Before(before))
	require.False(t, stalled.After(markOf(t, db)))
	_, err = db.ExecContext(t.Context(), "COMMIT; ALTER TABLE elsewhere RENAME TO boards")
	require.NoError(t, err)
}
