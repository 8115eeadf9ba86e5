package browsertest

import (
	"context"
	"encoding/base64"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// screenshots is where `make screenshots` wants pictures.
//
//nolint:gochecknoglobals // a flag of the test binary
var screenshots = flag.String("screenshots", "", "write pictures of what is looked at in a browser into this folder")

// Fits makes the tab's window so wide. Nothing on its page may be wider, which a phone would hide by silently widening the page.
func Fits(ctx context.Context, tb testing.TB, what string, width int64) {
	tb.Helper()
	require.NoError(tb, chromedp.Do(ctx, chromedp.EmulateViewport(width, 900)))
	wide, err := chromedp.Run(ctx, chromedp.Evaluate[int64](`document.documentElement.scrollWidth`))
	require.NoError(tb, err)
	require.LessOrEqual(tb, wide, width, "%s is %d wide in a window of %d", what, wide, width)
}

// Picture keeps a picture of the whole page that the tab shows, light or dark, if somebody wants pictures.
func Picture(ctx context.Context, tb testing.TB, name, theme string) {
	tb.Helper()
	if *screenshots == "" {
		return
	}
	_, err := chromedp.Run(ctx, func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}},
		})
		return chromedp.Void{}, err
	})
	require.NoError(tb, err)
	size, err := chromedp.Run(ctx, chromedp.Evaluate[[]int64](`[innerWidth, document.documentElement.scrollHeight]`))
	require.NoError(tb, err)
	require.NoError(tb, chromedp.Do(ctx, chromedp.EmulateViewport(size[0], size[1]))) // so that what floats stands at the end
	taken, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	require.NoError(tb, err)
	require.NoError(tb, os.WriteFile(filepath.Join(*screenshots, name), taken, 0o600))
}

// FitsMail shows the HTML of a message, and sees that it is no wider than the window of a phone, nor than that of a mail program
// on a desk.
func FitsMail(ctx context.Context, tb testing.TB, name, html string) {
	tb.Helper()
	document := "data:text/html;charset=utf-8;base64," + base64.StdEncoding.EncodeToString([]byte(html))
	require.NoError(tb, chromedp.Do(ctx, chromedp.Navigate(document)))
	for _, width := range []int64{320, 390, 600} {
		Fits(ctx, tb, name, width)
		if width == 320 {
			continue
		}
		for _, theme := range []string{"light", "dark"} {
			Picture(ctx, tb, fmt.Sprintf("mail-%s-%d-%s.png", name, width, theme), theme)
		}
	}
}
