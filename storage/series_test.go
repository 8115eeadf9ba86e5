package storage_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
)

func TestSeriesLeavesOutWhatWasOpenOnABoardThatMerged(t *testing.T) {
	t.Parallel()
	for kind, database := range kinds() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := database(t)(t, storage.Options{})
			a := account.Account{ID: boardwatch.NewID(), Email: "robin@northwind.example", Plan: account.PlanUltra}
			require.NoError(t, s.CreateAccount(t.Context(), a))
			b, _, err := s.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID},
				boardwatch.Board{Source: "lever:northwind", URL: "https://jobs.lever.example/northwind"}, "")
			require.NoError(t, err)
			monday := time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)
			check := func(at time.Time, open int, merged bool) {
				require.NoError(t, s.Write(t.Context(), fmt.Sprintf(`INSERT INTO checks (id, board_id, at, health, reason, blocked_by,
					open_jobs, found, closed, updated, requests, merged) VALUES ('%s', '%s', %d, 'ok', '', '', %d, 1, 0, 0, 1, %t)`,
					boardwatch.NewID(), b.ID, at.UnixMilli(), open, merged)))
			}
			check(monday, 5, false)
			check(monday, 7, true)
			check(monday.Add(time.Hour), 9, true)
			check(monday.AddDate(0, 0, 1), 8, true)
			check(monday.AddDate(0, 0, 2), 6, false)
			day := monday.Truncate(24 * time.Hour)
			want := []track.Point{{Day: day, Open: 5}, {Day: day.AddDate(0, 0, 2), Open: 6}}
			for _, since := range []time.Time{day, day.AddDate(0, 0, 2)} {
				series, err := s.Series(t.Context(), a.ID, b.ID, since)
				require.NoError(t, err)
				require.Equal(t, want, series[b.ID])
			}
		})
	}
}
