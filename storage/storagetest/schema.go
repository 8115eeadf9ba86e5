package storagetest

import (
	"database/sql"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// SchemaIs requires that a database has the schema which the file schema.sql beside the test shows, or writes that file anew. The
// question asks for its lines.
func SchemaIs(t *testing.T, db *sql.DB, question string, update bool) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), question)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	schema := []string{"-- Made from the migrations by go test . -run Schema -update. Nothing reads it but people."}
	for rows.Next() {
		var line string
		require.NoError(t, rows.Scan(&line))
		schema = append(schema, strings.TrimRight(line, "\n"))
	}
	require.NoError(t, rows.Err())
	text := strings.Join(schema, "\n") + "\n"
	if update {
		require.NoError(t, os.WriteFile("schema.sql", []byte(text), 0o600))
	}
	told, err := os.ReadFile("schema.sql")
	require.NoError(t, err)
	require.Equal(t, string(told), text, "schema.sql is not what the migrations make: go test . -run Schema -update writes it, and scripts/with-postgres.sh starts a PostgreSQL")
}
