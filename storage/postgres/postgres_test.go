package postgres_test

import (
	"context"
	"database/sql"
	"net/url"
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

// TestStore runs the suite, and has the database explain every statement that it was asked meanwhile.
func TestStore(t *testing.T) {
	t.Parallel()
	asked := storagetest.AskedOfPostgres(t)
	storagetest.Exercise(t, func(tb testing.TB) storagetest.Database {
		tb.Helper()
		return storagetest.PostgresBy(tb, func(ctx context.Context, address string, o storage.Options) (*storage.Store, error) {
			return postgres.OpenTelling(ctx, address, o, asked.Note)
		})
	})
}

func TestOpenSaysWhatIsWrongWithoutThePassword(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"postgres://robin:secret@127.0.0.1:1/boardwatch?connect_timeout=1", "postgres://robin:secret@127.0.0.1:port/boardwatch",
	} {
		_, err := postgres.Open(t.Context(), address, storage.Options{})
		require.Error(t, err)
		require.NotContains(t, err.Error(), "secret")
	}
}

// TestCommitThatStalls holds a transaction up inside COMMIT itself, after everything is written. Its rows become
// visible long after rows that another process, a role without privileges, stamped later.
func TestCommitThatStalls(t *testing.T) {
	t.Parallel()
	address := storagetest.PostgresURL(t)
	writer := open(t, address, storage.Options{})
	account, board, claim := tracked(t, writer, "northwind")
	_, _, next := tracked(t, writer, "contoso")

	const gate = 42
	db := raw(t, address)
	for _, text := range []string{
		`CREATE FUNCTION stall() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
			PERFORM pg_advisory_xact_lock(42); RETURN NULL; END $$`,
		`CREATE CONSTRAINT TRIGGER stall AFTER INSERT ON jobs DEFERRABLE INITIALLY DEFERRED
			FOR EACH ROW WHEN (NEW.title = 'Stalled') EXECUTE FUNCTION stall()`,
	} {
		_, err := db.ExecContext(t.Context(), text)
		require.NoError(t, err)
	}
	hold, err := db.Conn(t.Context())
	require.NoError(t, err)
	_, err = hold.ExecContext(t.Context(), "SELECT pg_advisory_lock($1)", gate)
	require.NoError(t, err)

	stamped, saved := make(chan time.Time, 1), make(chan error, 1)
	go func() {
		saved <- writer.SaveCheck(context.WithoutCancel(t.Context()), claim, found("Stalled", stamped))
	}()
	stamp := <-stamped
	require.NoError(t, open(t, address, storage.Options{}).SaveCheck(t.Context(), next, found("Overtakes", make(chan time.Time, 1))))

	reader := open(t, unprivileged(t, db, address), storage.Options{NoMigrate: true})
	polled := time.Time{}
	for range 20 {
		page, err := reader.Jobs(t.Context(), account.ID, track.JobFilter{BoardID: board.ID})
		require.NoError(t, err)
		require.Empty(t, page.Jobs)
		require.True(t, page.PolledAt.Before(stamp))
		require.False(t, page.PolledAt.Before(polled))
		polled = page.PolledAt
	}
	_, err = hold.ExecContext(t.Context(), "SELECT pg_advisory_unlock($1)", gate)
	require.NoError(t, err)
	require.NoError(t, <-saved)
	page, err := reader.Jobs(t.Context(), account.ID, track.JobFilter{BoardID: board.ID, AddedAfter: polled})
	require.NoError(t, err)
	require.Len(t, page.Jobs, 1)
	require.True(t, page.PolledAt.After(polled))
}

func open(t *testing.T, address string, o storage.Options) *storage.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), address, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func raw(t *testing.T, address string) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", address)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// unprivileged is the address for a new role that may use the tables and nothing more.
func unprivileged(t *testing.T, db *sql.DB, address string) string {
	t.Helper()
	role := "reader_" + boardwatch.NewID()
	for _, text := range []string{
		"CREATE ROLE " + role + " LOGIN PASSWORD 'reader'",
		"GRANT ALL ON ALL TABLES IN SCHEMA public TO " + role,
	} {
		_, err := db.ExecContext(t.Context(), text)
		require.NoError(t, err)
	}
	t.Cleanup(func() {
		_, err := db.ExecContext(context.Background(), "DROP OWNED BY "+role)
		require.NoError(t, err)
		_, err = db.ExecContext(context.Background(), "DROP ROLE "+role)
		require.NoError(t, err)
	})
	u, err := url.Parse(address)
	require.NoError(t, err)
	u.User = url.UserPassword(role, "reader")
	return u.String()
}

func tracked(t *testing.T, s *storage.Store, token string) (account.Account, boardwatch.Board, boardwatch.Claim) {
	t.Helper()
	a := account.Account{ID: boardwatch.NewID(), Email: token + "@northwind.example", Plan: account.PlanUltra}
	require.NoError(t, s.CreateAccount(t.Context(), a))
	b, _, err := s.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID},
		boardwatch.Board{Source: "lever:" + token, URL: "https://northwind.example/"}, "")
	require.NoError(t, err)
	claims, err := s.ClaimDue(t.Context(), 1, time.Minute, boardwatch.ClaimFilter{})
	require.NoError(t, err)
	require.Len(t, claims, 1)
	return a, b, claims[0]
}

// found decides on a reading with one role.
func found(title string, stamped chan<- time.Time) func(boardwatch.CheckInput) boardwatch.CheckResult {
	r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Postings: []boardwatch.Posting{{Key: title, Title: title}}}
	return func(in boardwatch.CheckInput) boardwatch.CheckResult {
		stamped <- in.Now
		for _, j := range in.Known { // with what is there
			r.Postings = append(r.Postings, boardwatch.Posting{Key: j.Key, Title: j.Title})
		}
		return boardwatch.Decide(in, r, false, boardwatch.Rules{}, boardwatch.NewID)
	}
}

func TestTryWriteFailsWhereNothingMayBeWritten(t *testing.T) {
	t.Parallel()
	address := storagetest.PostgresURL(t)
	open(t, address, storage.Options{})
	u, err := url.Parse(address)
	require.NoError(t, err)
	q := u.Query()
	q.Set("default_transaction_read_only", "on")
	u.RawQuery = q.Encode()
	s := open(t, u.String(), storage.Options{NoMigrate: true})
	require.NoError(t, s.Ping(t.Context()), "it answers all the same")
	require.ErrorContains(t, s.TryWrite(t.Context()), "read-only")
}

func TestOpenMakesNothingWhereNothingMayBeMade(t *testing.T) {
	t.Parallel()
	address := storagetest.EmptyPostgresURL(t)
	for _, o := range []storage.Options{{NoCreate: true}, {NoCreate: true, NoMigrate: true}} {
		_, err := postgres.Open(t.Context(), address, o)
		require.ErrorIs(t, err, storage.ErrNoDatabase)
	}
	var tables int
	require.NoError(t, raw(t, address).QueryRowContext(t.Context(), "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()").Scan(&tables))
	require.Zero(t, tables)
	open(t, address, storage.Options{})
	open(t, address, storage.Options{NoCreate: true})
}
