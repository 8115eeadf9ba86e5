package postgres_test

import (
	"database/sql"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/postgres"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// TestClaimsVisitOnlyDueBoards shows that a claim does not visit boards that are not due, however many it asks for: nearly always fewer
// are due, and if it went on through the index then, it would cost more with each tracked board.
func TestClaimsVisitOnlyDueBoards(t *testing.T) {
	t.Parallel()
	const boards, due = 5000, 3
	address := storagetest.PostgresURL(t)
	type statement struct {
		text string
		args []any
	}
	var last statement // that leased boards
	s, err := postgres.OpenTelling(t.Context(), address, storage.Options{}, func(text string, args []any) {
		if strings.Contains(text, "UPDATE boards AS b") {
			last = statement{text, args}
		}
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	_, board, _ := tracked(t, s, "northwind")
	db := raw(t, address)
	_, err = db.ExecContext(t.Context(), `INSERT INTO boards SELECT (jsonb_populate_record(b, jsonb_build_object(
			'id', lpad(to_hex(i), 24, '0'), 'source', 'lever:' || i, 'url', 'https://northwind.example/' || i, 'lease_until', 0,
			'next_check_at', boardwatch_now() + CASE WHEN i <= $2 THEN -1000 ELSE 3600000 END + i))).*
		FROM boards AS b, generate_series(1, $3) AS i WHERE b.id = $1`, board.ID, due, boards)
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "VACUUM ANALYZE boards")
	require.NoError(t, err)

	for name, filter := range map[string]boardwatch.ClaimFilter{
		"all":        {},
		"scheduled":  {Kind: boardwatch.ClaimScheduled},
		"one system": {Only: []string{"lever"}},
		"the others": {Except: []string{"greenhouse"}},
	} {
		for _, n := range []int{1, 16, 64, 1000} {
			_, err := s.ClaimDue(t.Context(), n, time.Minute, filter)
			require.NoError(t, err)
			_, err = db.ExecContext(t.Context(), "UPDATE boards SET lease_until = 0 WHERE lease_until > 0")
			require.NoError(t, err)
			plan := analyze(t, db, last.text, last.args)
			require.Contains(t, plan, "Update on boards", "the last statement is no claim")
			require.Less(t, discarded(t, plan), 100, "%s, %d asked for:\n%s", name, n, plan)
		}
	}
}

// analyze is how a statement was answered, which is then undone.
func analyze(t *testing.T, db *sql.DB, text string, args []any) string {
	t.Helper()
	tx, err := db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback()) }()
	rows, err := tx.QueryContext(t.Context(), "EXPLAIN ANALYZE "+text, args...)
	require.NoError(t, err)
	defer rows.Close()
	var plan strings.Builder
	for rows.Next() {
		var line string
		require.NoError(t, rows.Scan(&line))
		fmt.Fprintln(&plan, line)
	}
	require.NoError(t, rows.Err())
	return plan.String()
}

var rowsRemoved = regexp.MustCompile(`Rows Removed by [\w ]+: (\d+)`)

// discarded is how many rows were visited for nothing.
func discarded(t *testing.T, plan string) (rows int) {
	t.Helper()
	for _, m := range rowsRemoved.FindAllStringSubmatch(plan, -1) {
		n, err := strconv.Atoi(m[1])
		require.NoError(t, err)
		rows += n
	}
	return rows
}
