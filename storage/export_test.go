package storage

import (
	"context"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// ExplainJobs is how PostgreSQL goes about listing and counting jobs.
func (s *Store) ExplainJobs(ctx context.Context, accountID string, f boardwatch.JobFilter) (list, count string, err error) {
	boards, err := s.visibleBoards(ctx, accountID, f.BoardID)
	if err != nil {
		return "", "", err
	}
	q := newJobQuery(boards, f, s.dialect)
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

// Exec runs a statement that no store has.
func (s *Store) Exec(ctx context.Context, text string, args ...any) error {
	_, err := s.db().ExecContext(ctx, text, args...)
	return err
}
