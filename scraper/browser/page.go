package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// showOn shows a page on a browser, in a browser context of its own, which shares nothing with other pages and is thrown away.
func (b *Browser) showOn(ctx context.Context, e *engine, v scraper.View) (*scraper.Shown, error) {
	way, err := b.way(ctx, e, v)
	if err != nil {
		return nil, err
	}
	base, abort := context.WithCancelCause(e.base)
	defer context.AfterFunc(ctx, func() { abort(context.Cause(ctx)) })()
	timer := time.AfterFunc(b.o.PageTimeout, func() { abort(errPageTimeout) })
	defer timer.Stop()

	pctx, putAway := chromedp.NewContext(base, chromedp.WithNewBrowserContext(func(p *target.CreateBrowserContextParams) {
		p.DisposeOnDetach = new(true)
		if way != "" {
			p.ProxyServer, p.ProxyBypassList = way, "<-loopback>"
		}
	}))
	t := &tab{browser: b, engine: e, abort: abort, woke: make(chan struct{}, 1)}
	t.reset()
	opening := time.AfterFunc(openPatience, func() { abort(errPageStuck) })
	defer opening.Stop()
	t.opened = func() { opening.Stop() }
	defer b.putAway(func() {
		abort(context.Canceled)
		putAway()
		t.work.Wait()
	})
	shown, err := t.show(pctx, v) //nolint:contextcheck // a page lives in its browser's context, which ctx only ends
	if err == nil {
		return shown, nil
	}
	switch cause := context.Cause(base); { //nolint:contextcheck // likewise
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case cause != nil && !e.lost():
		return nil, cause
	case e.lost(), errors.Is(err, context.Canceled): // not cancelled here, so the connection was lost
		e.gone.Store(true)
		return nil, fmt.Errorf("%w: %w", errEngineLost, err)
	}
	return nil, err
}

// putAway closes a page in the background. It waits when too many pages are being closed.
func (b *Browser) putAway(work func()) {
	b.closers <- struct{}{}
	b.running.Go(func() {
		defer func() { <-b.closers }()
		work()
	})
}

// tab is one page while it is shown. Its events arrive on the goroutine that reads from the browser.
type tab struct {
	browser *Browser
	engine  *engine
	client  *outbound.Client // answers in place of the network; nil when the network does
	abort   context.CancelCauseFunc
	opened  func() // called when the empty page is ready
	woke    chan struct{}
	main    cdp.FrameID
	work    sync.WaitGroup // answers to what the browser asked

	mu       sync.Mutex
	document *network.Response // of the page itself
	loaded   bool
	since    time.Time // of the last thing that happened
	began    time.Time // when the document was asked for
	pending  map[network.RequestID]time.Time
	asked    map[network.RequestID]*network.EventRequestWillBeSent // by script
	ready    []network.RequestID                                   // answers with data that can be fetched now
	answers  []scraper.Answer
	kept     int // bytes of answers
	all      []*url.URL
	requests int
}

// reset forgets everything about the previous document.
func (t *tab) reset() {
	t.document, t.loaded, t.began, t.since = nil, false, time.Now(), time.Now()
	t.pending = make(map[network.RequestID]time.Time)
	t.asked = make(map[network.RequestID]*network.EventRequestWillBeSent)
	t.ready, t.answers, t.kept = nil, nil, 0
}

func (t *tab) show(ctx context.Context, v scraper.View) (*scraper.Shown, error) {
	if err := chromedp.Listen(ctx, t.hear(ctx)); err != nil {
		return nil, fmt.Errorf("open a page: %w", err)
	}
	c := chromedp.FromContext(ctx)
	t.mu.Lock()
	t.main = cdp.FrameID(c.Target.TargetID)
	t.mu.Unlock()
	if err := t.prepare(ctx, c); err != nil {
		return nil, fmt.Errorf("prepare a page: %w", err)
	}
	t.opened()
	opened, err := cdp.Call(ctx, c.Target, page.Navigate, page.NavigateParams{URL: v.Address})
	switch {
	case err != nil:
		return nil, fmt.Errorf("open the page: %w", err)
	case opened.IsDownload:
		return nil, errors.New("the address is a download, not a page")
	case opened.ErrorText != "":
		return nil, &navigationError{opened.ErrorText}
	}
	return t.settle(ctx, v)
}

// navigationError is why a browser could not open a page, as the browser's own error code.
type navigationError struct{ code string }

func (e *navigationError) Error() string {
	switch e.code {
	case "net::ERR_NAME_NOT_RESOLVED":
		return "the browser did not find the host"
	case "net::ERR_TUNNEL_CONNECTION_FAILED":
		return "the browser was not let through to the host"
	case "net::ERR_CONNECTION_RESET", "net::ERR_EMPTY_RESPONSE", "net::ERR_CONNECTION_CLOSED":
		return "the host closed the browser's connection"
	}
	if strings.HasPrefix(e.code, "net::ERR_CERT_") {
		return "the browser does not trust the host's certificate (" + e.code + ")"
	}
	return "the browser could not open the page (" + e.code + ")"
}

// prepare makes the page load only what is needed, and never ask a person anything.
func (t *tab) prepare(ctx context.Context, c *chromedp.Context) error {
	b := t.browser
	if b.o.Through != nil {
		t.client = b.o.Through.Session()
	}
	steps := []func() error{
		call(ctx, c.Target, dom.Disable, cdp.Empty{}), // chromedp enables it, and would be told of every change
		call(ctx, c.Target, css.Disable, cdp.Empty{}),
		call(ctx, c.Target, log.Disable, cdp.Empty{}),
		call(ctx, c.Target, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: t.engine.agent, AcceptLanguage: "en-US,en;q=0.9"}),
		call(ctx, c.Target, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true}),
		call(ctx, c.Target, fetch.Enable, fetch.EnableParams{Patterns: t.patterns()}),
		call(ctx, c.Target, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: tameScript}),
		call(ctx, c.Browser, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
			Behavior: browser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: c.BrowserContextID,
		}),
	}
	if len(b.o.Remotes) > 0 {
		steps = append(steps, call(ctx, c.Target, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 1366, Height: 2400, DeviceScaleFactor: 1}))
	}
	return atOnce(steps)
}

// tameScript removes what could reach the network without the proxy, and what would block the page.
const tameScript = `(() => {
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport', 'Notification'])
    try { delete window[name]; Object.defineProperty(window, name, { value: undefined, configurable: false }) } catch {}
  window.open = () => null;
  window.print = () => {};
})()`

// call is a command to be sent later.
func call[P, R any](ctx context.Context, s cdp.Session, command cdp.Command[P, R], params P) func() error {
	return func() error {
		_, err := cdp.Call(ctx, s, command, params)
		if err != nil {
			return fmt.Errorf("%s: %w", command.Method, err)
		}
		return nil
	}
}

// atOnce sends all commands together and waits for all answers, which saves a round trip for each.
func atOnce(steps []func() error) error {
	faults := make([]error, len(steps))
	var all sync.WaitGroup
	for i, step := range steps {
		all.Go(func() { faults[i] = step() })
	}
	all.Wait()
	return errors.Join(faults...)
}

// look takes the page as it is now.
func (t *tab) look(ctx context.Context, settled bool) (*scraper.Shown, error) {
	res, err := chromedp.Call(ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: lookScript, ReturnByValue: new(true)})
	if err != nil {
		return nil, fmt.Errorf("take the page: %w", err)
	}
	var parts []string
	if res.Result == nil || json.Unmarshal(res.Result.Value, &parts) != nil || len(parts) != 2 {
		return nil, errors.New("the browser did not return the page")
	}
	u, err := url.Parse(parts[0])
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("the page redirected the browser to something other than a web page")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	shown := &scraper.Shown{URL: u, HTML: []byte(parts[1]), Answers: t.answers, Asked: t.all, Requests: t.requests, Settled: settled, Header: make(http.Header)}
	if t.document != nil {
		shown.Status, shown.Header = int(t.document.Status), headerOf(t.document.Headers)
	}
	return shown, nil
}

// lookScript is the document as text. Shadow trees are written where they are shown.
const lookScript = `(() => {
  const shaded = (root) => { for (const e of root.querySelectorAll('*')) if (e.shadowRoot) return true; return false };
  const limit = 20e6;
  let html;
  if (!shaded(document)) html = document.documentElement.outerHTML;
  else {
    const inert = document.implementation.createHTMLDocument('');
    const copy = (n, into) => {
      if (n.nodeType === 3) { into.appendChild(inert.createTextNode(n.data)); return }
      if (n.nodeType !== 1) return;
      if (n.localName === 'slot' && n.assignedNodes) {
        const given = n.assignedNodes({ flatten: true });
        for (const c of given.length ? given : n.childNodes) copy(c, into);
        return;
      }
      const m = into.appendChild(inert.importNode(n, n.localName === 'template'));
      if (n.localName !== 'template') for (const c of (n.shadowRoot || n).childNodes) copy(c, m);
    };
    const root = inert.createElement('div');
    copy(document.documentElement, root);
    html = root.innerHTML;
  }
  return [location.href, '<!doctype html>' + html.slice(0, limit)];
})()`

func headerOf(h network.Headers) http.Header {
	out := make(http.Header, len(h))
	for key, value := range h {
		for line := range strings.SplitSeq(fmt.Sprint(value), "\n") {
			out.Add(key, line)
		}
	}
	return out
}
