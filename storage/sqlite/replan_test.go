package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// TestWorkPlannedBeforeTheClockWasSetBack shows that such work does not wait until the clock has caught up.
func TestWorkPlannedBeforeTheClockWasSetBack(t *testing.T) {
	t.Parallel()
	for name, restart := range map[string]bool{"while the process runs": false, "between two processes": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "boardwatch.db")
			m := &machine{off: 50 * time.Hour}
			o := storage.Options{Now: m.now, SealKey: []byte(storagetest.SealKey)}
			s := open(t, path, o)
			b, claim := tracked(t, s)
			accounts, err := s.Accounts(t.Context())
			require.NoError(t, err)
			hook := boardwatch.Webhook{
				ID: boardwatch.NewID(), AccountID: accounts[0].ID, URL: "https://hooks.example/", Events: []boardwatch.EventType{boardwatch.EventJobFound},
				Secret: account.NewWebhookSecret(), CreatedAt: m.now(),
			}
			require.NoError(t, s.CreateWebhook(t.Context(), hook, boardwatch.MaxWebhooks))
			save(t, s, claim, "Cook")

			m.set(0)
			if restart {
				require.NoError(t, s.Close())
				s = open(t, path, o)
			}
			soon := func() bool {
				_, err := s.ClaimDue(t.Context(), 1, time.Minute, boardwatch.ClaimFilter{})
				require.NoError(t, err)
				board, err := s.Board(t.Context(), b.ID)
				require.NoError(t, err)
				return board.NextCheckAt.Sub(m.now()) <= board.Cadence
			}
			require.Eventually(t, soon, 5*time.Second, 50*time.Millisecond)
			claims, err := s.ClaimWebhooks(t.Context(), 1, time.Minute)
			require.NoError(t, err)
			require.Len(t, claims, 1, "the pending delivery is due")

			board, err := s.Board(t.Context(), b.ID)
			require.NoError(t, err)
			planned := board.NextCheckAt
			<-time.After(1100 * time.Millisecond) // until the clock is looked at again
			require.True(t, soon())
			board, err = s.Board(t.Context(), b.ID)
			require.NoError(t, err)
			require.Equal(t, planned, board.NextCheckAt, "it is planned again only once")
		})
	}
}
