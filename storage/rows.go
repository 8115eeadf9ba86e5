package storage

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// record is a row of a table. It says once which columns the table has, and where in a value of ours each is kept.
type record struct {
	table, alias string
	cells        []cell
}

// cell is a column of a record, and the pointer that it is read to and written from.
type cell struct {
	column string
	at     any
}

func newRecord(table, alias string, cells ...cell) record { return record{table, alias, cells} }

func col(column string, at any) cell { return cell{column, at} }

// stored is where a column is kept whose values are stored as an S.
type stored[S any] struct {
	write func() S
	read  func(S) error
}

// Value returns what is stored.
func (s stored[S]) Value() (sqldriver.Value, error) { return s.write(), nil }

// Scan reads what is stored; NULL is the zero value.
func (s stored[S]) Scan(v any) error {
	var n sql.Null[S]
	if err := n.Scan(v); err != nil {
		return err
	}
	return s.read(n.V)
}

// moment is a time that is stored in milliseconds.
func moment(t *time.Time) stored[int64] {
	return stored[int64]{func() int64 { return millis(*t) }, func(ms int64) error { *t = instant(ms); return nil }}
}

// entries is a list that is stored as one text.
func entries[T ~string](list *[]T) stored[string] {
	return stored[string]{func() string { return joined(*list) }, func(text string) error { *list = parted[T](text); return nil }}
}

// wordList is a list of words that is stored as one text.
func wordList[T ~string](list *[]T) stored[string] {
	return stored[string]{func() string {
		return strings.ReplaceAll(joined(*list), entryMark, " ")
	}, func(text string) error {
		*list = nil
		for word := range strings.FieldsSeq(text) {
			*list = append(*list, T(word))
		}
		return nil
	}}
}

// span is a duration that is stored in milliseconds.
func span(d *time.Duration) stored[int64] {
	return stored[int64]{func() int64 { return d.Milliseconds() }, func(ms int64) error { *d = time.Duration(ms) * time.Millisecond; return nil }}
}

func text(s *string) stored[string] {
	return stored[string]{func() string { return plain(*s) }, func(text string) error { *s = text; return nil }}
}

// optional is stored as NULL while it is empty.
func optional[S comparable](s stored[S]) stored[any] {
	return stored[any]{func() any {
		var none S
		if v := s.write(); v != none {
			return v
		}
		return nil
	}, s.Scan}
}

// value is what is stored of a cell.
func (c cell) value() any {
	switch at := c.at.(type) {
	case sqldriver.Valuer:
		v, _ := at.Value() // a stored never fails
		if text, ok := v.(string); ok {
			return plain(text)
		}
		return v
	case *[]byte:
		return *at
	}
	v := reflect.ValueOf(c.at).Elem()
	if v.Kind() == reflect.String {
		return plain(v.String())
	}
	return v.Interface()
}

// columns lists the columns of records as a SELECT does.
func columns(records ...record) string {
	var names []string
	for _, r := range records {
		for _, c := range r.cells {
			names = append(names, strings.TrimPrefix(r.alias+"."+c.column, "."))
		}
	}
	return strings.Join(names, ", ")
}

// targets are where these columns are read to.
func targets(records ...record) (to []any) {
	for _, r := range records {
		for _, c := range r.cells {
			to = append(to, c.at)
		}
	}
	return to
}

// only is the record with these columns alone.
func (r record) only(columns ...string) record {
	r.cells = slices.DeleteFunc(r.cells, func(c cell) bool { return !slices.Contains(columns, c.column) })
	return r
}

// set returns the assignments of these columns in an UPDATE, and their values.
func (r record) set(columns ...string) (text string, values []any) {
	for _, c := range r.only(columns...).cells {
		text, values = text+", "+c.column+" = ?", append(values, c.value())
	}
	return strings.TrimPrefix(text, ", "), values
}

// values lists the columns for an INSERT, and their values.
func (r record) values() (names string, values []any) {
	list := make([]string, len(r.cells))
	for i, c := range r.cells {
		list[i], values = c.column, append(values, c.value())
	}
	return strings.Join(list, ", "), values
}

// insertRow adds a row. The rest of the statement says what happens if there is one already; it may be empty.
func insertRow(ctx context.Context, db bun.IDB, r record, rest string) (added int64, err error) {
	names, values := r.values()
	return affected(ctx, db, "INSERT INTO "+r.table+" ("+names+") VALUES ("+marks(len(values))+") "+rest, values...)
}

// marks are placeholders for that many arguments.
func marks(n int) string { return "?" + strings.Repeat(", ?", n-1) }

// readRows reads the rows of a table. The rest of the query begins behind the table's name.
func readRows[T any](ctx context.Context, db bun.IDB, of func(*T) record, rest string, args ...any) ([]T, error) {
	var list []T
	var next, none T
	r := of(&next)
	err := queryRows(ctx, db, targets(r), func() error {
		list, next = append(list, next), none
		return nil
	}, "SELECT "+columns(r)+" FROM "+r.table+" AS "+r.alias+" "+rest, args...)
	return list, err
}

// readRow reads the first of these rows. The error is sql.ErrNoRows if there is none.
func readRow[T any](ctx context.Context, db bun.IDB, of func(*T) record, rest string, args ...any) (row T, err error) {
	list, err := readRows(ctx, db, of, rest, args...)
	if err != nil {
		return row, err
	}
	if len(list) == 0 {
		return row, sql.ErrNoRows
	}
	return list[0], nil
}

// queryRows asks a database and reads the rows of its answer as driver.EachRow does.
func queryRows(ctx context.Context, db bun.IDB, to []any, f func() error, query string, args ...any) error {
	return driver.Into(f, to...)(db.QueryContext(ctx, query, args...)) //nolint:rowserrcheck // Into does
}

// batches are the numbers of rows per statement: only a few, so that the prepared statements can be reused.
var batches = [...]int{64, 16, 4, 2, 1} //nolint:gochecknoglobals // a constant table

// insert adds rows to a table. Each row has a value for every column.
func (s *script) insert(table string, columns string, rows [][]any) {
	s.inBatches(rows, "("+marks(strings.Count(columns, ",")+1)+")", "INSERT INTO "+table+" ("+columns+") VALUES ", "")
}

// insertRow adds a row.
func (s *script) insertRow(r record) {
	names, values := r.values()
	s.insert(r.table, names, [][]any{values})
}

// inBatches builds a statement per batch of rows. The placeholders of the rows go between its two parts.
func (s *script) inBatches(rows [][]any, marks, before, after string) {
	for _, size := range batches {
		if len(rows) < size {
			continue
		}
		text := before + strings.Repeat(marks+", ", size-1) + marks + after
		for len(rows) >= size {
			args := make([]any, 0, size*len(rows[0]))
			for _, row := range rows[:size] {
				args = append(args, row...)
			}
			s.add(text, args...)
			rows = rows[size:]
		}
	}
}

// valuesOf converts rows to values.
func valuesOf[R, V any](rows []R, value func(R) V) []V {
	values := make([]V, len(rows))
	for i, r := range rows {
		values[i] = value(r)
	}
	return values
}

// existing runs a statement on one row that must exist. If it changes no row, the result is a not_found error that
// names the thing.
func existing(ctx context.Context, db bun.IDB, thing, query string, args ...any) error {
	n, err := affected(ctx, db, query, args...)
	if err == nil && n == 0 {
		err = boardwatch.NotFound(thing)
	}
	return err
}

// write runs changes in one transaction. What is attempted begins the error.
func (s *Store) write(ctx context.Context, attempt string, change func(ctx context.Context, tx driver.Tx) error) error {
	return wrap(attempt, s.driver.Write(ctx, change))
}

// exec is write for a single statement.
func (s *Store) exec(ctx context.Context, attempt, query string, args ...any) error {
	return s.write(ctx, attempt, func(ctx context.Context, tx driver.Tx) error {
		_, err := tx.ExecContext(ctx, query, args...)
		return err
	})
}

// change is exec for a statement on one row that must exist.
func (s *Store) change(ctx context.Context, attempt, thing, query string, args ...any) error {
	return s.write(ctx, attempt, func(ctx context.Context, tx driver.Tx) error { return existing(ctx, tx, thing, query, args...) })
}

// found is the error of a query for one row: not_found for a thing that is not there.
func found(attempt, thing string, err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return boardwatch.NotFound(thing)
	}
	return wrap(attempt, err)
}
