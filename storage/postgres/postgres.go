// Package postgres keeps a store in PostgreSQL. The database is then also the queue, the lock and the clock of any number
// of processes.
package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

//go:embed migrations/*.sql
var files embed.FS

var _ driver.Driver = (*server)(nil)

const (
	// connections is the most connections a process has, unless the address says otherwise.
	connections = 16
	// poolSize is the address parameter that sets another number. pgx's own pool uses the same name.
	poolSize = "pool_max_conns"
	// applicationName is the name under which the server lists a process's connections.
	applicationName = "boardwatch"
	// longestWrite bounds a write operation, which does not stop when its caller's context ends.
	longestWrite = 2 * time.Minute
)

// Keys of advisory locks. Those of stamps have 25207 in their upper 16 bits, see the migrations.
const (
	schemaLock = 25208<<48 + 1
	listsLock  = 25208<<48 + 2
	// demandsLock lets one process at a time choose among demands, so that together they keep the limits.
	demandsLock = 25208<<48 + 4
)

// Open opens a store in the database at a URL such as postgres://user@host/name.
func Open(ctx context.Context, url string, o storage.Options) (*storage.Store, error) {
	d, err := open(url, o.Trace)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	if err := d.greet(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open database: %w", err), d.Close())
	}
	s, err := storage.New(ctx, d, o)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	return s, nil
}

// server is the driver.Driver of one process.
type server struct {
	db      *bun.DB
	config  *pgx.ConnConfig
	size    int               // of the pool
	hot     pgx.QueryExecMode // how statements run that always have the same text
	pooled  bool              // connections go through a pooler
	steps   []driver.Step
	horizon atomic.Int64 // the last one given out
	texts   sync.Map     // of statements, see statements.numbered
}

func open(url string, trace storage.Trace) (*server, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, errors.New("the address of the database cannot be read; it looks like postgres://user:password@host:5432/name")
	}
	// bun writes values into the text, so there is nothing to prepare. Hot statements are prepared, unless the address
	// says otherwise (default_query_exec_mode).
	hot := config.DefaultQueryExecMode
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	config.RuntimeParams = withDefaults(config.RuntimeParams)
	size, err := takePoolSize(config)
	if err != nil {
		return nil, err
	}
	steps, err := driver.ReadSteps(files)
	if err != nil {
		return nil, err
	}
	db := storage.Traced(newPool(config, size), trace)
	return &server{
		db: db, config: config, size: size, hot: hot, steps: steps,
	}, nil
}

// parameters are sent to the server when a connection begins, unless the address says otherwise.
func parameters() map[string]string {
	return map[string]string{
		"random_page_cost":                    "1.1", // tables fit into memory; the default makes the planner avoid indexes
		"statement_timeout":                   "60s",
		"lock_timeout":                        "30s",
		"idle_in_transaction_session_timeout": "60s",
	}
}

// Parameters names the parameters sent when a connection begins, which poolers have to be told to ignore.
func Parameters() string { return strings.Join(slices.Sorted(maps.Keys(parameters())), ", ") }

// withDefaults adds the parameters that an address does not set.
func withDefaults(given map[string]string) map[string]string {
	all := parameters()
	all["application_name"], all["timezone"] = applicationName, "UTC"
	maps.Copy(all, given)
	return all
}

// takePoolSize removes the size of the pool from the address, because the server does not know that parameter.
func takePoolSize(config *pgx.ConnConfig) (int, error) {
	text, set := config.RuntimeParams[poolSize]
	delete(config.RuntimeParams, poolSize)
	if !set {
		return connections, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < leastConnections {
		return 0, fmt.Errorf("%s in the address of the database has to be a number from %d on", poolSize, leastConnections)
	}
	return n, nil
}

// leastConnections is enough for checks to be saved while others claim, count requests and read.
const leastConnections = 4

func newPool(config *pgx.ConnConfig, size int) *bun.DB {
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	db.SetConnMaxIdleTime(5 * time.Minute)
	return bun.NewDB(db, pgdialect.New(), bun.WithDiscardUnknownColumns())
}

func (d *server) DB() *bun.DB { return d.db }

func (d *server) Dialect() driver.Dialect {
	return driver.Dialect{
		Position:  "strpos",
		RowLock:   " FOR NO KEY UPDATE",
		HookLock:  " FOR KEY SHARE OF w",
		TryLock:   " FOR NO KEY UPDATE SKIP LOCKED",
		ListsLock: fmt.Sprintf("SELECT pg_advisory_xact_lock(%d)", listsLock),
		EndLease:  ", lease_until = 0",
		Bytewise:  ` COLLATE "C"`,
		SaveWords: "INSERT INTO text_words (hash, words) SELECT text_hash, array_to_tsvector(string_to_array(?, ' ')) FROM jobs WHERE id = ? ON CONFLICT DO NOTHING",
		HasWords:  "board_id IN (?) AND text_hash IN (SELECT hash FROM text_words WHERE words @@ ?::TSQUERY)",
		Word:      "'?':*",
		AndWord:   " & ",
		PayFact:   "facts::JSONB #>> '{pay,%s}'",
		Clock:     "boardwatch_now()",
		Numbered:  true,
		Tables:    "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'text_words'",
		Mark:      "SELECT last_value FROM boardwatch_mark",
		SetMark:   "SELECT setval('boardwatch_mark', greatest(?, (SELECT last_value FROM boardwatch_mark)))",
		Wipe: []string{
			"DROP TABLE IF EXISTS text_words",
			"DROP FUNCTION IF EXISTS boardwatch_horizon(), boardwatch_stamp(), boardwatch_now()",
			"DROP SEQUENCE IF EXISTS boardwatch_mark",
		},
	}
}

func (d *server) Steps() []driver.Step { return d.steps }

func (d *server) Write(ctx context.Context, op func(ctx context.Context, tx driver.Tx) error) error {
	conn, err := d.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), longestWrite)
	defer cancel()
	return conn.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		e := &exchange{begun: true, stamps: true, hot: d.hot, texts: &d.texts}
		e.lend = func(f func(*pgx.Conn) error) error { return lend(conn.Conn, f) }
		return op(ctx, driver.Tx{IDB: tx, Statements: e, Stamp: e.stamp, Ahead: e.ahead})
	})
}

// WriteCheck begins the transaction in the round trip of op's first questions, and ends it in that of the writes: each
// round trip costs as much as a small statement.
func (d *server) WriteCheck(
	ctx context.Context, op func(ctx context.Context, tx driver.CheckTx) ([]driver.Statement, error),
) error {
	return d.exchange(ctx, &exchange{stamps: true}, op)
}

func (d *server) exchange(ctx context.Context, e *exchange, op func(ctx context.Context, tx driver.CheckTx) ([]driver.Statement, error)) error {
	conn, err := d.db.DB.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), longestWrite)
	defer cancel()
	return lend(conn, func(conn *pgx.Conn) error {
		defer undo(ctx, conn)
		e.hot, e.texts = d.hot, &d.texts
		e.lend = func(f func(*pgx.Conn) error) error { return f(conn) }
		todo, err := op(ctx, driver.CheckTx{Asker: e, Stamp: e.stamp, Ahead: e.ahead})
		if err != nil {
			return err
		}
		return e.commit(ctx, todo)
	})
}

// undo rolls back the transaction that a connection was left in, if any. If that fails, nobody gets the connection again.
func undo(ctx context.Context, conn *pgx.Conn) {
	if conn.IsClosed() || conn.PgConn().TxStatus() == 'I' {
		return
	}
	if _, err := conn.Exec(ctx, "ROLLBACK"); err != nil {
		_ = conn.Close(ctx) // the operation has an error already
	}
}

// WriteCounts does not wait for the server's disk, which a request would notice.
func (d *server) WriteCounts(ctx context.Context, op func(ctx context.Context, tx driver.CheckTx) ([]driver.Statement, error)) error {
	return d.exchange(ctx, &exchange{counts: true}, op)
}

// clock is the stamp of a transaction, which is read once.
type clock struct {
	ms    int64 // 0: not read yet
	ahead time.Duration
}

// skew is how far a stamp has to be ahead of the server's clock to mean that the clock was set back.
const skew = time.Second

// question asks for the stamp, and how far it is ahead of the server's clock.
func (c *clock) question() driver.Question {
	var now int64
	return driver.Ask("SELECT boardwatch_stamp(), boardwatch_now()", nil, func() error {
		if ahead := time.Duration(c.ms-now) * time.Millisecond; ahead > skew {
			c.ahead = ahead
		}
		return nil
	}, &c.ms, &now)
}

func (d *server) Now(ctx context.Context) (time.Time, error) {
	ms, err := d.call(ctx, "SELECT boardwatch_now()")
	return instant(ms), err
}

func (d *server) Horizon(ctx context.Context) (time.Time, error) {
	ms, err := d.call(ctx, "SELECT boardwatch_horizon()")
	if err != nil {
		return time.Time{}, err
	}
	for {
		last := d.horizon.Load()
		if ms <= last {
			return instant(last), nil
		}
		if d.horizon.CompareAndSwap(last, ms) {
			return instant(ms), nil
		}
	}
}

func (d *server) call(ctx context.Context, query string) (ms int64, err error) {
	err = d.db.DB.QueryRowContext(ctx, query, d.hot).Scan(&ms)
	if err != nil {
		return 0, fmt.Errorf("read clock: %w", err)
	}
	return ms, nil
}

// Renew takes one statement for all leases. A row locked by a writer is skipped: if this process is saving the board,
// there is no lease to extend, and otherwise the next heartbeat comes soon. A lease that has lost less than a fifth of
// its length is left as it is, because a heartbeat mostly asks whether the board is still tracked, and that writes nothing.
func (d *server) Renew(ctx context.Context, leases []driver.Lease, length time.Duration) ([]driver.Lease, error) {
	ids, versions := make([]string, len(leases)), make([]int64, len(leases))
	for i, l := range leases {
		ids[i], versions[i] = l.BoardID, l.Version
	}
	var lost []driver.Lease
	var l driver.Lease
	err := driver.Into(func() error {
		lost = append(lost, l)
		return nil
	}, &l.BoardID, &l.Version)(d.db.DB.QueryContext(ctx, renewText, d.hot, ids, versions, length.Milliseconds())) //nolint:rowserrcheck // Into does
	return lost, err
}

const renewText = `WITH held AS (
		SELECT id, version FROM unnest($1::text[], $2::bigint[]) AS h (id, version)
	), renewed AS (
		UPDATE boards SET lease_until = boardwatch_now() + $3 WHERE id IN (
			SELECT b.id FROM boards AS b JOIN held AS h ON b.id = h.id AND b.version = h.version
			WHERE b.cadence_ms > 0 AND b.lease_until NOT BETWEEN boardwatch_now() + $3 * 4 / 5 AND boardwatch_now() + $3
			ORDER BY b.id FOR NO KEY UPDATE OF b SKIP LOCKED
		)
	)
	SELECT h.id, h.version FROM held AS h LEFT JOIN boards AS b ON b.id = h.id
	WHERE b.version IS DISTINCT FROM h.version OR b.cadence_ms = 0`

// Held always returns true: the board's version decides.
func (d *server) Held(driver.Lease) bool { return true }

// Spent does nothing, because saving the board has ended the lease.
func (d *server) Spent(driver.Lease) {}

func (d *server) Release(ctx context.Context, l driver.Lease) error {
	_, err := d.db.ExecContext(ctx, "UPDATE boards SET lease_until = 0 WHERE id = ? AND version = ?", l.BoardID, l.Version)
	return err
}

func (d *server) NextDue(ctx context.Context) (time.Time, error) {
	var due *int64
	err := d.db.DB.QueryRowContext(ctx, `SELECT (SELECT next_check_at FROM boards
		WHERE next_check_at IS NOT NULL AND lease_until <= boardwatch_now() ORDER BY next_check_at LIMIT 1)`,
		d.hot).Scan(&due)
	if err != nil || due == nil {
		return time.Time{}, err
	}
	return instant(*due), nil
}

func (d *server) Close() error { return d.db.Close() }

func instant(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
