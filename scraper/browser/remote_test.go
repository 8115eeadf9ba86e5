package browser_test

import (
	"bufio"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/chromedp/remote"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/browser"
)

// elsewhere starts a browser that is not ours, and returns its DevTools address.
func elsewhere(t *testing.T) string {
	t.Helper()
	address, end := startElsewhere(t, 0, t.TempDir())
	t.Cleanup(end)
	return address
}

// startElsewhere starts a browser that is not ours on a port, with a folder; 0 is any port that is free. end ends it.
func startElsewhere(t *testing.T, port int, dir string) (address string, end func()) {
	t.Helper()
	program, err := browser.Find("")
	require.NoError(t, err)
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		fmt.Sprintf("--remote-debugging-port=%d", port), "--user-data-dir="+dir, "about:blank")
	said, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "DevTools listening on "); ok {
			go func() {
				for lines.Scan() {
					continue // what it says further is thrown away, lest it waits for a reader
				}
			}()
			address = strings.TrimSpace(address)
			return address, func() { endElsewhere(t, cmd, address) }
		}
	}
	require.Fail(t, "the browser does not say where it listens", "%v", lines.Err())
	return "", nil
}

// endElsewhere ends a browser that is not ours, at once. What was started may be a script that started the browser, so it is
// the browser that is told.
func endElsewhere(t *testing.T, cmd *exec.Cmd, address string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	conn, err := remote.DialContext(ctx, address)
	require.NoError(t, err)
	require.NoError(t, conn.Write(ctx, &cdproto.Message{ID: 1, Method: "Browser.crash"}))
	_ = cmd.Wait() // it was killed
}

// A browser that runs elsewhere is joined, not owned; one that does not answer is passed over.
func TestBrowserElsewhere(t *testing.T) {
	t.Parallel()
	needsChromium(t)
	a := newApplication(t, map[string]string{"/careers": goodPage})
	address := elsewhere(t)
	host, _, _ := strings.Cut(strings.TrimPrefix(address, "ws://"), "/")
	for name, remotes := range map[string][]string{
		"by its very address": {address}, "by its host": {"ws://" + host}, "after one that is gone": {"ws://127.0.0.1:1/?token=opensesame", address},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := browser.New(browser.Options{Outbound: onLoopback(), Remotes: remotes})
			for range 2 {
				shown, err := b.Show(t.Context(), scraper.View{Address: a.URL + "/careers"})
				require.NoError(t, err)
				require.Contains(t, string(shown.HTML), "Pipe Fitter")
			}
			require.NoError(t, b.Close())
		})
	}
	b := browser.New(browser.Options{Remotes: []string{"ws://127.0.0.1:1/?token=opensesame"}})
	_, err := b.Show(t.Context(), scraper.View{Address: a.URL})
	require.EqualError(t, err, "no browser answers at 127.0.0.1:1 (browser.remote_url)")
	require.NoError(t, b.Close())

	// It runs at our side, and so our proxy is between it and the network.
	b = browser.New(browser.Options{Remotes: []string{address}})
	shown, err := b.Show(t.Context(), scraper.View{Address: a.URL + "/careers"})
	require.NoError(t, err)
	require.Equal(t, 403, shown.Status)
	require.NoError(t, b.Close())
}
