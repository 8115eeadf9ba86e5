package storage_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/pace"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// BenchmarkTurns takes turns at hosts and returns them: one at a time, and those of many hosts together.
func BenchmarkTurns(b *testing.B) {
	for _, hosts := range []int{1, 16, 128} {
		b.Run("PostgreSQL/hosts="+strconv.Itoa(hosts), func(b *testing.B) {
			s := storagetest.Postgres(b)(b, storage.Options{})
			asks := make([]pace.TurnRequest, hosts)
			for i := range asks {
				asks[i] = pace.TurnRequest{Host: "h" + strconv.Itoa(i) + ".example:443", Process: "a"}
			}
			turns := 0
			for b.Loop() {
				answers, err := s.Turns(b.Context(), nil, asks)
				require.NoError(b, err)
				ends := make([]pace.TurnEnd, hosts)
				for i, a := range answers {
					ends[i] = pace.TurnEnd{Host: asks[i].Host, Process: "a", Number: a.Number}
				}
				_, err = s.Turns(b.Context(), ends, nil)
				require.NoError(b, err)
				turns += hosts
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(turns), "µs/turn")
		})
	}
}
