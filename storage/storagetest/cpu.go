package storagetest

import (
	"database/sql"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// PostgresCPU returns the CPU time of the server's own processes and of its open connections. ok is false if the server
// is not on this machine, or if the machine does not report it.
func PostgresCPU(tb testing.TB, url string) (busy time.Duration, ok bool) {
	tb.Helper()
	db, err := sql.Open("pgx", url)
	require.NoError(tb, err)
	defer func() { require.NoError(tb, db.Close()) }()
	rows, err := db.QueryContext(tb.Context(), "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
	require.NoError(tb, err)
	defer rows.Close()
	for rows.Next() {
		var pid int
		require.NoError(tb, rows.Scan(&pid))
		took, found := computed(pid)
		if !found {
			continue // the process has ended, or it is on another machine
		}
		busy, ok = busy+took, true
	}
	require.NoError(tb, rows.Err())
	return busy, ok
}

// computed returns the CPU time of one process, which Linux counts in hundredths of a second.
func computed(pid int) (time.Duration, bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	name, after, found := strings.Cut(string(stat), ") ")
	if !found || !strings.Contains(name, "(postgres") {
		return 0, false
	}
	var user, system int64 // the fields 14 and 15; after starts at the third
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return 0, false
	}
	if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
		return 0, false
	}
	return time.Duration(user+system) * 10 * time.Millisecond, true
}
