package ats_test

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
)

func TestEmbedded(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, page, want string
	}{
		{"frame of a board", `<iframe src="https://boards.greenhouse.io/embed/job_board?for=northwind&b=x"></iframe>`, "greenhouse:northwind"},
		{"frame that is loaded late", `<iframe data-src="//jobs.lever.co/contoso"></iframe>`, "lever:contoso"},
		{"frame of a board, twice", `<iframe src="https://jobs.lever.co/contoso"></iframe><iframe src="https://jobs.lever.co/contoso"></iframe>`, "lever:contoso"},
		{"frames of two boards", `<iframe src="https://jobs.lever.co/contoso"></iframe><iframe src="https://jobs.lever.co/fabrikam"></iframe>`, ""},
		{"frame of something else", `<iframe src="https://video.example/embed/1"></iframe><iframe></iframe><iframe src="http://%zz"></iframe>`, ""},
		{"link to a board", `<a href="https://jobs.lever.co/contoso">Jobs</a>`, ""},

		{
			"Greenhouse script with its element",
			`<div id="grnhse_app"></div><script src="https://boards.greenhouse.io/embed/job_board/js?for=northwind"></script>`, "greenhouse:northwind",
		},
		{
			"Greenhouse script of the EU, escaped",
			`<div id="grnhse_app"></div><script src="https://boards.eu.greenhouse.io/embed/job_board/js?b=1&amp;amp;for=northwind"></script>`, "greenhouse:northwind",
		},
		{"Greenhouse script in a template of the whole site", `<script src="https://boards.greenhouse.io/embed/job_board/js?for=northwind"></script>`, ""},
		{"Greenhouse element alone", `<div id="grnhse_app"></div>`, ""},
		{
			"Greenhouse settings", `<div id="grnhse_app"></div><script>Grnhse.Settings.boardToken = 'northwind';</script>`, "greenhouse:northwind",
		},
		{
			"Greenhouse API in a script", `<script>fetch("https:\/\/boards-api.greenhouse.io\/v1\/boards\/northwind\/jobs?content=true")</script>`, "greenhouse:northwind",
		},
		{"Greenhouse API in a script, name unknown", "<script>fetch(`https://boards-api.greenhouse.io/v1/boards/${board}/jobs`)</script>", ""},
		{
			"Greenhouse API of two boards",
			`<script>["https://boards-api.greenhouse.io/v1/boards/northwind","https://boards-api.greenhouse.io/v1/boards/contoso"]</script>`, "",
		},
		{"Greenhouse API in the text", `<p>https://boards-api.greenhouse.io/v1/boards/northwind</p>`, ""},

		{"Lever API in a script", `<script>const url = "https://api.lever.co/v0/postings/contoso?mode=json"</script>`, "lever:contoso"},
		{"Lever API of the EU", `<script src="https://api.eu.lever.co/v0/postings/tailspin?mode=jsonp&callback=show"></script>`, "lever:tailspin"},
		{"Lever options", `<script>window.leverJobsOptions = {includeCss: true, "accountName": 'contoso'};</script>`, "lever:contoso"},

		{
			"Ashby script with its element",
			`<div id="ashby_embed"></div><script src="https://jobs.ashbyhq.com/Fabrikam%20Bakers/embed?version=2"></script>`, "ashby:Fabrikam Bakers",
		},
		{"Ashby script without its element", `<script src="https://jobs.ashbyhq.com/fabrikam/embed?version=2"></script>`, ""},
		{"Ashby API in a script", `<script>get("https://api.ashbyhq.com/posting-api/job-board/Fabrikam?x=1")</script>`, "ashby:Fabrikam"},
		{"Ashby API with a broken name", `<script>get("https://api.ashbyhq.com/posting-api/job-board/%zz")</script>`, ""},

		{"two systems", `<script>"https://api.lever.co/v0/postings/contoso"</script><iframe src="https://jobs.ashbyhq.com/contoso"></iframe>`, ""},
		{"empty page", ``, ""},
	}
	base := must(url.Parse("https://www.northwind.example/careers"))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			page, err := goquery.NewDocumentFromReader(strings.NewReader(tt.page))
			require.NoError(t, err)
			system, board, ok := embedded(t.Context(), page, base, ats.All())
			require.Equal(t, tt.want != "", ok)
			if ok {
				require.Equal(t, tt.want, system+":"+board)
			} else {
				require.Empty(t, system+board)
			}
		})
	}
}

// TestEmbeds walks testdata/<system>/embeds.json: pages of companies, and the board that each of them shows.
func TestEmbeds(t *testing.T) {
	t.Parallel()
	inTable := []string{"ashby", "greenhouse", "lever"} // TestEmbedded has theirs
	for _, a := range ats.All() {
		if _, ok := a.(ats.Embedder); !ok || slices.Contains(inTable, a.Name()) {
			continue
		}
		t.Run(a.Name(), func(t *testing.T) {
			t.Parallel()
			var embeds map[string]struct {
				URL   string `json:"url"`   // of the page; "" is any
				Page  string `json:"page"`  // its HTML
				Board string `json:"board"` // "" when it shows none
			}
			require.NoError(t, json.Unmarshal(fixture(t, a.Name(), "embeds.json"), &embeds))
			shown, none := 0, 0
			for name, e := range embeds {
				page, err := goquery.NewDocumentFromReader(strings.NewReader(e.Page))
				require.NoError(t, err, name)
				base := must(url.Parse(cmp.Or(e.URL, "https://www.northwind.example/careers")))
				system, board, ok := embedded(t.Context(), page, base, ats.All())
				if e.Board == "" {
					none++
					require.False(t, ok, "%s: %s:%s", name, system, board)
					continue
				}
				shown++
				require.Equal(t, a.Name()+":"+e.Board, system+":"+board, name)
			}
			require.True(t, shown > 0 && none > 0, "pages that show a board, and pages that do not")
		})
	}
}

// counting is an adapter that counts the addresses it is asked about, and knows those on one host.
type counting struct {
	ats.Adapter

	host  string
	asked *int
}

func (c counting) Name() string { return "counting" }

func (c counting) Match(u *url.URL) (board string, ok bool) {
	*c.asked++
	return u.Path, u.Host == c.host
}

// A page with more frames than anybody has is looked at as far as a page of frames goes.
func TestEmbeddedLooksAtFewFrames(t *testing.T) {
	t.Parallel()
	for host, page := range map[string]string{
		"other.example": strings.Repeat("#", 60_000), "boards.example": strings.Repeat("#", 60_000), "alike.example": strings.Repeat("=", 60_000),
	} {
		var frames strings.Builder
		for i, kind := range page {
			if kind == '=' {
				i = 0
			}
			frames.WriteString(`<iframe src="https://boards.example/` + strconv.Itoa(i) + `"></iframe>`)
		}
		dom, err := goquery.NewDocumentFromReader(strings.NewReader(frames.String()))
		require.NoError(t, err)
		asked := 0
		_, _, ok := embedded(t.Context(), dom, must(url.Parse("https://www.northwind.example/")), []ats.Adapter{counting{host: host, asked: &asked}})
		require.False(t, ok)
		require.LessOrEqual(t, asked, 500, host)
	}
}

// embedded is the one board that a page shows; a page that shows two is not decided.
func embedded(ctx context.Context, page *goquery.Document, base *url.URL, adapters []ats.Adapter) (system, board string, ok bool) {
	for found := range ats.Embeds(ctx, page, base, adapters) {
		if ok && found != (ats.Embed{System: system, Board: board}) {
			return "", "", false
		}
		system, board, ok = found.System, found.Board, true
	}
	return system, board, ok
}
