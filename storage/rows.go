package storage

import "strings"

// batches are the numbers of rows per statement: only a few, so that the prepared statements can be reused.
var batches = [...]int{64, 16, 4, 2, 1} //nolint:gochecknoglobals // a constant table

// insert adds rows to a table. Each row has a value for every column.
func (s *script) insert(table string, columns string, rows [][]any) {
	marks := "(" + strings.Repeat("?, ", strings.Count(columns, ",")) + "?)"
	s.inBatches(rows, marks, "INSERT INTO "+table+" ("+columns+") VALUES ", "")
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
