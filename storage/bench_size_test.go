package storage_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// BenchmarkSize measures the size of a database per million jobs. Their texts have a usual length: title, place,
// department and address are about 90 bytes together.
func BenchmarkSize(b *testing.B) {
	sizes := crowds(b)
	jobs := sizes[len(sizes)-1]
	for name, database := range map[string]func(testing.TB) storagetest.Database{
		"sqlite": storagetest.SQLite, "postgres": storagetest.Postgres,
	} {
		b.Run(name+"/of "+strconv.Itoa(jobs), func(b *testing.B) {
			c := newCrowd(b, database(b)(b, storage.Options{}), name == postgresName, jobs)
			query := "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
			if c.postgres {
				query = "SELECT pg_database_size(current_database())"
			}
			var bytes int64
			for b.Loop() {
				require.NoError(b, c.SQL().QueryRowContext(b.Context(), query).Scan(&bytes))
			}
			b.ReportMetric(float64(bytes)/1e6, "MB")
			b.ReportMetric(float64(bytes)/float64(jobs), "MB/1M-jobs")
		})
	}
}

// BenchmarkHistory saves checks of boards with 100 open roles, on which two are new and two have gone. Before that the
// boards have closed none, a thousand or ten thousand roles.
func BenchmarkHistory(b *testing.B) {
	const boards, open = 20, 100
	for name, database := range map[string]func(testing.TB) storagetest.Database{
		"sqlite": storagetest.SQLite, "postgres": storagetest.Postgres,
	} {
		for _, closed := range []int{0, 1000, 10_000} {
			b.Run(fmt.Sprintf("%s/after %d", name, closed), func(b *testing.B) {
				s := database(b)(b, storage.Options{Plans: account.Plans{
					account.PlanUltra: {Boards: 1 << 20, Cadence: time.Millisecond},
				}})
				fill(b, s, boards, open)
				if closed > 0 {
					retire(b, s, closed)
				}
				reportCPU(b)
				b.ResetTimer()
				for i := 0; i < b.N; {
					claims, err := s.ClaimDue(b.Context(), boards, time.Minute, boardwatch.ClaimFilter{})
					require.NoError(b, err)
					for _, c := range claims {
						saveReading(b, s, c, i/boards*2, open)
						i++
					}
				}
			})
		}
	}
}

// retire adds a number of roles to every board that were closed long ago.
func retire(b *testing.B, s *storage.Store, closed int) {
	b.Helper()
	require.NoError(b, s.Write(b.Context(), fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		INSERT INTO jobs (id, board_id, job_key, title, title_fold, location, location_fold, department, url, status, misses,
			first_seen_at, last_seen_at, closed_at)
		SELECT b.id || '-' || i, b.id, 'old' || i, 'Engineer ' || i, 'engineer ' || i, 'Berlin', 'berlin', 'Platform',
			'https://northwind.example/jobs/old' || i, 1, 3, 1600000000000 + i, 1600000000000 + i, 1600000000000 + i
		FROM boards AS b, n`, closed), fmt.Sprintf("UPDATE boards SET closed_jobs = closed_jobs + %d", closed)))
}
