package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

func TestWhatIsNewStaysNewUntilTheVisitEnds(t *testing.T) {
	t.Parallel()
	monday := time.Date(2026, 11, 23, 18, 4, 0, 0, time.UTC)
	var v account.Visits
	require.Zero(t, v.Mark(monday))
	v = v.Look(monday)
	require.Equal(t, monday, v.Mark(monday), "nothing is new at the first look")

	v = v.Look(monday.Add(59 * time.Minute))
	require.Equal(t, monday, v.Mark(monday.Add(59*time.Minute)), "the visit goes on")
	last := monday.Add(59 * time.Minute)
	require.Equal(t, monday, v.Mark(last.Add(account.VisitGap-time.Millisecond)))
	require.Equal(t, last, v.Mark(last.Add(account.VisitGap)), "it has ended")

	thursday := monday.Add(72 * time.Hour)
	require.Equal(t, account.Visits{SeenAt: last, LastAt: thursday}, v.Look(thursday))
	v = v.Look(thursday).Look(thursday.Add(time.Minute))
	require.Equal(t, last, v.Mark(thursday.Add(2*time.Minute)), "what came since Monday is new during the whole visit")
}
