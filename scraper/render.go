package scraper

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/transport/outbound"
)

// ErrNoBrowser is what a page meets that needs a browser where none is installed and none is named.
var ErrNoBrowser = errors.New("no Chromium was found: install one, or name it with browser.path or browser.remote_url")

// BrowserOptions is how a Browser behaves. The zero value starts the Chromium that is installed.
type BrowserOptions struct {
	// Path is the Chromium program. When it is empty, it is looked for under the usual names.
	Path string
	// Remotes are the DevTools addresses of browsers that run elsewhere ("ws://…"). When there are any, pages are spread over
	// those that answer, and none is started here.
	Remotes []string
	// MaxPages is how many pages are open at the same time in each browser. Zero means two for each core of this machine.
	MaxPages int
	// NoSandbox starts Chromium without its sandbox. As root it always is.
	NoSandbox bool
	// Outbound says which addresses pages may reach, and through which proxy. UserAgent, when set, is the browser's too.
	Outbound outbound.Options
	// Vouch has certificates checked here, as Outbound says, and not by the browser, which knows none of SSL_CERT_FILE.
	Vouch bool
	// Through, when it is not nil, answers all requests of the pages in place of the network.
	Through *outbound.Client
	// PageTimeout is the limit for one page. Zero means a minute.
	PageTimeout time.Duration
	// MaxMemory is how many bytes the browser and its helpers may use before they are ended. Zero means 2 GiB. It is
	// watched on Linux.
	MaxMemory int64
	// TempDir is where the browser's folder is made. Empty means the system's.
	TempDir string
	// Log hears of starts and losses. It may be nil.
	Log *slog.Logger
}

// Limits of one browser's life.
const (
	defaultPageTimeout = time.Minute
	defaultMaxMemory   = 2 << 30
	enginePages        = 500              // a browser is followed by a new one after so many pages
	engineAge          = time.Hour        // or after this time: its memory grows slowly
	openPatience       = 20 * time.Second // for an empty page; a helper that died just then never answers
	pageTries          = 4                // for one page, when the browser is lost under it
)

// Browser shows pages as a person's browser would. It is started when the first page needs it, kept warm, and started
// anew when it was lost. It is safe for concurrent use. Close ends it.
type Browser struct {
	o       BrowserOptions
	closers chan struct{} // pages that are being put away
	done    chan struct{} // closed by Close

	mu      sync.Mutex
	voucher *outbound.Voucher          // nil unless the browser relies on us for certificates
	proxies map[string]*outbound.Proxy // our own, by the way on from them
	places  []*place                   // one for the browser here, or one for each of those elsewhere
	queue   []*waiter                  // pages that wait for a place, the first to be served first
	turns   int                        // places given so far
	timer   *time.Timer                // looks after places that are set aside
	closed  bool
	cleaned bool
	running sync.WaitGroup // engines, and pages that are being put away
}

// NewBrowser is a browser that starts with the first page.
func NewBrowser(o BrowserOptions) *Browser {
	if o.MaxPages <= 0 {
		o.MaxPages = 2 * runtime.NumCPU()
	}
	if o.PageTimeout <= 0 {
		o.PageTimeout = defaultPageTimeout
	}
	if o.MaxMemory <= 0 {
		o.MaxMemory = defaultMaxMemory
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	b := &Browser{o: o, done: make(chan struct{}), places: places(o.Remotes)}
	b.closers = make(chan struct{}, 2*o.MaxPages*len(b.places))
	return b
}

// Close ends the browser and removes what it left on the disk. Pages that are open fail.
func (b *Browser) Close() error {
	b.mu.Lock()
	if !b.closed {
		b.closed = true
		close(b.done)
	}
	proxies := b.proxies
	b.proxies = nil
	for _, at := range b.places {
		if e := at.engine; e != nil {
			b.running.Go(e.stop)
		}
		at.engine = nil
	}
	for len(b.queue) > 0 {
		b.grant(grant{err: errBrowserClosed})
	}
	if b.timer != nil {
		b.timer.Stop()
	}
	b.mu.Unlock()
	b.running.Wait()
	var faults []error
	for _, p := range proxies {
		faults = append(faults, p.Close())
	}
	return errors.Join(faults...)
}

// View is a page to be shown.
type View struct {
	Address string
	// Proxy is the one that leads to this page, in place of BrowserOptions.Outbound.Proxy.
	Proxy *url.URL
	// Direct leads to this page without a proxy.
	Direct bool
	// Enough is asked now and then, while the page is being drawn, whether it shows what is wanted. Nil takes the first page
	// at rest.
	Enough func(*Shown) Patience
	// More is asked when the page shows what is wanted, whether its list can be lengthened: by pressing what is labelled so,
	// or, for the label "", by going to its end. Nil leaves the list as it is.
	More func(*Shown) (label string, more bool)
}

// Shown is what a browser made of a page.
type Shown struct {
	URL      *url.URL // where it led in the end
	Status   int      // of the page itself; zero when the browser did not say
	Header   http.Header
	HTML     []byte // the document as it stands, shadow trees included
	Answers  []Answer
	Asked    []*url.URL // everything the page and its frames asked for, in order
	Requests int
	Settled  bool // whether the page came to rest before its time was over
}

// Answer is data that a page asked for by script.
type Answer struct {
	Method string
	URL    *url.URL
	Header http.Header // of the question, without cookies
	Body   []byte      // of the question
	Data   []byte      // the answer, JSON
}

// Patience is what whoever wants a page thinks of it while it is still being drawn.
type Patience int

// The thoughts.
const (
	Enough    Patience = iota // it shows what is wanted
	WaitMore                  // it may still come, within seconds
	WaitBegin                 // this is not the page yet, but something that leads to it by itself
)

var errBrowserClosed = errors.New("the browser was closed")

// Show opens a page and returns what it shows when it has come to rest, or as soon as that is enough. When the browser is
// lost meanwhile, it is shown again.
func (b *Browser) Show(ctx context.Context, v View) (*Shown, error) {
	var lostOn *engine
	for try := 1; ; try++ {
		e, err := b.lease(ctx, lostOn)
		if err != nil {
			return nil, err
		}
		shown, err := b.showOn(ctx, e, v)
		b.release(e, err) //nolint:contextcheck // a browser that is started here outlives the page
		if err == nil || ctx.Err() != nil || !again(err) || try == pageTries {
			return shown, err
		}
		b.o.Log.WarnContext(ctx, "a page is shown again", "browser", e.at.name, "try", try+1, "error", err)
		lostOn = e
	}
}

// again reports whether a fault is the browser's, so that the page may well be shown another time.
func again(err error) bool {
	return errors.Is(err, errEngineLost) || errors.Is(err, errPageCrashed) || errors.Is(err, errPageStuck)
}

// through is our own proxy for pages that go on as the view says. The lock is held.
func (b *Browser) through(ctx context.Context, v View) (*outbound.Proxy, error) {
	o, way := b.o.Outbound, ""
	switch {
	case v.Direct:
		way, o.Proxy = "direct", func(*http.Request) (*url.URL, error) { return nil, nil }
	case v.Proxy != nil:
		way, o.Proxy = v.Proxy.String(), http.ProxyURL(v.Proxy)
	}
	if p := b.proxies[way]; p != nil {
		return p, nil
	}
	if b.o.Vouch && b.voucher == nil {
		v, err := outbound.NewVoucher()
		if err != nil {
			return nil, fmt.Errorf("start browser: %w", err)
		}
		b.voucher = v
	}
	p, err := outbound.ListenProxy(context.WithoutCancel(ctx), o, b.voucher)
	if err != nil {
		return nil, fmt.Errorf("start browser: %w", err)
	}
	if b.proxies == nil {
		b.proxies = make(map[string]*outbound.Proxy)
	}
	b.proxies[way] = p
	return p, nil
}

// way is the proxy server that the page's context is to be told of; empty when the browser's own does.
func (b *Browser) way(ctx context.Context, e *engine, v View) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.closed:
		return "", errBrowserClosed
	case e.proxied && v.Proxy == nil && !v.Direct:
		return e.server, nil
	case e.proxied:
		p, err := b.through(ctx, v)
		if err != nil {
			return "", err
		}
		return "http://" + p.Address(), nil
	case v.Proxy != nil:
		bare := *v.Proxy
		bare.User = nil // a browser cannot be told a password this way
		return bare.String(), nil
	}
	return "", nil
}
