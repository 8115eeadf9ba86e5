package watch_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/internal/turn"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// stepper is the real reader, which tells what its first look computes.
type stepper struct {
	*scraper.Scraper

	ended <-chan struct{} // when the first look is to end
	work  *turn.Work
	steps int // that it had taken when it was to end; 0 until then
}

func (s *stepper) begin(ctx context.Context) context.Context {
	ctx, work := turn.Begin(ctx)
	if s.work == nil {
		s.ended, s.work = ctx.Done(), work
	}
	return ctx
}

func (s *stepper) Read(ctx context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
	return s.Scraper.Read(s.begin(ctx), b)
}

func (s *stepper) Find(ctx context.Context, b boardwatch.Board) (boardwatch.Board, error) {
	return s.Scraper.Find(s.begin(ctx), b)
}

// When a page has arrived, all that is left is to compute on it. That ends a few thousand steps after the check does.
func TestAPageIsWorkedOnNoLongerThanItsCheckLasts(t *testing.T) {
	t.Parallel()
	const atOnce = 20_000
	frames, roles := new(strings.Builder), new(strings.Builder)
	for i := range 20_000 {
		fmt.Fprintf(frames, `<iframe src="https://boards.greenhouse.io/n%d"></iframe>`, i)
	}
	roles.WriteString("<h1>Open positions</h1>")
	for i := range 4_000 {
		fmt.Fprintf(roles, `<div><a href="/jobs/%d">Baker %d</a></div>`, i, i)
	}
	site := &pages{}
	site.become(map[string]string{"/frames": frames.String(), "/roles": roles.String()})
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	for name, limit := range map[string]time.Duration{"its board is removed": 0, "its time is over": 100 * time.Millisecond} {
		for path, source := range map[string]string{"/frames": "", "/roles": "page:" + server.URL + "/roles"} {
			t.Run(name+path, func(t *testing.T) {
				t.Parallel()
				w := setup(t)
				board := w.track(t, source, server.URL+path)
				s := &stepper{}
				s.Scraper = scraper.New(outbound.New(outbound.Options{AllowLoopback: true}), scraper.Options{IgnoreRobots: true, Trace: func(step string) {
					if s.steps > 0 || !strings.Contains(step, "status 200") {
						return
					}
					if limit == 0 {
						require.NoError(t, w.store.Unsubscribe(t.Context(), w.account.ID, board.ID))
					}
					<-s.ended
					s.steps = s.work.Steps() + 1
				}})
				reports := make(chan watch.CheckReport, 10)
				stop := run(t, watch.New(w.store, s, watch.Options{Timeout: limit, Observe: func(r watch.CheckReport) { reports <- r }}))
				report := <-reports
				stop()
				require.Less(t, s.work.Steps()-s.steps, atOnce)
				if limit == 0 {
					require.Error(t, report.Err)
				} else {
					require.Equal(t, cause.Timeout, report.Check.Cause)
				}
				ctx, work := turn.Begin(t.Context()) // nobody interrupts this one
				if source == "" {
					_, err := s.Scraper.Find(ctx, board)
					require.Equal(t, boardwatch.CodeInvalidRequest, boardwatch.CodeOf(err))
				} else {
					_, err := s.Scraper.Read(ctx, board)
					require.NoError(t, err)
				}
				require.Greater(t, work.Steps(), 10*atOnce, "there is a lot to compute")
			})
		}
	}
}
