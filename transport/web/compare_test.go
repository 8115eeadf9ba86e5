package web_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// Up to five boards are compared; by default those with the most open roles.
func TestCompareBoards(t *testing.T) {
	t.Parallel()
	w, owner := furnished(t)
	boards, err := w.store.Tracked(t.Context(), owner.ID, "")
	require.NoError(t, err)
	b := w.signedIn(ownerEmail)
	row := regexp.MustCompile(`<a class="name" href="/boards/(\w+)"`)
	shown := func(path string) (ids []string, text string) {
		text = b.get(path).text
		for _, m := range row.FindAllStringSubmatch(text, -1) {
			ids = append(ids, m[1])
		}
		return ids, text
	}
	usual, text := shown("/compare")
	require.Len(t, usual, 3)
	require.Equal(t, 3, strings.Count(text, " checked>"))
	require.Equal(t, 3, strings.Count(text, `<polyline class="line s`))
	require.Contains(t, text, "Departments and places")
	require.NotContains(t, text, "At most 5 boards")

	two, text := shown("/compare?board=" + boards[0].Board.ID + "&board=" + boards[1].Board.ID + "&days=30")
	require.ElementsMatch(t, []string{boards[0].Board.ID, boards[1].Board.ID}, two)
	require.Contains(t, text, `board=`+boards[1].Board.ID+`&amp;days=365`, "another period keeps the boards")
	require.Equal(t, 30, strings.Count(figureRows.FindString(text), "<tr")-1)

	var all []string
	for _, s := range boards {
		if !s.Subscription.Locked {
			all = append(all, "board="+s.Board.ID)
		}
	}
	require.Greater(t, len(all), 5)
	five, text := shown("/compare?" + strings.Join(all, "&"))
	require.Len(t, five, 5)
	require.Contains(t, text, "At most 5 boards can be compared")

	stranger := w.account("eve@northwind.example", account.PlanFree, true)
	b = w.signedIn(stranger.Email)
	nothing, text := shown("/compare?board=" + boards[0].Board.ID)
	require.Empty(t, nothing, "somebody else's board")
	require.Contains(t, text, "Nothing to compare yet")
}
