package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// lend lends f the connection under one of the pool. The pool gives up the connection if f panics.
func lend(conn *sql.Conn, f func(*pgx.Conn) error) error {
	return conn.Raw(func(c any) error {
		raw, ok := c.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("a connection is a %T", c)
		}
		return f(raw.Conn())
	})
}

// exchange sends statements of a transaction over its connection, and takes a single round trip for those that are given
// together. They stay prepared on the connection.
type exchange struct {
	lend   func(func(*pgx.Conn) error) error // lends the connection
	begun  bool                              // the transaction is open; otherwise it begins with the first statements
	stamps bool                              // what it writes has a moment, which it asks for
	counts bool                              // a power failure may undo what it writes
	clock  clock
	hot    pgx.QueryExecMode
	texts  *sync.Map // with numbered arguments, by those with question marks
}

func (e *exchange) Run(ctx context.Context, list []driver.Statement) error {
	return e.together(ctx, list, func(pgx.BatchResults) error { return nil })
}

// Ask also asks for the stamp, the first time: the caller is about to write.
func (e *exchange) Ask(ctx context.Context, list []driver.Question) error {
	if e.stamps && e.clock.ms == 0 {
		list = append(slices.Clip(list), e.clock.question())
	}
	texts := make([]driver.Statement, len(list))
	for i, q := range list {
		texts[i] = q.Statement
	}
	return e.together(ctx, texts, func(answers pgx.BatchResults) error {
		for _, q := range list {
			if err := read(answers, q.Read); err != nil {
				return err
			}
		}
		return nil
	})
}

// stamp asks for the stamp unless it came with other answers.
func (e *exchange) stamp(ctx context.Context, after time.Time) (time.Time, error) {
	if e.clock.ms == 0 {
		if err := e.Ask(ctx, nil); err != nil {
			return time.Time{}, fmt.Errorf("read clock: %w", err)
		}
	}
	e.clock.ms = max(e.clock.ms, after.UnixMilli()+1)
	return instant(e.clock.ms), nil
}

func (e *exchange) ahead() time.Duration { return e.clock.ahead }

// read passes the rows of the next answer to its reader, and closes them.
func read(answers pgx.BatchResults, f func(driver.Rows) error) error {
	rows, err := answers.Query()
	if err != nil {
		return err
	}
	defer rows.Close()
	return f(rows)
}

// commit runs the last statements and ends the transaction. If one of them fails, the server skips those after it,
// including COMMIT, and the transaction stays open.
func (e *exchange) commit(ctx context.Context, list []driver.Statement) error {
	if !e.begun && len(list) == 0 {
		return nil
	}
	list = append(slices.Clip(list), driver.Statement{Text: "COMMIT"})
	return e.together(ctx, list, func(answers pgx.BatchResults) error {
		for range len(list) - 1 {
			if _, err := answers.Exec(); err != nil {
				return err
			}
		}
		done, err := answers.Exec()
		if err == nil && done.String() == "ROLLBACK" { // a statement failed before, and nobody minded
			err = pgx.ErrTxCommitRollback
		}
		return err
	})
}

// together sends all statements at once and reads their answers.
func (e *exchange) together(ctx context.Context, list []driver.Statement, answered func(pgx.BatchResults) error) error {
	if len(list) == 0 {
		return nil
	}
	return e.lend(func(conn *pgx.Conn) error {
		var batch pgx.Batch
		begins := e.beginning()
		for _, next := range slices.Concat(begins, list) {
			if err := e.queue(ctx, conn, &batch, next); err != nil {
				return err
			}
		}
		answers := conn.SendBatch(ctx, &batch)
		var err error
		for range begins {
			if err == nil {
				_, err = answers.Exec()
			}
		}
		if err == nil {
			err = answered(answers)
		}
		if closed := answers.Close(); err == nil {
			err = closed
		}
		if !e.begun {
			e.begun = conn.PgConn().TxStatus() != 'I' // the batch may not have been sent
		}
		return err
	})
}

// beginning are the statements that begin the transaction, or none.
func (e *exchange) beginning() []driver.Statement {
	switch {
	case e.begun:
		return nil
	case e.counts:
		return []driver.Statement{{Text: "BEGIN"}, {Text: "SET LOCAL synchronous_commit = off"}}
	default:
		return []driver.Statement{{Text: "BEGIN"}}
	}
}

// queue adds a statement to a batch, and prepares it if the connection does not know it yet.
func (e *exchange) queue(ctx context.Context, conn *pgx.Conn, batch *pgx.Batch, s driver.Statement) error {
	text := e.numbered(s.Text)
	if e.hot == pgx.QueryExecModeCacheStatement {
		if _, err := conn.Prepare(ctx, text, text); err != nil {
			return err
		}
	}
	batch.Queue(text, s.Args...)
	return nil
}

// numbered remembers what it makes of a text, because texts are few and always the same.
func (e *exchange) numbered(text string) string {
	if known, ok := e.texts.Load(text); ok {
		return known.(string) //nolint:forcetypeassert // nothing else is stored
	}
	made := numbered(text)
	e.texts.Store(text, made)
	return made
}

// numbered replaces the question marks of a statement by $1, $2 and so on.
func numbered(text string) string {
	out := make([]byte, 0, len(text)+16)
	n := int64(0)
	for i := range len(text) {
		if text[i] != '?' {
			out = append(out, text[i])
			continue
		}
		n++
		out = strconv.AppendInt(append(out, '$'), n, 10)
	}
	return string(out)
}
