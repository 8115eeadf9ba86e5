package sqlite_test

import (
	"database/sql"
	"flag"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
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
	storagetest.SchemaIs(t, db, `SELECT iif(type = 'table', char(10), '') || sql || ';' FROM sqlite_schema
		WHERE sql IS NOT NULL AND tbl_name NOT LIKE 'sqlite_%' AND tbl_name NOT LIKE 'bun_%'
			AND NOT EXISTS (SELECT 1 FROM pragma_table_list l WHERE l.name = sqlite_schema.name AND l.type = 'shadow')
		ORDER BY tbl_name, type = 'table' DESC, type, name`, *update)
}
