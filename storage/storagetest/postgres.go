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
func Postgres(t testing.TB) Database {
	t.Helper()
	address := PostgresURL(t)
	return func(t testing.TB, o storage.Options) *storage.Store {
		t.Helper()
		s, err := postgres.Open(t.Context(), address, withSealKey(o))
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		return s
	}
}

// PostgresURL makes an empty PostgreSQL database that is gone when the test ends, and returns its URL. It skips the
// test when there is no server for tests.
func PostgresURL(t testing.TB) string {
	t.Helper()
	server := os.Getenv(PostgresEnv) //nolint:forbidigo // how tests are told where their server is
	if server == "" {
		t.Skip("no PostgreSQL server for tests: " + PostgresEnv + " is not set")
	}
	db, err := sql.Open("pgx", server)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	name := "boardwatch_" + boardwatch.NewID()
	_, err = db.ExecContext(t.Context(), "CREATE DATABASE "+name)
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := db.ExecContext(context.Background(), "DROP DATABASE "+name+" WITH (FORCE)")
		require.NoError(t, err)
	})
	u, err := url.Parse(server)
	require.NoError(t, err)
	u.Path = "/" + name
	return u.String()
}
