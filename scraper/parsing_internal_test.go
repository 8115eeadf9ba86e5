package scraper

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sort"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/turn"
	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// largePage is a page that takes at least so much memory to read, and hardly more.
func largePage(t *testing.T, least int64) []byte {
	t.Helper()
	item := []byte("<li>x")
	n := sort.Search(1<<20, func(n int) bool {
		need, err := page.Memory(new(turn.Work), bytes.Repeat(item, n))
		return err != nil || need >= least
	})
	text := bytes.Repeat(item, n)
	_, err := page.Memory(new(turn.Work), text)
	require.NoError(t, err)
	return text
}

func TestPagesShareTheirMemory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := New(outbound.New(outbound.Options{}), Options{ParseMemory: 64 << 20})
		s.parsing.small.line, s.parsing.large.line = make(turn.Line, 3), make(turn.Line, 3) // on any machine
		large := largePage(t, 20<<20)                                                       // and as much again beside it
		first, done := s.withDesk(t.Context())
		require.NoError(t, deskOf(first).put(first, large))

		second, end := s.withDesk(t.Context())
		got := make(chan error, 1)
		go func() { got <- deskOf(second).put(second, large) }()
		synctest.Wait()
		require.Empty(t, got, "there is no room for two of them")
		third, over := s.withDesk(t.Context())
		require.NoError(t, deskOf(first).put(first, []byte("<p>small")), "a desk has one page at a time")
		require.NoError(t, <-got)
		require.NoError(t, deskOf(third).put(third, []byte("<p>small")))
		over(new(error))

		given, giveUp := context.WithCancel(third)
		go func() { got <- deskOf(given).put(given, large) }()
		synctest.Wait()
		giveUp()
		require.ErrorIs(t, <-got, context.Canceled, "nobody waits for ever")
		end(new(error))
		done(new(error))
		for _, l := range []lane{s.parsing.small, s.parsing.large} {
			require.True(t, l.room.TryAcquire(l.size), "all of it is free again")
		}
		require.Empty(t, s.parsing.small.line)
		require.Empty(t, s.parsing.large.line)
	})
}

// Only a few pages are worked on at a time.
func TestPagesTakeTurnsAtTheProcessors(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := New(outbound.New(outbound.Options{}), Options{})
		require.Equal(t, max(1, runtime.GOMAXPROCS(0)/2), cap(s.parsing.small.line))
		require.Equal(t, max(1, runtime.GOMAXPROCS(0)/2), cap(s.parsing.large.line))
		s.parsing.small.line = make(turn.Line, 1)
		first, done := s.withDesk(t.Context())
		require.NoError(t, deskOf(first).put(first, []byte("<p>one")))

		second, end := s.withDesk(t.Context())
		got := make(chan error, 1)
		go func() { got <- deskOf(second).put(second, []byte("<p>two")) }()
		synctest.Wait()
		require.Empty(t, got, "the other's turn has not come")
		deskOf(first).rest()
		require.NoError(t, <-got)

		go func() { got <- deskOf(first).add(first, []byte("{}")) }()
		synctest.Wait()
		require.Empty(t, got, "who has rested waits for another turn")
		end(new(error))
		require.NoError(t, <-got)

		third, over := s.withDesk(t.Context())
		given, giveUp := context.WithCancel(third)
		go func() { got <- deskOf(given).put(given, []byte("<p>three")) }()
		synctest.Wait()
		giveUp()
		require.ErrorIs(t, <-got, context.Canceled, "nobody waits for ever")
		over(new(error))
		done(new(error))
		require.Empty(t, s.parsing.small.line)
	})
}

// What takes a moment does not wait for what takes seconds.
func TestSmallPagesDoNotWaitForLargeOnes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := New(outbound.New(outbound.Options{}), Options{})
		s.parsing.small.line, s.parsing.large.line = make(turn.Line, 1), make(turn.Line, 1)
		first, done := s.withDesk(t.Context())
		require.NoError(t, deskOf(first).put(first, largePage(t, leastDesk+1)))

		second, end := s.withDesk(t.Context())
		got := make(chan error, 1)
		long := []byte("<p>" + strings.Repeat(" ", smallText)) // a small page, but measuring it takes its time
		go func() { got <- deskOf(second).put(second, long) }()
		third, over := s.withDesk(t.Context())
		require.NoError(t, deskOf(third).put(third, []byte("<p>small")))
		over(new(error))
		synctest.Wait()
		require.Empty(t, got)
		done(new(error))
		require.NoError(t, <-got)
		require.Empty(t, s.parsing.large.line, "once it is measured, it is one of the small")
		end(new(error))

		require.NoError(t, s.parsing.large.room.Acquire(t.Context(), s.parsing.large.size))
		fourth, leave := s.withDesk(t.Context())
		go func() { got <- deskOf(fourth).put(fourth, largePage(t, leastDesk+1)) }()
		synctest.Wait()
		require.Empty(t, got, "it waits for memory")
		third, over = s.withDesk(t.Context())
		require.NoError(t, deskOf(third).put(third, []byte("<p>small")))
		over(new(error))
		s.parsing.large.room.Release(s.parsing.large.size)
		require.NoError(t, <-got)
		leave(new(error))
	})
}

// showing is a browser of which only matters what it sees when it is asked.
type showing func()

func (show showing) Show(context.Context, View) (*Shown, error) {
	show()
	return nil, errors.New("there is nothing to be seen")
}

// A site that answers slowly keeps no other page from being read: whoever waits for the network has no turn.
func TestNobodyWaitsForTheNetworkInTheirTurn(t *testing.T) {
	t.Parallel()
	line := make(turn.Line, 1)
	var asked sync.Map
	waits := func(what string) {
		asked.Store(what, true)
		require.Empty(t, line, what)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		waits(r.URL.Path + " " + r.URL.Query().Get("page"))
		switch r.URL.Path {
		case "/careers":
			_, _ = io.WriteString(w, `<!doctype html><title>Careers</title><link rel="alternate" type="application/json" href="/jobs.json"><p>Loading`)
		case "/app":
			_, _ = io.WriteString(w, `<!doctype html><title>Careers</title><div id="root"></div><script src="/app.js"></script>`)
		case "/jobs.json":
			rows := make([]string, 30)
			for i := range rows {
				rows[i] = fmt.Sprintf(`{"id":%d,"title":"Engineer %d","url":"/jobs/%d"}`, i, i, i)
			}
			if r.URL.Query().Get("page") != "2" {
				rows = rows[:20]
			} else {
				rows = rows[20:]
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, "["+strings.Join(rows, ",")+"]")
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	s := New(outbound.New(outbound.Options{AllowLoopback: true}), Options{Browser: showing(func() { waits("the browser") })})
	s.parsing.small.line, s.parsing.large.line = line, line
	for _, path := range []string{"/careers", "/jobs.json?page=1&limit=20", "/app"} {
		_, err := s.Read(t.Context(), boardwatch.Board{Source: "page:" + server.URL + path, URL: server.URL + path})
		require.NoError(t, err)
		require.Empty(t, line, "a look that is over has none")
	}
	for _, what := range []string{"/jobs.json ", "/jobs.json 2", "the browser"} {
		_, ok := asked.Load(what)
		require.True(t, ok, what)
	}
}

func TestDataBesideAPageHasToFit(t *testing.T) {
	t.Parallel()
	s := New(outbound.New(outbound.Options{}), Options{ParseMemory: 80 << 20})
	s.parsing.large.line = make(turn.Line, 2) // on any machine
	ctx, done := s.withDesk(t.Context())
	defer done(new(error))
	large := largePage(t, 20<<20)
	require.NoError(t, deskOf(ctx).put(ctx, large))
	require.NoError(t, deskOf(ctx).add(ctx, large), "as much again was reserved")
	require.NoError(t, deskOf(ctx).add(ctx, large), "and it takes the place of the other")
	require.NoError(t, deskOf(ctx).add(ctx, largePage(t, 30<<20)), "there is more while nobody else needs it")
	other, end := s.withDesk(t.Context())
	require.ErrorIs(t, deskOf(other).add(other, largePage(t, 30<<20)), errNoRoom)
	end(new(error))
	require.ErrorIs(t, deskOf(ctx).add(ctx, bytes.Repeat([]byte("<li>x"), 2<<20)), page.ErrTooLarge)
}
