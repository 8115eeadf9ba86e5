package storage_test

import (
	"database/sql"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// benchJobsEnv names the variable that says how many jobs the largest database of BenchmarkJobs has.
const benchJobsEnv = "BENCH_JOBS"

// BenchmarkJobs lists one account's jobs while the jobs of other accounts grow in number: 10,000 in all, 100,000 and,
// with BENCH_JOBS=1000000, a million. Each question is also asked in bare SQL, in turns, so that both run under the
// same load: times-bare is the store's median divided by that of bare SQL.
func BenchmarkJobs(b *testing.B) {
	for _, total := range crowds(b) {
		for name, database := range map[string]func(testing.TB) storagetest.Database{
			"sqlite": storagetest.SQLite, "postgres": storagetest.Postgres,
		} {
			b.Run(name+"/of "+strconv.Itoa(total), func(b *testing.B) {
				c := newCrowd(b, database(b)(b, storage.Options{}), name == postgresName, total)
				for _, boards := range []int{50, 200} {
					if boards <= total/perBoard {
						a := c.account(b, boards)
						b.Run(strconv.Itoa(boards)+" boards", func(b *testing.B) { c.questions(b, a) })
					}
				}
			})
		}
	}
}

// crowds lists the sizes of the databases, in jobs.
func crowds(b *testing.B) []int {
	b.Helper()
	var sizes []int
	for n, most := 10_000, mostJobs(b); n <= most; n *= 10 {
		sizes = append(sizes, n)
	}
	return sizes
}

// mostJobs is how many jobs the largest database has.
func mostJobs(b *testing.B) int {
	b.Helper()
	v := os.Getenv(benchJobsEnv)
	if v == "" {
		return 100_000
	}
	most, err := strconv.Atoi(v)
	require.NoError(b, err, benchJobsEnv)
	return most
}

// crowd is the size of a database with many accounts and their jobs.
type crowd struct {
	*storage.Store
	postgres bool
	boards   int
}

// postgresName is what benchmarks call PostgreSQL.
const postgresName = "postgres"

// perBoard is how many open jobs each board of a crowd has.
const perBoard = 100

func newCrowd(tb testing.TB, s *storage.Store, postgres bool, jobs int) *crowd {
	tb.Helper()
	c := &crowd{Store: s, postgres: postgres, boards: jobs / perBoard}
	// Numbers up to N, in any database; the factor scatters the ids made from them.
	numbers := "WITH RECURSIVE n (i) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < %d) "
	each := min(200, c.boards/2) // boards of each other account
	c.write(tb,
		fmt.Sprintf(numbers+`INSERT INTO boards (id, source, system, url, company, status, added_at, open_jobs, last_success_at)
			SELECT %s, 'lever:' || i, 'lever', 'https://northwind.example/', 'Northwind', 'ready', 1, %d, 1700000000000 FROM n`,
			c.boards, c.id("i"), perBoard),
		fmt.Sprintf(numbers+`INSERT INTO jobs (id, board_id, job_key, title, title_fold, location, location_fold, department, url,
			status, misses, first_seen_at)
			SELECT %s, %s, CAST(i AS TEXT), t || i, lower(t || i), 'Berlin, Germany', 'berlin, germany', 'Platform',
				'https://northwind.example/jobs/' || i, 0, 0, 1700000000000 + i * 7919 %% 9999991 * 1000
			FROM (SELECT i, CASE i %% 4 WHEN 0 THEN 'Senior Software Engineer ' ELSE 'Regional Account Manager ' END AS t FROM n) AS j`,
			jobs, c.id("i"), c.id("i / 100")),
		fmt.Sprintf(numbers+`INSERT INTO accounts (id, email, plan, created_at) SELECT %s, CAST(i AS TEXT), 'ultra', 1 FROM n`,
			jobs/2000, c.id("i")),
		fmt.Sprintf(numbers+`INSERT INTO subscriptions (account_id, board_id, locked, added_at) SELECT %s, %s, FALSE, 1 FROM n`,
			jobs/2000*each, c.id(fmt.Sprintf("i / %d", each)), c.id(fmt.Sprintf("(i / %d * 37 + i %% %[1]d) %% %d", each, c.boards))),
	)
	c.analyze(tb)
	return c
}

// write runs statements in one transaction, however long they take.
func (c *crowd) write(tb testing.TB, texts ...string) {
	tb.Helper()
	if c.postgres {
		texts = append([]string{"SET LOCAL statement_timeout = 0"}, texts...)
	}
	require.NoError(tb, c.Write(tb.Context(), texts...))
}

// id returns the SQL expression that turns a number into an id.
func (c *crowd) id(number string) string {
	number = "((" + number + ") * 2654435761) % 4294967296"
	if c.postgres {
		return "lpad(to_hex(" + number + "), 24, '0')"
	}
	return "printf('%024x', " + number + ")"
}

func (c *crowd) analyze(tb testing.TB) {
	tb.Helper()
	if c.postgres {
		require.NoError(tb, c.Exec(tb.Context(), "VACUUM ANALYZE jobs, boards, subscriptions, checks, changes"))
	}
}

// account tracks a number of boards from all over the table.
func (c *crowd) account(tb testing.TB, boards int) string {
	tb.Helper()
	a := account.Account{ID: boardwatch.NewID(), Email: boardwatch.NewID() + "@northwind.example", Plan: account.PlanUltra}
	require.NoError(tb, c.CreateAccount(tb.Context(), a))
	require.NoError(tb, c.Write(tb.Context(), fmt.Sprintf(`INSERT INTO subscriptions (account_id, board_id, locked, added_at)
		SELECT '%s', id, FALSE, 1 FROM (SELECT id, row_number() OVER (ORDER BY source) AS n FROM boards) AS b WHERE n %% %d = 0`,
		a.ID, c.boards/boards)))
	return a.ID
}

func (c *crowd) questions(b *testing.B, account string) {
	b.Helper()
	for name, f := range map[string]track.JobFilter{
		"first page":  {Status: boardwatch.JobOpen},
		"common word": {Status: boardwatch.JobOpen, Search: "engineer"},
		"rare word":   {Status: boardwatch.JobOpen, Search: "engineer 77"},
		"deep":        {Status: boardwatch.JobOpen, Skip: 15_000},
		"new":         {Status: boardwatch.JobOpen, AddedAfter: time.UnixMilli(1_709_990_000_000)},
	} {
		b.Run(name, func(b *testing.B) { c.compare(b, account, f) })
	}
	b.Run("count of boards", func(b *testing.B) {
		for b.Loop() {
			_, _, err := c.Places(b.Context(), account)
			require.NoError(b, err)
		}
	})
	b.Run("boards", func(b *testing.B) {
		for b.Loop() {
			_, err := c.Tracked(b.Context(), account, "")
			require.NoError(b, err)
		}
	})
}

// compare asks the store and bare SQL alternately.
func (c *crowd) compare(b *testing.B, account string, f track.JobFilter) {
	b.Helper()
	q := c.bare(b, account, f)
	var ours, bare []time.Duration
	for b.Loop() {
		start := time.Now()
		page, err := c.Jobs(b.Context(), account, f)
		require.NoError(b, err)
		middle := time.Now()
		rows, total := q.ask(b)
		bare = append(bare, time.Since(middle))
		ours = append(ours, middle.Sub(start))
		require.Len(b, page.Jobs, rows)
		require.Equal(b, total, page.Total)
	}
	mine, theirs := median(ours), median(bare)
	b.ReportMetric(float64(mine.Microseconds())/1000, "ms-median")
	b.ReportMetric(float64(theirs.Microseconds())/1000, "ms-bare")
	b.ReportMetric(float64(mine)/float64(theirs), "times-bare")
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// bareQuery is the question in SQL as someone who knows the tables would write it by hand.
type bareQuery struct {
	list, total *sql.Stmt
	account     string
	filter      track.JobFilter
	word        bool
}

func (c *crowd) bare(b *testing.B, account string, f track.JobFilter) bareQuery {
	b.Helper()
	boards, position := "board_id IN (SELECT board_id FROM subscriptions WHERE account_id = $1 AND NOT locked)", "instr"
	if c.postgres {
		boards, position = "board_id = ANY (ARRAY(SELECT board_id FROM subscriptions WHERE account_id = $1 AND NOT locked))", "strpos"
	}
	where := boards + " AND status = 0"
	total := "SELECT sum(b.open_jobs) FROM subscriptions AS s JOIN boards AS b ON b.id = s.board_id WHERE s.account_id = $1 AND NOT s.locked"
	q := bareQuery{account: account, filter: f, word: f.Search != ""}
	if q.word {
		where += " AND " + position + "(title_fold, $2) > 0"
		total = "SELECT count(*) FROM jobs WHERE " + where
	}
	if !f.AddedAfter.IsZero() {
		where += " AND first_seen_at > " + strconv.FormatInt(f.AddedAfter.UnixMilli(), 10)
		total = "SELECT count(*) FROM jobs WHERE " + where
	}
	list := fmt.Sprintf(`SELECT id, board_id, title, location, department, url, status, first_seen_at, last_seen_at, closed_at
		FROM jobs WHERE id IN (SELECT id FROM jobs WHERE %s ORDER BY first_seen_at DESC, id DESC LIMIT 50 OFFSET %d)
		ORDER BY first_seen_at DESC, id DESC`, where, f.Skip)
	prepare := func(text string) *sql.Stmt {
		s, err := c.SQL().PrepareContext(b.Context(), text)
		require.NoError(b, err)
		b.Cleanup(func() { _ = s.Close() })
		return s
	}
	q.list, q.total = prepare(list), prepare(total)
	return q
}

func (q bareQuery) ask(b *testing.B) (n int, total int64) {
	b.Helper()
	args := []any{q.account}
	if q.word {
		args = append(args, q.filter.Search)
	}
	require.NoError(b, q.total.QueryRowContext(b.Context(), args...).Scan(&total))
	rows, err := q.list.QueryContext(b.Context(), args...)
	require.NoError(b, err)
	defer rows.Close()
	for ; rows.Next(); n++ {
		var id, board, title, location, department, url string
		var status int
		var first int64
		var last, closed sql.NullInt64
		require.NoError(b, rows.Scan(&id, &board, &title, &location, &department, &url, &status, &first, &last, &closed))
	}
	require.NoError(b, rows.Err())
	return n, total
}
