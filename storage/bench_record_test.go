package storage_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// BenchmarkRecord checks boards and asks what pages ask when every role has changed ten times before. A fifth of the roles are
// open, 100 on each board. BENCH_JOBS says how many roles there are.
func BenchmarkRecord(b *testing.B) {
	const open, changes = 100, 10
	sizes := crowds(b)
	jobs := sizes[len(sizes)-1]
	boards := jobs / (5 * open)
	for name, database := range map[string]func(testing.TB) storagetest.Database{
		"sqlite": storagetest.SQLite, "postgres": storagetest.Postgres,
	} {
		b.Run(name+"/of "+strconv.Itoa(jobs), func(b *testing.B) {
			s := database(b)(b, storage.Options{Plans: boardwatch.Plans{
				boardwatch.PlanUltra: {Boards: 1 << 20, Cadence: time.Millisecond},
			}})
			account := fill(b, s, boards, open)
			retire(b, s, 4*open)
			record(b, s, changes)
			for page, ask := range map[string]func() error{
				"changes": func() error { _, err := s.Changes(b.Context(), account, boardwatch.ChangeFilter{}); return err },
				"roles":   func() error { _, err := s.Jobs(b.Context(), account, boardwatch.JobFilter{}); return err },
				"role":    func() error { return askRole(b, s, account) },
			} {
				b.Run(page, func(b *testing.B) {
					for b.Loop() {
						require.NoError(b, ask())
					}
				})
			}
			b.Run("check", func(b *testing.B) {
				reportCPU(b)
				from := 0
				for i := 0; i < b.N; {
					claims, err := s.ClaimDue(b.Context(), min(20, b.N-i), time.Minute, boardwatch.ClaimFilter{})
					require.NoError(b, err)
					from += 2
					for _, c := range claims {
						saveReading(b, s, c, from, open)
						i++
					}
				}
			})
		})
	}
}

// record gives every role so many changes, by 500 checks of its board.
func record(b *testing.B, s *storage.Store, changes int) {
	b.Helper()
	const numbers = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < %d) "
	require.NoError(b, s.Write(b.Context(),
		fmt.Sprintf(numbers+`INSERT INTO checks (id, board_id, at, health, reason, blocked_by, open_jobs, found, closed, updated, requests)
			SELECT b.id || '-' || i, b.id, 1650000000000 + i * CAST(3600000 AS BIGINT), 'ok', '', '', 100, 0, 0, 10, 1 FROM boards AS b, n`, 500),
		fmt.Sprintf(numbers+`INSERT INTO changes (board_id, check_id, job_id, kind, at, details)
			SELECT j.board_id, j.board_id || '-' || (j.seq + i * 37) %% 500, j.id, 'updated',
				1650000000000 + (j.seq + i * 37) %% 500 * CAST(3600000 AS BIGINT),
				'{"fields":[{"field":"title","from":"Engineer ' || i || '","to":"Engineer ' || (i + 1) || '"}]}'
			FROM jobs AS j, n`, changes),
		"UPDATE subscriptions SET since = 0",
	))
}

// askRole asks what the page of a role asks.
func askRole(b *testing.B, s *storage.Store, account string) error {
	b.Helper()
	page, err := s.Jobs(b.Context(), account, boardwatch.JobFilter{Limit: 1})
	if err != nil {
		return err
	}
	job, err := s.Job(b.Context(), account, page.Jobs[0].ID)
	if err != nil {
		return err
	}
	events, err := s.RoleEvents(b.Context(), []string{job.ID}, time.Time{}, boardwatch.MaxRoleEvents)
	require.NotEmpty(b, events[job.ID])
	return err
}
