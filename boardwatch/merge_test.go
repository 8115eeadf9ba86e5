package boardwatch_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// TestAnUnchangedAnswerAfterAMergeIsJudgedAsAFullOne compares how a merged board handles an unchanged next answer with
// how it handles the same answer in full.
func TestAnUnchangedAnswerAfterAMergeIsJudgedAsAFullOne(t *testing.T) {
	t.Parallel()
	for own := range 12 {
		for came := range 12 {
			in := boardwatch.CheckInput{Now: noon, Board: board}
			in.Board.State = boardwatch.BoardState{
				Health: boardwatch.HealthOK, LastCheckedAt: noon.Add(-time.Hour), LastSuccessAt: noon.Add(-time.Hour), Fingerprint: "same",
				SetHash: "set", Missing: came,
			}
			in.Board.OpenJobs = own + came
			full := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Fingerprint: "same"}
			for i := range own + came {
				j := boardwatch.Job{
					ID: fmt.Sprint("id", i), Key: fmt.Sprint("key", i), Title: fmt.Sprint("Keeper of lamp ", i), Status: boardwatch.JobOpen,
					LastSeenAt: noon.Add(-time.Hour), FirstSeenAt: noon.AddDate(0, 0, -1),
				}
				if i < own {
					full.Postings = append(full.Postings, boardwatch.Posting{Key: j.Key, Title: j.Title})
				} else {
					j.Key, j.LastSeenAt = boardwatch.MergedKey+j.ID, noon.Add(-2*time.Hour)
				}
				in.Known = append(in.Known, j)
			}
			unchanged := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Fingerprint: "same", Unchanged: true}
			a := boardwatch.Decide(in, full, false, boardwatch.DefaultRules(), ids())
			b := boardwatch.Decide(in, unchanged, false, boardwatch.DefaultRules(), ids())
			require.Equal(t, a.Check.Health, b.Check.Health, "%d own roles, %d came", own, came)
			require.Equal(t, a.Change.Missing, b.Change.Missing)
			require.Equal(t, a.Board.State.Vanished, b.Board.State.Vanished)
		}
	}
}
