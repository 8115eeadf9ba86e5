package sqlite

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
)

// TestAccountsThatAskAreFoundByTheirIndex guards the plan: with any other index the cost of a claim grows with the
// accounts times their demands.
func TestAccountsThatAskAreFoundByTheirIndex(t *testing.T) {
	t.Parallel()
	d, err := open(t.Context(), filepath.Join(t.TempDir(), "b.db"), storage.Options{})
	require.NoError(t, err)
	s, err := storage.New(t.Context(), d, storage.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	rows, err := d.reads.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+demandedText, boardwatch.DemandsLookedAt)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	var plan []string
	for rows.Next() {
		var id, parent, unused int
		var line string
		require.NoError(t, rows.Scan(&id, &parent, &unused, &line))
		require.NotContains(t, line, "boards_next_check_at")
		if line == "SEARCH boards USING COVERING INDEX boards_asked" || line == "SEARCH b USING COVERING INDEX boards_asked (asked_by>?)" {
			plan = append(plan, line)
		}
	}
	require.NoError(t, rows.Err())
	require.Len(t, plan, 2, "the first account, and the next one after each")
}
