package postgres_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/postgres"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

const (
	// manyEnv names the variable that says how many boards the largest database of BenchmarkMany has.
	manyEnv = "BENCH_MANY"
	// manyRoles is how many open roles each board has; BENCH_MANY_ROLES says otherwise.
	manyRoles = 10
)

// BenchmarkMany asks what people and workers ask most, of a database with a tenth of BENCH_MANY boards and of one with all of
// them, and says which indexes answer it: neither may become slower. Without BENCH_MANY it does nothing, because a million
// boards take a quarter of an hour to make and 8 GB; with less than 200,000 it runs out of due boards.
func BenchmarkMany(b *testing.B) {
	most := fromEnv(b, manyEnv, 0)
	if most == 0 {
		b.Skip(manyEnv + " does not say how many boards to make")
	}
	roles := fromEnv(b, "BENCH_MANY_ROLES", manyRoles)
	for _, boards := range []int{most / 10, most} {
		b.Run(fmt.Sprintf("%d_boards", boards), func(b *testing.B) {
			m := newMany(b, boards, roles)
			for _, q := range m.questions() {
				m.measure(b, q)
			}
			m.report(b)
		})
	}
}

func fromEnv(b *testing.B, name string, otherwise int) int {
	b.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	require.NoError(b, err, name)
	return n
}

// many is a database with many boards.
type many struct {
	*storage.Store

	db      *sql.DB
	asked   *storagetest.Asked
	account string // with 200 boards of all ages
	board   string // one of them
	role    string // of that board
	now     time.Time
	next    int // number of the next role that a check finds
}

// question is something that is asked often.
type question struct {
	name string
	ask  func(ctx context.Context) error
}

func newMany(b *testing.B, boards, roles int) *many {
	b.Helper()
	address := storagetest.PostgresURL(b)
	m := &many{asked: &storagetest.Asked{}}
	tell := func(text string, args []any) { m.asked.Note(text, args) }
	s, err := postgres.OpenTelling(b.Context(), address, storage.Options{
		SealKey: []byte(storagetest.SealKey),
		Plans:   account.Plans{account.PlanUltra: {Boards: 1 << 20, Cadence: time.Hour, Webhooks: true}},
	}, tell)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, s.Close()) })
	m.Store = s
	m.db, err = sql.Open("pgx", address+"&random_page_cost=1.1&synchronous_commit=off&session_replication_role=replica")
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, m.db.Close()) })
	begun := time.Now()
	m.fill(b, boards, roles)
	m.now, err = s.Now(b.Context())
	require.NoError(b, err)
	require.NoError(b, m.claim(b.Context()), "the first claim of a process also looks whether its clock was set back")
	*m.asked = storagetest.Asked{}
	var bytes int64
	require.NoError(b, m.db.QueryRowContext(b.Context(), "SELECT pg_database_size(current_database())").Scan(&bytes))
	b.Logf("%d boards, %d roles: %d MB, filled in %s", boards, boards*roles, bytes/1e6, time.Since(begun).Round(time.Second))
	return m
}

// fillAtOnce is how many boards one statement makes, with all that belongs to them.
const fillAtOnce = 20_000

// fill makes boards whose checks are spread over an hour, one in a hundred of them due; their open roles, each with the change
// that it was found; four checks of each in the last ninety days; an account for each hundred boards, which tracks a hundred;
// and a settled delivery for each board, one in a hundred of them due.
func (m *many) fill(b *testing.B, boards, roles int) {
	b.Helper()
	const now = "(extract(epoch FROM now()) * 1000)::BIGINT"
	const day = 24 * 60 * 60 * 1000
	id := func(n string) string { return "lpad(to_hex(" + n + "), 24, '0')" }
	for from := 0; from < boards; from += fillAtOnce {
		to := min(boards, from+fillAtOnce) - 1
		of := func(each int) string {
			return fmt.Sprintf("generate_series(%d::BIGINT, %d) AS i", from*each, (to+1)*each-1)
		}
		for _, text := range []string{
			fmt.Sprintf(`INSERT INTO boards (id, source, system, url, company, status, added_at, open_jobs, cadence_ms, next_check_at,
					health, last_checked_at, last_success_at, fingerprint)
				SELECT %s, 'greenhouse:company' || i, 'greenhouse', 'https://boards.greenhouse.example/company' || i, 'Company ' || i,
					'ready', 1, %d, 3600000, %s + (i %% 100) * 36000 - 18000, 'ok', %[3]s - 3600000, %[3]s - 3600000, 'none' FROM %s`,
				id("i"), roles, now, of(1)),
			fmt.Sprintf(`INSERT INTO jobs (id, board_id, job_key, title, title_fold, location, location_fold, department, url, status,
					misses, first_seen_at)
				SELECT %s, %s, i::TEXT, t || i, lower(t || i), 'Berlin, Germany', 'berlin, germany', 'Platform',
					'https://boards.greenhouse.example/jobs/' || i, 0, 0, %s - (i * 7919 %% 90) * %d - i %% 86400000
				FROM (SELECT i, CASE i %% 4 WHEN 0 THEN 'Senior Software Engineer ' ELSE 'Regional Account Manager ' END AS t FROM %s) AS j`,
				id("i"), id(fmt.Sprintf("i / %d", roles)), now, day, of(roles)),
			fmt.Sprintf(`INSERT INTO changes (board_id, check_id, job_id, kind, at)
				SELECT %s, %s, %s, 'found', %s - (i * 7919 %% 90) * %d - i %% 86400000 FROM %s`,
				id(fmt.Sprintf("i / %d", roles)), id(fmt.Sprintf("i / %d * 4", roles)), id("i"), now, day, of(roles)),
			fmt.Sprintf(`INSERT INTO checks (id, board_id, at, health, reason, blocked_by, open_jobs, found, closed, updated, requests)
				SELECT %s, %s, %s - (90 - i %% 4 * 25) * %d::BIGINT + i / 4, 'ok', '', '', %d, 1, 0, 0, 1 FROM %s`,
				id("i"), id("i / 4"), now, day, roles, of(4)),
			fmt.Sprintf(`INSERT INTO accounts (id, email, plan, created_at) SELECT %s, i || '@northwind.example', 'ultra', 1
				FROM generate_series(%d, %d) AS i`, id("i"), from/100, (to+1)/100-1),
			fmt.Sprintf(`INSERT INTO subscriptions (account_id, board_id, locked, added_at) SELECT %s, %s, FALSE, 1 FROM %s`,
				id("i / 100"), id("i"), of(1)),
			fmt.Sprintf(`INSERT INTO webhooks (id, account_id, url, events, secret, created_at)
				SELECT %s, %[1]s, 'https://receiver.example/', 'job.found', '', 1 FROM generate_series(%d, %d) AS i`,
				id("i"), from/100, (to+1)/100-1),
			fmt.Sprintf(`INSERT INTO payloads (id, type, board_id, created_at, tail) SELECT %s, 'job.found', %[1]s, %s - i %% 100 * %d, '{}' FROM %s`,
				id("i"), now, day, of(1)),
			fmt.Sprintf(`INSERT INTO deliveries (id, webhook_id, board_id, payload_id, type, state, created_at, last_attempt_at, next_attempt_at)
				SELECT %s, %s, %[1]s, %[1]s, 'job.found', CASE WHEN i %% 100 = 0 THEN 'pending' ELSE 'delivered' END, %[3]s - i %% 100 * %[4]d,
					%[3]s - i %% 100 * %[4]d, 0 FROM %[5]s`, id("i"), id("i / 100"), now, day, of(1)),
		} {
			_, err := m.db.ExecContext(b.Context(), text)
			require.NoError(b, err, text)
		}
	}
	m.account, m.board, m.role = boardwatch.NewID(), fmt.Sprintf("%024x", boards/200*100), fmt.Sprintf("%024x", boards/200*100*roles)
	for _, text := range []string{
		"INSERT INTO accounts (id, email, plan, verified, created_at) VALUES ('" + m.account + "', 'robin@northwind.example', 'ultra', TRUE, 1)",
		fmt.Sprintf("INSERT INTO subscriptions (account_id, board_id, locked, added_at) SELECT '%s', %s, FALSE, 1 FROM generate_series(0, 199) AS i",
			m.account, id(fmt.Sprintf("i * %d", boards/200))),
		"VACUUM ANALYZE",
	} {
		_, err := m.db.ExecContext(b.Context(), text)
		require.NoError(b, err, text)
	}
}

// questions are those of workers, and then those of people.
func (m *many) questions() []question {
	day := func() time.Time { return m.now.Add(-24 * time.Hour) }
	list := func(f track.JobFilter) func(context.Context) error {
		return func(ctx context.Context) error {
			f.Limit = 50
			_, err := m.Jobs(ctx, m.account, f)
			return err
		}
	}
	return []question{
		{"16 due boards claimed, and released one by one", m.claim},
		{"an unchanged check, with its claim", m.unchanged},
		{"a check that finds 2 roles and misses 2, with its claim", m.changed},
		{"16 webhooks claimed, with their due deliveries", m.webhooks},
		{"first page of listJobs, 200 boards", list(track.JobFilter{Status: boardwatch.JobOpen})},
		{"the same with a common word", list(track.JobFilter{Status: boardwatch.JobOpen, Search: "engineer"})},
		{"roles found within a day, 200 boards", func(ctx context.Context) error { return list(track.JobFilter{AddedAfter: day()})(ctx) }},
		{"roles closed within a day", func(ctx context.Context) error {
			_, err := m.ClosedJobs(ctx, m.account, track.ClosedFilter{After: day(), Limit: 50})
			return err
		}},
		{"roles changed within a day", func(ctx context.Context) error {
			_, err := m.ChangedJobs(ctx, m.account, track.ChangedFilter{After: day(), Limit: 50})
			return err
		}},
		{"boards of a list, with their names", func(ctx context.Context) error {
			_, err := m.Tracked(ctx, m.account, "")
			return err
		}},
		{"page of changes", func(ctx context.Context) error {
			_, err := m.Changes(ctx, m.account, track.ChangeFilter{})
			return err
		}},
		{"history of a board and of a role", func(ctx context.Context) error {
			if _, err := m.History(ctx, m.board, 20); err != nil {
				return err
			}
			_, err := m.RoleEvents(ctx, []string{m.role}, time.Time{}, track.MaxRoleEvents)
			return err
		}},
		{"a board that others track is added and removed", m.add},
	}
}

func (m *many) claim(ctx context.Context) error {
	claims, err := m.ClaimDue(ctx, 16, time.Minute, boardwatch.ClaimFilter{})
	if err != nil {
		return err
	}
	for _, c := range claims {
		if err := m.Release(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// one claims a board.
func (m *many) one(ctx context.Context) (boardwatch.Claim, error) {
	claims, err := m.ClaimDue(ctx, 1, time.Minute, boardwatch.ClaimFilter{})
	if err != nil || len(claims) == 0 {
		return boardwatch.Claim{}, fmt.Errorf("%d boards are due: %w", len(claims), err)
	}
	return claims[0], nil
}

func (m *many) unchanged(ctx context.Context) error {
	c, err := m.one(ctx)
	if err != nil {
		return err
	}
	outcome := make(chan error, 1)
	m.SaveUnchanged(ctx, c, "none", m.now.Add(time.Hour), func(err error) { outcome <- err })
	return <-outcome
}

// changed misses the two roles that the board lists first, and finds two.
func (m *many) changed(ctx context.Context) error {
	c, err := m.one(ctx)
	if err != nil {
		return err
	}
	c.Listed = []string{}
	return m.SaveCheck(ctx, c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
		r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Fingerprint: "none"}
		for _, j := range in.Known[min(2, len(in.Known)):] {
			r.Postings = append(r.Postings, posting(j.Key, j.Title))
		}
		for range 2 {
			m.next++
			key := "new" + strconv.Itoa(m.next)
			r.Postings = append(r.Postings, posting(key, "Engineer "+key))
		}
		return boardwatch.Decide(in, r, false, boardwatch.Rules{CloseAfter: 2}, boardwatch.NewID)
	})
}

func posting(key, title string) boardwatch.Posting {
	return boardwatch.Posting{Key: key, Title: title, Location: "Berlin, Germany", Department: "Platform", URL: "https://boards.greenhouse.example/jobs/" + key}
}

func (m *many) webhooks(ctx context.Context) error {
	claims, err := m.ClaimWebhooks(ctx, 16, time.Minute)
	if err != nil {
		return err
	}
	for _, c := range claims {
		if _, _, err := m.DueDeliveries(ctx, c.Webhook.ID, m.now, nil, 16, 1<<20); err != nil {
			return err
		}
	}
	return m.ReleaseWebhooks(ctx, claims)
}

func (m *many) add(ctx context.Context) error {
	b, _, err := m.Subscribe(ctx, boardwatch.Subscription{AccountID: m.account},
		boardwatch.Board{Source: "greenhouse:company7", URL: "https://boards.greenhouse.example/company7"}, "https://company7.example/")
	if err != nil {
		return err
	}
	return m.Unsubscribe(ctx, m.account, b.ID)
}

// measure tells the median and the fastest, which a busy machine disturbs least, and how the database answers.
func (m *many) measure(b *testing.B, q question) {
	b.Helper()
	b.Run(strings.ReplaceAll(q.name, " ", "_"), func(b *testing.B) {
		require.NoError(b, q.ask(b.Context()))
		var took []time.Duration
		for b.Loop() {
			begun := time.Now()
			require.NoError(b, q.ask(b.Context()))
			took = append(took, time.Since(begun))
		}
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
		b.ReportMetric(float64(took[0].Microseconds())/1000, "ms-fastest")
	})
	b.Logf("%s: %s", q.name, strings.Join(storagetest.PostgresIndexes(b, m.db, m.asked), ", "))
	*m.asked = storagetest.Asked{}
}

// report tells what retention takes.
func (m *many) report(b *testing.B) {
	b.Helper()
	count := func() (n int) {
		err := m.db.QueryRowContext(b.Context(), "SELECT (SELECT count(*) FROM checks) + (SELECT count(*) FROM deliveries) + (SELECT count(*) FROM payloads)").Scan(&n)
		require.NoError(b, err)
		return n
	}
	before := count()
	begun := time.Now()
	require.NoError(b, m.Prune(b.Context(), storage.Retention{Checks: 80 * 24 * time.Hour, Deliveries: 90 * 24 * time.Hour, Unread: time.Hour}))
	took := time.Since(begun)
	b.Logf("retention deletes %d rows in %s: %s", before-count(), took.Round(time.Millisecond),
		strings.Join(storagetest.PostgresIndexes(b, m.db, m.asked), ", "))
}
