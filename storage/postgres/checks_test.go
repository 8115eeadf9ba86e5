package postgres_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
	"github.com/boardwatch/boardwatch/storage/postgres"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// TestCheckTakesTwoRoundTrips shows that a check which finds changes takes one to begin and to ask, and one to write and to
// commit. Closed roles that may be back, and searches of channels, take one more.
func TestCheckTakesTwoRoundTrips(t *testing.T) {
	t.Parallel()
	trips := new(counting)
	address := storagetest.PostgresURL(t)
	s, err := postgres.OpenTraced(t.Context(), address, storage.Options{SealKey: []byte(storagetest.SealKey)}, trips)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	owner, board, claim := tracked(t, s, "northwind")
	check := func(titles ...string) int64 {
		claim.Listed = titles
		before := trips.n.Load()
		require.NoError(t, s.SaveCheck(t.Context(), claim, shows(titles...)))
		spent := trips.n.Load() - before
		claim = again(t, raw(t, address), s, board.ID)
		return spent
	}
	seen, more := []string{"Cook", "Baker"}, []string{"Cook", "Baker", "Smith", "Nurse"}
	check(seen...)
	check("Cook", "Baker", "Clerk")
	require.EqualValues(t, 2, check("Cook", "Baker", "Clerk", "Porter"), "once the statements are prepared")

	q := boardwatch.Search{ID: boardwatch.NewID(), AccountID: owner.ID, Name: "All"}
	require.NoError(t, s.CreateSearch(t.Context(), q, track.MaxSearches))
	require.NoError(t, s.CreateChannel(t.Context(), boardwatch.Channel{
		ID: boardwatch.NewID(), AccountID: owner.ID, Kind: account.ChannelNtfy, To: "https://ntfy.example/x", Searches: []string{q.ID},
	}, account.MaxChannels))
	var spent int64
	for range 3 { // found, then reopened, then reopened with everything prepared
		for range 3 { // until the others are closed
			check(seen...)
		}
		spent = check(more...)
	}
	require.EqualValues(t, 3, spent, "both are asked together")
}

// counting counts round trips.
type counting struct{ n atomic.Int64 }

func (c *counting) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.n.Add(1)
	return ctx
}

func (c *counting) TracePrepareStart(ctx context.Context, _ *pgx.Conn, _ pgx.TracePrepareStartData) context.Context {
	return ctx
}

func (c *counting) TracePrepareEnd(_ context.Context, _ *pgx.Conn, done pgx.TracePrepareEndData) {
	if !done.AlreadyPrepared {
		c.n.Add(1)
	}
}

func (c *counting) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	c.n.Add(1)
	return ctx
}

func (*counting) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData)     {}
func (*counting) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (*counting) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

// TestChecksInEveryExecMode saves checks, fails to save one, and goes on.
func TestChecksInEveryExecMode(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"cache_statement", "cache_describe", "describe_exec", "exec", "simple_protocol"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			address := storagetest.PostgresURL(t)
			s := open(t, address+"&default_query_exec_mode="+mode, storage.Options{})
			account, board, claim := tracked(t, s, "northwind")
			db := raw(t, address)
			lift := refuse(t, db, "BEFORE UPDATE OF set_hash ON boards")
			require.ErrorContains(t, s.SaveCheck(t.Context(), claim, shows("Cook")), "refused")
			lift()
			require.NoError(t, s.SaveCheck(t.Context(), claim, shows("Cook")))
			require.ErrorIs(t, s.SaveCheck(t.Context(), claim, shows("Baker")), boardwatch.ErrLeaseLost)
			require.NoError(t, s.SaveCheck(t.Context(), again(t, db, s, board.ID), shows("Cook", "Smith")))
			page, err := s.Jobs(t.Context(), account.ID, track.JobFilter{BoardID: board.ID})
			require.NoError(t, err)
			require.Len(t, page.Jobs, 2)
			requireIdle(t, db)
		})
	}
}

// TestCheckThatIsRefusedSavesNothing refuses the last statement of a check, and the commit itself. The connections of the
// pool serve others at once, and the claim stays valid.
func TestCheckThatIsRefusedSavesNothing(t *testing.T) {
	t.Parallel()
	for name, event := range map[string]string{
		"at the last statement": "BEFORE UPDATE OF set_hash ON boards",
		"at the commit":         "AFTER UPDATE OF set_hash ON boards DEFERRABLE INITIALLY DEFERRED",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := storagetest.PostgresURL(t)
			s := open(t, address+"&pool_max_conns=4", storage.Options{})
			_, _, claim := tracked(t, s, "northwind")
			db := raw(t, address)
			lift := refuse(t, db, event)
			for range 10 {
				err := s.SaveCheck(t.Context(), claim, shows("Cook"))
				require.ErrorContains(t, err, "refused")
				requireUnchecked(t, db)
				requireIdle(t, db)
			}
			lift()
			require.NoError(t, s.SaveCheck(t.Context(), claim, shows("Cook")))
		})
	}
}

// TestCheckWhoseDecisionPanics saves nothing, leaves the board unlocked, and leaves the claim valid.
func TestCheckWhoseDecisionPanics(t *testing.T) {
	t.Parallel()
	address := storagetest.PostgresURL(t)
	s := open(t, address+"&pool_max_conns=4", storage.Options{})
	_, _, claim := tracked(t, s, "northwind")
	db := raw(t, address)
	for range 10 {
		require.PanicsWithValue(t, "a bug", func() {
			_ = s.SaveCheck(t.Context(), claim, func(boardwatch.CheckInput) boardwatch.CheckResult { panic("a bug") })
		})
		requireUnchecked(t, db)
		requireIdle(t, db)
	}
	require.NoError(t, s.SaveCheck(t.Context(), claim, shows("Cook")))
}

// TestCheckThatLosesItsConnection ends the server's process of a check while it decides, and while it commits. Both times
// nobody can tell the check whether it was saved.
func TestCheckThatLosesItsConnection(t *testing.T) {
	t.Parallel()
	t.Run("while it decides", func(t *testing.T) {
		t.Parallel()
		address := storagetest.PostgresURL(t)
		s := open(t, address, storage.Options{})
		_, _, claim := tracked(t, s, "northwind")
		db := raw(t, address)
		require.Error(t, s.SaveCheck(t.Context(), claim, func(in boardwatch.CheckInput) boardwatch.CheckResult {
			terminate(t, db, "state = 'idle in transaction'")
			return shows("Cook")(in)
		}))
		requireUnchecked(t, db)
		require.NoError(t, s.SaveCheck(t.Context(), claim, shows("Cook")))
	})
	t.Run("while it commits", func(t *testing.T) {
		t.Parallel()
		address := storagetest.PostgresURL(t)
		s := open(t, address, storage.Options{})
		_, _, claim := tracked(t, s, "northwind")
		db := raw(t, address)
		change(t, db, `CREATE FUNCTION stall() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
				PERFORM pg_advisory_xact_lock(42); RETURN NULL; END $$`,
			`CREATE CONSTRAINT TRIGGER stall AFTER INSERT ON jobs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION stall()`)
		hold, err := db.Conn(t.Context())
		require.NoError(t, err)
		_, err = hold.ExecContext(t.Context(), "SELECT pg_advisory_lock(42)")
		require.NoError(t, err)
		saved := make(chan error, 1)
		go func() { saved <- s.SaveCheck(context.WithoutCancel(t.Context()), claim, shows("Cook")) }()
		terminate(t, db, "query = 'COMMIT' AND wait_event = 'advisory'")
		require.Error(t, <-saved)
		require.NoError(t, hold.Close())
		requireUnchecked(t, db)
		change(t, db, "DROP TRIGGER stall ON jobs")
		require.NoError(t, s.SaveCheck(t.Context(), claim, shows("Cook")))
	})
}

// TestCheckThatAsksNothing gives the driver operations that only write, or do nothing, or go on after a question that was
// refused.
func TestCheckThatAsksNothing(t *testing.T) {
	t.Parallel()
	address := storagetest.PostgresURL(t)
	d, err := postgres.OpenDriver(t.Context(), address)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	db := raw(t, address)
	change(t, db, "CREATE TABLE notes (text TEXT PRIMARY KEY)")
	write := func(op func(ctx context.Context, tx driver.CheckTx) ([]driver.Statement, error)) error {
		err := d.WriteCheck(t.Context(), op)
		requireIdle(t, db)
		return err
	}
	note := func(text string) driver.Statement {
		return driver.Statement{Text: "INSERT INTO notes VALUES (?)", Args: []any{text}}
	}

	refused := []driver.Question{driver.Ask("SELECT 1 / length(?::text)", []any{""}, nil, new(int))}

	require.NoError(t, write(func(context.Context, driver.CheckTx) ([]driver.Statement, error) { return nil, nil }))
	require.NoError(t, write(func(context.Context, driver.CheckTx) ([]driver.Statement, error) {
		return []driver.Statement{note("one"), note("two")}, nil
	}))
	require.Error(t, write(func(context.Context, driver.CheckTx) ([]driver.Statement, error) {
		return []driver.Statement{note("three"), note("two")}, nil
	}))
	require.NoError(t, write(func(ctx context.Context, tx driver.CheckTx) ([]driver.Statement, error) {
		at, err := tx.Stamp(ctx, time.Time{})
		require.NoError(t, err)
		require.WithinDuration(t, time.Now(), at, time.Hour)
		require.Zero(t, tx.Ahead())
		return []driver.Statement{note("four")}, nil
	}))
	require.NoError(t, write(func(ctx context.Context, tx driver.CheckTx) ([]driver.Statement, error) {
		_, err := tx.Stamp(ctx, time.Time{})
		return nil, err
	}))
	require.Error(t, write(func(ctx context.Context, tx driver.CheckTx) ([]driver.Statement, error) {
		require.Error(t, tx.Ask(ctx, refused))
		return []driver.Statement{note("five")}, nil
	}))
	require.ErrorIs(t, write(func(ctx context.Context, tx driver.CheckTx) ([]driver.Statement, error) {
		require.Error(t, tx.Ask(ctx, refused))
		return nil, nil
	}), pgx.ErrTxCommitRollback)
	require.Equal(t, "four,one,two", value[string](t, db, "SELECT string_agg(text, ',' ORDER BY text) FROM notes"))
}

// shows decides on a reading with these roles.
func shows(titles ...string) func(boardwatch.CheckInput) boardwatch.CheckResult {
	r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1}
	for _, title := range titles {
		r.Postings = append(r.Postings, boardwatch.Posting{Key: title, Title: title})
	}
	return func(in boardwatch.CheckInput) boardwatch.CheckResult {
		return boardwatch.Decide(in, r, false, boardwatch.DefaultRules(), boardwatch.NewID)
	}
}

// again claims a board that was just checked.
func again(t *testing.T, db *sql.DB, s *storage.Store, boardID string) boardwatch.Claim {
	t.Helper()
	change(t, db, "UPDATE boards SET next_check_at = 1 WHERE id = '"+boardID+"'")
	claims, err := s.ClaimDue(t.Context(), 1, time.Minute, boardwatch.ClaimFilter{})
	require.NoError(t, err)
	require.Len(t, claims, 1)
	return claims[0]
}

// refuse makes the database refuse changes, until the returned function is called.
func refuse(t *testing.T, db *sql.DB, event string) (lift func()) {
	t.Helper()
	constraint := ""
	if strings.Contains(event, "DEFERRABLE") {
		constraint = "CONSTRAINT "
	}
	change(t, db, `CREATE FUNCTION refuse() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`,
		fmt.Sprintf("CREATE %sTRIGGER refuse %s FOR EACH ROW EXECUTE FUNCTION refuse()", constraint, event))
	return func() { change(t, db, "DROP TRIGGER refuse ON boards") }
}

// terminate ends the only one of boardwatch's connections in a state, once there is one.
func terminate(t *testing.T, db *sql.DB, state string) {
	t.Helper()
	require.Eventually(t, func() bool {
		return value[int](t, db, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
			WHERE datname = current_database() AND application_name = 'boardwatch' AND `+state) == 1
	}, 20*time.Second, 10*time.Millisecond)
}

// requireUnchecked requires that no check left anything behind.
func requireUnchecked(t *testing.T, db *sql.DB) {
	t.Helper()
	require.Zero(t, value[int](t, db, "SELECT (SELECT count(*) FROM jobs) + (SELECT count(*) FROM checks) + (SELECT count(*) FROM changes)"))
}

// requireIdle requires that no connection is left in a transaction. The server may take a moment to notice that one was closed.
func requireIdle(t *testing.T, db *sql.DB) {
	t.Helper()
	require.Eventually(t, func() bool {
		return value[int](t, db, `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND application_name = 'boardwatch' AND state <> 'idle'`) == 0
	}, 20*time.Second, 10*time.Millisecond)
}

// change runs statements.
func change(t *testing.T, db *sql.DB, texts ...string) {
	t.Helper()
	for _, text := range texts {
		_, err := db.ExecContext(t.Context(), text)
		require.NoError(t, err)
	}
}

func value[T any](t *testing.T, db *sql.DB, query string) (v T) {
	t.Helper()
	require.NoError(t, db.QueryRowContext(t.Context(), query).Scan(&v))
	return v
}
