package postgres_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// TestWorkPlannedBeforeTheClockWasSetBack shows that such work does not wait until the server's clock has caught up.
func TestWorkPlannedBeforeTheClockWasSetBack(t *testing.T) {
	t.Parallel()
	address := storagetest.PostgresURL(t)
	s := open(t, address, storage.Options{})
	_, board, claim := tracked(t, s, "northwind")
	stamps := make(chan time.Time, 1)
	db := raw(t, address)
	setClock(t, db, 50*time.Hour)
	require.NoError(t, s.SaveCheck(t.Context(), claim, found("Cook", stamps)))
	b, err := s.Board(t.Context(), board.ID)
	require.NoError(t, err)
	require.Greater(t, time.Until(b.NextCheckAt), 48*time.Hour)

	setClock(t, db, 0)
	later := open(t, address, storage.Options{})
	_, err = later.ClaimDue(t.Context(), 1, time.Minute, boardwatch.ClaimFilter{})
	require.NoError(t, err)
	b, err = later.Board(t.Context(), board.ID)
	require.NoError(t, err)
	require.LessOrEqual(t, time.Until(b.NextCheckAt), b.Cadence)
}
