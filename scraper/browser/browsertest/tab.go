// Package browsertest opens tabs for tests in a real Chromium.
package browsertest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/scraper/browser"
)

// Tab opens a tab with a profile of its own: no other test sees its cookies. It stays open until the test ends, but no
// longer than three minutes. Where there is no Chromium, and with -short, the test is skipped.
func Tab(tb testing.TB) context.Context {
	tb.Helper()
	if testing.Short() {
		tb.Skip("starts Chromium")
	}
	path, err := browser.Find("")
	if err != nil {
		tb.Skip(err)
	}
	ctx, cancel := chromedp.NewContext(running.use(tb, path), chromedp.WithNewBrowserContext())
	tb.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 3*time.Minute)
	tb.Cleanup(cancel)
	require.NoError(tb, chromedp.Do(ctx))
	return ctx
}

// running is the Chromium of this process.
var running chromium //nolint:gochecknoglobals // one for all tests of the process

// chromium is one that several tests share: starting it costs more than most tests do with it. It runs as long as a test
// uses it.
type chromium struct {
	mu    sync.Mutex
	users int
	ctx   context.Context //nolint:containedctx // the browser is its context
	close func()
}

// use returns the context of the browser, which runs at least until the test ends.
func (c *chromium) use(tb testing.TB, path string) context.Context {
	tb.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.users == 0 {
		c.start(tb, path)
	}
	c.users++
	tb.Cleanup(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.users--; c.users == 0 {
			c.close()
		}
	})
	return c.ctx
}

func (c *chromium) start(tb testing.TB, path string) {
	tb.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path))
	allocator, stop := chromedp.NewExecAllocator(context.WithoutCancel(tb.Context()), options...)
	ctx, quit := chromedp.NewContext(allocator)
	c.ctx, c.close = ctx, func() { quit(); stop() }
	if err := chromedp.Do(ctx); err != nil {
		c.close()
		require.NoError(tb, err)
	}
}
