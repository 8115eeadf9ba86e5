package scraper_test

import (
	"net/http"
	"testing"
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
