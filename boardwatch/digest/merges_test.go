package digest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func TestDailyMailTellsWhatAMergeBrought(t *testing.T) {
	t.Parallel()
	w := setup(t, at(2026, 11, 20, 12, 0))
	ann, bob := w.account("ann", 7, ""), w.account("bob", 7, "")
	moved, kept := w.track(ann, "fabrikam"), w.track(bob, "contoso")
	w.work()
	w.find(moved, "Engineer")
	w.find(kept, "Writer")
	w.turn(at(2026, 11, 21, 7, 0))
	w.work()
	w.server.Wait(2)

	w.turn(at(2026, 11, 21, 12, 0))
	w.find(moved, "Designer")
	claims, err := w.ClaimDue(t.Context(), 100, time.Minute, boardwatch.ClaimFilter{})
	require.NoError(t, err)
	for _, c := range claims {
		if c.Board.ID != moved {
			require.NoError(t, w.Release(t.Context(), c))
			continue
		}
		_, merged, err := w.Resolve(t.Context(), c, boardwatch.Board{Source: "greenhouse:contoso"})
		require.NoError(t, err)
		require.True(t, merged)
	}
	w.turn(at(2026, 11, 22, 7, 0))
	w.work()
	texts := map[string]string{}
	for _, m := range w.server.Wait(3)[2:] {
		texts[m.To[0]] = m.Text
	}
	require.Contains(t, texts[ann.Email], "Designer", "what her board had found before it ended")
	require.NotContains(t, texts, bob.Email, "nothing of it reaches those who tracked the survivor")
	require.Contains(t, texts[ann.Email], "Writer", "what was on the board that she was moved to")
}
