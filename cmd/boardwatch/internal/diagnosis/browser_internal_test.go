package diagnosis

import (
	"bufio"
	"context"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/chromedp/remote"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/scraper/browser"
)

// nobody is the address of a host where nobody listens: a port that is never given out.
const nobody = "127.0.0.1:1"

// somebody is the host of a browser that runs elsewhere.
func somebody(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts Chromium")
	}
	program, err := browser.Find("")
	if err != nil {
		t.Skip(err)
	}
	ctx := context.WithoutCancel(t.Context())
	cmd := exec.CommandContext(ctx, program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--remote-debugging-port=0", "--user-data-dir="+t.TempDir(), "about:blank")
	said, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		_, address, ok := strings.Cut(lines.Text(), "DevTools listening on ")
		if !ok {
			continue
		}
		gone := make(chan struct{})
		go func() {
			defer close(gone) // with the last of its processes, which write into its folder until then
			for lines.Scan() {
				continue // what it says further is thrown away, lest it waits for a reader
			}
		}()
		t.Cleanup(func() {
			conn, err := remote.DialContext(ctx, address)
			require.NoError(t, err)
			require.NoError(t, conn.Write(ctx, &cdproto.Message{ID: 1, Method: "Browser.crash"}))
			<-gone
			_ = cmd.Wait() // it was killed
		})
		u, err := url.Parse(address)
		require.NoError(t, err)
		return u.Host
	}
	require.Fail(t, "the browser does not say where it listens")
	return ""
}

func TestExamineBrowsers(t *testing.T) {
	t.Parallel()
	product := regexp.MustCompile(`\((Headless)?Chrome/[0-9.]+\)`) // the lean build and the whole one
	gone, there := nobody, somebody(t)
	for name, tc := range map[string]struct {
		remotes []string
		want    []Finding
	}{
		"one of two answers": {
			[]string{"ws://" + gone + "/?token=opensesame", "ws://" + there},
			[]Finding{
				{"browser", Warning, "no browser answers at " + gone + " (browser.remote_url)"},
				{"browser", OK, there + " (Chrome/1.2.3)"},
			},
		},
		"none answers": {
			[]string{"ws://" + gone, "ws://" + gone},
			[]Finding{
				{"browser", Fault, "no browser answers at " + gone + " (browser.remote_url)"},
				{"browser", Fault, "no browser answers at " + gone + " (browser.remote_url)"},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := examineBrowsers(config.Config{Browser: config.Browser{Mode: "auto", RemoteURL: tc.remotes}})
			for i := range found {
				found[i].Detail = product.ReplaceAllString(found[i].Detail, "(Chrome/1.2.3)")
			}
			require.Equal(t, tc.want, found)
		})
	}
	require.Equal(t, []Finding{{"browser", OK, "not used"}}, examineBrowsers(config.Config{Browser: config.Browser{Mode: "never"}}))
}
