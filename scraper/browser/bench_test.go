package browser_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/browser"
)

const benchWorkers = 4

// pages shows b.N pages, four at a time, and reports how many that were per second.
func pages(b *testing.B, show func() error) {
	b.Helper()
	require.NoError(b, show()) // the browser is warm
	left := make(chan struct{}, b.N)
	for range b.N {
		left <- struct{}{}
	}
	close(left)
	b.ResetTimer()
	var workers sync.WaitGroup
	for range benchWorkers {
		workers.Go(func() {
			for range left {
				if err := show(); err != nil {
					b.Error(err)
				}
			}
		})
	}
	workers.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pages/s")
}

// A page rendered by JavaScript: by a bare loop of chromedp that knows what to wait for, by our browser, which does not know,
// and by a whole reading.
func BenchmarkBrowserPages(b *testing.B) {
	needsChromium(b)
	a := newApplication(b, map[string]string{"/careers": fmt.Sprintf(shell, plainFetch)})
	b.Run("bare", func(b *testing.B) {
		program, err := browser.Find("")
		require.NoError(b, err)
		alloc, cancel := chromedp.NewExecAllocator(b.Context(), append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program))...)
		defer cancel()
		browser, cancel := chromedp.NewContext(alloc)
		defer cancel()
		require.NoError(b, chromedp.Do(browser))
		pages(b, func() error {
			ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
			defer cancel()
			if err := chromedp.Do(ctx, chromedp.Navigate(a.URL+"/careers"), chromedp.WaitVisible(chromedp.CSS("li a"))); err != nil {
				return err
			}
			_, err := chromedp.Run(ctx, chromedp.OuterHTML(chromedp.CSS("html")))
			return err
		})
	})
	ours := browser.New(browser.Options{Outbound: onLoopback(), MaxPages: benchWorkers, TempDir: b.TempDir()})
	b.Run("browser", func(b *testing.B) {
		pages(b, func() error {
			shown, err := ours.Show(context.WithoutCancel(b.Context()), scraper.View{Address: a.URL + "/careers"})
			if err == nil && len(shown.Answers) != 1 {
				return fmt.Errorf("%d answers", len(shown.Answers))
			}
			return err
		})
	})
	b.Run("reading", func(b *testing.B) {
		s := reads(b, scraper.Options{Browser: ours})
		pages(b, func() error {
			r, err := s.Read(b.Context(), boardwatch.Board{Source: "page:" + a.URL + "/careers"})
			if err == nil && len(r.Postings) != 4 {
				return fmt.Errorf("%d roles: %s", len(r.Postings), r.Reason)
			}
			return err
		})
	})
	require.NoError(b, ours.Close())
}
