package storage_test

import (
	"encoding/hex"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
)

// BenchmarkClaimFiltered claims a board and releases it while 40,000 boards of one system are the longest overdue and
// 2,000 boards of other systems are not due.
func BenchmarkClaimFiltered(b *testing.B) {
	drivers(b, func(b *testing.B, s *storage.Store) {
		b.Helper()
		for _, text := range []string{
			crowdOf("greenhouse", 40_000, -3_600_000),
			crowdOf("lever", 1_000, 3_600_000), crowdOf("ashby", 1_000, 3_600_000),
			crowdOf("workable", 1, -1000),
		} {
			require.NoError(b, s.Write(b.Context(), text))
		}
		require.NoError(b, s.Write(b.Context(), "ANALYZE"))
		for _, k := range []struct {
			name string
			f    boardwatch.ClaimFilter
		}{
			{"all", boardwatch.ClaimFilter{}},
			{"the_crowd_only", boardwatch.ClaimFilter{Only: []string{"greenhouse"}}},
			{"another_only", boardwatch.ClaimFilter{Only: []string{"workable"}}},
			{"all_but_the_crowd", boardwatch.ClaimFilter{Except: []string{"greenhouse"}}},
		} {
			b.Run(k.name, func(b *testing.B) {
				reportCPU(b)
				for b.Loop() {
					claims, err := s.ClaimDue(b.Context(), 3, time.Minute, k.f)
					require.NoError(b, err)
					require.NotEmpty(b, claims)
					for _, c := range claims {
						require.NoError(b, s.Release(b.Context(), c))
					}
				}
			})
		}
	})
}

// crowdOf returns the statement that adds boards of a system, the first of them due that many milliseconds from now.
func crowdOf(system string, n int, in int64) string {
	at := time.Now().UnixMilli()
	return fmt.Sprintf(`INSERT INTO boards (id, source, system, url, status, cadence_ms, next_check_at, added_at)
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		SELECT substr('%s' || (1000000000 + (i * 7919) %% 1000003) || '00000000000000', 1, 24), '%s:company' || i, '%s',
			'https://northwind.example/' || i, 'ready', 3600000, %d + i, %d FROM n`,
		n, hex.EncodeToString([]byte(system))[:8], system, system, at+in, at)
}
