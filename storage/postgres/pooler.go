package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

var (
	// ErrPooled says that the connection goes through a pooler such as PgBouncer, but the operation needs the server
	// itself.
	ErrPooled = errors.New("a connection pooler is in front of PostgreSQL, so boardwatch cannot tell whether other processes use the database")
	// ErrUnprepared says that a statement prepared on a connection is missing when it is used.
	ErrUnprepared = errors.New("the connection pooler in front of PostgreSQL does not support prepared statements; " +
		"add default_query_exec_mode=exec to the address of the database")
)

// greet finds out whether the other end is the server or a pooler in front of it.
func (d *server) greet(ctx context.Context) error {
	conn, err := d.db.DB.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	err = lend(conn, func(conn *pgx.Conn) error {
		var pid uint32
		if err := conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&pid); err != nil {
			return err
		}
		d.pooled = pid != conn.PgConn().PID() // a pooler gives each client a number of its own
		if !d.pooled || d.hot != pgx.QueryExecModeCacheStatement {
			return nil
		}
		return d.checkPrepared(ctx, conn)
	})
	if err != nil {
		return fmt.Errorf("greet server: %w", err)
	}
	return nil
}

// elsewhere is how long a pooler may take to provide a second connection to the server.
const elsewhere = 5 * time.Second

// checkPrepared returns ErrUnprepared if a prepared statement is lost when another client takes over the server's
// connection that it was prepared on. That includes a name the server already knows from another client.
func (d *server) checkPrepared(ctx context.Context, conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeoutCause(ctx, elsewhere, errors.New("the pooler has no second connection free"))
	defer cancel()
	const name = "boardwatch_greeting"
	if _, err := conn.Prepare(ctx, name, "SELECT 1"); err != nil {
		return unprepared(err)
	}
	err := d.meanwhile(ctx, func() error {
		_, err := conn.Exec(ctx, name)
		return err
	})
	if err != nil {
		return unprepared(err)
	}
	return conn.Deallocate(ctx, name)
}

// meanwhile runs f while a transaction is open on another connection.
func (d *server) meanwhile(ctx context.Context, f func() error) (err error) {
	tx, err := d.db.DB.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return errors.Join(err, context.Cause(ctx))
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	return f()
}

// unprepared returns ErrUnprepared for a server's errors about a missing or duplicate statement.
func unprepared(err error) error {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && (e.Code == "26000" || e.Code == "42P05") {
		return ErrUnprepared
	}
	return err
}
