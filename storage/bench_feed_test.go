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
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// BenchmarkFeed runs the queries of the app's pages for an account with 500 boards, each of which has changed every day
// for ninety days: 45,000 checks.
func BenchmarkFeed(b *testing.B) {
	const boards, days = 500, 90
	for name, database := range map[string]func(testing.TB) storagetest.Database{
		"sqlite": storagetest.SQLite, "postgres": storagetest.Postgres,
	} {
		b.Run(name, func(b *testing.B) {
			s := database(b)(b, storage.Options{})
			a := account.Account{ID: boardwatch.NewID(), Email: "robin@northwind.example", Plan: account.PlanUltra, Verified: true}
			require.NoError(b, s.CreateAccount(b.Context(), a))
			var id string
			for i := range boards {
				board, _, err := s.Subscribe(b.Context(), boardwatch.Subscription{AccountID: a.ID},
					boardwatch.Board{Source: fmt.Sprintf("lever:company%d", i), URL: "https://northwind.example/"}, "")
				require.NoError(b, err)
				id = board.ID
			}
			now, err := s.Now(b.Context())
			require.NoError(b, err)
			require.NoError(b, s.Write(b.Context(), fmt.Sprintf(`WITH RECURSIVE days (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM days WHERE n < %d)
				INSERT INTO checks (id, board_id, at, health, reason, blocked_by, open_jobs, found, closed, updated, requests)
				SELECT b.id || '-' || n, b.id, %d - CAST(n AS BIGINT) * 86400000, 'ok', '', '', 100 + n, 1, 0, 0, 1 FROM boards AS b, days`,
				days, now.UnixMilli())))
			month := now.Add(-30 * 24 * time.Hour)
			for question, ask := range map[string]func() error{
				"series":    func() error { _, err := s.Series(b.Context(), a.ID, "", month); return err },
				"one board": func() error { _, err := s.Series(b.Context(), a.ID, id, now.Add(-90*24*time.Hour)); return err },
				"activity":  func() error { _, err := s.Activity(b.Context(), a.ID, now.Add(-25*time.Hour)); return err },
				"changes":   func() error { _, err := s.Changes(b.Context(), a.ID, track.ChangeFilter{}); return err },
				"figures":   func() error { _, err := s.Figures(b.Context()); return err },
			} {
				b.Run(question, func(b *testing.B) {
					for b.Loop() {
						require.NoError(b, ask())
					}
				})
			}
		})
	}
}
