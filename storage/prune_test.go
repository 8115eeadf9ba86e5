package storage_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/storage"
)

// TestPruningTakesManyRows has more rows to delete than one transaction deletes, many of one moment, and keeps the newest check
// of each board, which are the oldest of all.
func TestPruningTakesManyRows(t *testing.T) {
	t.Parallel()
	for kind, database := range kinds() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := database(t)(t, storage.Options{})
			const numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
			const check = "INSERT INTO checks (id, board_id, at, health, reason, blocked_by, open_jobs, found, closed, updated, requests) "
			texts := []string{
				fmt.Sprintf(numbers, 1500) + `INSERT INTO boards (id, url, status, added_at, last_success_at)
					SELECT 'board' || i, 'https://northwind.example/', 'ready', 7, 8 FROM n`,
				fmt.Sprintf(numbers, 1500) + check + "SELECT 'a' || i, 'board' || i, 1, 'ok', '', '', 0, 0, 0, 0, 1 FROM n WHERE i > 1",
				fmt.Sprintf(numbers, 1700) + check + "SELECT 'b' || i, 'board1', 2, 'ok', '', '', 0, 0, 0, 0, 1 FROM n",
				fmt.Sprintf(numbers, 3300) + check + "SELECT 'c' || i, 'board1', 2 + i, 'ok', '', '', 0, 0, 0, 0, 1 FROM n",
				fmt.Sprintf(numbers, 3300) + `INSERT INTO payloads (id, type, board_id, created_at, tail)
					SELECT 'p' || i, 'job.found', 'board1', i, '' FROM n`,
				fmt.Sprintf(numbers, 1200) + `INSERT INTO boards (id, url, status, added_at)
					SELECT 'unread' || i, 'https://northwind.example/', 'pending', 1 FROM n`,
			}
			require.NoError(t, s.Write(t.Context(), texts...))
			require.NoError(t, s.Prune(t.Context(), storage.Retention{Checks: time.Hour, Deliveries: time.Hour, Unread: time.Hour}))
			for query, want := range map[string]int{
				"SELECT count(*) FROM checks":                            1500,
				"SELECT count(*) FROM checks WHERE board_id <> 'board1'": 1499,
				"SELECT count(*) FROM checks WHERE id = 'c3300'":         1,
				"SELECT count(*) FROM payloads":                          0,
				"SELECT count(*) FROM boards":                            1500,
			} {
				var n int
				require.NoError(t, s.SQL().QueryRowContext(t.Context(), query).Scan(&n))
				require.Equal(t, want, n, query)
			}
		})
	}
}
