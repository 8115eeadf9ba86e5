package recipe_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper/recipe"
)

func TestListsAreWhatIsWrittenAlikeRolesFirst(t *testing.T) {
	t.Parallel()
	d, _ := parse(t, surroundings+`<main><div class="job"><a href="/jobs/1"><h3>Software Engineer</h3><span>Porto</span></a></div>
		<div class="job"><a href="/jobs/2"><h3>Product Manager</h3><span>Bergen</span></a></div>
		<div class="job"><a href="/jobs/3"><h3>Product Manager</h3><span>Ghent</span></a></div><p>We are one of a kind.</p></main>
		<footer><a class="f" href="/a">Imprint</a><a class="f" href="/b">Privacy</a></footer>`)
	lists := recipe.Lists(d)
	require.Equal(t, boardwatch.TextList{First: []string{"Software Engineer", "Product Manager"}, Count: 2}, lists[0], "texts count once")
	require.Contains(t, lists, boardwatch.TextList{First: []string{"Porto", "Bergen", "Ghent"}, Count: 3})
	for _, l := range lists {
		require.NotContains(t, l.First, "Imprint")
		require.NotContains(t, l.First, "Home")
		require.NotContains(t, l.First, "We are one of a kind.", "it stands alone")
	}
}

func TestListsAreFewAndShort(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for class := range strings.FieldsSeq("a b c d e f g h i j k l") {
		for n := range strings.FieldsSeq("one two three four five six seven") {
			b.WriteString(`<p class="x` + class + `">` + class + " " + n + " " + `</p>`)
		}
	}
	d, _ := parse(t, b.String())
	lists := recipe.Lists(d)
	require.Len(t, lists, 8)
	require.Len(t, lists[0].First, 5)
	require.Equal(t, 7, lists[0].Count)
	none, _ := parse(t, "<main><p>Hello.</p></main>")
	require.Empty(t, recipe.Lists(none))
}
