package storage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

func TestListingJobsUsesItsIndexOnPostgreSQL(t *testing.T) {
	t.Parallel()
	s := storagetest.Postgres(t)(t, storage.Options{})
	a := account.Account{ID: boardwatch.NewID(), Email: "robin@northwind.example", Plan: account.PlanUltra}
	require.NoError(t, s.CreateAccount(t.Context(), a))
	for _, text := range []string{
		`INSERT INTO boards (id, source, system, url, status, added_at, open_jobs)
			SELECT lpad(to_hex(n), 24, '0'), 'lever:' || n, 'lever', 'https://northwind.example/', 'ready', 1, 50
			FROM generate_series(1, 1500) AS n`,
		`INSERT INTO jobs (id, board_id, job_key, title, title_fold, location, location_fold, department, url, status, misses,
			first_seen_at)
			SELECT md5(n::TEXT), lpad(to_hex(1 + n % 1500), 24, '0'), n::TEXT, 'Engineer ' || n, 'engineer ' || n, 'Berlin',
				'berlin', '', '', 0, 0, 1700000000000 + n FROM generate_series(1, 75000) AS n`,
		`INSERT INTO subscriptions (account_id, board_id, locked, added_at)
			SELECT '` + a.ID + `', id, FALSE, 1 FROM boards WHERE id < lpad(to_hex(100), 24, '0')`,
		"VACUUM ANALYZE jobs, boards, subscriptions",
	} {
		require.NoError(t, s.Exec(t.Context(), text))
	}
	for name, f := range map[string]track.JobFilter{
		"the first page": {Status: boardwatch.JobOpen},
		"all":            {},
		"a deep page":    {Status: boardwatch.JobOpen, Skip: 3000},
		"by title":       {Status: boardwatch.JobOpen, Order: track.OrderReversed + track.OrderTitle},
		"a word":         {Status: boardwatch.JobOpen, Search: "engineer"},
		"a place":        {Location: "berlin"},
		"new ones":       {AddedAfter: time.UnixMilli(1_700_000_070_000)},
		"one board":      {BoardID: "000000000000000000000001"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page, err := s.Jobs(t.Context(), a.ID, f)
			require.NoError(t, err)
			require.NotEmpty(t, page.Jobs)
			list, count, err := s.ExplainJobs(t.Context(), a.ID, f)
			require.NoError(t, err)
			for _, plan := range []string{list, count} {
				require.NotContains(t, plan, "Seq Scan", plan)
				require.Contains(t, plan, "Index Only Scan using jobs_list", plan)
			}
		})
	}
}
