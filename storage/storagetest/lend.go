package storagetest

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// lend returns the URL of a database without rows whose schema is up to date, for a test that opens stores in it. If the
// schema is as before when the test ends, the database is emptied for the next test: that costs the server a tenth of
// making a database and dropping it.
func lend(tb testing.TB, server string) (address string) {
	tb.Helper()
	source := migrated.use(tb, server)
	name, ok := migrated.idle()
	if !ok {
		name = newDatabase(tb, server, " TEMPLATE "+source)
	}
	address = addressOf(tb, server, name)
	tb.Cleanup(func() {
		if !tb.Failed() && migrated.emptied(tb, address) {
			migrated.giveBack(name)
			return
		}
		dropDatabase(tb, server, name)
	})
	return address
}

// mostEmptied is the size of a database up to which it is emptied. An empty one takes about 10 MB.
const mostEmptied = 64 << 20

// idle takes a database that another test has given back.
func (m *template) idle() (name string, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.empty) == 0 {
		return "", false
	}
	name = m.empty[len(m.empty)-1]
	m.empty = m.empty[:len(m.empty)-1]
	return name, true
}

// giveBack keeps an empty database for other tests.
func (m *template) giveBack(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.empty = append(m.empty, name)
}

// emptied ends what is still connected to a copy of the template and removes the copy's rows, except for those that the
// template has. It returns false if the test changed more than rows, or left so many that dropping them all is faster.
func (m *template) emptied(tb testing.TB, address string) bool {
	tb.Helper()
	db, err := sql.Open("pgx", address+"&default_query_exec_mode=simple_protocol") // which takes several statements at once
	require.NoError(tb, err)
	defer db.Close()
	ctx := context.WithoutCancel(tb.Context())
	conn, err := db.Conn(ctx)
	require.NoError(tb, err)
	defer conn.Close()
	_, err = conn.ExecContext(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid()`)
	require.NoError(tb, err)
	var size int64
	require.NoError(tb, conn.QueryRowContext(ctx, "SELECT pg_database_size(current_database())").Scan(&size))
	if size > mostEmptied || schemaOf(ctx, tb, conn) != m.schema {
		return false
	}
	_, err = conn.ExecContext(ctx, m.emptying)
	require.NoError(tb, err)
	return true
}

// drop removes the template and the databases that were given back.
func (m *template) drop(tb testing.TB, server string) {
	tb.Helper()
	for _, name := range append(m.empty, m.name) {
		dropDatabase(tb, server, name)
	}
	m.empty = nil
}

// lookAt returns what identifies the schema of a database, and the statements that make a copy the same as it is now. It
// stays connected no longer, because nobody may be connected to what is copied.
func lookAt(tb testing.TB, address string) (schema, emptying string) {
	tb.Helper()
	db, err := sql.Open("pgx", address)
	require.NoError(tb, err)
	defer db.Close()
	conn, err := db.Conn(tb.Context())
	require.NoError(tb, err)
	defer conn.Close()
	return schemaOf(tb.Context(), tb, conn), emptyingOf(tb.Context(), tb, conn)
}

// schemaOf identifies a schema by the rows of the catalog that describe it and by who wrote them. A copy has the
// identity of its original.
func schemaOf(ctx context.Context, tb testing.TB, conn *sql.Conn) (identity string) {
	tb.Helper()
	require.NoError(tb, conn.QueryRowContext(ctx, `SELECT md5(string_agg(line, ' ' ORDER BY line)) FROM (
		SELECT 'class ' || oid || ' ' || xmin AS line FROM pg_class WHERE relnamespace = 'public'::regnamespace
		UNION ALL SELECT 'column ' || attrelid || ' ' || attnum || ' ' || a.xmin FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid
			WHERE relnamespace = 'public'::regnamespace
		UNION ALL SELECT 'constraint ' || oid || ' ' || xmin FROM pg_constraint WHERE connamespace = 'public'::regnamespace
		UNION ALL SELECT 'function ' || oid || ' ' || xmin FROM pg_proc WHERE pronamespace = 'public'::regnamespace
		UNION ALL SELECT 'trigger ' || oid || ' ' || xmin FROM pg_trigger
		UNION ALL SELECT 'namespace ' || oid FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp_'
		UNION ALL SELECT 'setting ' || setrole FROM pg_db_role_setting s JOIN pg_database d ON d.oid = setdatabase
			WHERE datname = current_database()
	) AS lines`).Scan(&identity))
	return identity
}

// emptyingOf returns the statements that make a copy of a database the same as the database is now.
func emptyingOf(ctx context.Context, tb testing.TB, conn *sql.Conn) string {
	tb.Helper()
	tables := textsOf(ctx, tb, conn, `SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`)
	statements := []string{"BEGIN", "SET LOCAL session_replication_role = replica"} // no trigger for foreign keys
	for _, table := range tables {
		statements = append(statements, "DELETE FROM "+table)
	}
	for _, table := range tables {
		statements = append(statements, textsOf(ctx, tb, conn, `SELECT format('INSERT INTO `+table+` OVERRIDING SYSTEM VALUE
			SELECT * FROM json_populate_recordset(NULL::`+table+`, %L)', json_agg(t)) FROM `+table+` t HAVING count(*) > 0`)...)
	}
	statements = append(statements, textsOf(ctx, tb, conn, `SELECT format('SELECT setval(%L, %s, %L)', quote_ident(sequencename),
		coalesce(last_value, start_value), last_value IS NOT NULL) FROM pg_sequences WHERE schemaname = 'public'`)...)
	return strings.Join(append(statements, "COMMIT"), ";\n")
}

// textsOf returns the rows of a query with one column.
func textsOf(ctx context.Context, tb testing.TB, conn *sql.Conn, query string) (texts []string) {
	tb.Helper()
	rows, err := conn.QueryContext(ctx, query)
	require.NoError(tb, err)
	defer rows.Close()
	for rows.Next() {
		var text string
		require.NoError(tb, rows.Scan(&text))
		texts = append(texts, text)
	}
	require.NoError(tb, rows.Err())
	return texts
}
