package scraper_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// versioned is a site that answers 304 to whoever knows its present version.
type versioned struct {
	site site

	asked []http.Header // of everything but robots.txt
}

func (v *versioned) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := v.site.RoundTrip(req)
	if err != nil || req.URL.Path == "/robots.txt" {
		return resp, err
	}
	v.asked = append(v.asked, req.Header.Clone())
	etag, modified := resp.Header.Get("ETag"), resp.Header.Get("Last-Modified")
	known := req.Header.Get("If-None-Match")
	if known != "" && known == etag || known == "" && modified != "" && req.Header.Get("If-Modified-Since") == modified {
		resp.StatusCode, resp.Body = http.StatusNotModified, http.NoBody
	}
	return resp, nil
}

func (v *versioned) questions() []string {
	var q []string
	for _, h := range v.asked {
		q = append(q, h.Get("If-None-Match")+"|"+h.Get("If-Modified-Since"))
	}
	return q
}

func TestReadAsksWhetherAPageHasChanged(t *testing.T) {
	t.Parallel()
	const careers = "https://www.northwind.example/careers"
	const long = "Wed, 04 Mar 2026 10:00:00 GMT"
	page := func(headers map[string]any, more string) answer {
		a := html("", twoRoles+more)
		a.Header = headers
		return a
	}
	next := `<nav class="pagination"><a rel="next" href="/careers?page=2">Next</a></nav>`
	for _, tt := range []struct {
		name      string
		site      site
		state     boardwatch.Health // of the board, before the second reading
		version   string            // of the program, in the second reading
		unchanged bool
		questions []string
	}{
		{"by its ETag", site{careers: page(map[string]any{"ETag": `"a1"`}, "")}, "ok", "1", true, []string{"|", `"a1"|`}},
		{"by a weak ETag", site{careers: page(map[string]any{"ETag": `W/"a1"`}, "")}, "ok", "1", true, []string{"|", `W/"a1"|`}},
		{"by when it was changed", site{careers: page(map[string]any{"Last-Modified": long}, "")}, "ok", "1", true, []string{"|", "|" + long}},
		{"by both", site{careers: page(map[string]any{"ETag": `"a1"`, "Last-Modified": long}, "")}, "ok", "1", true, []string{"|", `"a1"|` + long}},
		{"by its bytes, when the server gives nothing", site{careers: page(nil, "")}, "ok", "1", true, []string{"|", "|"}},
		{"not after a check that was not healthy", site{careers: page(map[string]any{"ETag": `"a1"`}, "")}, "failed", "1", false, []string{"|", "|"}},
		{"not when it was partial", site{careers: page(map[string]any{"ETag": `"a1"`}, "")}, "partial", "1", false, []string{"|", "|"}},
		{"not in another version of the program", site{careers: page(map[string]any{"ETag": `"a1"`}, "")}, "ok", "2", false, []string{"|", "|"}},
		{"not by an ETag that is none", site{careers: page(map[string]any{"ETag": `a 1`}, "")}, "ok", "1", true, []string{"|", "|"}},
		{
			"not by a change that has just been made",
			site{careers: page(map[string]any{"Last-Modified": long, "Date": long}, "")},
			"ok", "1", true,
			[]string{"|", "|"},
		},
		{
			"not when the list has several pages",
			site{careers: page(map[string]any{"ETag": `"a1"`}, next), careers + "?page=2": html("", `<h1>Open positions</h1><ul><li><a href="/careers/rigger-3">Rigger</a></li><li><a href="/careers/cook-4">Ship's Cook</a></li></ul>`)},
			"ok", "1", false,
			[]string{"|", "|", "|", "|"},
		},
		{
			"not when the address sends on",
			site{careers: {Status: 302, Header: map[string]any{"Location": "/careers/all"}}, careers + "/all": page(map[string]any{"ETag": `"a1"`}, "")},
			"ok", "1", true,
			[]string{"|", "|", "|", "|"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := &versioned{site: tt.site}
			client := outbound.New(outbound.Options{Transport: v, Pause: -1, Backoff: []time.Duration{}})
			board := boardwatch.Board{Source: "page:" + careers}
			first, err := scraper.New(client, scraper.Options{Version: "1"}).Read(t.Context(), board)
			require.NoError(t, err)
			require.Equal(t, boardwatch.HealthOK, first.Health, first.Reason)
			require.False(t, first.Unchanged)

			board.State.Fingerprint, board.State.Health = first.Fingerprint, tt.state
			second, err := scraper.New(client, scraper.Options{Version: tt.version}).Read(t.Context(), board)
			require.NoError(t, err)
			require.Equal(t, boardwatch.HealthOK, second.Health, second.Reason)
			require.Equal(t, tt.unchanged, second.Unchanged)
			require.Equal(t, tt.questions, v.questions())
			if tt.unchanged {
				require.Equal(t, first.Fingerprint, second.Fingerprint, "which is what the next reading asks with")
			}
		})
	}
}

// frozen is a site that answers 304 to everybody who asks whether one of its pages has changed, whatever has.
type frozen struct {
	site site
	etag string // in the header of each 304

	asked []string
}

func (f *frozen) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := f.site.RoundTrip(req)
	if err != nil || req.URL.Path == "/robots.txt" {
		return resp, err
	}
	known := req.Header.Get("If-None-Match")
	f.asked = append(f.asked, known)
	if known != "" && resp.StatusCode == http.StatusOK {
		resp.StatusCode, resp.Body = http.StatusNotModified, http.NoBody
		resp.Header = http.Header{}
		if f.etag != "" {
			resp.Header.Set("ETag", f.etag)
		}
	}
	return resp, nil
}

// watched reads one board again and again, as a watcher does.
type watched struct {
	t     *testing.T
	from  *scraper.Scraper
	board boardwatch.Board
}

func watchBoard(t *testing.T, source string, s http.RoundTripper) *watched {
	t.Helper()
	client := outbound.New(outbound.Options{Transport: s, Pause: -1, Backoff: []time.Duration{}})
	return &watched{t, scraper.New(client, scraper.Options{Adapters: []ats.Adapter{system{}}}), boardwatch.Board{
		Source: source, Company: "Northwind", State: boardwatch.BoardState{Health: boardwatch.HealthOK},
	}}
}

func (f *watched) read() boardwatch.Reading {
	f.t.Helper()
	r, err := f.from.Read(f.t.Context(), f.board)
	require.NoError(f.t, err)
	if r.Health == boardwatch.HealthOK {
		f.board.State.Fingerprint = r.Fingerprint
	}
	return r
}

// unchanging are a page and a hosted board, each with two roles at first and with one afterwards.
var unchanging = map[string]struct {
	source, address string
	before, after   answer
}{
	"a page": {
		"page:https://www.northwind.example/careers", "https://www.northwind.example/careers",
		html("", twoRoles), html("", `<h1>Open positions</h1><ul><li><a href="/careers/welder-1">Welder</a></li></ul>`),
	},
	"a hosted board": {"hosted:northwind", "https://api.hosted.example/northwind", text("Welder\nFitter\n"), text("Welder\n")},
}

func tagged(a answer, etag string) answer {
	a.Header = map[string]any{"ETag": etag}
	return a
}

func TestReadTakesAServerAtItsWordForTwoDays(t *testing.T) {
	t.Parallel()
	for name, tt := range unchanging {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := &frozen{site: site{tt.address: tagged(tt.before, `"a1"`)}}
				board := watchBoard(t, tt.source, f)
				require.Len(t, board.read().Postings, 2)
				f.site[tt.address] = tagged(tt.after, `"b2"`)
				<-time.After(47 * time.Hour)
				require.True(t, board.read().Unchanged)
				<-time.After(time.Hour)
				require.Len(t, board.read().Postings, 1, "what the server shows now")
				require.Equal(t, []string{"", `"a1"`, ""}, f.asked)
				require.True(t, board.read().Unchanged)
				require.Equal(t, `"b2"`, f.asked[3])
			})
		})
	}
}

func TestReadTakesNoServerAtItsWordThatRolesAreGone(t *testing.T) {
	t.Parallel()
	for name, tt := range unchanging {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &frozen{site: site{tt.address: tagged(tt.after, `"a1"`)}}
			board := watchBoard(t, tt.source, f)
			board.read()
			board.board.State.Missing = 1
			require.True(t, board.read().Unchanged, "byte for byte")
			f.site[tt.address] = tagged(tt.before, `"a1"`)
			require.Len(t, board.read().Postings, 2)
			board.board.State.Missing = 0
			require.True(t, board.read().Unchanged)
			require.Equal(t, []string{"", "", "", `"a1"`}, f.asked)
		})
	}
}

func TestReadAsksAgainWhenNotModifiedNamesAnotherVersion(t *testing.T) {
	t.Parallel()
	for name, tt := range unchanging {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &frozen{site: site{tt.address: tagged(tt.before, `"a1"`)}}
			board := watchBoard(t, tt.source, f)
			board.read()
			f.etag = `W/"a1"`
			require.True(t, board.read().Unchanged, "the same version, named weakly")
			f.site[tt.address], f.etag = tagged(tt.after, `"b2"`), `"b2"`
			require.Len(t, board.read().Postings, 1)
			require.Equal(t, []string{"", `"a1"`, `"a1"`, ""}, f.asked)
		})
	}
}

func TestNotModifiedUnaskedIsNoReading(t *testing.T) {
	t.Parallel()
	for source, address := range map[string]string{
		"page:https://www.northwind.example/careers": "https://www.northwind.example/careers",
		"lever:northwind": "https://api.lever.co/v0/postings/northwind?mode=json",
	} {
		t.Run(source, func(t *testing.T) {
			t.Parallel()
			r, err := reader(t, site{address: {Status: http.StatusNotModified}}).Read(t.Context(), boardwatch.Board{Source: source})
			require.NoError(t, err)
			require.False(t, r.Health.Read(), r.Reason)
			require.Contains(t, r.Reason, "304")
			require.False(t, r.Unchanged)
		})
	}
	t.Run("where an address that was asked sends on", func(t *testing.T) {
		t.Parallel()
		const careers = "https://www.northwind.example/careers"
		s := site{careers: tagged(html("", twoRoles), `"a1"`)}
		board := watchBoard(t, "page:"+careers, s)
		board.read()
		s[careers] = answer{Status: http.StatusFound, Header: map[string]any{"Location": "/jobs"}}
		s["https://www.northwind.example/jobs"] = answer{Status: http.StatusNotModified}
		r := board.read()
		require.False(t, r.Health.Read(), r.Reason)
	})
}

func TestWhatAServerGaveToAskWithBelongsToOneAddress(t *testing.T) {
	t.Parallel()
	t.Run("of a hosted board", func(t *testing.T) {
		t.Parallel()
		f := &frozen{site: site{
			"https://api.hosted.example/northwind": tagged(text("Welder\nFitter\n"), `"a1"`), "https://api.hosted.example/contoso": tagged(text("Cook\n"), `"a1"`),
		}}
		board := watchBoard(t, "hosted:northwind", f)
		board.read()
		board.board.Source = "hosted:contoso"
		require.Len(t, board.read().Postings, 1, "of the board that is read now")
		require.Equal(t, []string{"", ""}, f.asked)
	})
	t.Run("of a page", func(t *testing.T) {
		t.Parallel()
		const careers, jobs = "https://www.northwind.example/careers", "https://www.northwind.example/jobs"
		f := &frozen{site: site{careers: tagged(html("", twoRoles), `"a1"`), jobs: tagged(html("", twoRoles), `"a1"`)}}
		board := watchBoard(t, "page:"+careers, f)
		board.read()
		board.board.Source = "page:" + jobs
		require.False(t, board.read().Unchanged)
		require.Equal(t, []string{"", ""}, f.asked)
	})
	t.Run("of a page at another form of its address", func(t *testing.T) {
		t.Parallel()
		const careers = "https://www.northwind.example/careers"
		f := &frozen{site: site{careers: tagged(html("", twoRoles), `"a1"`)}}
		board := watchBoard(t, "page:"+careers+"?utm_source=northwind", f)
		require.Len(t, board.read().Postings, 2)
		require.True(t, board.read().Unchanged)
		require.Equal(t, []string{"", "", "", "", "", `"a1"`}, f.asked, "three forms each time")
	})
	t.Run("of a hosted board that is in one of several places", func(t *testing.T) {
		t.Parallel()
		f := &frozen{site: site{"https://api.eu.lever.co/v0/postings/northwind?mode=json": tagged(text("[]"), `"a1"`)}}
		board := watchBoard(t, "lever:northwind", f)
		board.from = reader(t, f)
		for range 3 {
			require.Equal(t, boardwatch.HealthOK, board.read().Health)
		}
		require.Equal(t, []string{"", "", "", `"a1"`}, f.asked, "at first in both places, then where it is")
		board.from = reader(t, f) // which has forgotten where that is
		require.Equal(t, boardwatch.HealthOK, board.read().Health)
		require.Equal(t, []string{"", ""}, f.asked[4:])
	})
	t.Run("of a page that is only at another form of its address now", func(t *testing.T) {
		t.Parallel()
		const given, careers = "https://www.northwind.example/careers?utm_source=northwind", "https://www.northwind.example/careers"
		f := &frozen{site: site{given: tagged(html("", twoRoles), `"a1"`)}}
		board := watchBoard(t, "page:"+given, f)
		require.Len(t, board.read().Postings, 2)
		f.site = site{careers: tagged(html("", `<h1>Open positions</h1><ul><li><a href="/careers/welder-1">Welder</a></li></ul>`), `"a1"`)}
		require.Len(t, board.read().Postings, 1)
	})
}

func TestReadTakesTheNewETagOfThePageItKnows(t *testing.T) {
	t.Parallel()
	const careers = "https://www.northwind.example/careers"
	page := html("", twoRoles)
	v := &versioned{site: site{careers: page}}
	s := reader(t, v)
	board := boardwatch.Board{Source: "page:" + careers, State: boardwatch.BoardState{Health: boardwatch.HealthOK}}
	for _, etag := range []string{`"a1"`, `"b2"`, `"b2"`} {
		page.Header = map[string]any{"ETag": etag}
		v.site[careers] = page
		r, err := s.Read(t.Context(), board)
		require.NoError(t, err)
		board.State.Fingerprint = r.Fingerprint
	}
	require.Equal(t, []string{"|", `"a1"|`, `"b2"|`}, v.questions())
}

func TestReadAsksWhetherAHostedBoardHasChanged(t *testing.T) {
	t.Parallel()
	const api = "https://api.hosted.example/northwind"
	list := text("Welder\nFitter\n")
	list.Header = map[string]any{"ETag": `"a1"`}
	v := &versioned{site: site{api: list}}
	s := scraper.New(outbound.New(outbound.Options{Transport: v, Pause: -1}), scraper.Options{Adapters: []ats.Adapter{system{}}})
	board := boardwatch.Board{Source: "hosted:northwind", Company: "Northwind", State: boardwatch.BoardState{Health: boardwatch.HealthOK}}
	first, err := s.Read(t.Context(), board)
	require.NoError(t, err)
	require.Len(t, first.Postings, 2)

	board.State.Fingerprint = first.Fingerprint
	second, err := s.Read(t.Context(), board)
	require.NoError(t, err)
	require.True(t, second.Unchanged)
	require.Equal(t, first.Fingerprint, second.Fingerprint)

	list.Body, list.Header = []byte("Welder\n"), map[string]any{"ETag": `"b2"`}
	v.site[api] = list
	third, err := s.Read(t.Context(), board)
	require.NoError(t, err)
	require.Len(t, third.Postings, 1)
	require.Equal(t, []string{"|", `"a1"|`, `"a1"|`}, v.questions())
}
