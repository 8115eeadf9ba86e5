package postgres_test

import (
	"database/sql"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// TestServersClockIsSetBack gives readers a promise and then sets the server's clock back by an hour. Roles found from
// then on are later than every promise, whichever process gave it, and plans follow the clock.
func TestServersClockIsSetBack(t *testing.T) {
	t.Parallel()
	address := storagetest.PostgresURL(t)
	one, other := open(t, address, storage.Options{}), open(t, address, storage.Options{})
	account, board, claim := tracked(t, one, "northwind")
	stamps := make(chan time.Time, 2)
	require.NoError(t, one.SaveCheck(t.Context(), claim, found("Cook", stamps)))
	first := <-stamps
	promised := time.Time{}
	for range 3 {
		for _, s := range []*storage.Store{one, other} {
			page, err := s.Jobs(t.Context(), account.ID, track.JobFilter{Limit: 10})
			require.NoError(t, err)
			if page.PolledAt.After(promised) {
				promised = page.PolledAt
			}
		}
		<-time.After(20 * time.Millisecond)
	}
	require.False(t, promised.Before(first))

	db := raw(t, address)
	setClock(t, db, -time.Hour)
	third := open(t, address, storage.Options{})
	_, err := db.ExecContext(t.Context(), "UPDATE boards SET next_check_at = 1 WHERE id = $1", board.ID)
	require.NoError(t, err)
	claims, err := third.ClaimDue(t.Context(), 1, time.Minute, boardwatch.ClaimFilter{})
	require.NoError(t, err)
	require.Len(t, claims, 1)
	require.NoError(t, third.SaveCheck(t.Context(), claims[0], found("Baker", stamps)))
	require.True(t, (<-stamps).After(promised))
	for _, s := range []*storage.Store{one, other, third} {
		news, err := s.Jobs(t.Context(), account.ID, track.JobFilter{AddedAfter: promised, Limit: 10})
		require.NoError(t, err)
		require.Len(t, news.Jobs, 1)
		require.Equal(t, "Baker", news.Jobs[0].Title)
	}
	now, err := third.Now(t.Context())
	require.NoError(t, err)
	b, err := third.Board(t.Context(), board.ID)
	require.NoError(t, err)
	require.LessOrEqual(t, b.NextCheckAt.Sub(now), b.Cadence, "it does not wait for the clock to catch up")
}

// TestLeaseFromBeforeTheClockWasSetBack shows that an old lease does not hold a board for as long as the clock was set
// back.
func TestLeaseFromBeforeTheClockWasSetBack(t *testing.T) {
	t.Parallel()
	address := storagetest.PostgresURL(t)
	s := open(t, address, storage.Options{})
	_, board, _ := tracked(t, s, "northwind")
	setClock(t, raw(t, address), -2*time.Hour)
	claims, err := s.ClaimDue(t.Context(), 10, time.Minute, boardwatch.ClaimFilter{})
	require.NoError(t, err)
	require.Len(t, claims, 1)
	require.Equal(t, board.ID, claims[0].Board.ID)
}

// setClock moves the clock that the database's functions read.
func setClock(t *testing.T, db *sql.DB, off time.Duration) {
	t.Helper()
	_, err := db.ExecContext(t.Context(), `CREATE OR REPLACE FUNCTION boardwatch_now() RETURNS BIGINT LANGUAGE SQL VOLATILE AS $$
		SELECT floor(extract(epoch FROM clock_timestamp() + interval '`+off.String()+`') * 1000)::BIGINT
	$$`)
	require.NoError(t, err)
}
