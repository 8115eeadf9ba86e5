package storage

import (
	"context"
	"strings"
)

// batches are the numbers of rows that one insert adds: a few fixed ones, so that the statements stay prepared.
var batches = [...]int{64, 16, 4, 1} //nolint:gochecknoglobals // a constant table

// insert adds rows to a table. Each row has a value for every column.
func insert(ctx context.Context, tx Tx, table string, columns string, rows [][]any) error {
	width := strings.Count(columns, ",") + 1
	marks := "(" + strings.Repeat("?, ", width-1) + "?)"
	for _, size := range batches {
		if len(rows) < size {
			continue
		}
		text := "INSERT INTO " + table + " (" + columns + ") VALUES " + strings.Repeat(marks+", ", size-1) + marks
		for len(rows) >= size {
			args := make([]any, 0, size*width)
			for _, row := range rows[:size] {
				args = append(args, row...)
			}
			if _, err := tx.Exec(ctx, text, args...); err != nil {
				return err
			}
			rows = rows[size:]
		}
	}
	return nil
}
