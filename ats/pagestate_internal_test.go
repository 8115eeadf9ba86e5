package ats

import (
	"encoding/xml"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/foreign"
)

func pageFrom(t *testing.T, html string) *goquery.Document {
	t.Helper()
	page, err := parsePage([]byte(html))
	require.NoError(t, err)
	return page
}

func TestStateInside(t *testing.T) {
	t.Parallel()
	var state struct {
		Jobs []struct {
			Title string `json:"title"`
		} `json:"jobs"`
	}
	const text = `var x = 1; window.pageData = {"jobs": [{"title": "A } \" ] { b"}], "more": {}}; window.y = {"jobs": 3};`
	require.NoError(t, stateIn(text, "window.pageData", &state))
	require.Equal(t, `A } " ] { b`, state.Jobs[0].Title)
	require.ErrorContains(t, stateIn(text, "window.other", &state), "without the roles' data")
	require.ErrorContains(t, stateIn(text, "var x", &state), "without the roles' data")
	require.ErrorContains(t, stateIn(text[:60], "window.pageData", &state), "without the roles' data", "cut off")
	require.ErrorContains(t, stateIn(text, "window.y", &state), "unknown form: jobs is a number, not a list")

	page := pageFrom(t, `<input type="hidden" id="jobs" value='{"jobs":[{"title":"R&amp;D \&quot;lead\&quot;"}]}'>
		<script id="__NEXT_DATA__" type="application/json">{"jobs":[{"title":"Next"}]}</script>`)
	require.NoError(t, stateOf(page.Find("#jobs"), "value", &state))
	require.Equal(t, `R&D "lead"`, state.Jobs[0].Title)
	require.NoError(t, nextData(page, &state))
	require.Equal(t, "Next", state.Jobs[0].Title)
	require.ErrorContains(t, nextData(pageFrom(t, "<p>Not found"), &state), "without the roles' data")
	require.ErrorContains(t, stateOf(page.Find("#other"), "value", &state), "without the roles' data")
}

func TestParseWholePage(t *testing.T) {
	t.Parallel()
	for content, cut := range map[string]bool{
		"<!DOCTYPE html><html><body><li>A</body></html>\n<!-- 12 ms -->": false,
		"<HTML><li>A</HTML >":                   false,
		"<li>A</li>":                            false,
		"<!DOCTYPE html><html><body><li>A</li>": true,
		"<!doctype html><li>A</li>":             true,
	} {
		_, err := parseWholePage([]byte(content))
		require.Equal(t, cut, err != nil, content)
	}
}

func TestLinkOf(t *testing.T) {
	t.Parallel()
	page := pageFrom(t, `<a href=" ../job/7?x=1&amp;y=2 "></a><b href="javascript:alert(1)"></b>`)
	require.Equal(t, "https://northwind.example/job/7?x=1&y=2", linkOf(page.Find("a"), "href", "https://northwind.example/jobs/list"))
	require.Empty(t, linkOf(page.Find("b"), "href", "https://northwind.example/"))
	require.Empty(t, linkOf(page.Find("i"), "href", "https://northwind.example/"))
}

func TestLinkedPostings(t *testing.T) {
	t.Parallel()
	page := pageFrom(t, `
		<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"Organization"},
			{"@type":["JobPosting"],"title":"Engineer","identifier":{"@type":"PropertyValue","value":7},"url":"https://northwind.example/7",
			 "hiringOrganization":{"name":"Northwind Labs"},"industry":["Energy"],
			 "jobLocation":[{"address":{"addressLocality":"Oslo","addressRegion":"Oslo","addressCountry":{"name":"Norway"}}},{"name":"Bergen"}]}]}</script>
		<script type="application/ld+json">{"broken</script>
		<script type="application/ld+json"><!-- {"@type":"ItemList","itemListElement":[{"@type":"ListItem","item":
			{"@type":"http://schema.org/JobPosting","name":"Cook
			at sea","identifier":"c1","jobLocationType":"TELECOMMUTE","jobLocation":{"address":"The ship"}}}]}; --></script>
		<script type="application/ld+json">{"@type":"JobPosting","title":"Pilot","identifier":"p","description":"&lt;p&gt;We fly.&lt;/p&gt;","jobLocationType":"TELECOMMUTE"}</script>`)
	var postings []boardwatch.Posting
	for _, l := range linkedPostings(page) {
		postings = append(postings, l.posting())
	}
	require.Equal(t, []boardwatch.Posting{
		{Key: "7", Title: "Engineer", Location: "Oslo, Norway; Bergen", Department: "Energy", URL: "https://northwind.example/7", Facts: boardwatch.Facts{
			Places: []boardwatch.Place{{Text: "Oslo, Norway", Country: "NO", City: "Oslo"}, {Text: "Bergen"}}, Requisition: "7",
		}},
		{Key: "c1", Title: "Cook    at sea", Location: "The ship", Facts: boardwatch.Facts{Mode: boardwatch.ModeRemote, Requisition: "c1"}},
		{Key: "p", Title: "Pilot", Location: "Remote", Facts: boardwatch.Facts{Mode: boardwatch.ModeRemote, Requisition: "p"}, Text: "We fly."},
	}, postings)
	require.Equal(t, "Northwind Labs", linkedPostings(page)[0].Company)
}

func TestDecodeXML(t *testing.T) {
	t.Parallel()
	type feed struct {
		XMLName xml.Name `xml:"rss"`
		Items   []struct {
			Title string `xml:"title"`
			City  string `xml:"https://places.example/ns city"`
		} `xml:"channel>item"`
	}
	tests := map[string]struct {
		document, wrong string
		titles          []string
	}{
		"items":                 {document: "<rss><channel><item><title>R&amp;D&nbsp;lead</title></item><item><title><![CDATA[A & B]]></title></item></channel></rss>", titles: []string{"R&D\u00a0lead", "A & B"}},
		"no items":              {document: "<rss><channel></channel></rss>"},
		"another charset":       {document: "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><rss><channel><item><title>Caf\xe9</title></item></channel></rss>", titles: []string{"Café"}},
		"broken letters":        {document: "<rss><channel><item><title>Caf\xe9</title></item></channel></rss>", titles: []string{"Café"}},
		"cut off":               {document: "<rss><channel><item><title>A</title></item>", wrong: "returned XML that is broken or cut off (43 bytes)"},
		"another root":          {document: "<error/>", wrong: "answered in an unknown form: expected element type <rss> but have <error>"},
		"a page":                {document: "<!DOCTYPE html><html><body>", wrong: "answered with a web page where XML was promised"},
		"a page as XML":         {document: "<?xml version=\"1.0\"?>\n<!DOCTYPE html><html></html>", wrong: "answered with a web page where XML was promised"},
		"JSON":                  {document: `{"jobs": []}`, wrong: "answered with something other than XML"},
		"nothing":               {document: " \n", wrong: "returned an empty answer"},
		"an unheard-of charset": {document: "<?xml version=\"1.0\" encoding=\"klingon\"?><rss/>"},
		"control characters":    {document: "<rss><channel><item><title>Weld\x0ber&#x1f;</title></item></channel></rss>", titles: []string{"Welder"}},
		"unknown entities":      {document: "<rss><channel><item><title>R&D &bogus; lead</title></item></channel></rss>", titles: []string{"R&D &bogus; lead"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var f feed
			err := decodeXML(foreign.UTF8([]byte(test.document), ""), &f)
			if test.wrong != "" {
				require.EqualError(t, err, test.wrong)
				return
			}
			require.NoError(t, err)
			var titles []string
			for _, item := range f.Items {
				titles = append(titles, item.Title)
			}
			require.Equal(t, test.titles, titles)
		})
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Oslo, Norway", place(" Oslo ", "", "Oslo", "Norway"))
	require.Equal(t, "R&D", unescape("R&amp;amp;D", 2))
	require.Equal(t, "R&amp;D", unescape("R&amp;amp;D", 1))
	require.Equal(t, "b", firstText("", " ", "b", "c"))
	for document, want := range map[string]string{`"a-1"`: "a-1", `12345678901234567`: "12345678901234567", `null`: "", `1.5`: "1.5"} {
		var i id
		require.NoError(t, i.UnmarshalJSON([]byte(document)))
		require.Equal(t, want, string(i))
	}
	require.Error(t, new(id).UnmarshalJSON([]byte(`{}`)))
}
