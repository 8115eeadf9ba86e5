package storage_test

import (
	"maps"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// TestPagesReadNoTable has the databases explain every query of the app's pages and of list_updates: none scans a whole
// table of boards, roles, checks or changes, which hold the rows of all accounts.
func TestPagesReadNoTable(t *testing.T) {
	t.Parallel()
	for kind, database := range kinds() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := database(t)(t, storage.Options{Plans: account.DefaultPlans()})
			c := newCrowd(t, s, kind == "PostgreSQL", 50_000)
			c.record(t, 3, 50)
			c.analyze(t)
			r := newReader(t, s, c.account(t, 10))
			asks := r.pages()
			maps.Copy(asks, r.narrowed())
			for page, ask := range asks {
				plans, err := s.Explained(t.Context(), func() error { return ask(t.Context()) })
				require.NoError(t, err, page)
				require.NotEmpty(t, plans, page)
				for query, plan := range plans {
					require.LessOrEqual(t, len(lowerBound.FindAllString(query, -1)), 1,
						"SQLite uses only the first of two lower bounds: %s", query)
					require.Empty(t, wholeTables(t, plan, kind == "PostgreSQL"), "%s asks\n%s\nwhose plan is\n%s", page, query, plan)
				}
			}
		})
	}
}

// TestSickBoardsAreFoundWithoutReadingTheOthers has the databases explain the question that every process asks twice a
// minute: a scan would cost more with every board that is well.
func TestSickBoardsAreFoundWithoutReadingTheOthers(t *testing.T) {
	t.Parallel()
	for kind, database := range kinds() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := database(t)(t, storage.Options{Plans: account.DefaultPlans()})
			c := newCrowd(t, s, kind == "PostgreSQL", 50_000)
			c.analyze(t)
			plans, err := s.Explained(t.Context(), func() error {
				_, err := s.FleetReadings(t.Context(), time.Time{})
				return err
			})
			require.NoError(t, err)
			require.Len(t, plans, 1)
			for query, plan := range plans {
				require.NotRegexp(t, "SCAN boards|Seq Scan", plan, query)
				require.Contains(t, plan, "boards_sick", query)
			}
		})
	}
}

var lowerBound = regexp.MustCompile(`\bc\.at >`)

// wholeTables are the tables that a plan goes through. In a crowd's PostgreSQL database only some tables have so many rows that
// an index is worth using.
func wholeTables(t *testing.T, plan string, postgres bool) []string {
	t.Helper()
	tables, err := storagetest.WholeTables(plan)
	require.NoError(t, err, plan)
	return slices.DeleteFunc(tables, func(table string) bool {
		return postgres && !slices.Contains([]string{"boards", "jobs", "checks", "changes", "subscriptions"}, table)
	})
}

func TestWholeTables(t *testing.T) {
	t.Parallel()
	for plan, want := range map[string][]string{
		"SCAN jobs": {"jobs"},
		"SCAN c USING COVERING INDEX checks_series":                     {"c"},
		"SEARCH jobs USING INDEX jobs_key (board_id=?)":                 nil,
		"SCAN e VIRTUAL TABLE INDEX 1:":                                 nil,
		"MATERIALIZE events\nSEARCH c USING INDEX x (y=?)\nSCAN events": nil,
		"CO-ROUTINE n\nSCAN CONSTANT ROW\nSCAN n":                       nil,

		`[{"Plan": {"Node Type": "Sort", "Plans": [{"Node Type": "Seq Scan", "Relation Name": "jobs"}]}}]`:                         {"jobs"},
		`[{"Plan": {"Node Type": "Index Only Scan", "Relation Name": "jobs", "Index Cond": "(board_id = 'a'::text)"}}]`:            nil,
		`[{"Plan": {"Node Type": "Aggregate", "Plans": [{"Node Type": "Index Only Scan", "Relation Name": "jobs"}]}}]`:             {"jobs"},
		`[{"Plan": {"Node Type": "Limit", "Plans": [{"Node Type": "Index Scan", "Relation Name": "jobs"}]}}]`:                      nil,
		`[{"Plan": {"Node Type": "Limit", "Plans": [{"Node Type": "Index Scan", "Relation Name": "jobs", "Filter": "(a = 1)"}]}}]`: {"jobs"},
	} {
		tables, err := storagetest.WholeTables(plan)
		require.NoError(t, err, plan)
		require.Equal(t, want, tables, plan)
	}
}
