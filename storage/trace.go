package storage

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// Trace is told when a transaction or a statement begins. The step is its name, such as "transaction" or "SELECT boards":
// no value ever stands in it. Trace returns the context of what belongs to the step, and what is called when it ends.
type Trace func(ctx context.Context, step string) (context.Context, func(error))

// Traced returns a db that tells t of every statement that goes through bun; the same db if t is nil.
func Traced(db *bun.DB, t Trace) *bun.DB {
	if t == nil {
		return db
	}
	return db.WithQueryHook(tracedQueries{t})
}

// tracedQueries is a bun hook that traces queries.
type tracedQueries struct{ trace Trace }

// stashed is the key under which an event keeps the function to call at its end.
type stashed struct{}

// BeforeQuery returns the context it was given, because bun would pass the context of a BEGIN on to the whole
// transaction.
func (h tracedQueries) BeforeQuery(ctx context.Context, e *bun.QueryEvent) context.Context {
	_, end := h.trace(ctx, eventName(e))
	e.Stash = map[any]any{stashed{}: end}
	return ctx
}

// AfterQuery ends what BeforeQuery began. A missing row counts as an answer, not as an error.
func (h tracedQueries) AfterQuery(_ context.Context, e *bun.QueryEvent) {
	err := e.Err
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	if end, ok := e.Stash[stashed{}].(func(error)); ok {
		end(err)
	}
}

// eventName names a statement made by bun. The text contains values, so the name comes from the builder's table
// instead.
func eventName(e *bun.QueryEvent) string {
	if e.IQuery == nil {
		return statementName(e.QueryTemplate)
	}
	return strings.TrimSpace(e.IQuery.Operation() + " " + tableName(e.IQuery.GetTableName()))
}

// statementName returns the verb of a statement and the first table it mentions.
func statementName(text string) string {
	verb, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	before := verb
	for word := range strings.FieldsSeq(rest) {
		if table := tableName(word); table != "" && slices.Contains([]string{"FROM", "INTO", "UPDATE"}, strings.ToUpper(before)) {
			return verb + " " + table
		}
		before = word
	}
	return verb
}

// tableName returns a word without its quotation marks if it looks like the name of a table.
func tableName(word string) string {
	word = strings.Trim(word, `"`)
	for _, r := range word {
		if r != '_' && (r < 'a' || r > 'z') {
			return ""
		}
	}
	return word
}

// tracedDriver traces transactions, and prepared statements, which do not go through bun.
type tracedDriver struct {
	driver.Driver

	trace Trace
}

// step traces one step.
func (t Trace) step(ctx context.Context, name string, f func(ctx context.Context) error) error {
	ctx, end := t(ctx, name)
	err := f(ctx)
	end(err)
	return err
}

// Write is the driver's method, traced.
func (d tracedDriver) Write(ctx context.Context, op func(ctx context.Context, tx driver.Tx) error) error {
	return d.trace.step(ctx, "transaction", func(ctx context.Context) error {
		return d.Driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
			tx.Statements = tracedStatements{tracedAsker{tx.Statements, d.trace}, tx.Statements}
			return op(ctx, tx)
		})
	})
}

// exchange is an operation that asks and returns what is written last.
type exchange = func(ctx context.Context, tx driver.CheckTx) ([]driver.Statement, error)

// WriteCheck is the driver's method, traced.
func (d tracedDriver) WriteCheck(ctx context.Context, op exchange) error {
	return d.exchange(ctx, d.Driver.WriteCheck, op)
}

// WriteCounts is the driver's method, traced.
func (d tracedDriver) WriteCounts(ctx context.Context, op exchange) error {
	return d.exchange(ctx, d.Driver.WriteCounts, op)
}

// exchange traces an operation. The steps of what it returns end with the transaction.
func (d tracedDriver) exchange(ctx context.Context, write func(context.Context, exchange) error, op exchange) error {
	return d.trace.step(ctx, "transaction", func(ctx context.Context) error {
		written := func(error) {}
		err := write(ctx, func(ctx context.Context, tx driver.CheckTx) (todo []driver.Statement, err error) {
			tx.Asker = tracedAsker{tx.Asker, d.trace}
			if todo, err = op(ctx, tx); err == nil {
				written = together(ctx, d.trace, todo)
			}
			return todo, err
		})
		written(err)
		return err
	})
}

// SaveUnchanged is the driver's method, traced, with the context of the first of the checks.
func (d tracedDriver) SaveUnchanged(ctx context.Context, group []driver.Unchanged) (saved []bool, err error) {
	err = d.trace.step(ctx, "transaction", func(ctx context.Context) error {
		saved, err = d.Driver.SaveUnchanged(ctx, group)
		return err
	})
	return saved, err
}

// Horizon is the driver's method, traced.
func (d tracedDriver) Horizon(ctx context.Context) (at time.Time, err error) {
	err = d.trace.step(ctx, "horizon", func(ctx context.Context) error {
		at, err = d.Driver.Horizon(ctx)
		return err
	})
	return at, err
}

// tracedStatements traces prepared statements.
type tracedStatements struct {
	tracedAsker

	statements driver.Statements
}

// Run runs statements.
func (s tracedStatements) Run(ctx context.Context, list []driver.Statement) error {
	end := together(ctx, s.trace, list)
	err := s.statements.Run(ctx, list)
	end(err)
	return err
}

// tracedAsker traces questions.
type tracedAsker struct {
	driver.Asker

	trace Trace
}

// Ask asks questions.
func (a tracedAsker) Ask(ctx context.Context, list []driver.Question) error {
	end := together(ctx, a.trace, valuesOf(list, func(q driver.Question) driver.Statement { return q.Statement }))
	err := a.Asker.Ask(ctx, list)
	end(err)
	return err
}

// together traces statements that a driver may send together: their steps begin and end together.
func together(ctx context.Context, trace Trace, list []driver.Statement) (end func(error)) {
	ends := make([]func(error), len(list))
	for i, next := range list {
		_, ends[i] = trace(ctx, statementName(next.Text))
	}
	return func(err error) {
		for _, end := range ends {
			end(err)
		}
	}
}
