package storage_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

func kinds() map[string]func(testing.TB) storagetest.Database {
	return map[string]func(testing.TB) storagetest.Database{"SQLite": storagetest.SQLite, "PostgreSQL": storagetest.Postgres}
}

// TestUpgradeKeepsEverything fills every column of every table of an older schema and brings it up to date: by one
// process that starts, by several that start together, and from a backup of that time. The older schemas are the first,
// the last two, and every upgradeEvery-th between them.
func TestUpgradeKeepsEverything(t *testing.T) {
	t.Parallel()
	for kind, database := range kinds() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			steps := database(t)(t, storage.Options{NoMigrate: true}).Steps()
			for n := range steps {
				if n%upgradeEvery != 0 && n < len(steps)-2 {
					continue
				}
				t.Run("from "+steps[n], func(t *testing.T) {
					t.Parallel()
					open := database(t)
					old := open(t, storage.Options{NoMigrate: true})
					require.NoError(t, old.At(t.Context(), steps[:n+1], fillAll))
					file := backedUp(t, old)
					before := cellsOf(t, file)
					require.NotEmpty(t, before)
					require.NoError(t, old.Close())

					var group sync.WaitGroup
					stores := make([]*storage.Store, 3)
					for i := range stores {
						group.Go(func() { stores[i] = open(t, storage.Options{}) })
					}
					group.Wait()
					contains(t, cellsOf(t, backedUp(t, stores[0])), before)

					restored := database(t)(t, storage.Options{NoMigrate: true})
					_, err := restored.Restore(t.Context(), bytes.NewReader(file), false)
					require.NoError(t, err)
					contains(t, cellsOf(t, backedUp(t, restored)), before)
					taken, err := restored.Migrate(t.Context())
					require.NoError(t, err)
					require.Empty(t, taken, "it is up to date")
				})
			}
		})
	}
}

// TestAddressesOfEarlierVersionsAreBroughtToTheirForm stores addresses as earlier versions did.
func TestAddressesOfEarlierVersionsAreBroughtToTheirForm(t *testing.T) {
	t.Parallel()
	for kind, database := range kinds() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := database(t)(t, storage.Options{NoMigrate: true})
			before := slices.DeleteFunc(s.Steps(), func(step string) bool { return step >= "0026" })
			emails := []string{"ada@münchen.example", "bob@example.com", "émile@example.com", "vic\ufb01@example.com", "eve@bücher.example", "eve@xn--bcher-kva.example"}
			require.NoError(t, s.At(t.Context(), before, func(map[string][]string) (statements []string) {
				for i, email := range emails {
					statements = append(statements, fmt.Sprintf("INSERT INTO accounts (id, email, plan, verified, admin, password_hash, created_at) VALUES ('%024d', '%s', 'free', TRUE, FALSE, '', 1)", i, email))
				}
				return append(statements, "INSERT INTO links (id, kind, hash, email, plan, password_hash, created_at, expires_at) VALUES ('l', 'invite', 'h', 'guest@münchen.example', 'free', '', 1, 2)")
			}))
			_, err := s.Migrate(t.Context())
			require.NoError(t, err)
			for i, email := range []string{
				"ada@xn--mnchen-3ya.example", "bob@example.com", "émile@example.com", "vic\ufb01@example.com", "eve@bücher.example", "eve@xn--bcher-kva.example",
			} {
				a, err := s.AccountByEmail(t.Context(), email)
				require.NoError(t, err, email)
				require.Equal(t, fmt.Sprintf("%024d", i), a.ID)
			}
			link, err := s.Link(t.Context(), account.LinkInvite, "h", time.UnixMilli(1))
			require.NoError(t, err)
			require.Equal(t, "guest@xn--mnchen-3ya.example", link.Email)
		})
	}
}

// TestUpgradeClosesNothingThatIsOpen upgrades a board that was suspect by earlier rules, with roles that healthy checks missed and
// one that came with a merged board. A role that was one absence away from closing has a hold from now on.
func TestUpgradeClosesNothingThatIsOpen(t *testing.T) {
	t.Parallel()
	for kind, database := range kinds() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := database(t)(t, storage.Options{NoMigrate: true})
			before := slices.DeleteFunc(s.Steps(), func(step string) bool { return step >= "0027" })
			id := func(n int) string { return fmt.Sprintf("%024d", n) }
			account, board, merged := id(1), id(2), id(3)
			require.NoError(t, s.At(t.Context(), before, func(map[string][]string) []string {
				statements := []string{
					"INSERT INTO accounts (id, email, plan, verified, admin, password_hash, created_at) VALUES ('" + account + "', 'ada@example.com', 'ultra', TRUE, FALSE, '', 1)",
					`INSERT INTO boards (id, source, system, url, company, status, open_jobs, cadence_ms, next_check_at, added_at, health, last_checked_at, last_success_at, sick_since, missing, state)
						VALUES ('` + board + `', 'greenhouse:northwind', 'greenhouse', 'https://boards.greenhouse.io/northwind', 'Northwind', 'ready', 8, 60000, 1000, 1, 'suspect', 900, 800, 900, 6,
						'{"cause":"mass_loss","reason":"many","vanished":["4103","4104","4105"],"vanishedSince":"2026-11-01T00:00:00Z","vanishedChecks":3,"vanishedOf":8}')`,
					"INSERT INTO subscriptions (account_id, board_id, locked, added_at) VALUES ('" + account + "', '" + board + "', FALSE, 1)",
					"INSERT INTO aliases (id, board_id) VALUES ('" + merged + "', '" + board + "')",
				}
				for i, misses := range []int{0, 0, 2, 2, 1, 0, 0, 1} {
					key := strconv.Itoa(4100 + i)
					if i == 7 {
						key = boardwatch.MergedKey + key
					}
					statements = append(statements, fmt.Sprintf(`INSERT INTO jobs (id, board_id, job_key, title, title_fold, location, location_fold, department, url, status, misses, first_seen_at, last_seen_at)
						VALUES ('%s', '%s', '%s', 'Role %d', 'role %d', 'Oslo', 'oslo', '', '', 0, %d, 1, 800)`, id(10+i), board, key, i, i, misses))
				}
				return statements
			}))
			_, err := s.Migrate(t.Context())
			require.NoError(t, err)

			claims, err := s.ClaimDue(t.Context(), 1, time.Minute, boardwatch.ClaimFilter{})
			require.NoError(t, err)
			require.Len(t, claims, 1)
			r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Postings: []boardwatch.Posting{
				{Key: "4100", Title: "Role 0", Location: "Oslo"}, {Key: "4101", Title: "Role 1", Location: "Oslo"},
			}}.Normalize()
			claims[0].Listed = []string{"4100", "4101"}
			var change boardwatch.Change
			require.NoError(t, s.SaveCheck(t.Context(), claims[0], func(in boardwatch.CheckInput) boardwatch.CheckResult {
				result := boardwatch.Decide(in, r, false, boardwatch.DefaultRules(), boardwatch.NewID)
				change = result.Change
				return result
			}))
			require.Empty(t, change.Closed)
			require.Empty(t, change.Found)
			page, err := s.Jobs(t.Context(), account, track.JobFilter{BoardID: merged, Status: boardwatch.JobOpen, Limit: 100})
			require.NoError(t, err)
			require.Len(t, page.Jobs, 8)
			for _, j := range page.Jobs {
				b, err := s.TrackedBoard(t.Context(), account, board)
				require.NoError(t, err)
				at := boardwatch.DefaultRules().ClosesAt(b.Board, j)
				if absent := !strings.HasPrefix(j.Title, "Role 0") && !strings.HasPrefix(j.Title, "Role 1"); absent {
					require.GreaterOrEqual(t, at.Sub(j.MissedSince), boardwatch.DefaultRules().CloseHold, j.Title)
				} else {
					require.Zero(t, at)
				}
			}
		})
	}
}

func TestNewerSchemaIsRefused(t *testing.T) {
	t.Parallel()
	for kind, database := range kinds() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := database(t)(t, storage.Options{})
			require.NoError(t, s.Write(t.Context(), "INSERT INTO bun_migrations (name, group_id) VALUES ('9999', 99)"))
			_, err := s.Migrate(t.Context())
			require.ErrorIs(t, err, storage.ErrNewerSchema)
			require.ErrorContains(t, err, "made by a newer version of boardwatch")
			_, err = s.Backup(t.Context(), io.Discard)
			require.ErrorIs(t, err, storage.ErrNewerSchema)
		})
	}
}

// TestBackupHoldsEveryTable reminds whoever adds a table to decide whether backups hold it.
func TestBackupHoldsEveryTable(t *testing.T) {
	t.Parallel()
	for kind, database := range kinds() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := database(t)(t, storage.Options{NoMigrate: true})
			require.NoError(t, s.At(t.Context(), s.Steps(), func(columns map[string][]string) []string {
				var names []string
				for name := range columns {
					if !slices.Contains([]string{"rates", "guesses", "paces", "used_tokens", "mark"}, name) {
						names = append(names, name)
					}
				}
				require.ElementsMatch(t, names, storage.KeptTables())
				return nil
			}))
		})
	}
}

// refers returns the table that a column refers to.
var refers = map[string]string{
	"account_id": "accounts", "board_id": "boards", "webhook_id": "webhooks", "payload_id": "payloads", "grant_id": "oauth_grants",
	"job_id": "jobs", "search_id": "searches",
}

const rowsEach = 3

// fillAll inserts a few rows into every table, with a value of its own in every column.
func fillAll(columns map[string][]string) (statements []string) {
	for _, table := range storage.KeptTables() {
		for row := range rowsEach {
			var names, values []string
			for i, c := range columns[table] {
				name, kind, _ := strings.Cut(c, " ")
				names = append(names, name)
				values = append(values, literal(table, name, kind, row, i))
			}
			if len(names) > 0 {
				statements = append(statements, "INSERT INTO "+table+" ("+strings.Join(names, ", ")+") VALUES ("+strings.Join(values, ", ")+")")
			}
		}
	}
	return statements
}

func literal(table, name, kind string, row, column int) string {
	target := refers[name]
	switch {
	case target != "":
		return "'" + idOf(target, row) + "'"
	case name == "id":
		return "'" + idOf(table, row) + "'"
	}
	switch kind {
	case "int":
		if name == "status" {
			return strconv.Itoa(row % 2)
		}
		return strconv.Itoa(1_000_000 + 1000*column + row)
	case "bool":
		return []string{"FALSE", "TRUE"}[(row+column)%2]
	case "bytes":
		return fmt.Sprintf(`'\x%02x%02x'`, column, row)
	default:
		return fmt.Sprintf("'%s %s %d é \"'' \\'", table, name, row)
	}
}

func idOf(table string, row int) string {
	return fmt.Sprintf("%x", fmt.Sprintf("%-11.11s%d", table, row))
}

func backedUp(t *testing.T, s *storage.Store) []byte {
	t.Helper()
	var file bytes.Buffer
	_, err := s.Backup(t.Context(), &file)
	require.NoError(t, err)
	return file.Bytes()
}

// cellsOf returns the rows of a backup by table, each with its values by column.
func cellsOf(t *testing.T, file []byte) map[string][]map[string]string {
	t.Helper()
	rows := map[string][]map[string]string{}
	var table struct {
		Table   string
		Columns []struct{ Name string }
	}
	for line := range bytes.Lines(unpacked(t, file)) {
		if line[0] == '{' {
			table.Table, table.Columns = "", nil
			require.NoError(t, json.Unmarshal(line, &table))
			continue
		}
		var values []json.RawMessage
		require.NoError(t, json.Unmarshal(line, &values))
		row := map[string]string{}
		for i, v := range values {
			row[table.Columns[i].Name] = string(v)
		}
		rows[table.Table] = append(rows[table.Table], row)
	}
	return rows
}

func unpacked(t *testing.T, file []byte) []byte {
	t.Helper()
	gz, err := gzip.NewReader(bytes.NewReader(file))
	require.NoError(t, err)
	content, err := io.ReadAll(gz)
	require.NoError(t, err)
	return content
}

// contains requires that every row is still there, with the values of all columns that still exist.
func contains(t *testing.T, after, before map[string][]map[string]string) {
	t.Helper()
	for table, rows := range before {
		if table != "meta" { // a first start records there which key the database belongs to
			require.Len(t, after[table], len(rows), table)
		}
		for _, row := range rows {
			require.True(t, slices.ContainsFunc(after[table], func(now map[string]string) bool {
				for name, value := range row {
					if is, there := now[name]; there && is != value {
						return false
					}
				}
				return true
			}), "%s: %v", table, row)
		}
	}
}

func TestStepsOfOneNumberAreRefused(t *testing.T) {
	t.Parallel()
	folder := fstest.MapFS{"migrations/0001_first.tx.up.sql": {Data: []byte("SELECT 1")}, "migrations/0002_one.tx.up.sql": {Data: []byte("SELECT 1")}}
	steps, err := driver.ReadSteps(folder)
	require.NoError(t, err)
	require.Len(t, steps, 2)
	folder["migrations/0002_two.tx.up.sql"] = folder["migrations/0002_one.tx.up.sql"]
	_, err = driver.ReadSteps(folder)
	require.ErrorContains(t, err, "one and two have one number")
}
