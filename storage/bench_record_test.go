package storage_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// BenchmarkRecord runs the queries of the pages and of list_updates for an account with 200 boards, and checks boards,
// when every role has already changed ten times. BENCH_JOBS says how many roles there are, on boards of 100.
func BenchmarkRecord(b *testing.B) {
	const changes, checks = 10, 50
	jobs := mostJobs(b)
	for name, database := range map[string]func(testing.TB) storagetest.Database{
		"sqlite": storagetest.SQLite, postgresName: storagetest.Postgres,
	} {
		b.Run(name+"/of "+strconv.Itoa(jobs), func(b *testing.B) {
			s := database(b)(b, storage.Options{Plans: account.Plans{
				account.PlanUltra: {Boards: 1 << 20, Cadence: time.Millisecond},
			}})
			c := newCrowd(b, s, name == postgresName, jobs)
			fill(b, s, checkedAtOnce, perBoard)
			c.record(b, changes, checks)
			c.analyze(b)
			r := newReader(b, s, c.account(b, min(200, c.boards/2)))
			pages := r.pages()
			for _, page := range slices.Sorted(maps.Keys(pages)) {
				b.Run(page, func(b *testing.B) {
					reportCPU(b)
					for b.Loop() {
						require.NoError(b, pages[page](b.Context()))
					}
				})
			}
			b.Run("check of ten changes", func(b *testing.B) { checkChanging(b, s, perBoard) })
		})
	}
}

// checkedAtOnce is the number of boards in checkChanging.
const checkedAtOnce = 20

// checkChanging saves checks of the boards that are due, each of which finds five roles and closes five others.
func checkChanging(b *testing.B, s *storage.Store, open int) {
	b.Helper()
	reportCPU(b)
	from := map[string]int{}
	for i := 0; i < b.N; {
		claims, err := s.ClaimDue(b.Context(), min(checkedAtOnce, b.N-i), time.Minute, boardwatch.ClaimFilter{})
		require.NoError(b, err)
		for _, c := range claims {
			from[c.Board.ID] += 5
			saveReading(b, s, c, from[c.Board.ID], open)
			i++
		}
	}
}

// record closes a tenth of all roles and gives every role that many changes, spread over as many checks of its board in
// the last ninety days.
func (c *crowd) record(tb testing.TB, changes, checks int) {
	tb.Helper()
	now, err := c.Now(tb.Context())
	require.NoError(tb, err)
	began, step := now.AddDate(0, 0, -90).UnixMilli(), 90*24*time.Hour.Milliseconds()/int64(checks)
	at := func(n string) string { return fmt.Sprintf("%d + %s * CAST(%d AS BIGINT)", began, n, step) }
	c.write(tb,
		fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < %d)
			INSERT INTO checks (id, board_id, at, health, reason, blocked_by, open_jobs, found, closed, updated, requests)
			SELECT b.id || '-' || i, b.id, %s, 'ok', '', '', 100, 0, 0, 10, 1 FROM boards AS b, n`, checks, at("i")),
		fmt.Sprintf("UPDATE jobs SET status = 1, closed_at = %d WHERE seq %% 10 = 0", now.Add(-time.Hour).UnixMilli()),
		"UPDATE boards SET open_jobs = open_jobs - 10, closed_jobs = closed_jobs + 10",
		"UPDATE subscriptions SET since = 0",
	)
	for i := range changes { // one at a time: a single transaction would need disk space for all of them beside the database
		check := fmt.Sprintf("((j.seq + %d) %% %d)", i*37, checks)
		c.write(tb, fmt.Sprintf(`INSERT INTO changes (board_id, check_id, job_id, kind, at, details)
			SELECT j.board_id, j.board_id || '-' || %s, j.id, 'updated', %s,
				'{"fields":[{"field":"title","from":"Engineer %d","to":"Engineer %d"}]}' FROM jobs AS j`, check, at(check), i, i+1))
	}
}
