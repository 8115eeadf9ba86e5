package web_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var figureRows = regexp.MustCompile(`(?s)<details class="figures">.*?</details>`)

// The pictures show a month, a quarter or a year, and the numbers behind each stand in a table beside it.
func TestPicturesShowThePeriodThatIsAskedFor(t *testing.T) {
	t.Parallel()
	w, owner := furnished(t)
	boards, err := w.store.Tracked(t.Context(), owner.ID, "")
	require.NoError(t, err)
	b := w.signedIn(ownerEmail)
	for path, bars := range map[string]int{"/boards": 30, "/boards?days=30": 30, "/boards?days=90": 90, "/boards?days=365": 53, "/boards?days=7": 30} {
		page := b.get(path)
		require.Equal(t, bars, strings.Count(page.text, "<rect x=")-strings.Count(page.text, `<rect x="1" y="2"`), path)
		table := figureRows.FindString(page.text)
		require.Equal(t, bars, strings.Count(table, "<tr")-1, path)
		require.Contains(t, page.text, `href="/boards?days=365"`)
	}
	at := "/boards/" + boards[0].Board.ID
	for _, path := range []string{at, at + "?days=365"} {
		require.Equal(t, 31, strings.Count(figureRows.FindString(b.get(path).text), "<tr")-1, "as many days as are known")
	}
	month := b.get(at + "?days=30").text
	require.Equal(t, 30, strings.Count(figureRows.FindString(month), "<tr")-1)
	require.Regexp(t, `<a href="`+at+`\?days=30" aria-current="true">30 days</a>`, month)
}
