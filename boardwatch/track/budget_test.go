package track_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

func TestChangesOfAListAreCounted(t *testing.T) {
	t.Parallel()
	w := setup(t)
	a := w.account(t, account.PlanFree)
	door := w.Within(w.Store)
	for i := range track.ListRate().Limit / 2 {
		added, err := door.Add(t.Context(), a, track.NewBoard{URL: fmt.Sprintf("https://northwind%d.example/", i)})
		require.NoError(t, err)
		require.NoError(t, door.Remove(t.Context(), a, added.Board.ID))
	}

	tooMany := func(err error) {
		t.Helper()
		require.Equal(t, boardwatch.CodeRateLimited, boardwatch.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, "more than 120 boards added or removed in the last hour; the next one fits in ")
	}
	_, err := door.Add(t.Context(), a, track.NewBoard{URL: "https://contoso.example/"})
	tooMany(err)
	tooMany(door.Remove(t.Context(), a, boardwatch.NewID()))
	_, err = door.Import(t.Context(), a, list(t, "https://contoso.example/"), track.ImportOptions{})
	tooMany(err)
	tracked, _, err := w.Places(t.Context(), a.ID)
	require.NoError(t, err)
	require.Zero(t, tracked)

	_, err = door.Add(t.Context(), a, track.NewBoard{URL: "not an address"})
	require.Equal(t, boardwatch.CodeInvalidRequest, boardwatch.CodeOf(err), "what changes nothing costs nothing")
	_, err = door.Import(t.Context(), a, list(t, "https://contoso.example/"), track.ImportOptions{DryRun: true})
	require.NoError(t, err)
	w.add(t, a, "https://contoso.example/") // the operator's tracker counts nothing
	other := w.account(t, account.PlanFree)
	_, err = door.Add(t.Context(), other, track.NewBoard{URL: "https://contoso.example/"})
	require.NoError(t, err, "each account has its own budget")
}

func TestAnImportCountsOnceAndIsReadInItsOrder(t *testing.T) {
	t.Parallel()
	w := setup(t)
	a := w.account(t, account.PlanUltra)
	door := w.Within(w.Store)
	text := companies(2 * track.ListRate().Limit)
	done, err := door.Import(t.Context(), a, list(t, text), track.ImportOptions{})
	require.NoError(t, err)
	require.Len(t, done, 2*track.ListRate().Limit)
	_, err = door.Add(t.Context(), a, track.NewBoard{URL: "https://northwind.example/"})
	require.NoError(t, err)

	for i := 0; i < 10; i += 2 {
		claims, err := w.ClaimDue(t.Context(), 10, time.Minute, boardwatch.ClaimFilter{Kind: boardwatch.ClaimDemanded})
		require.NoError(t, err)
		require.Len(t, claims, 2)
		var ids []string
		for _, c := range claims {
			ids = append(ids, c.Board.ID)
			require.NoError(t, w.SaveCheck(t.Context(), c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
				return boardwatch.Decide(in, boardwatch.Reading{Claimed: 0, Health: boardwatch.HealthOK}, false, boardwatch.Rules{}, boardwatch.NewID)
			}))
		}
		require.ElementsMatch(t, []string{done[i].BoardID, done[i+1].BoardID}, ids)
	}
}

func TestAFullListTakesNoMore(t *testing.T) {
	t.Parallel()
	w := setup(t)
	a := w.account(t, account.PlanFree)
	text := companies(102)
	dry, err := w.Import(t.Context(), a, list(t, text), track.ImportOptions{DryRun: true})
	require.NoError(t, err)
	done, err := w.Import(t.Context(), a, list(t, text), track.ImportOptions{})
	require.NoError(t, err)
	for i := range done {
		want, locked := track.ImportAdded, i >= 5
		if i >= 100 {
			want, locked = track.ImportRefused, false
			require.Equal(t, "the address does not fit on the list, which holds at most 100 boards on this plan; remove one first", done[i].Reason)
			require.Equal(t, done[i].Reason, dry[i].Reason)
		}
		require.Equal(t, want, done[i].Result)
		require.Equal(t, locked, done[i].Locked)
	}
	_, err = w.Add(t.Context(), a, track.NewBoard{URL: "https://northwind.example/"})
	require.Equal(t, boardwatch.CodeInvalidRequest, boardwatch.CodeOf(err))
}

// companies returns that many addresses, one per line.
func companies(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "https://company%03d.example/\n", i)
	}
	return b.String()
}
