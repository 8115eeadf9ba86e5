package storagetest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKindsOfStatements(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"SELECT id FROM jobs\n\tWHERE board_id = 'it''s' AND seq > 12": "SELECT id FROM jobs WHERE board_id = ? AND seq > ?",
		"SELECT a1 FROM t WHERE x = $1 AND y IN (1, 2, 'c')":           "SELECT a1 FROM t WHERE x = ? AND y IN (?)",
		"INSERT INTO t (a, b) VALUES (?, ?), (?, ?), (?, ?)":           "INSERT INTO t (a, b) VALUES (?)",
	} {
		require.Equal(t, want, kindOf(text))
	}
}

// TestWholeReadsAreFound: what the suites of the drivers hold against statements is found on both databases.
func TestWholeReadsAreFound(t *testing.T) {
	t.Parallel()
	var asked Asked
	asked.Note("SELECT id FROM jobs WHERE department = ?", []any{"Platform"})
	asked.Note("SELECT id FROM jobs WHERE id = ?", []any{"000000000000000000000001"})
	e := explainingSQLite(t)
	found := e.wholeReads(t, &asked)
	require.NoError(t, e.db.Close())
	require.Len(t, found, 1)
	require.Contains(t, found[0], "department = ?\ngoes through jobs")
}

func TestWholeReadsAreFoundOnPostgres(t *testing.T) {
	t.Parallel()
	var asked Asked
	asked.Note("SELECT id FROM jobs WHERE department = $1", []any{"Platform"})
	asked.Note("SELECT count(*) FROM boards", nil)
	asked.Note("SELECT id FROM jobs WHERE id = $1", []any{"000000000000000000000001"})
	e := explainingPostgres(t)
	found := e.wholeReads(t, &asked)
	require.NoError(t, e.db.Close())
	require.Len(t, found, 2)
	require.Contains(t, found[0], "SELECT count(*) FROM boards\ngoes through boards")
	require.Contains(t, found[1], "department = ?\ngoes through jobs")
}

// TestReasonsAreForStatementsThatExist: a reason goes with its statement.
func TestReasonsAreForStatementsThatExist(t *testing.T) {
	t.Parallel()
	var sources strings.Builder
	for _, pattern := range []string{"../*.go", "../sqlite/*.go", "../postgres/*.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				sources.Write(text)
			}
		}
	}
	written := strings.Join(strings.Fields(sources.String()), " ")
	var gone []string
	for _, part := range wholeOnPurpose() {
		text, _, _ := strings.Cut(part, "?")
		if !byBuilder(part) && !strings.Contains(written, text) && !strings.Contains(written, `"`+ofTable.ReplaceAllString(text, "")) {
			gone = append(gone, part)
		}
	}
	require.Empty(t, gone)
}

// ofTable is how a query of a table begins that is written from there on.
var ofTable = regexp.MustCompile(`^FROM \w+ AS \w+ `)

// byBuilder reports whether bun has written a part of a statement.
func byBuilder(part string) bool {
	return strings.HasPrefix(part, "WHERE (")
}
