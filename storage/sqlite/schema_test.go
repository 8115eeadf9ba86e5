package sqlite_test

import (
	"database/sql"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/storage"
)

var update = flag.Bool("update", false, "write schema.sql")

// TestSchemaIsWhatMigrationsGive compares schema.sql, which is there to be read in one piece.
func TestSchemaIsWhatMigrationsGive(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "boardwatch.db")
	open(t, path, storage.Options{})
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	rows, err := db.QueryContext(t.Context(), `SELECT sql FROM sqlite_schema
		WHERE sql IS NOT NULL AND tbl_name NOT LIKE 'sqlite_%' AND tbl_name NOT LIKE 'bun_%'
			AND NOT EXISTS (SELECT 1 FROM pragma_table_list l WHERE l.name = sqlite_schema.name AND l.type = 'shadow')
		ORDER BY tbl_name, type = 'table' DESC, type, name`)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	var schema strings.Builder
	schema.WriteString("-- Made from the migrations by go test ./storage/sqlite -run Schema -update. Nothing reads it but people.\n")
	for rows.Next() {
		var statement string
		require.NoError(t, rows.Scan(&statement))
		if strings.HasPrefix(statement, "CREATE TABLE") || strings.HasPrefix(statement, "CREATE VIRTUAL") {
			schema.WriteByte('\n')
		}
		schema.WriteString(statement + ";\n")
	}
	require.NoError(t, rows.Err())
	if *update {
		require.NoError(t, os.WriteFile("schema.sql", []byte(schema.String()), 0o600))
	}
	told, err := os.ReadFile("schema.sql")
	require.NoError(t, err)
	require.Equal(t, string(told), schema.String(), "write it anew with -update")
}
