package storagetest

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// explaining is a database that explains statements.
type explaining struct {
	db      *sql.DB
	explain string // what stands before a statement
}

// postgresExplain is what WholeTables reads.
const postgresExplain = "EXPLAIN (FORMAT JSON) "

// AskedOfSQLite has a database explain, when the test ends, everything that stores were asked until then, and fails the test
// for each statement that goes through a whole table without a reason.
func AskedOfSQLite(tb testing.TB) *Asked {
	tb.Helper()
	return explainingSQLite(tb).requireIndexes(tb)
}

// AskedOfPostgres is AskedOfSQLite for PostgreSQL.
func AskedOfPostgres(tb testing.TB) *Asked {
	tb.Helper()
	return explainingPostgres(tb).requireIndexes(tb)
}

// explainingSQLite has no rows: SQLite does not ask how large tables are before somebody analyzes them, which we never do.
func explainingSQLite(tb testing.TB) explaining {
	tb.Helper()
	db, err := sql.Open("sqlite", "file:"+SQLiteFile(tb))
	require.NoError(tb, err)
	return explaining{db, "EXPLAIN QUERY PLAN "}
}

// explainingPostgres has rows in every table, because the planner goes by them. Where an index can serve it is to take one, and
// to look up row by row, as it would in tables that are a thousand times as long.
func explainingPostgres(tb testing.TB) explaining {
	tb.Helper()
	db, err := sql.Open("pgx", copyMigrated(tb, postgresServer(tb))+
		"&random_page_cost=1.1&enable_seqscan=off&enable_hashjoin=off&enable_mergejoin=off")
	require.NoError(tb, err)
	fillTables(tb, db)
	return explaining{db, postgresExplain}
}

func (e explaining) requireIndexes(tb testing.TB) *Asked {
	tb.Helper()
	asked := &Asked{}
	tb.Cleanup(func() {
		for _, s := range e.wholeReads(tb, asked) {
			tb.Error(s)
		}
		require.NoError(tb, e.db.Close())
	})
	return asked
}

// wholeReads describes the statements that go through a whole table without a reason.
func (e explaining) wholeReads(tb testing.TB, asked *Asked) (found []string) {
	tb.Helper()
	ctx := context.WithoutCancel(tb.Context()) // the test may have ended
	asked.byKind(func(kind string, s driver.Statement) {
		if !explained(kind) || excused(kind) {
			return
		}
		plan, err := e.plan(ctx, s)
		require.NoError(tb, err, kind)
		tables, err := WholeTables(plan)
		require.NoError(tb, err, plan)
		if tables = slices.DeleteFunc(tables, small); len(tables) > 0 {
			found = append(found, kind+"\ngoes through "+strings.Join(tables, ", ")+":\n"+plan)
		}
	})
	return found
}

// PostgresIndexes are the indexes by which a PostgreSQL database answers what was asked, and the tables that it goes through
// without one.
func PostgresIndexes(tb testing.TB, db *sql.DB, asked *Asked) (names []string) {
	tb.Helper()
	e := explaining{db, postgresExplain}
	asked.byKind(func(kind string, s driver.Statement) {
		if !explained(kind) {
			return
		}
		plan, err := e.plan(tb.Context(), s)
		require.NoError(tb, err, kind)
		nodes, err := parsePlan(plan)
		require.NoError(tb, err, plan)
		for _, n := range nodes {
			names = append(names, n.reads()...)
		}
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// explained reports whether a kind of statement has a plan.
func explained(kind string) bool {
	verb, _, _ := strings.Cut(kind, " ")
	return slices.Contains([]string{"SELECT", "WITH", "INSERT", "UPDATE", "DELETE"}, verb)
}

// plan is how the database answers a statement, a line for each row.
func (e explaining) plan(ctx context.Context, s driver.Statement) (string, error) {
	rows, err := e.db.QueryContext(ctx, e.explain+s.Text, s.Args...)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return "", err
	}
	row := make([]any, len(columns))
	for i := range row {
		row[i] = new(any)
	}
	var lines []string
	for rows.Next() {
		line := new(string)
		row[len(row)-1] = line
		if err := rows.Scan(row...); err != nil {
			return "", err
		}
		lines = append(lines, *line)
	}
	return strings.Join(lines, "\n"), rows.Err()
}

// small reports whether a table does not grow with boards, roles, changes, checks, deliveries or accounts.
func small(table string) bool {
	return slices.Contains([]string{"mark", "boardwatch_mark", "meta", "sqlite_schema", "bun_migrations", "bun_migration_locks", "taken_step"}, table) ||
		strings.HasPrefix(table, "pg_") || strings.HasPrefix(table, "pragma_")
}

// excused reports whether a kind of statement may go through whole tables.
func excused(kind string) bool {
	return strings.Contains(kind, ";") || // a step of the schema
		backup.MatchString(kind) ||
		slices.ContainsFunc(wholeOnPurpose(), func(part string) bool { return strings.Contains(kind, part) })
}

// backup is how a backup reads a table, and how a restore looks whether it is empty, and empties it.
var backup = regexp.MustCompile(`^(?:SELECT (?:\*|\?|\w+(?:, \w+)+)|DELETE) FROM \w+(?: LIMIT \?)?$`)

// wholeOnPurpose are parts of statements that may go through whole tables, in their own words.
func wholeOnPurpose() []string {
	return []string{
		// What operators are shown is counted at most once a minute.
		"FROM accounts GROUP BY plan",
		"SELECT count(DISTINCT account_id) FROM logins",
		"FROM boards GROUP BY",
		"FROM deliveries GROUP BY state",
		"FROM webhooks WHERE channel = ",
		"FROM boards AS b WHERE b.health = ",
		// What operators ask for at the command line, or on a page of theirs: all accounts, all boards with a rule of their own, what
		// people say was misread, deliveries to be sent again.
		"FROM accounts AS a ORDER BY a.email",
		"FROM boards AS b WHERE b.state LIKE",
		"FROM misreads AS m",
		"WHERE (webhook_id IN (SELECT id FROM webhooks",
		// A key is rotated, or its mark taken away.
		"FROM webhooks AS w ORDER BY w.id",
		"FROM preferences WHERE feed_token IS NOT NULL",
		"NOT EXISTS (SELECT ? FROM webhooks WHERE length(secret)",
		// Once at the start of a process.
		"max(last_checked_at)",
		"UPDATE webhooks SET lease_until = ?, lease_token = ? WHERE lease_token <>",
		// The first row is enough.
		"SELECT EXISTS (SELECT ? FROM accounts)",
		// Those that are being worked on stand first, and are few.
		"lease_until <= boardwatch_now() ORDER BY next_check_at LIMIT",
		// Once an hour: hosts that were asked lately.
		"FROM paces WHERE idle_at <",
		// Once an hour: accounts have few connections to apps, and few webhooks.
		"FROM oauth_grants AS g WHERE created_at <=",
		"SELECT id FROM webhooks",
		// Once a minute: nearly every account has a daily mail.
		"WHERE a.verified AND (p.account_id IS NULL",
		// Boards that were read in the last minutes are a large part of all. An index of them would make each check dearer.
		"AND last_checked_at < ? UNION ALL SELECT id, system, last_checked_at, sick_since, well_since FROM boards",
		// Every process remembers all sick boards. PostgreSQL goes through their index, which has no others.
		"sick_since > ? AND cadence_ms > ?",
	}
}

// fillTables puts so many rows into every table of a PostgreSQL database that its planner prefers indexes.
func fillTables(tb testing.TB, db *sql.DB) {
	tb.Helper()
	ctx := context.WithoutCancel(tb.Context())
	conn, err := db.Conn(ctx)
	require.NoError(tb, err)
	// The rows refer to one another in any order.
	_, err = conn.ExecContext(ctx, "SET session_replication_role = replica")
	require.NoError(tb, err)
	for table, columns := range tablesOf(tb, conn) {
		var names, values []string
		for _, c := range columns {
			names, values = append(names, c.name), append(values, valueOf(table, c))
		}
		_, err := conn.ExecContext(ctx, fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM generate_series(0, %d) AS i",
			table, strings.Join(names, ", "), strings.Join(values, ", "), rowsOf(table)-1))
		require.NoError(tb, err, table)
	}
	_, err = conn.ExecContext(ctx, "VACUUM ANALYZE")
	require.NoError(tb, err)
	require.NoError(tb, conn.Close())
}

// column is a column of a table.
type column struct{ name, kind string }

// tablesOf are the columns of all tables that grow, without those that count by themselves.
func tablesOf(tb testing.TB, conn *sql.Conn) map[string][]column {
	tb.Helper()
	rows, err := conn.QueryContext(context.WithoutCancel(tb.Context()), `SELECT table_name, column_name, data_type
		FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
		WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND is_identity = 'NO'`)
	require.NoError(tb, err)
	defer rows.Close()
	tables := map[string][]column{}
	for rows.Next() {
		var table string
		var c column
		require.NoError(tb, rows.Scan(&table, &c.name, &c.kind))
		if !small(table) {
			tables[table] = append(tables[table], c)
		}
	}
	require.NoError(tb, rows.Err())
	return tables
}

func rowsOf(table string) int {
	switch table {
	case "jobs":
		return 20_000
	case "checks", "changes", "deliveries":
		return 10_000
	}
	return 2000
}

// valueOf is the expression for a column of row i.
func valueOf(table string, c column) string {
	const now = "floor(extract(epoch FROM now()) * 1000)::BIGINT"
	const id = "lpad(to_hex(%s), 24, '0')"
	special := map[string]string{
		"boards.system":           "'lever'",
		"boards.status":           "'ready'",
		"boards.cadence_ms":       "CASE WHEN i % 20 = 0 THEN 0 ELSE 3600000 END",
		"boards.next_check_at":    "CASE WHEN i % 20 = 0 THEN NULL WHEN i % 50 = 1 THEN 1 ELSE " + now + " + (i - 100) * 1000 END",
		"boards.sick_since":       "CASE WHEN i % 20 = 1 THEN i ELSE 0 END",
		"boards.lease_until":      "0",
		"jobs.status":             "CASE WHEN i % 4 = 0 THEN 1 ELSE 0 END",
		"jobs.last_seen_at":       "CASE WHEN i % 50 = 0 THEN i END",
		"jobs.board_id":           fmt.Sprintf(id, "i / 10"),
		"deliveries.state":        "CASE WHEN i % 20 = 0 THEN 'pending' ELSE 'delivered' END",
		"deliveries.webhook_id":   fmt.Sprintf(id, "i % 500"),
		"webhooks.disabled_at":    "0",
		"accounts.verified":       "TRUE",
		"oauth_grants.revoked_at": "0",
		"preferences.digest":      "TRUE",
		"changes.kind":            "CASE WHEN i % 2 = 0 THEN 'found' ELSE 'closed' END",
		"changes.job_id":          fmt.Sprintf(id, "i"),
		"checks.health":           "'ok'",
		"checks.found":            "i % 2",
		"checks.closed":           "0",
		"checks.updated":          "0",
		"lessons.board_id":        fmt.Sprintf(id, "i"),
		"preferences.account_id":  fmt.Sprintf(id, "i"),
		"jobs.facts":              "''",
		"versions.facts":          "''",
		"text_words.words":        "to_tsvector('simple', 'word' || i)",
	}
	if value, ok := special[table+"."+c.name]; ok {
		return value
	}
	const step = "BIGINT '17280000'" // of 2,000 rows: 400 days
	switch {
	case c.name == "account_id":
		return fmt.Sprintf(id, "i % 1000")
	case c.name == "board_id":
		return fmt.Sprintf(id, "i / 5")
	case c.kind == "text":
		return fmt.Sprintf(id, "i")
	case c.kind == "boolean":
		return "FALSE"
	case c.kind == "bytea":
		return "''"
	case c.name == "expires_at" || strings.HasSuffix(c.name, "until") || strings.HasPrefix(c.name, "next_") || c.name == "digest_at":
		return now + " + (i - 100) * " + step
	case c.name == "at" || strings.HasSuffix(c.name, "_at"):
		return now + " - i * " + step
	}
	return "i"
}
