package storagetest

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/postgres"
)

// PostgresEnv names the variable with the URL of a PostgreSQL server for tests: a superuser on the loopback address.
const PostgresEnv = "TEST_POSTGRES_URL"

// Postgres creates a PostgreSQL database that is removed when the test ends. The first store opened there finds the
// schema up to date, unless its options leave the schema as it is. Without a test server, the test is skipped.
func Postgres(tb testing.TB) Database {
	tb.Helper()
	return PostgresBy(tb, postgres.Open)
}

// PostgresBy is Postgres for stores that are opened in another way.
func PostgresBy(tb testing.TB, open Opening) Database {
	tb.Helper()
	server := postgresServer(tb)
	var first sync.Once
	var address string
	return func(opening testing.TB, o storage.Options) *storage.Store { //nolint:thelper // tb is the test that owns the place
		opening.Helper()
		first.Do(func() {
			if o.NoMigrate {
				address = createDatabase(tb, server, "")
			} else {
				address = lend(tb, server)
			}
		})
		s, err := open(opening.Context(), address, withSealKey(o))
		require.NoError(opening, err)
		opening.Cleanup(func() { require.NoError(opening, s.Close()) })
		return s
	}
}

// PostgresURL creates a PostgreSQL database without rows, whose schema is up to date, and returns its URL. The database is
// removed when the test ends. Without a test server, the test is skipped.
func PostgresURL(tb testing.TB) string {
	tb.Helper()
	return copyMigrated(tb, postgresServer(tb))
}

// EmptyPostgresURL is PostgresURL for a database without a schema.
func EmptyPostgresURL(tb testing.TB) string {
	tb.Helper()
	return createDatabase(tb, postgresServer(tb), "")
}

// PostgresWithClock creates a PostgreSQL database without rows that is removed when the test ends, and returns its URL.
// Its clock stands still until set moves it, so that it can follow the clock of a testing/synctest bubble. The server
// has to be on this machine, because it reads the time from a file. Without a test server, the test is skipped.
func PostgresWithClock(tb testing.TB, now time.Time) (address string, set func(time.Time)) {
	tb.Helper()
	server := postgresServer(tb)
	address = copyMigrated(tb, server)
	name := filepath.Join(os.TempDir(), "boardwatch-clock-"+boardwatch.NewID()) // the server may not be allowed into the test's own folder
	clock, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, errors.Join(clock.Close(), os.Remove(name))) })
	require.NoError(tb, clock.Chmod(0o644), "the server has a user of its own")
	onServer(tb, address, `CREATE OR REPLACE FUNCTION boardwatch_now() RETURNS BIGINT LANGUAGE SQL VOLATILE AS
		$$ SELECT pg_read_file('`+name+`')::BIGINT $$`)
	var mu sync.Mutex
	var shown int64
	set = func(now time.Time) {
		mu.Lock()
		defer mu.Unlock()
		if ms := now.UnixMilli(); ms != shown {
			_, err := clock.WriteAt([]byte(strconv.FormatInt(ms, 10)), 0)
			require.NoError(tb, err)
			shown = ms
		}
	}
	set(now)
	return address, set
}

// postgresServer returns the URL of the test server.
func postgresServer(tb testing.TB) string {
	tb.Helper()
	server := os.Getenv(PostgresEnv)
	if server == "" {
		tb.Skip("no PostgreSQL server for tests: " + PostgresEnv + " is not set")
	}
	return server
}

// copyMigrated creates a database without rows, whose schema is up to date.
func copyMigrated(tb testing.TB, server string) (address string) {
	tb.Helper()
	return createDatabase(tb, server, " TEMPLATE "+migrated.use(tb, server))
}

// createDatabase creates a database, with an optional clause, and drops it when the test ends.
func createDatabase(tb testing.TB, server, clause string) (address string) {
	tb.Helper()
	name := newDatabase(tb, server, clause)
	tb.Cleanup(func() { dropDatabase(tb, server, name) })
	return addressOf(tb, server, name)
}

// newDatabase creates a database, with an optional clause, and returns its name.
func newDatabase(tb testing.TB, server, clause string) (name string) {
	tb.Helper()
	name = "boardwatch_" + boardwatch.NewID()
	onServer(tb, server, "CREATE DATABASE "+name+clause)
	return name
}

func dropDatabase(tb testing.TB, server, name string) {
	tb.Helper()
	onServer(tb, server, "DROP DATABASE "+name+" WITH (FORCE)")
}

// onServer executes a statement that changes the server's databases, even after the test has ended.
func onServer(tb testing.TB, server, statement string) {
	tb.Helper()
	db, err := sql.Open("pgx", server)
	require.NoError(tb, err)
	_, err = db.ExecContext(context.WithoutCancel(tb.Context()), statement)
	require.NoError(tb, errors.Join(err, db.Close()))
}

// addressOf returns the URL of a database on the server.
func addressOf(tb testing.TB, server, name string) string {
	tb.Helper()
	u, err := url.Parse(server)
	require.NoError(tb, err)
	u.Path = "/" + name
	return u.String()
}

// migrated is the template of this process.
var migrated template //nolint:gochecknoglobals // one for all tests of the process

// template is a database without rows whose schema is up to date. Tests get copies of it, because a copy costs the server far
// less than taking the steps. It exists as long as a test uses it.
type template struct {
	mu    sync.Mutex
	users int
	name  string
	empty []string // copies for the next tests

	schema   string // identifies the schema
	emptying string // statements that empty a copy
}

// use returns the template's name, which stays valid until the test ends.
func (m *template) use(tb testing.TB, server string) string {
	tb.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.users == 0 {
		m.make(tb, server)
	}
	m.users++
	tb.Cleanup(func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.users--; m.users == 0 {
			m.drop(tb, server)
		}
	})
	return m.name
}

func (m *template) make(tb testing.TB, server string) {
	tb.Helper()
	m.name = newDatabase(tb, server, "")
	address := addressOf(tb, server, m.name)
	s, err := postgres.Open(tb.Context(), address, storage.Options{})
	require.NoError(tb, err)
	require.NoError(tb, s.Close())
	m.schema, m.emptying = lookAt(tb, address)
}

// AwaitIdle waits until no other connection to a PostgreSQL database does anything: a server carries out what a killed process had
// sent to it.
func AwaitIdle(tb testing.TB, url string) {
	tb.Helper()
	db, err := sql.Open("pgx", url)
	require.NoError(tb, err)
	defer func() { require.NoError(tb, db.Close()) }()
	require.Eventually(tb, func() bool {
		busy := 1
		err := db.QueryRowContext(tb.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`).Scan(&busy)
		require.NoError(tb, err)
		return busy == 0
	}, 10*time.Second, time.Millisecond)
}
