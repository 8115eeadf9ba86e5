package page

import (
	"fmt"
	"math"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/scraper/page/judge"
)

// listedGroup is the list of the entries of a page, as the rules found it.
func listedGroup(t *testing.T, entries ...string) *group {
	t.Helper()
	u, err := url.Parse("https://www.company.example/about")
	require.NoError(t, err)
	d := Parse([]byte("<!doctype html><body><ul><li>"+strings.Join(entries, "</li><li>")+"</li></ul></body>"), u)
	for _, g := range d.groups(d.sections()) {
		if g.items[0].title == entries[0] {
			d.lay(g)
			g.all = g.items
			return g
		}
	}
	t.Fatal("the entries are no list")
	return nil
}

func odds(p float64) float64 { return math.Log(p / (1 - p)) }

// Where the rules are sure of a list the judge need only not deny it; where they are not, they have to agree; and what they do not
// know is taken without a doubt only when the judge is sure.
func TestTheSurerTheRulesTheLessTheJudgeHasToSay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules, judged      float64
		accepted, doubtful bool
	}{
		{evident, deniable + .01, true, false},
		{evident, deniable - .01, false, false},
		{evident - .1, deniable + .01, false, false},
		{evident - .1, unlikely + .01, true, true},
		{threshold, likely - .01, true, true},
		{threshold, likely + .01, true, false},
		{threshold - .1, trusted + .01, true, false},
		{threshold - .1, trusted - .01, false, false},
	} {
		for _, prior := range []float64{0, 0.5} {
			g := listedGroup(t, "Keeper of the night", "Warden of the weir")
			g.score, g.likely = c.rules, odds(c.judged)
			g.decide(false, g, prior)
			name := fmt.Sprintf("rules %.2f, judged %.2f, prior %.1f", c.rules, c.judged, prior)
			require.Equal(t, c.accepted, g.accepted, name)
			require.Equal(t, c.doubtful, g.contested, name)
		}
	}
}

// What the judge takes alone is not whole when an entry of the list is left over.
func TestAListThatTheJudgeTakesAloneLeavesNoEntry(t *testing.T) {
	t.Parallel()
	for last, doubtful := range map[string]bool{
		"Ferryman of the lake":                 false,
		"Kpr. Lochside, from the first of May": false,
		"Write to us. We answer every letter.": true,
	} {
		g := listedGroup(t, "Keeper of the night", "Warden of the weir", last)
		g.likely = odds(0.99)
		g.decide(true, g, 0)
		require.True(t, g.accepted, last)
		require.Equal(t, doubtful, g.contested, last)
	}
}

// A page about jobs has its best list taken before the judge would trust it anywhere, with doubt.
func TestTheBestListOfAPageAboutJobsIsTakenWithDoubt(t *testing.T) {
	t.Parallel()
	const aboutJobs = 0.5
	for _, test := range []struct {
		likely, prior   float64
		best, wantTaken bool
	}{
		{0.75, aboutJobs, true, true},
		{0.75, 0, true, false},
		{0.75, aboutJobs, false, false},
		{0.7, aboutJobs, true, false},
	} {
		g, other := listedGroup(t, "Keeper of the night", "Warden of the weir"), listedGroup(t, "Harbour")
		g.likely, other.likely = odds(test.likely), odds(0.78)
		best := other
		if test.best {
			best = g
		}
		g.decide(test.best, best, test.prior)
		require.Equal(t, test.wantTaken, g.accepted, test)
		require.Equal(t, test.wantTaken, g.contested, test)
	}
}

// The limits stand in order, or a list could be denied and trusted at once.
func TestTheLimitsOfTheJudgeStandInOrder(t *testing.T) {
	t.Parallel()
	limits := []float64{0, deniable, unlikely, likely, fair, trusted, 1}
	require.IsIncreasing(t, limits)
	require.InDelta(t, 0.5, judge.Probability(odds(0.5)), 1e-9)
}
