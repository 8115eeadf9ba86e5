package recipe_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/scraper/recipe"
)

func TestParseKeepsARecipeAsItIsWritten(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"selectors": `{"version":1,"browser":true,"entry":"ul.jobs > li","follows":true,"under":"Open positions","hidden":true,` +
			`"title":"h3","link":"a.more","place":{"select":"p","after":"Location:"},"department":{"select":"h2","above":true},` +
			`"next":"a.next","not":["Our values"]}`,
		"the entry as its own title": `{"version":1,"entry":"a.job"}`,
		"data":                       `{"version":1,"json":{"url":"https://northwind.example/jobs.json","entries":"jobs.*","title":"name","link":"url","place":"city"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := recipe.Parse([]byte(text))
			require.NoError(t, err)
			require.Equal(t, strings.ReplaceAll(text, `\u003e`, ">"), r.String())
		})
	}
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 600)
	for name, tt := range map[string]struct{ text, want string }{
		"no JSON":                       {`entry: li`, "the recipe is not valid JSON"},
		"more than one value":           {`{"version":1,"entry":"li.job"} {}`, "the recipe goes on after its end"},
		"another version":               {`{"version":2,"entry":"li.job"}`, `the field "version" of the recipe must be 1`},
		"no version":                    {`{"entry":"li.job"}`, `the field "version" of the recipe must be 1`},
		"an unknown field":              {`{"version":1,"entry":"li.job","script":"alert(1)"}`, `the field "script" of the recipe is unknown`},
		"an unknown part of a field":    {`{"version":1,"entry":"li.job","title":{"select":"h3","eval":"x"}}`, `the field "eval" of the recipe is unknown`},
		"a value of another kind":       {`{"version":1,"entry":["li"]}`, `the field "entry" of the recipe must not be a array`},
		"neither elements nor data":     {`{"version":1}`, `the field "entry" of the recipe must be set, or else "json"`},
		"elements and data":             {`{"version":1,"entry":"li.job","json":{"entries":"a.*","title":"b"}}`, `the field "entry" of the recipe must be set, or else "json"`},
		"no selector":                   {`{"version":1,"entry":"li["}`, `the field "entry" of the recipe is not a CSS selector`},
		"a field that is no selector":   {`{"version":1,"entry":"li.job","place":"::"}`, `the field "place" of the recipe is not a CSS selector`},
		"a selector of everything":      {`{"version":1,"entry":"*"}`, `the field "entry" of the recipe has a selector that matches every element`},
		"a selector of the page":        {`{"version":1,"entry":"li.job, body"}`, "matches every element"},
		"everything but something":      {`{"version":1,"entry":":not(.job)"}`, "matches every element"},
		"a next link that is anything":  {`{"version":1,"entry":"li.job","next":"*"}`, `the field "next" of the recipe has a selector that matches every element`},
		"a selector without an end":     {`{"version":1,"entry":"li.` + long + `"}`, "too long"},
		"a selector that takes long":    {`{"version":1,"entry":"div:HAS(div)"}`, "must not use :has, which takes too long"},
		"a title above the entry":       {`{"version":1,"entry":"li.job","title":{"select":"h2","above":true}}`, `"above" is not for it`},
		"something above without name":  {`{"version":1,"entry":"li.job","place":{"above":true}}`, `needs "select" beside "above"`},
		"data without a title":          {`{"version":1,"json":{"entries":"jobs.*"}}`, `needs "entries" and "title"`},
		"data by a path with a hole":    {`{"version":1,"json":{"entries":"jobs..*","title":"name"}}`, `the field "json.entries" of the recipe is not a path`},
		"data of everything":            {`{"version":1,"json":{"entries":"*.*.*","title":"name"}}`, "matches everything"},
		"data at another kind of place": {`{"version":1,"json":{"url":"file:///etc/passwd","entries":"jobs.*","title":"name"}}`, "must be an address that begins with http"},
		"data with the fields of a page": {
			`{"version":1,"title":"h3","json":{"entries":"jobs.*","title":"name"}}`,
			`the field "title" of the recipe is for elements`,
		},
		"an empty title that is none": {`{"version":1,"entry":"li.job","not":[" "]}`, "a title that is empty"},
		"a recipe without an end":     {`{"version":1,"entry":"` + strings.Repeat("li,", 8000) + `li"}`, "longer than 16 KiB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := recipe.Parse([]byte(tt.text))
			require.ErrorContains(t, err, tt.want)
			var fault *recipe.Error
			require.ErrorAs(t, err, &fault)
		})
	}
}

func TestFieldIsATextWhereASelectorIsEnough(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(map[string]recipe.Field{"a": {Select: "h3"}, "b": {Select: "p", Line: 2}})
	require.NoError(t, err)
	require.JSONEq(t, `{"a":"h3","b":{"select":"p","line":2}}`, string(text))
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"version":1,"entry":"ul.jobs > li","title":{"select":"h3","before":" ("},"not":["x"]}`))
	f.Add([]byte(`{"version":1,"json":{"entries":"jobs.*","title":"name"}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := recipe.Parse(text)
		if err != nil {
			return
		}
		again, err := recipe.Parse([]byte(r.String()))
		require.NoError(t, err, "what was read can be read again")
		require.Equal(t, r.String(), again.String())
	})
}
