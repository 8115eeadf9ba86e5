package web_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var figureRows = regexp.MustCompile(`(?s)<details class="figures">.*?</details>`)

// toldSum adds up what the days of a chart say.
func toldSum(page, what string) (sum int) {
	for _, day := range regexp.MustCompile(`</b>[^<]*?(\d+) `+what).FindAllStringSubmatch(page, -1) {
		n, _ := strconv.Atoi(day[1]) // digits
		sum += n
	}
	return sum
}

// The charts show a month, a quarter or a year, and the numbers behind each are in a table beside it.
func TestPicturesShowThePeriodThatIsAskedFor(t *testing.T) {
	t.Parallel()
	w, owner := furnished(t)
	boards, err := w.store.Tracked(t.Context(), owner.ID, "")
	require.NoError(t, err)
	b := w.signedIn(ownerEmail)
	for path, days := range map[string]int{"/boards": 30, "/boards?days=30": 30, "/boards?days=90": 31, "/boards?days=365": 5, "/boards?days=7": 30} {
		page := b.get(path)
		table := figureRows.FindString(page.text)
		require.Equal(t, days, strings.Count(table, "<tr")-1, path)
		require.Contains(t, table, `<th scope="col" class="num">Open</th><th scope="col" class="num">Opened</th><th scope="col" class="num">Closed</th>`)
		opened, closed := toldSum(page.text, "new"), toldSum(page.text, "closed")
		require.Contains(t, page.text, fmt.Sprintf(`<span class="key up">%d opened</span> <span class="key down">%d closed</span>`, opened, closed), path)
		require.Positive(t, opened)
		require.Positive(t, closed)
		require.Contains(t, page.text, `href="/boards?days=365"`)
	}
	at := "/boards/" + boards[0].Board.ID
	for path, rows := range map[string]int{at: 31, at + "?days=365": 5} {
		require.Equal(t, rows, strings.Count(figureRows.FindString(b.get(path).text), "<tr")-1, "as many days or weeks as are known")
	}
	month := b.get(at + "?days=30").text
	require.Equal(t, 30, strings.Count(figureRows.FindString(month), "<tr")-1)
	require.Regexp(t, `<a href="`+at+`\?days=30" aria-current="true">30 days</a>`, month)
}
