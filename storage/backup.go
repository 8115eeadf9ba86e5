package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/uptrace/bun"
)

// keptTables are the tables in a backup, each after the tables it refers to. The mark is in the header.
var keptTables = [...]string{ //nolint:gochecknoglobals // a constant table
	"meta", "boards", "addresses", "aliases", "texts", "jobs", "versions", "accounts", "subscriptions", "former", "api_keys", "webhooks", "payloads",
	"deliveries", "checks", "changes", "sessions", "links", "preferences", "notices", "oauth_clients", "oauth_asks",
	"oauth_grants", "oauth_tokens", "misreads", "lessons", "searches", "published", "marks", "logins", "passkeys",
}

// passingTables are the tables that a backup leaves out and a restore empties, because their rows expire within
// minutes: logs of budgets, counts of wrong passwords, the pace of hosts, and tokens that were used.
var passingTables = [...]string{"rates", "guesses", "paces", "used_tokens"} //nolint:gochecknoglobals // a constant table

// passing reports whether a column only matters to the processes running now.
func passing(table, column string) bool {
	return (column == "lease_until" || column == "lease_token") && table != "notices"
}

// Backup writes a snapshot of everything worth keeping, while others go on reading and writing. Secrets are written as
// the database stores them: hashed, or encrypted under a key that the backup does not contain. The schema may be an
// older one.
func (s *Store) Backup(ctx context.Context, w io.Writer) (b Backup, err error) {
	if b.CreatedAt, err = s.driver.Now(ctx); err != nil {
		return Backup{}, wrap("back up", err)
	}
	err = s.driver.Still(ctx, func(ctx context.Context, db bun.IDB) error {
		tables, err := s.tables(ctx, db)
		if err != nil {
			return err
		}
		if err := s.describe(ctx, db, &b, tables); err != nil {
			return err
		}
		out, err := newBackupWriter(w, b)
		if err != nil {
			return err
		}
		for _, t := range keptTables {
			if !tables[t] {
				continue
			}
			if err := backUpTable(ctx, db, out, t); err != nil {
				return fmt.Errorf("%s: %w", t, err)
			}
		}
		b, err = out.close()
		return err
	})
	if err != nil {
		return Backup{}, wrap("back up", err)
	}
	return b, nil
}

// tables lists the names of all tables.
func (s *Store) tables(ctx context.Context, db bun.IDB) (map[string]bool, error) {
	var list []string
	if err := db.NewRaw(s.dialect.Tables).Scan(ctx, &list); err != nil {
		return nil, err
	}
	names := make(map[string]bool, len(list))
	for _, name := range list {
		names[name] = true
	}
	return names, nil
}

// describe returns the header for this database.
func (s *Store) describe(ctx context.Context, db bun.IDB, b *Backup, tables map[string]bool) (err error) {
	if !tables[migrationsTable] {
		return errors.New("the database is empty")
	}
	if b.Schema, err = s.schema(ctx, db); err != nil {
		return err
	}
	if s.marked(b.Schema) {
		if err := db.QueryRowContext(ctx, s.dialect.Mark).Scan(&b.mark); err != nil {
			return fmt.Errorf("mark: %w", err)
		}
	}
	b.Key, err = sealedUnder(ctx, db, "")
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// markStep is the schema step that adds the mark.
const markStep = "0008"

// marked reports whether a schema has a mark.
func (s *Store) marked(schema []string) bool { return slices.Contains(schema, markStep) }

func backUpTable(ctx context.Context, db bun.IDB, out *backupWriter, table string) error {
	columns, err := columnsOf(ctx, db, table)
	if err != nil {
		return err
	}
	if err := out.begin(backupTable{Table: table, Columns: columns}); err != nil {
		return err
	}
	rows, err := db.QueryContext(ctx, "SELECT "+namesOf(columns)+" FROM "+table)
	if err != nil {
		return err
	}
	defer rows.Close()
	n := int64(0)
	cells := newCells(columns)
	for ; rows.Next(); n++ {
		if err := rows.Scan(cells.targets...); err != nil {
			return err
		}
		if err := out.row(cells.values()); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return out.end(table, n)
}

// columnsOf lists the columns of a table, without those that only matter to running processes.
func columnsOf(ctx context.Context, db bun.IDB, table string) ([]backupColumn, error) {
	rows, err := db.QueryContext(ctx, "SELECT * FROM "+table+" LIMIT 0")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	var columns []backupColumn
	for _, t := range types {
		if passing(table, t.Name()) {
			continue
		}
		kind, err := kindOf(t.DatabaseTypeName())
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", t.Name(), err)
		}
		columns = append(columns, backupColumn{t.Name(), kind})
	}
	return columns, rows.Err()
}

func kindOf(databaseType string) (columnKind, error) {
	switch databaseType {
	case "TEXT":
		return kindText, nil
	case "INTEGER", "BIGINT", "SMALLINT", "INT2", "INT4", "INT8":
		return kindInt, nil
	case "BOOLEAN", "BOOL":
		return kindBool, nil
	case "BLOB", "BYTEA":
		return kindBytes, nil
	default:
		return "", fmt.Errorf("no backup holds the type %q", databaseType)
	}
}

func namesOf(columns []backupColumn) string {
	return strings.Join(valuesOf(columns, func(c backupColumn) string { return c.Name }), ", ")
}

// cells are the destinations that a table's rows are scanned into.
type cells struct{ targets []any }

func newCells(columns []backupColumn) cells {
	c := cells{make([]any, len(columns))}
	for i, column := range columns {
		switch column.Kind {
		case kindText:
			c.targets[i] = new(sql.Null[string])
		case kindInt:
			c.targets[i] = new(sql.Null[int64])
		case kindBool:
			c.targets[i] = new(sql.Null[bool])
		case kindBytes:
			c.targets[i] = new(sql.Null[[]byte])
		}
	}
	return c
}

// values returns the row scanned last; nil stands for NULL.
func (c cells) values() []any {
	out := make([]any, len(c.targets))
	for i, target := range c.targets {
		switch v := target.(type) {
		case *sql.Null[string]:
			out[i] = orNil(*v)
		case *sql.Null[int64]:
			out[i] = orNil(*v)
		case *sql.Null[bool]:
			out[i] = orNil(*v)
		case *sql.Null[[]byte]:
			out[i] = orNil(*v)
		}
	}
	return out
}

func orNil[T any](v sql.Null[T]) any {
	if !v.Valid {
		return nil
	}
	return v.V
}
