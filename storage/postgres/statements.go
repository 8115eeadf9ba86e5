package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/boardwatch/boardwatch/storage"
)

// statements runs the statements of a transaction. They stay prepared on each connection.
type statements struct {
	tx    *sql.Tx
	conn  *sql.Conn // the connection on which the transaction is open
	hot   pgx.QueryExecMode
	clock *clock
	texts *sync.Map // with numbered arguments, by those with question marks
}

func (s statements) Exec(ctx context.Context, text string, args ...any) (int64, error) {
	r, err := s.tx.ExecContext(ctx, s.numbered(text), append([]any{s.hot}, args...)...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

func (s statements) Query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	return s.tx.QueryContext(ctx, s.numbered(text), append([]any{s.hot}, args...)...)
}

// Run takes a single round trip for all statements.
func (s statements) Run(ctx context.Context, list []storage.Statement) error {
	if len(list) == 0 {
		return nil
	}
	return s.together(ctx, list, func(pgx.BatchResults) error { return nil })
}

// Ask takes a single round trip for all questions. The caller is about to write, so the stamp comes with the first
// answers.
func (s statements) Ask(ctx context.Context, list []storage.Question) error {
	texts := make([]storage.Statement, len(list), len(list)+1)
	for i, q := range list {
		texts[i] = q.Statement
	}
	stamp := s.clock.ms == 0
	if stamp {
		texts = append(texts, storage.Statement{Text: stampText})
	}
	return s.together(ctx, texts, func(answers pgx.BatchResults) error {
		for _, q := range list {
			if err := read(answers, q.Read); err != nil {
				return err
			}
		}
		if !stamp {
			return nil
		}
		var now int64
		if err := answers.QueryRow().Scan(&s.clock.ms, &now); err != nil {
			return fmt.Errorf("read clock: %w", err)
		}
		s.clock.compare(now)
		return nil
	})
}

// read passes the rows of the next answer to its reader, and closes them.
func read(answers pgx.BatchResults, f func(storage.Rows) error) error {
	rows, err := answers.Query()
	if err != nil {
		return err
	}
	defer rows.Close()
	return f(rows)
}

// together sends all statements at once and reads their answers.
func (s statements) together(ctx context.Context, list []storage.Statement, answered func(pgx.BatchResults) error) error {
	return s.conn.Raw(func(c any) error {
		raw, ok := c.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("a connection is a %T", c)
		}
		conn := raw.Conn()
		var batch pgx.Batch
		for _, next := range list {
			text := s.numbered(next.Text)
			if s.hot == pgx.QueryExecModeCacheStatement {
				if _, err := conn.Prepare(ctx, text, text); err != nil {
					return err
				}
			}
			batch.Queue(text, next.Args...)
		}
		answers := conn.SendBatch(ctx, &batch)
		err := answered(answers)
		if closed := answers.Close(); err == nil {
			err = closed
		}
		return err
	})
}

// numbered remembers what it makes of a text, because texts are few and always the same.
func (s statements) numbered(text string) string {
	if known, ok := s.texts.Load(text); ok {
		return known.(string) //nolint:forcetypeassert // nothing else is stored
	}
	made := numbered(text)
	s.texts.Store(text, made)
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
