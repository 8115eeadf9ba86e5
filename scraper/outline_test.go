package scraper_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// outlined is a system that has two lists of a board: its roles with their departments, and their titles alone.
type outlined struct{ system }

func (o outlined) Read(ctx context.Context, client ats.Doer, board string) (boardwatch.Reading, error) {
	r, err := o.system.Read(ctx, client, board)
	for i, p := range r.Postings {
		title, department, _ := strings.Cut(p.Title, ", ")
		r.Postings[i] = boardwatch.Posting{Key: title, Title: title, Department: department}
	}
	return r, err
}

func (o outlined) Outline(ctx context.Context, client ats.Doer, board string) (boardwatch.Reading, error) {
	return o.system.Read(ctx, client, board+"/titles")
}

const (
	longList  = "https://api.hosted.example/northwind"
	shortList = "https://api.hosted.example/northwind/titles"
)

// asking counts the requests for each list.
type asking struct {
	site site

	long, short int
}

func (a *asking) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.String() == shortList {
		a.short++
	} else {
		a.long++
	}
	return a.site.RoundTrip(req)
}

// asked are the requests since it was asked last: for the long list and for the short one.
func (a *asking) asked() [2]int {
	n := [2]int{a.long, a.short}
	a.long, a.short = 0, 0
	return n
}

func watchOutlined(t *testing.T, lists site) (*asking, *watched) {
	t.Helper()
	a := &asking{site: lists}
	board := watchBoard(t, "hosted:northwind", a)
	client := outbound.New(outbound.Options{Transport: a, Pause: -1, Backoff: []time.Duration{}})
	board.from = scraper.New(client, scraper.Options{Adapters: []ats.Adapter{outlined{}}})
	board.board.ID = "northwind"
	return a, board
}

func TestReadAsksForTheShortListWhileItStaysTheSame(t *testing.T) {
	t.Parallel()
	a, board := watchOutlined(t, site{longList: text("Welder, Yard\nFitter, Yard\n"), shortList: text("Welder\nFitter\n")})
	require.Len(t, board.read().Postings, 2)
	require.Equal(t, [2]int{1, 1}, a.asked())
	for range 2 {
		require.True(t, board.read().Unchanged)
		require.Equal(t, [2]int{0, 1}, a.asked())
	}

	a.site[longList], a.site[shortList] = text("Welder, Yard\n"), text("Welder\n")
	require.Equal(t, []boardwatch.Posting{{Key: "Welder", Title: "Welder", Department: "Yard"}}, board.read().Postings)
	require.Equal(t, [2]int{1, 1}, a.asked(), "the short list is not asked for twice")
	require.True(t, board.read().Unchanged)
	require.Equal(t, [2]int{0, 1}, a.asked())

	a.site[shortList] = answer{Status: http.StatusInternalServerError}
	require.Len(t, board.read().Postings, 1)
}

func TestReadAsksForTheLongListAnewAfterTwoDays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a, board := watchOutlined(t, site{longList: text("Welder, Yard\n"), shortList: tagged(text("Welder\n"), `"a1"`)})
		board.read()
		a.site[longList] = text("Welder, Quay\n")
		for range 47 {
			<-time.After(time.Hour)
			require.True(t, board.read().Unchanged)
		}
		require.Equal(t, [2]int{1, 48}, a.asked())
		<-time.After(time.Hour)
		require.Equal(t, "Quay", board.read().Postings[0].Department)
		require.Equal(t, [2]int{1, 1}, a.asked())
		<-time.After(time.Hour)
		require.True(t, board.read().Unchanged)
		require.Equal(t, [2]int{0, 1}, a.asked())
	})
}

func TestReadAsksForTheLongList(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		lists site
		state func(*boardwatch.Board)
		first [2]int // requests of the first reading
		asked [2]int // and of the second
	}{
		{"when the server says whether it has changed", site{longList: tagged(text("Welder, Yard\n"), `"a1"`)}, nil, [2]int{1, 0}, [2]int{1, 0}},
		{"when the short list shows other roles", site{longList: text("Welder, Yard\n"), shortList: text("Welder\nFitter\n")}, nil, [2]int{1, 1}, [2]int{1, 0}},
		{"when there is no short list", site{longList: text("Welder, Yard\n")}, nil, [2]int{1, 1}, [2]int{1, 0}},
		{
			"while roles are missing",
			site{longList: text("Welder, Yard\n"), shortList: text("Welder\n")},
			func(b *boardwatch.Board) { b.State.Missing = 1 },
			[2]int{1, 1},
			[2]int{1, 1},
		},
		{
			"after a check that was not healthy",
			site{longList: text("Welder, Yard\n"), shortList: text("Welder\n")},
			func(b *boardwatch.Board) { b.State.Health = boardwatch.HealthPartial },
			[2]int{1, 1},
			[2]int{1, 1},
		},
		{
			"of a board that is no longer followed",
			site{longList: text("Welder, Yard\n"), shortList: text("Welder\n")},
			func(b *boardwatch.Board) { b.ID, b.State.Fingerprint = "", "" },
			[2]int{1, 1},
			[2]int{1, 0},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a, board := watchOutlined(t, tt.lists)
			require.Len(t, board.read().Postings, 1)
			require.Equal(t, tt.first, a.asked())
			if tt.state != nil {
				tt.state(&board.board)
			}
			r := board.read()
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
			require.Equal(t, tt.asked, a.asked())
		})
	}
}
