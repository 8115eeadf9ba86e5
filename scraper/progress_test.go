package scraper_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// A list that goes over several pages tells after each of them how far it is read.
func TestProgressOfAListOnPages(t *testing.T) {
	t.Parallel()
	next := func(n int) string {
		return fmt.Sprintf(`<nav class="pagination"><a rel="next" href="%s?page=%d">Next</a></nav>`, listAddress, n)
	}
	pages := site{
		listAddress:             listPage("<p>Showing 1-2 of 5 jobs</p>", next(2), "Welder", "Pipe Fitter"),
		listAddress + "?page=2": listPage("<p>Showing 3-4 of 5 jobs</p>", next(3), "Buyer", "Planner"),
		listAddress + "?page=3": listPage("<p>Showing 5-5 of 5 jobs</p>", "", "Office Manager"),
	}
	var told []ats.Progress
	client := outbound.New(outbound.Options{Transport: pages, Pause: -1, Backoff: []time.Duration{}})
	s := scraper.New(client, scraper.Options{Progress: func(p ats.Progress) { told = append(told, p) }})
	r, err := s.Read(t.Context(), boardwatch.Board{Source: "page:" + listAddress})
	require.NoError(t, err)
	require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
	require.Equal(t, []ats.Progress{{Done: 2, Total: 5}, {Done: 4, Total: 5}, {Done: 5, Total: 5}}, told)
}
