package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

var (
	// ErrNotEmpty says that a restore would replace what a database holds.
	ErrNotEmpty = errors.New("the database is not empty")
	// ErrInUse says that another process has the database open.
	ErrInUse = errors.New("other processes use the database")
)

// Restore fills the database from a backup, made from either kind of database, and brings its schema up to date. It
// fails with ErrNotEmpty if the database is not empty, unless force says to replace its content, and with ErrInUse if
// other processes have it open. All of it is one transaction: a failure, even at the last row, leaves the database as
// it was. Open the store with NoMigrate. A backup without encrypted values needs no key: the database will belong to
// the key of the first process that opens it.
func (s *Store) Restore(ctx context.Context, r io.Reader, force bool) (b Backup, err error) {
	in, err := newBackupReader(r)
	if err != nil {
		return Backup{}, wrap("restore", err)
	}
	if err := s.knows(in.backup.Schema); err != nil {
		return Backup{}, wrap("restore", err)
	}
	if !s.had(in.backup.Schema) {
		return Backup{}, wrap("restore", fmt.Errorf("its schema version is unknown: %w", ErrBackup))
	}
	err = s.driver.Alone(ctx, func(ctx context.Context, db *bun.DB) error {
		return db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			b, err = s.restore(ctx, tx, in, force)
			return err
		})
	})
	if err != nil {
		return Backup{}, wrap("restore", err)
	}
	return b, nil
}

func (s *Store) restore(ctx context.Context, tx bun.Tx, in *backupReader, force bool) (Backup, error) {
	if err := s.makeRoom(ctx, tx, in.backup.Schema, force); err != nil {
		return Backup{}, err
	}
	if err := s.takeMissing(ctx, tx, s.driver.Steps()[:len(in.backup.Schema)]); err != nil {
		return Backup{}, err
	}
	b, err := s.load(ctx, tx, in)
	if err != nil {
		return Backup{}, err
	}
	if err := s.takeMissing(ctx, tx, s.driver.Steps()); err != nil {
		return Backup{}, err
	}
	if err := s.indexTexts(ctx, tx); err != nil {
		return Backup{}, err
	}
	if err := forgetKey(ctx, tx); err != nil {
		return Backup{}, err
	}
	if b.mark > 0 {
		if _, err := tx.ExecContext(ctx, s.dialect.SetMark, b.mark); err != nil {
			return Backup{}, fmt.Errorf("set mark: %w", err)
		}
	}
	return b, s.driver.Restored(ctx, tx)
}

// had reports whether some version had exactly these steps: the first ones of all steps, in order.
func (s *Store) had(steps []string) bool {
	known := numbers(s.driver.Steps())
	return len(steps) > 0 && len(steps) <= len(known) && slices.Equal(steps, known[:len(steps)])
}

// makeRoom makes sure that only the backup's rows will be there. A database whose schema differs from the backup's is
// emptied completely.
func (s *Store) makeRoom(ctx context.Context, tx bun.Tx, schema []string, force bool) error {
	tables, err := s.tables(ctx, tx)
	if err != nil || !tables[migrationsTable] {
		return err
	}
	if !force {
		if err := empty(ctx, tx, tables); err != nil {
			return err
		}
	}
	current, err := s.schema(ctx, tx)
	if err != nil || len(current) == 0 || slices.Equal(current, schema) {
		return err
	}
	for _, statement := range s.dialect.Wipe {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("empty the database: %w", err)
		}
	}
	for _, t := range slices.Backward(slices.Concat([]string{migrationsTable, "mark"}, keptTables[:], passingTables[:])) {
		if _, err := tx.ExecContext(ctx, "DROP TABLE IF EXISTS "+t); err != nil {
			return fmt.Errorf("empty the database: %w", err)
		}
	}
	return nil
}

// empty returns ErrNotEmpty if some table has rows. A first start writes only to meta.
func empty(ctx context.Context, db bun.IDB, tables map[string]bool) error {
	for _, t := range keptTables {
		if t == "meta" || !tables[t] {
			continue
		}
		var one int
		switch err := db.QueryRowContext(ctx, "SELECT 1 FROM "+t+" LIMIT 1").Scan(&one); {
		case err == nil:
			return ErrNotEmpty
		case !errors.Is(err, sql.ErrNoRows):
			return err
		}
	}
	return nil
}

// takeMissing takes the missing steps.
func (s *Store) takeMissing(ctx context.Context, tx bun.Tx, steps []driver.Step) error {
	if _, err := s.beginSchema(ctx, tx); err != nil {
		return err
	}
	for _, step := range steps {
		if _, err := take(ctx, tx, step); err != nil {
			return err
		}
	}
	return nil
}

// load replaces all rows with those of a backup.
func (s *Store) load(ctx context.Context, tx bun.Tx, in *backupReader) (Backup, error) {
	tables, err := s.tables(ctx, tx)
	if err != nil {
		return Backup{}, err
	}
	for _, t := range slices.Backward(slices.Concat(keptTables[:], passingTables[:])) {
		if !tables[t] {
			continue
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM "+t); err != nil {
			return Backup{}, fmt.Errorf("empty %s: %w", t, err)
		}
	}
	var last *loader
	b, err := in.tables(func(t backupTable) (func([]any) error, error) {
		if err := last.close(ctx); err != nil {
			return nil, err
		}
		last, err = s.loader(ctx, tx, t)
		if err != nil {
			return nil, fmt.Errorf("load %s: %w", t.Table, err)
		}
		return func(values []any) error { return last.add(ctx, values) }, nil
	})
	if err != nil {
		return Backup{}, errors.Join(err, last.drop())
	}
	return b, last.close(ctx)
}

// forgetKey detaches a database that contains nothing encrypted from its key.
func forgetKey(ctx context.Context, db bun.IDB) error {
	_, err := db.ExecContext(ctx, `DELETE FROM meta WHERE name = 'seal_key'
		AND NOT EXISTS (SELECT 1 FROM webhooks WHERE length(secret) > 0)
		AND NOT EXISTS (SELECT 1 FROM preferences WHERE feed_token IS NOT NULL)
		AND NOT EXISTS (SELECT 1 FROM boards WHERE state LIKE ?)`, withSealedProxy)
	if err != nil {
		return fmt.Errorf("forget a key that nothing needs: %w", err)
	}
	return nil
}

// loader inserts the rows of one table.
type loader struct {
	tx       bun.Tx
	table    backupTable
	numbered bool
	pending  [][]any
	prepared map[int]*sql.Stmt // by the number of rows they insert
}

// loader returns a loader for the table, if the table can take the columns.
func (s *Store) loader(ctx context.Context, tx bun.Tx, t backupTable) (*loader, error) {
	if !slices.Contains(keptTables[:], t.Table) {
		return nil, broken("there is no table "+strconv.Quote(t.Table), nil)
	}
	there, err := columnsOf(ctx, tx, t.Table)
	if err != nil {
		return nil, err
	}
	if len(there) != len(t.Columns) {
		return nil, broken("its columns are not those of its schema", nil)
	}
	for _, c := range t.Columns {
		if !slices.Contains(there, c) {
			return nil, broken("there is no column "+strconv.Quote(c.Name), nil)
		}
	}
	return &loader{tx: tx, table: t, numbered: s.dialect.Numbered, prepared: map[int]*sql.Stmt{}}, nil
}

func (l *loader) add(ctx context.Context, values []any) error {
	l.pending = append(l.pending, values)
	if len(l.pending) < batches[0] {
		return nil
	}
	return l.flush(ctx)
}

// flush inserts the pending rows, in batches of a few sizes.
func (l *loader) flush(ctx context.Context) error {
	for _, size := range batches {
		for len(l.pending) >= size {
			if err := l.insert(ctx, l.pending[:size]); err != nil {
				return fmt.Errorf("load %s: %w", l.table.Table, err)
			}
			l.pending = l.pending[size:]
		}
	}
	l.pending = nil
	return nil
}

func (l *loader) insert(ctx context.Context, rows [][]any) error {
	stmt := l.prepared[len(rows)]
	if stmt == nil {
		var err error
		if stmt, err = l.tx.PrepareContext(ctx, l.text(len(rows))); err != nil {
			return err
		}
		l.prepared[len(rows)] = stmt
	}
	args := make([]any, 0, len(rows)*len(l.table.Columns))
	for _, row := range rows {
		args = append(args, row...)
	}
	_, err := stmt.ExecContext(ctx, args...)
	return err
}

func (l *loader) text(rows int) string {
	var text strings.Builder
	text.WriteString("INSERT INTO " + l.table.Table + " (" + namesOf(l.table.Columns) + ") VALUES ")
	n := 0
	for i := range rows {
		if i > 0 {
			text.WriteByte(',')
		}
		for j := range l.table.Columns {
			n++
			text.WriteString([]string{"(", ","}[min(j, 1)])
			if l.numbered {
				text.WriteString("$" + strconv.Itoa(n))
			} else {
				text.WriteByte('?')
			}
		}
		text.WriteByte(')')
	}
	return text.String()
}

// close inserts the remaining rows. A nil loader has none.
func (l *loader) close(ctx context.Context) error {
	if l == nil {
		return nil
	}
	return errors.Join(l.flush(ctx), l.drop())
}

// drop closes the statements.
func (l *loader) drop() (err error) {
	if l == nil {
		return nil
	}
	for _, stmt := range l.prepared {
		err = errors.Join(err, stmt.Close())
	}
	return err
}
