package main_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/demo"
	"github.com/boardwatch/boardwatch/scraper/browser/browsertest"
)

// TestPerson is the first visit of a person to a new installation, in a real browser: from the link in the log to the
// first board, a key that works, a webhook, and what has changed. On a desk and on a phone, light and dark, with the page's
// script and without it; in more combinations of these with the build tag long.
func TestPerson(t *testing.T) {
	t.Parallel()
	visits := moreVisits()
	visits["with the script, on a desk, light"] = visit{true, 1280, "light"}
	visits["without the script, on a phone, dark"] = visit{false, 390, "dark"}
	for name, tt := range visits {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := newCareersSite(t, demo.Role{ID: 1, Title: "Lock Keeper", Location: "Delft", Department: "Water"})
			service := install(t, onSQLite(t), "BOARDWATCH_DEV=true", "BOARDWATCH_PLANS_ULTRA_CADENCE=200ms",
				"BOARDWATCH_CHECKS_CLOSE_AFTER=2", "BOARDWATCH_CHECKS_CLOSE_HOLD=0s", "BOARDWATCH_CHECKS_SUSPECT_HOLD=0s").serve()
			p := newPerson(t, service.url, tt.scripted)
			p.sits(tt.width, tt.theme)
			setup := regexp.MustCompile(`http://\S+/setup\?token=[A-Za-z0-9_-]+`).FindString(service.errs.String())
			require.NotEmpty(t, setup, "%s", service.errs)

			p.open(setup)
			p.fill("#email", "ada@northwind.example")
			p.fill("#password", "a sentence that only ada would say")
			p.submit("#password")
			p.sees("Which company do you want to watch?")

			p.fill("#add", site.URL+"/careers")
			p.submit("#add")
			p.sees("is on your list")
			p.eventually("/roles", "Lock Keeper")
			p.open(service.url + "/boards")
			p.sees("ready")

			p.open(service.url + "/settings/keys")
			p.fill("#name", "Laptop")
			p.submit("#name")
			p.sees("Copy the key")
			key, err := chromedp.Run(p.ctx, chromedp.Value(chromedp.ID("secret")))
			require.NoError(t, err)
			require.Contains(t, ask(t, service.url+"/v1/jobs", key), `"title":"Lock Keeper"`)

			hook := newReceiver(t)
			p.open(service.url + "/settings/webhooks")
			p.fill("#url", hook.url)
			p.submit("#url")
			p.sees("Copy the signing secret now")
			secret, err := chromedp.Run(p.ctx, chromedp.Value(chromedp.ID("secret")))
			require.NoError(t, err)
			p.press("Send test ping")
			p.sees("The test ping was answered with 200 OK in ")
			ping := <-hook.got
			require.Equal(t, "ping", ping.Header.Get("X-Boardwatch-Event"))
			require.NoError(t, boardwatch.Verify([]byte(secret), ping.body, ping.Header.Get("X-Boardwatch-Signature"), 5*time.Minute, time.Now()))

			site.show(demo.Role{ID: 2, Title: "Bridge Master", Location: "Delft", Department: "Water"})
			found := <-hook.got
			require.Equal(t, "job.found", found.Header.Get("X-Boardwatch-Event"))
			require.Contains(t, string(found.body), "Bridge Master")
			p.eventually("/changes", "Bridge Master")
			p.eventually("/changes", "closed")
			p.quiet()
		})
	}
}

// visit is how somebody looks at the app.
type visit struct {
	scripted bool
	width    int64
	theme    string
}

// visitor is somebody at a browser.
type visitor struct {
	t    *testing.T
	ctx  context.Context //nolint:containedctx // the browser is its context
	site string

	complaints func() []string // of the browser's console
}

func newPerson(t *testing.T, site string, scripted bool) *visitor {
	t.Helper()
	ctx := browsertest.Tab(t)
	p := &visitor{t: t, ctx: ctx, site: site}
	p.listen()
	if !scripted {
		_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
		require.NoError(t, err)
		_, err = chromedp.Call(ctx, network.SetBlockedURLs, network.SetBlockedURLsParams{
			URLPatterns: []*network.BlockPattern{{URLPattern: "*://*/*.js", Block: true}},
		})
		require.NoError(t, err)
		p.complaints = func() []string { return nil } // it complains of what we keep from it
	}
	return p
}

// sits gives the browser a window and a colour scheme.
func (p *visitor) sits(width int64, theme string) {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}},
	})
	require.NoError(p.t, err)
	require.NoError(p.t, chromedp.Do(p.ctx, chromedp.EmulateViewport(width, 900)))
}

// listen gathers what the browser complains about: broken scripts, and what the policy stops.
func (p *visitor) listen() {
	exceptions, entries := chromedp.Events(p.ctx, runtime.ExceptionThrown), chromedp.Events(p.ctx, log.EntryAdded)
	_, err := chromedp.Call(p.ctx, log.Enable, cdp.Empty{})
	require.NoError(p.t, err)
	said := make(chan string, 100)
	go func() {
		for e, err := range exceptions {
			if err != nil {
				return
			}
			said <- e.ExceptionDetails.Text
		}
	}()
	go func() {
		for e, err := range entries {
			if err != nil {
				return
			}
			said <- e.Entry.Text
		}
	}()
	p.complaints = func() []string {
		var all []string
		for len(said) > 0 {
			all = append(all, <-said)
		}
		return all
	}
}

func (p *visitor) quiet() {
	p.t.Helper()
	require.Empty(p.t, p.complaints())
}

func (p *visitor) open(address string) {
	p.t.Helper()
	require.NoError(p.t, chromedp.Do(p.ctx, chromedp.Navigate(address)))
}

func (p *visitor) fill(field, text string) {
	p.t.Helper()
	require.NoError(p.t, chromedp.Do(p.ctx, chromedp.SetValue(chromedp.CSS(field), text)))
}

// submit sends the form of a field.
func (p *visitor) submit(field string) {
	p.t.Helper()
	_, err := chromedp.RunResponse(p.ctx, chromedp.Submit(chromedp.CSS(field)))
	require.NoError(p.t, err)
}

// press presses the button with that text.
func (p *visitor) press(text string) {
	p.t.Helper()
	require.NoError(p.t, chromedp.Do(p.ctx, chromedp.Click(chromedp.Search(`//button[normalize-space()="`+text+`"]`))))
}

// sees waits until the page shows one of the texts.
func (p *visitor) sees(texts ...string) {
	p.t.Helper()
	var page string
	require.Eventually(p.t, func() bool {
		var err error
		page, err = chromedp.Run(p.ctx, chromedp.Evaluate[string]("document.body.innerText"))
		if err != nil {
			return false // the page is just changing
		}
		for _, text := range texts {
			if strings.Contains(page, text) {
				return true
			}
		}
		return false
	}, time.Minute, 50*time.Millisecond, "%v", texts)
}

// eventually opens a page again and again until it shows the text.
func (p *visitor) eventually(path, text string) {
	p.t.Helper()
	require.Eventually(p.t, func() bool {
		p.open(p.site + path)
		page, err := chromedp.Run(p.ctx, chromedp.Evaluate[string]("document.body.innerText"))
		return err == nil && strings.Contains(page, text)
	}, time.Minute, 100*time.Millisecond, "%s on %s", text, path)
}

// received is a request that came to a receiver.
type received struct {
	*http.Request

	body []byte
}

type hookReceiver struct {
	url string
	got chan received
}

// newReceiver takes everything.
func newReceiver(t *testing.T) *hookReceiver {
	t.Helper()
	r := &hookReceiver{got: make(chan received, 100)}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err == nil {
			r.got <- received{req, body}
		}
	}))
	t.Cleanup(server.Close)
	r.url = strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	return r
}

// ask asks the REST door with a key.
func ask(t *testing.T, address, key string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+key)
	answer, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return string(body)
}
