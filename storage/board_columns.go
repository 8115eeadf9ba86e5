package storage

import (
	"database/sql"
	"fmt"
	"strconv"
	"strings"
)

// Boards are the rows that the store reads most, so the hot paths bypass bun's reflection. boardTexts and boardNumbers
// list the columns of a board once. The columns of a SELECT, the destinations of a scan and the text of a claim are all
// derived from them.
//
//nolint:gochecknoglobals // constant tables; Go has no constant arrays of functions
var (
	boardTexts = [...]struct {
		boardColumn
		cell func(*boardRow) *string
	}{
		{boardColumn{"id", ""}, func(r *boardRow) *string { return &r.ID }},
		{boardColumn{"source", "''"}, func(r *boardRow) *string { return &r.Source }},
		{boardColumn{"system", ""}, func(r *boardRow) *string { return &r.System }},
		{boardColumn{"url", ""}, func(r *boardRow) *string { return &r.URL }},
		{boardColumn{"company", ""}, func(r *boardRow) *string { return &r.Company }},
		{boardColumn{"domain", ""}, func(r *boardRow) *string { return &r.Domain }},
		{boardColumn{"status", ""}, func(r *boardRow) *string { return (*string)(&r.Status) }},
		{boardColumn{"health", ""}, func(r *boardRow) *string { return (*string)(&r.Health) }},
		{boardColumn{"fingerprint", ""}, func(r *boardRow) *string { return &r.Fingerprint }},
		{boardColumn{"set_hash", ""}, func(r *boardRow) *string { return &r.SetHash }},
		{boardColumn{"state", ""}, func(r *boardRow) *string { return &r.State }},
		{boardColumn{"recipe", ""}, func(r *boardRow) *string { return &r.Recipe }},
		{boardColumn{"asked_by", ""}, func(r *boardRow) *string { return &r.AskedBy }},
		{boardColumn{"asked_host", ""}, func(r *boardRow) *string { return &r.AskedHost }},
	}
	boardNumbers = [...]struct {
		boardColumn
		cell func(*boardRow) any // an *int or an *int64
	}{
		{boardColumn{"open_jobs", ""}, func(r *boardRow) any { return &r.OpenJobs }},
		{boardColumn{"closed_jobs", ""}, func(r *boardRow) any { return &r.ClosedJobs }},
		{boardColumn{"cadence_ms", ""}, func(r *boardRow) any { return &r.Cadence }},
		{boardColumn{"next_check_at", "0"}, func(r *boardRow) any { return &r.NextCheckAt }},
		{boardColumn{"added_at", ""}, func(r *boardRow) any { return &r.AddedAt }},
		{boardColumn{"last_checked_at", ""}, func(r *boardRow) any { return &r.LastCheckedAt }},
		{boardColumn{"last_success_at", ""}, func(r *boardRow) any { return &r.LastSuccessAt }},
		{boardColumn{"sick_since", ""}, func(r *boardRow) any { return &r.SickSince }},
		{boardColumn{"well_since", ""}, func(r *boardRow) any { return &r.WellSince }},
		{boardColumn{"missing", ""}, func(r *boardRow) any { return &r.Missing }},
		{boardColumn{"version", ""}, func(r *boardRow) any { return &r.Version }},
		{boardColumn{"streak", ""}, func(r *boardRow) any { return &r.Streak }},
	}

	// boardColumns are the columns of boards in a SELECT, where the table's alias is b.
	boardColumns = listBoardColumns(func(c boardColumn) string { return c.value() + " AS " + c.name })
	// boardValues are the same in an expression.
	boardValues = listBoardColumns(boardColumn.value)
)

// boardColumn is a column of boards, and the value that replaces NULL if the column can be NULL.
type boardColumn struct{ name, null string }

func (c boardColumn) value() string {
	if c.null == "" {
		return "b." + c.name
	}
	return "COALESCE(b." + c.name + ", " + c.null + ")"
}

func listBoardColumns(sql func(boardColumn) string) string {
	list := make([]string, 0, len(boardTexts)+len(boardNumbers))
	for _, c := range boardTexts {
		list = append(list, sql(c.boardColumn))
	}
	for _, c := range boardNumbers {
		list = append(list, sql(c.boardColumn))
	}
	return strings.Join(list, ", ")
}

// scanBoards reads about n rows of boardColumns and closes them.
func scanBoards(rows *sql.Rows, n int) ([]boardRow, error) {
	defer rows.Close()
	return readBoards(rows, n)
}

func readBoards(rows Rows, n int) ([]boardRow, error) {
	out := make([]boardRow, 0, n)
	cells := make([]any, len(boardTexts)+len(boardNumbers))
	for rows.Next() {
		out = append(out, boardRow{})
		r := &out[len(out)-1]
		for i, c := range boardTexts {
			cells[i] = c.cell(r)
		}
		for i, c := range boardNumbers {
			cells[len(boardTexts)+i] = c.cell(r)
		}
		if err := rows.Scan(cells...); err != nil {
			return nil, fmt.Errorf("read boards: %w", err)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read boards: %w", err)
	}
	return out, nil
}

// boardText is everything that a claim needs of a board, as one text: for a driver, a column costs more than its content,
// and a row costs more than a column.
func boardText(d Dialect) string { return `concat_ws(` + d.Char + `(31), ` + boardValues + `)` }

// parse reads a boardText.
func (r *boardRow) parse(text string) error {
	for _, c := range boardTexts {
		*c.cell(r), text, _ = strings.Cut(text, fieldMark)
	}
	for _, c := range boardNumbers {
		var value string
		value, text, _ = strings.Cut(text, fieldMark)
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return fmt.Errorf("read board %s: %w", r.ID, err)
		}
		switch cell := c.cell(r).(type) {
		case *int:
			*cell = int(n)
		case *int64:
			*cell = n
		}
	}
	return nil
}
