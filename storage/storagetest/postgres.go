package storagetest

import (
	"context"
	"database/sql"
	"net/url"
	"os"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/postgres"
)

// PostgresEnv names the variable with the URL of a PostgreSQL server for tests: a superuser on the loopback address.
const PostgresEnv = "TEST_POSTGRES_URL"

// Postgres makes a PostgreSQL database that is gone when the test ends. It skips the test when there is no server for
// tests.
func Postgres(tb testing.TB) Database {
	tb.Helper()
	address := PostgresURL(tb)
	return func(tb testing.TB, o storage.Options) *storage.Store {
		tb.Helper()
		s, err := postgres.Open(tb.Context(), address, withSealKey(o))
		require.NoError(tb, err)
		tb.Cleanup(func() { require.NoError(tb, s.Close()) })
		return s
	}
}

// PostgresURL makes an empty PostgreSQL database that is gone when the test ends, and returns its URL. It skips the
// test when there is no server for tests.
func PostgresURL(tb testing.TB) string {
	tb.Helper()
	server := os.Getenv(PostgresEnv)
	if server == "" {
		tb.Skip("no PostgreSQL server for tests: " + PostgresEnv + " is not set")
	}
	db, err := sql.Open("pgx", server)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, db.Close()) })
	name := "boardwatch_" + boardwatch.NewID()
	_, err = db.ExecContext(tb.Context(), "CREATE DATABASE "+name)
	require.NoError(tb, err)
	tb.Cleanup(func() {
		_, err := db.ExecContext(context.Background(), "DROP DATABASE "+name+" WITH (FORCE)")
		require.NoError(tb, err)
	})
	u, err := url.Parse(server)
	require.NoError(tb, err)
	u.Path = "/" + name
	return u.String()
}
