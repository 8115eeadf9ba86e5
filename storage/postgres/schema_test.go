package postgres_test

import (
	"flag"
	"testing"

	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

var update = flag.Bool("update", false, "write schema.sql")

// schemaQuestion asks for a line for each column, constraint, index, trigger and function, by table.
const schemaQuestion = `
WITH tables AS (
	SELECT oid, relname::text AS name FROM pg_class
	WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname NOT LIKE 'bun_%'
), lines AS (
	SELECT name, 0 AS part, 0 AS place, E'\nTABLE ' || name AS line FROM tables
	UNION ALL SELECT name, 1, attnum, '	' || attname || ' ' || format_type(atttypid, atttypmod)
			|| CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
			|| CASE WHEN attgenerated <> '' THEN ' GENERATED ALWAYS AS ' || pg_get_expr(adbin, adrelid) ELSE coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '') END
		FROM tables JOIN pg_attribute ON attrelid = tables.oid AND attnum > 0 AND NOT attisdropped
		LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
	UNION ALL SELECT name, 2, 0, '	' || pg_get_constraintdef(c.oid) FROM tables JOIN pg_constraint c ON conrelid = tables.oid AND contype <> 'n'
	UNION ALL SELECT name, 3, 0, replace(indexdef, ' public.', ' ') FROM tables JOIN pg_indexes ON tablename = name AND schemaname = 'public'
		WHERE NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conname = indexname AND conrelid = tables.oid)
	UNION ALL SELECT name, 4, 0, replace(pg_get_triggerdef(g.oid), ' public.', ' ') FROM tables JOIN pg_trigger g ON tgrelid = tables.oid AND NOT tgisinternal
	UNION ALL SELECT '~', 5, 0, E'\n' || replace(pg_get_functiondef(oid), ' public.', ' ') FROM pg_proc
		WHERE pronamespace = 'public'::regnamespace AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
)
SELECT line FROM lines ORDER BY name COLLATE "C", part, place, line COLLATE "C"`

// TestSchemaIsWhatMigrationsGive compares schema.sql, which is there to be read in one piece.
func TestSchemaIsWhatMigrationsGive(t *testing.T) {
	t.Parallel()
	address := storagetest.PostgresURL(t)
	open(t, address, storage.Options{})
	storagetest.SchemaIs(t, raw(t, address), schemaQuestion, *update)
}
