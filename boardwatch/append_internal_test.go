package boardwatch

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzAppendJSON compares the output written without reflection with that of encoding/json.
func FuzzAppendJSON(f *testing.F) {
	for _, s := range []string{
		"", "Optical Engineer", "École · Zürich 😀", "a\"b\\c", "<b>&amp;</b>", "\x00\n\t\x7f", "\xff broken", "\u2028\u2029", "\uFFFD",
	} {
		f.Add(s, int64(1_795_000_000_123), 3)
		f.Add("x"+s, int64(0), -1)
	}
	f.Fuzz(func(t *testing.T, s string, ms int64, n int) {
		var at time.Time
		if ms != 0 {
			at = time.UnixMilli(ms % 200_000_000_000_000)
		}
		j := Job{ID: s, BoardID: s, Company: s, Title: s, Location: s, Department: s, URL: s, Status: JobStatus(s), FirstSeenAt: at, ClosedAt: at}
		want, err := json.Marshal(j.wire())
		require.NoError(t, err)
		require.Equal(t, string(want), string(j.AppendJSON(nil)))

		v := BoardView{
			ID: s, Company: s, Domain: s, CareersURL: s, Status: BoardStatus(s), Tracking: Tracking(s), OpenJobs: n, ClosedJobs: n,
			LastCheckedAt: at, AddedAt: at,
		}
		want, err = json.Marshal(boardJSON{
			v.ID, orNull(v.Company), orNull(v.Domain), v.CareersURL, v.Status, v.Tracking, v.OpenJobs, v.ClosedJobs,
			timeOrNull(v.LastCheckedAt), timeOrNull(v.LastSuccessAt), timeOrNull(v.AddedAt),
		})
		require.NoError(t, err)
		require.Equal(t, string(want), string(v.AppendJSON(nil)))
	})
}
