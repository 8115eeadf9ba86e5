package sqlite

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"

	"github.com/boardwatch/boardwatch/storage"
)

// OpenTelling is Open, and tells of every statement that SQLite is given.
func OpenTelling(
	ctx context.Context, path string, o storage.Options, tell func(text string, args []any),
) (*storage.Store, error) {
	p := pools(func(name string) (*sql.DB, error) {
		db, err := openFile(name)
		if err != nil {
			return nil, err
		}
		return sql.OpenDB(tellingConnector{db.Driver(), name, tell}), db.Close()
	})
	d, err := p.open(ctx, path, o)
	if err != nil {
		return nil, err
	}
	return storage.New(ctx, d, o)
}

type tellingConnector struct {
	driver sqldriver.Driver
	name   string
	tell   func(text string, args []any)
}

func (c tellingConnector) Driver() sqldriver.Driver { return c.driver }

func (c tellingConnector) Connect(context.Context) (sqldriver.Conn, error) {
	conn, err := c.driver.Open(c.name)
	if err != nil {
		return nil, err
	}
	return tellingConn{conn.(sqliteConn), c.tell}, nil //nolint:forcetypeassert // SQLite's connections can do all that
}

// sqliteConn is what a connection can do.
type sqliteConn interface {
	sqldriver.Conn
	sqldriver.ConnBeginTx
	sqldriver.ConnPrepareContext
	sqldriver.ExecerContext
	sqldriver.QueryerContext
	sqldriver.Pinger
	sqldriver.SessionResetter
	sqldriver.Validator
}

// tellingConn tells of what goes through a connection.
type tellingConn struct {
	sqliteConn

	tell func(text string, args []any)
}

func (c tellingConn) ExecContext(ctx context.Context, text string, args []sqldriver.NamedValue) (sqldriver.Result, error) {
	c.tell(text, values(args))
	return c.sqliteConn.ExecContext(ctx, text, args)
}

func (c tellingConn) QueryContext(ctx context.Context, text string, args []sqldriver.NamedValue) (sqldriver.Rows, error) {
	c.tell(text, values(args))
	return c.sqliteConn.QueryContext(ctx, text, args)
}

func (c tellingConn) PrepareContext(ctx context.Context, text string) (sqldriver.Stmt, error) {
	s, err := c.sqliteConn.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	return tellingStmt{s.(sqliteStmt), text, c.tell}, nil //nolint:forcetypeassert // SQLite's statements can do all that
}

// sqliteStmt is what a prepared statement can do.
type sqliteStmt interface {
	sqldriver.Stmt
	sqldriver.StmtExecContext
	sqldriver.StmtQueryContext
}

// tellingStmt tells each time that it is used.
type tellingStmt struct {
	sqliteStmt

	text string
	tell func(text string, args []any)
}

func (s tellingStmt) ExecContext(ctx context.Context, args []sqldriver.NamedValue) (sqldriver.Result, error) {
	s.tell(s.text, values(args))
	return s.sqliteStmt.ExecContext(ctx, args)
}

func (s tellingStmt) QueryContext(ctx context.Context, args []sqldriver.NamedValue) (sqldriver.Rows, error) {
	s.tell(s.text, values(args))
	return s.sqliteStmt.QueryContext(ctx, args)
}

func values(args []sqldriver.NamedValue) []any {
	out := make([]any, len(args))
	for i, a := range args {
		out[i] = a.Value
	}
	return out
}
