package storage_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// longLists creates an account with that many boards on its list, of which the plan reads five.
func longList(tb testing.TB, s *storage.Store, n int) (owner string) {
	tb.Helper()
	a := account.Account{ID: boardwatch.NewID(), Email: strconv.Itoa(n) + "@northwind.example", Plan: account.PlanFree}
	require.NoError(tb, s.CreateAccount(tb.Context(), a))
	series := "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + strconv.Itoa(n) + ")"
	id := "substr('" + strconv.Itoa(n) + "' || '00' || (100000 + i) || '000000000000000000000000', 1, 24)"
	require.NoError(tb, s.Write(tb.Context(), `INSERT INTO boards (id, url, status, added_at) `+series+`
			SELECT `+id+`, 'https://northwind.example/' || i, 'pending', 1 FROM n`,
		`INSERT INTO subscriptions (account_id, board_id, locked, added_at) `+series+`
			SELECT '`+a.ID+`', `+id+`, i > 5, i FROM n`))
	return a.ID
}

func addingPlans() account.Plans {
	return account.Plans{account.PlanFree: {Boards: 5, Cadence: time.Hour}}
}

// readRows matches the number of rows that a part of a query plan read.
var readRows = regexp.MustCompile(`actual rows=(\d+)`)

// TestAddingReadsNoList has the databases explain how they add a board to a long list and how they remove one.
func TestAddingReadsNoList(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]func(testing.TB) storagetest.Database{
		"SQLite": storagetest.SQLite, "PostgreSQL": storagetest.Postgres,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := database(t)(t, storage.Options{Plans: addingPlans()})
			account := longList(t, s, 5000)
			require.NoError(t, s.Write(t.Context(), "ANALYZE"))
			plans, err := s.ExplainAdding(t.Context(), account)
			require.NoError(t, err)
			require.Len(t, plans, 3)
			for question, plan := range plans {
				require.Contains(t, plan, "subscriptions_", "%s\n%s", question, plan)
				require.NotContains(t, plan, "SCAN subscriptions", "%s\n%s", question, plan)
				require.NotContains(t, plan, "Seq Scan", "%s\n%s", question, plan)
				require.NotContains(t, strings.ToLower(plan), "sort", "%s\n%s", question, plan)
				require.NotContains(t, plan, "TEMP B-TREE", "%s\n%s", question, plan)
				for _, rows := range readRows.FindAllStringSubmatch(plan, -1) {
					require.LessOrEqual(t, len(rows[1]), 1, "%s\n%s", question, plan) // digits
				}
			}
		})
	}
}

// BenchmarkAdd adds a board as the 50th and as the 5,000th of a list, and removes it again.
func BenchmarkAdd(b *testing.B) {
	for name, database := range map[string]func(testing.TB) storagetest.Database{
		"sqlite": storagetest.SQLite, "postgres": storagetest.Postgres,
	} {
		for _, length := range []int{50, 5000} {
			b.Run(name+"/"+strconv.Itoa(length), func(b *testing.B) {
				plans := addingPlans()
				plans[account.PlanFree] = account.Plan{Boards: 1000, Cadence: time.Hour}
				s := database(b)(b, storage.Options{Plans: plans})
				account := longList(b, s, length-1)
				require.NoError(b, s.Write(b.Context(), "ANALYZE"))
				for b.Loop() {
					board, _, err := s.Subscribe(b.Context(), boardwatch.Subscription{AccountID: account},
						boardwatch.Board{Source: "greenhouse:contoso", URL: "https://contoso.example/"}, "https://contoso.example/")
					require.NoError(b, err)
					require.NoError(b, s.Unsubscribe(b.Context(), account, board.ID))
				}
			})
		}
	}
}
