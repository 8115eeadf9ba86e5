package scraper

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// largePage is a page that takes at least so much memory to read, and hardly more.
func largePage(t *testing.T, least int64) []byte {
	t.Helper()
	for n := 1000; ; n += n / 50 {
		text := []byte(strings.Repeat("<li>x", n))
		if need, err := page.Memory(text); err != nil || need >= least {
			require.NoError(t, err)
			return text
		}
	}
}

func TestPagesShareTheirMemory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := New(outbound.New(outbound.Options{}), Options{ParseMemory: 64 << 20})
		large := largePage(t, 20<<20) // and as much again beside it
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
		over()

		given, giveUp := context.WithCancel(third)
		go func() { got <- deskOf(given).put(given, large) }()
		synctest.Wait()
		giveUp()
		require.ErrorIs(t, <-got, context.Canceled, "nobody waits for ever")
		end()
		done()
		require.True(t, s.parsing.free.TryAcquire(s.parsing.size), "all of it is free again")
	})
}

func TestDataBesideAPageHasToFit(t *testing.T) {
	t.Parallel()
	s := New(outbound.New(outbound.Options{}), Options{ParseMemory: 64 << 20})
	ctx, done := s.withDesk(t.Context())
	defer done()
	large := largePage(t, 20<<20)
	require.NoError(t, deskOf(ctx).put(ctx, large))
	require.NoError(t, deskOf(ctx).add(large), "as much again was reserved")
	require.NoError(t, deskOf(ctx).add(large), "and it takes the place of the other")
	require.NoError(t, deskOf(ctx).add(largePage(t, 30<<20)), "there is more while nobody else needs it")
	other, end := s.withDesk(t.Context())
	require.ErrorIs(t, deskOf(other).add(largePage(t, 30<<20)), errNoRoom)
	end()
	require.ErrorIs(t, deskOf(ctx).add(bytes.Repeat([]byte("<li>x"), 2<<20)), page.ErrTooLarge)
}
