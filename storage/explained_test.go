package storage_test

import (
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
)

// TestPagesReadNoTable has the databases explain every query of the app's pages and of list_updates: none scans a whole
// table of boards, roles, checks or changes, which hold the rows of all accounts.
func TestPagesReadNoTable(t *testing.T) {
	t.Parallel()
	for kind, database := range kinds() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := database(t)(t, storage.Options{Plans: boardwatch.DefaultPlans()})
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
					require.Empty(t, wholeTables(plan), "%s asks\n%s\nwhose plan is\n%s", page, query, plan)
				}
			}
		})
	}
}

var (
	lowerBound = regexp.MustCompile(`\bc\.at >`)
	scanned    = regexp.MustCompile(`(?m)^SCAN (\w+)`)                                          // SQLite
	sequential = regexp.MustCompile(`Seq Scan on (boards|jobs|checks|changes|subscriptions)\b`) // PostgreSQL
)

// wholeTables returns the tables that a plan scans completely. In SQLite, scanning the result of another part of the
// query does not count.
func wholeTables(plan string) (tables []string) {
	for _, m := range scanned.FindAllStringSubmatch(plan, -1) {
		if m[1] != "CONSTANT" && !strings.Contains(plan, "MATERIALIZE "+m[1]) && !strings.Contains(plan, "CO-ROUTINE "+m[1]) {
			tables = append(tables, m[1])
		}
	}
	for _, m := range sequential.FindAllStringSubmatch(plan, -1) {
		tables = append(tables, m[1])
	}
	return tables
}

func TestWholeTables(t *testing.T) {
	t.Parallel()
	for plan, want := range map[string][]string{
		"SCAN jobs": {"jobs"},
		"SCAN c USING COVERING INDEX checks_series":                     {"c"},
		"SEARCH jobs USING INDEX jobs_key (board_id=?)":                 nil,
		"MATERIALIZE events\nSEARCH c USING INDEX x (y=?)\nSCAN events": nil,
		"CO-ROUTINE n\nSCAN CONSTANT ROW\nSCAN n":                       nil,
		"Limit\n  ->  Seq Scan on jobs j  (cost=0.00..1.00)":            {"jobs"},
		"Index Only Scan using jobs_list on jobs":                       nil,
	} {
		require.Equal(t, want, wholeTables(plan), plan)
	}
}
