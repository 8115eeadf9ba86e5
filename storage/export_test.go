package storage

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// WordsOf returns the words of a text as they are stored, and WantedWords those of a query.
func WordsOf(text string) []string { return wordsOf(text) }

// WantedWords returns the words of a query.
func WantedWords(query string) []string { return wantedWords(query) }

// ExplainJobs returns PostgreSQL's plans for listing and counting jobs.
func (s *Store) ExplainJobs(ctx context.Context, accountID string, f track.JobFilter) (list, count string, err error) {
	boards, err := visibleBoards(ctx, s.db(), accountID, f.BoardID)
	if err != nil {
		return "", "", err
	}
	q := newJobQuery(boards, f, roleCondition{}, s.dialect)
	if list, err = s.explain(ctx, func() (string, []any) { return q.page(50, f.Skip) }); err != nil {
		return "", "", err
	}
	count, err = s.explain(ctx, q.count)
	return list, count, err
}

func (s *Store) explain(ctx context.Context, query func() (string, []any)) (string, error) {
	text, args := query()
	var lines []string
	err := s.db().NewRaw("EXPLAIN "+text, args...).Scan(ctx, &lines)
	return strings.Join(lines, "\n"), err
}

// ExplainAdding returns the plans of the queries that adding a board to a list and removing one ask, by query.
// PostgreSQL also says how many rows it read.
func (s *Store) ExplainAdding(ctx context.Context, accountID string) (map[string]string, error) {
	plans := map[string]string{}
	for text, args := range map[string][]any{
		newestText:       {accountID, false, accountID, true},
		nextUnlockedText: {accountID},
		"SELECT locked FROM subscriptions WHERE account_id = ? AND board_id = ?": {accountID, "000000000000000000000000"},
	} {
		var err error
		if s.dialect.Alone {
			plans[text], err = s.explainQueryPlan(ctx, text, args)
		} else {
			plans[text], err = s.explain(ctx, func() (string, []any) { return "(ANALYZE, TIMING OFF) " + text, args })
		}
		if err != nil {
			return nil, err
		}
	}
	return plans, nil
}

// explainQueryPlan is explain on SQLite.
func (s *Store) explainQueryPlan(ctx context.Context, text string, args []any) (string, error) {
	rows, err := s.db().QueryContext(ctx, "EXPLAIN QUERY PLAN "+text, args...)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var lines []string
	for rows.Next() {
		var id, parent, unused int
		var line string
		if err := rows.Scan(&id, &parent, &unused, &line); err != nil {
			return "", err
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n"), rows.Err()
}

// Explained returns the plan of each query that work runs, by query; PostgreSQL's is JSON. No other work may be under way.
func (s *Store) Explained(ctx context.Context, work func() error) (map[string]string, error) {
	asked, own := &listener{}, s.driver
	s.driver = heard{own, s.db().WithQueryHook(asked)}
	err := work()
	s.driver = own
	if err != nil {
		return nil, err
	}
	plans := map[string]string{}
	for _, query := range asked.queries {
		if s.dialect.Alone {
			plans[query], err = s.explainQueryPlan(ctx, query, nil)
		} else {
			plans[query], err = s.explain(ctx, func() (string, []any) { return "(FORMAT JSON) " + query, nil })
		}
		if err != nil {
			return nil, err
		}
	}
	return plans, nil
}

// heard is a driver whose database reports its queries.
type heard struct {
	driver.Driver

	db *bun.DB
}

// DB is the database that reports its queries.
func (h heard) DB() *bun.DB { return h.db }

// listener records queries.
type listener struct{ queries []string }

// BeforeQuery does nothing.
func (*listener) BeforeQuery(ctx context.Context, _ *bun.QueryEvent) context.Context { return ctx }

// AfterQuery records the query.
func (l *listener) AfterQuery(_ context.Context, e *bun.QueryEvent) {
	if text := strings.TrimSpace(e.Query); strings.HasPrefix(text, "SELECT") || strings.HasPrefix(text, "WITH") {
		l.queries = append(l.queries, text)
	}
}

// SQL returns the database itself, for reading only.
func (s *Store) SQL() *sql.DB { return s.db().DB }

// Write runs statements that Store does not offer, in one transaction.
func (s *Store) Write(ctx context.Context, texts ...string) error {
	return s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		for _, text := range texts {
			if _, err := tx.ExecContext(ctx, text); err != nil {
				return err
			}
		}
		return nil
	})
}

// Exec runs a statement that Store does not offer.
func (s *Store) Exec(ctx context.Context, text string, args ...any) error {
	_, err := s.db().ExecContext(ctx, text, args...)
	return err
}

// KeptTables are the tables in a backup.
func KeptTables() []string { return keptTables[:] }

// Steps returns the numbers of all schema steps, in order.
func (s *Store) Steps() []string { return numbers(s.driver.Steps()) }

// At takes the first steps of the schema and runs statements on the result, given the columns of its tables.
func (s *Store) At(ctx context.Context, steps []string, statements func(columns map[string][]string) []string) error {
	return s.driver.Migrating(ctx, func(ctx context.Context, db *bun.DB) error {
		if _, err := s.migrate(ctx, db, s.driver.Steps()[:len(steps)]); err != nil {
			return err
		}
		there, err := s.tables(ctx, db)
		if err != nil {
			return err
		}
		columns := map[string][]string{}
		for t := range there {
			if strings.HasPrefix(t, "bun_") || strings.HasPrefix(t, "sqlite_") {
				continue
			}
			of, err := columnsOf(ctx, db, t)
			if err != nil {
				return err
			}
			for _, c := range of {
				columns[t] = append(columns[t], c.Name+" "+string(c.Kind))
			}
		}
		for _, text := range statements(columns) {
			if _, err := db.DB.ExecContext(ctx, text); err != nil {
				return fmt.Errorf("%s: %w", text, err)
			}
		}
		return nil
	})
}
