package storage_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
)

// BenchmarkClaimDemanded claims and releases demanded boards while 100 accounts wait for 200 new boards each, and asks for
// the next due board while none is.
func BenchmarkClaimDemanded(b *testing.B) {
	drivers(b, func(b *testing.B, s *storage.Store) {
		b.Helper()
		require.NoError(b, s.Write(b.Context(), crowdOf("greenhouse", 20_000, 3_600_000)))
		b.Run("next_due", func(b *testing.B) {
			reportCPU(b)
			for b.Loop() {
				_, err := s.NextDue(b.Context())
				require.NoError(b, err)
			}
		})
		require.NoError(b, s.Write(b.Context(), `UPDATE boards SET next_check_at = 1, asked_at = added_at,
			asked_by = 'account' || substr(id, 17, 2), asked_host = substr(id, 9, 10)`))
		require.NoError(b, s.Write(b.Context(), "ANALYZE"))
		b.Run("claim", func(b *testing.B) {
			reportCPU(b)
			for b.Loop() {
				claims, err := s.ClaimDue(b.Context(), 1, time.Minute, boardwatch.ClaimFilter{Kind: boardwatch.ClaimDemanded})
				require.NoError(b, err)
				require.Len(b, claims, 1)
				require.NoError(b, s.Release(b.Context(), claims[0]))
			}
		})
	})
}

// BenchmarkFleetReadings asks for the sick boards, as every process does all the time, and for all that were read within
// the hour: one of 100 boards is sick, and one of ten was read.
func BenchmarkFleetReadings(b *testing.B) {
	for _, boards := range []int{10_000, 100_000} {
		b.Run(fmt.Sprintf("%d_boards", boards), func(b *testing.B) {
			drivers(b, func(b *testing.B, s *storage.Store) {
				b.Helper()
				now := time.Now()
				require.NoError(b, s.Write(b.Context(), crowdOf("greenhouse", boards, 3_600_000)))
				require.NoError(b, s.Write(b.Context(), fmt.Sprintf(`UPDATE boards SET
					last_checked_at = %d - CASE WHEN substr(id, 18, 1) = '0' THEN 0 ELSE 7200000 END,
					sick_since = CASE WHEN substr(id, 17, 2) = '00' THEN %[1]d ELSE 0 END`, now.UnixMilli())))
				require.NoError(b, s.Write(b.Context(), "ANALYZE"))
				for name, since := range map[string]time.Time{"sick": {}, "recent": now.Add(-time.Hour)} {
					b.Run(name, func(b *testing.B) {
						reportCPU(b)
						for b.Loop() {
							_, err := s.FleetReadings(b.Context(), since)
							require.NoError(b, err)
						}
					})
				}
			})
		})
	}
}
