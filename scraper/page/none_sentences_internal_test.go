package page

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// example is a sentence of a file in testdata/none. Its mark is "+" when it says that there are no open roles, "-" when it only looks
// like that, and "?" when it says so in words that are not understood, or that an advert also says of its own role.
type example struct {
	language, text string
	mark           byte
}

func examplesIn(tb testing.TB, file string) (all []example) {
	tb.Helper()
	text, err := os.ReadFile(file)
	require.NoError(tb, err)
	language := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if name, found := strings.CutPrefix(line, "["); found {
			language = strings.TrimSuffix(name, "]")
		} else if line != "" {
			all = append(all, example{language, line[2:], line[0]})
		}
	}
	return all
}

func TestWhatIsSaidInEachLanguageWhenNothingIsOpen(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"testdata/none/first.txt", "testdata/none/second.txt"} {
		for _, s := range examplesIn(t, file) {
			if s.mark != '?' {
				require.Equal(t, s.mark == '+', saysNone(t, s.text), "%s: %s", s.language, s.text)
			}
		}
	}
}

// bodySaysNone reports whether a page with this body says that there are no open roles.
func bodySaysNone(tb testing.TB, body string) bool {
	tb.Helper()
	return Parse([]byte(`<!doctype html><html><head><title>Jobs - Lakeside Mill</title></head><body><main>`+body+`</main></body></html>`), fuzzAddress(tb)).SaysNone()
}

func TestWordsOfTheHeadingAboveSayWhatThereIsNoneOf(t *testing.T) {
	t.Parallel()
	require.True(t, bodySaysNone(t, `<h2>Job openings and quests at the mill</h2><p>No quests right now</p>`))
	require.True(t, bodySaysNone(t, `<h1>Careers</h1><h2>Current vacancies and gigs</h2><hr><h3>No gigs at the moment</h3>`))
	require.True(t, bodySaysNone(t, `<h2>Offene Stellen und Lehrgänge</h2><p>Derzeit keine Lehrgänge.</p>`))
	require.False(t, bodySaysNone(t, `<h2>Job openings and quests at the mill</h2><p>No quest experience needed</p>`))
	require.False(t, bodySaysNone(t, `<h2>Job openings and quests at the mill</h2><p>Grain and water.</p><p>No quests right now</p>`), "it does not stand below the heading")
	require.False(t, bodySaysNone(t, `<h2>About the quests</h2><p>No quests right now</p>`), "the heading is not of openings")
	require.False(t, bodySaysNone(t, `<h2>Job openings and quests in baking</h2><p>No quests right now</p><h2>Job openings and quests in milling</h2><p>Ask us</p>`), "another heading may have some")
}

func TestTheEmployersNameMayBeTheSubjectOfThatNothingIsOpen(t *testing.T) {
	t.Parallel()
	require.True(t, bodySaysNone(t, `<p>Lakeside Mill offers no job listings at present.</p>`))
	require.True(t, bodySaysNone(t, `<p>Lakeside Mill sucht derzeit keine Mitarbeitenden.</p>`))
	require.False(t, bodySaysNone(t, `<p>Hillside Mill offers no job listings at present.</p>`))
	require.False(t, bodySaysNone(t, `<p>Lakeside Mill job listings: none in the bakery.</p>`))
}

func TestAnEntryThatIsClosedDoesNotSpeakForTheOthers(t *testing.T) {
	t.Parallel()
	require.True(t, bodySaysNone(t, `<p>Applications are closed.</p>`))
	require.False(t, bodySaysNone(t, `<ul><li>Miller <span>Applications are closed</span></li><li>Baker</li></ul>`))
	require.False(t, bodySaysNone(t, `<a href="/miller">Miller <span>Applications have ended</span></a>`))
}

// Words of the lexicon are enough: no sentence of these was thought of before.
func TestNounsAndAdverbsCompose(t *testing.T) {
	t.Parallel()
	for _, noun := range []string{"job offers", "job ads", "job postings", "job listings", "employment opportunities", "work placements", "career openings", "vacancies"} {
		for _, form := range []string{"No %s right now", "We currently offer no %s", "There are no %s at this time", "%s: none", "This page lists no %s today"} {
			text := strings.ReplaceAll(form, "%s", noun)
			require.True(t, saysNone(t, text), text)
			require.False(t, saysNone(t, "If "+text), text)
			require.False(t, saysNone(t, text+" for students"), text)
			require.False(t, saysNone(t, text+" in the bakery"), text)
		}
	}
}
