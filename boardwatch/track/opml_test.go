package track_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

func TestOPMLComesBackAsItWasWritten(t *testing.T) {
	t.Parallel()
	boards := []boardwatch.BoardView{
		{ID: "a", Company: `Quarry & "Finch" <i>`, CareersURL: "https://quarry.example/jobs?a=1&b=2"},
		{ID: "b", CareersURL: "https://careers.example/open"},
	}
	var text strings.Builder
	require.NoError(t, track.WriteOPML(&text, boards, func(id string) string { return "https://boards.example/feeds/token/" + id }))
	require.Contains(t, text.String(), `xmlUrl="https://boards.example/feeds/token/a"`)
	for _, format := range []track.ListFormat{track.ListAuto, track.ListOPML} {
		entries, err := track.ReadList(strings.NewReader(text.String()), format)
		require.NoError(t, err)
		require.Len(t, entries, 2)
		require.Equal(t, track.NewBoard{URL: boards[0].CareersURL, CompanyName: boards[0].Company}, entries[0].Board)
		require.Equal(t, track.NewBoard{URL: boards[1].CareersURL, CompanyName: "careers.example"}, entries[1].Board)
		require.Less(t, entries[0].Line, entries[1].Line)
	}
}

func TestOPMLOfFeedReadersIsRead(t *testing.T) {
	t.Parallel()
	entries, err := track.ReadList(strings.NewReader("\xef\xbb\xbf"+`<?xml version="1.0" encoding="UTF-8"?>
<!-- exported -->
<opml version="1.0"><head><title>x</title></head><body>
<outline text="Folder"><outline TEXT="Acme" xmlurl="https://acme.example/feed.xml"/>
<outline text="Both" title="Contoso" type="rss" xmlUrl="https://contoso.example/rss" htmlUrl=" https://contoso.example/careers "/></outline>
<outline text="leads nowhere"/></body></opml>`), track.ListAuto)
	require.NoError(t, err)
	require.Len(t, entries, 2)
	require.Equal(t, track.NewBoard{URL: "https://acme.example/feed.xml", CompanyName: "Acme"}, entries[0].Board)
	require.Equal(t, track.NewBoard{URL: "https://contoso.example/careers", CompanyName: "Contoso"}, entries[1].Board)
	require.Equal(t, 5, entries[1].Line)
}

func TestWhatIsNotOPMLIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"<html><body>hello</body></html>", "<opml><outline", "<", "<opml></body>"} {
		_, err := track.ReadList(strings.NewReader(text), track.ListOPML)
		require.ErrorContains(t, err, "the list is not OPML", text)
	}
}
