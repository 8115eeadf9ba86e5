package page

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/internal/script"
	"github.com/boardwatch/boardwatch/internal/turn"
)

func fuzzAddress(tb testing.TB) *url.URL {
	tb.Helper()
	u, err := url.Parse("https://www.company.example/careers/list")
	require.NoError(tb, err)
	return u
}

func pagesOf(tb testing.TB) []string {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "testdata", "*", "page.html"))
	require.NoError(tb, err)
	pages := make([]string, 0, len(paths))
	for _, path := range paths {
		body, err := os.ReadFile(path)
		require.NoError(tb, err)
		pages = append(pages, string(body))
	}
	return pages
}

func seedPages(f *testing.F) {
	f.Helper()
	for _, page := range pagesOf(f) {
		f.Add(page)
	}
}

// Any JSON is read without a panic, in bounds, and what is found has a title.
func FuzzRolesInJSON(f *testing.F) {
	for _, text := range []string{
		`{"jobs":[{"id":1,"title":"Fitter","location":"Hamburg"},{"id":2,"title":"Welder","location":{"name":"Bremen"}}],"total":2}`,
		`[{"node":{"title":{"en":"Fitter"},"slug":{"current":"x"},"location":[["a"]]}}]`, `{"a":"[{\"title\":\"Fitter\",\"location\":\"x\"}]"}`, `[[[[[]]]]]`, `{"title":1e999}`,
	} {
		f.Add(text)
	}
	u := fuzzAddress(f)
	f.Fuzz(func(t *testing.T, text string) {
		s := RolesInJSON([]byte(text), u)
		require.LessOrEqual(t, len(s.Postings), MaxPostings)
		for _, p := range s.Postings {
			require.NotEmpty(t, p.Title)
		}
	})
}

// Any script is evaluated in bounds, and what comes of it can be searched.
func FuzzScript(f *testing.F) {
	for _, text := range []string{
		`window.x=(function(a,b){a.t="x";b[0]=a;return {jobs:[a,b,!0,void 0,-1.5e3]}}({},[]))`, `var a={b:'c',"d":[1,,2],e(){return 1},get f(){return 2},...g,[h]:1}`,
		`JSON.parse("{\"title\":\"location\"}")`, "x=`a${1}b`", `a=/[/]/g,b=1/2/3`, `(a,b)=>({a,b})`, `x={a:1?2:3,b:c||"d",e:f&&g,h:"i"+"j"}`, `new Map([["a",1]])`, `"\u{1F600}\ud83d\ude00\x41"`,
	} {
		f.Add(text)
	}
	u := fuzzAddress(f)
	f.Fuzz(func(t *testing.T, text string) {
		s := script.New(text)
		for at := 0; at < len(text) && at < 200; at++ {
			if v, end, err := s.Value(at); err == nil {
				require.LessOrEqual(t, end, len(text))
				rolesInValue(v, u)
			}
		}
		b := &blocks{page: u}
		b.assigned(text)
		b.push(text)
		b.stream(text)
		b.flight()
	})
}

// Any list of positions is put together in bounds.
func FuzzFlattened(f *testing.F) {
	for _, text := range []string{
		`[["Reactive",1],{"a":2,"b":-1},[3,3],["Set",0,1],["Map",1,2],["Date","x"]]`, `[{"_1":2},"a",[0,0]]`, `1:{"a":"$2","b":"$L3","c":"$2:x:0"}` + "\n2:T5,hello3:[\"$1\"]\n",
	} {
		f.Add(text)
	}
	u := fuzzAddress(f)
	f.Fuzz(func(_ *testing.T, text string) {
		if v, err := DecodeJSON([]byte(text)); err == nil {
			if list, ok := v.([]any); ok && len(list) > 0 {
				rolesInValue(unflatten(list), u)
			}
			rolesInValue(unwrap(v, 0), u)
		}
		rows := flightRows(text)
		r := &flightReader{rows: rows, steps: maxObjects}
		for _, id := range rows.order {
			rolesInValue(r.resolve(rows.byID[id], 0), u)
		}
	})
}

// Any bytes are read as a feed, or are none.
func FuzzFeed(f *testing.F) {
	f.Add(`<rss version="2.0"><channel><title>Jobs</title><item><title>Fitter</title><link>/jobs/1-x</link></item></channel></rss>`)
	f.Add(`<feed xmlns="http://www.w3.org/2005/Atom"><title>Jobs</title><entry><title>Fitter</title><link href="/jobs/1"/></entry></feed>`)
	f.Add(`{"version":"https://jsonfeed.org/version/1.1","title":"Jobs","items":[{"id":"1","title":"Fitter"}]}`)
	u := fuzzAddress(f)
	f.Fuzz(func(t *testing.T, text string) {
		DataKind([]byte(text))
		r := ReadFeed([]byte(text), u)
		require.NotEmpty(t, r.Reason)
		for _, p := range r.Postings {
			require.NotEmpty(t, p.Title)
		}
	})
}

// Any block of structured data is read, repaired or skipped.
func FuzzStructured(f *testing.F) {
	for _, text := range []string{
		`{"@type":"JobPosting","title":"Fitter","jobLocation":[{"address":"x"}],"hiringOrganization":{"@id":"#a"}}`, `{"@graph":[{"@id":"#a","@type":["JobPosting"],"name":"&amp;amp;"}]}`,
		`//<![CDATA[` + "\n{\"@type\":\"ItemList\",\"itemListElement\":[{\"url\":\"/jobs/1\",\"name\":\"Fitter\"}]},", `{"a":{"@id":"a","name":{"@id":"a"}}}`,
		`{"@id":"a","@type":"JobPosting","title":"Fitter","jobLocation":[{"@id":"a"}],/* x */"datePosted":"2\'",} {"@type":"JobPosting","title":"a "b" c","currency":"EUR","minValue":1}`,
	} {
		f.Add(text)
	}
	u := fuzzAddress(f)
	f.Fuzz(func(t *testing.T, text string) {
		page, err := json.Marshal(text)
		require.NoError(t, err)
		for _, body := range []string{
			`<script type="application/ld+json">` + text + `</script>`, `<div itemtype="https://schema.org/JobPosting"><p itemprop="title">` + text + `</p></div>`,
			`<script>self.__next_f.push([1,` + string(page) + `])</script>`, `<div data-page="` + strings.ReplaceAll(text, `"`, "&quot;") + `"></div>`,
		} {
			d := Parse([]byte(body), u)
			d.Structured()
			d.embedded(nil)
		}
	})
}

// Any page's own texts stay inside the text of the page, and elements inside their parents.
func FuzzParse(f *testing.F) {
	seedPages(f)
	f.Add("<p> a<b> b </b><i hidden>c</i>\u00a0d\u200b</p>")
	u := fuzzAddress(f)
	f.Fuzz(func(t *testing.T, body string) {
		d := Parse([]byte(body), u)
		for _, e := range d.elements {
			require.Equal(t, squeeze(e.visibleText()), e.visibleText())
			require.LessOrEqual(t, e.index, e.end)
			for _, n := range [...]int{0, 3, 60} {
				require.Equal(t, longer(e.visibleText(), n), e.longer(n))
			}
			for _, k := range e.kids {
				require.True(t, e.contains(k))
				require.Equal(t, e, k.parent)
			}
		}
		d.claimed(nil)
		d.noneSaid()
		d.broken()
		d.DataLinks()
		d.onward(nil)
	})
}

// The quick way to make links absolute and the thorough one agree.
func FuzzResolve(f *testing.F) {
	for _, href := range []string{"/jobs/1-fitter", "/a//b", "/a/../b", "/a/./b", "/.", "//other.example/x", "/a.html", "/a?b#c", " /a ", "x", "/%61", "/é", "HTTPS://x.example"} {
		f.Add(href)
	}
	u := fuzzAddress(f)
	f.Fuzz(func(t *testing.T, href string) {
		got := Resolve(u, href)
		if got == nil {
			return
		}
		want, err := u.Parse(strings.TrimSpace(href))
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.NotNil(t, newDocument(u).newLead(got))
	})
}

// An address stands to itself as the same page, and one that may be of another page of its list has a way in common with others.
func FuzzPageAddress(f *testing.F) {
	for _, pair := range [][2]string{
		{"/jobs", "/jobs?page=2"},
		{"/jobs/page/2/", "/jobs/page/3"},
		{"/jobs?start=10", "/jobs?start=20&x"},
		{"/jobs.html", "/jobs-2.html"},
		{"/", "/page/2"},
		{"/jobs?page[number]=1", "/jobs?page%5Bnumber%5D=2"},
		{"/jobs", "/jobs;offset=8"},
		{"/jobs/999999", "?cursor=%zz"},
	} {
		f.Add(pair[0], pair[1])
	}
	base := fuzzAddress(f)
	f.Fuzz(func(t *testing.T, own, other string) {
		u, v := Resolve(base, own), Resolve(base, other)
		if u == nil || v == nil {
			return
		}
		d := newDocument(u)
		require.Equal(t, itself, d.turnTo(u).relation)
		if turn := d.turnTo(v); turn.relation > itself {
			require.GreaterOrEqual(t, turn.number, cursor)
			require.NotEmpty(t, turn.way)
		}
	})
}

// The quick way to fold letters and the thorough one agree.
func FuzzFold(f *testing.F) {
	for _, text := range []string{"Ärztin", "ŁÓDŹ", "İstanbul", "Йод", "e\u0301tude", "ガ", "ﬁn", "Ǆ", "한국어"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once := Fold(text)
		require.Equal(t, once, Fold(once))
	})
}

// The check whether a page was cut off reads its text once more, and ends with the look that wants to know.
func TestLookingForTheEndOfAPageEndsWithItsWork(t *testing.T) {
	t.Parallel()
	text := []byte("<!doctype html><html><body><main>" + strings.Repeat("<p>Baker</p>", 10_000))
	_, work := turn.Begin(t.Context())
	d := ParseAs(work, text, fuzzAddress(t))
	before := work.Steps()
	require.Equal(t, cause.Truncated, d.Sick(Visit{Asked: d.Base, At: d.Base, Text: text}).Cause)
	require.GreaterOrEqual(t, work.Steps()-before, len(text)/bytesPerStep/2)
}
