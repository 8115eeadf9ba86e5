// Package browser opens pages rendered by JavaScript in Chromium: in a browser that it starts on this machine, or in a
// pool of browsers that run elsewhere. Its Browser is a scraper.Renderer. No other package uses a browser's protocol.
package browser

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

	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// ErrNotFound is the error of pages that need a browser while none is installed and none is named.
var ErrNotFound = errors.New("no Chromium was found: install it, or set browser.path or browser.remote_url")

// Options is how a Browser behaves. The zero value starts the Chromium that is installed.
type Options struct {
	// Path is the Chromium program. When it is empty, Chromium is looked for under its usual names.
	Path string
	// Remotes are the DevTools addresses ("ws://…") of browsers that run elsewhere. When there are any, pages are spread over
	// those that answer, and no browser is started here.
	Remotes []string
	// MaxPages is how many pages are open at the same time in each browser. Zero means two for each core of this machine.
	MaxPages int
	// NoSandbox starts Chromium without its sandbox. As root it always is.
	NoSandbox bool
	// Outbound says which addresses pages may reach, and through which proxy. When it sets a UserAgent, the browser uses it.
	Outbound outbound.Options
	// Vouch checks certificates in this program, as Outbound says, and not in the browser, which ignores SSL_CERT_FILE.
	Vouch bool
	// Through answers all requests of the pages in place of the network. Nil means the network.
	Through *outbound.Client
	// PageTimeout is the limit for one page. Zero means a minute.
	PageTimeout time.Duration
	// MaxMemory is how many bytes the browser and its helpers may use before they are ended. Zero means 2 GiB. Memory is
	// watched on Linux only.
	MaxMemory int64
	// TempDir is where the browser's folder is made. Empty means the system's temporary folder.
	TempDir string
	// Log is told of starts and losses. It may be nil.
	Log *slog.Logger
}

// Limits of one browser's life.
const (
	defaultPageTimeout = time.Minute
	defaultMaxMemory   = 2 << 30
	enginePages        = 500              // a browser is replaced after this many pages
	engineAge          = time.Hour        // or after this time, because its memory grows slowly
	openPatience       = 20 * time.Second // for an empty page: a helper process that dies at this moment never answers
	pageTries          = 4                // for one page, when its browser is lost
)

// Browser is Chromium. It is started when the first page needs it, kept warm, and started again when it was lost. It is safe
// for concurrent use. Close ends it.
type Browser struct {
	o       Options
	closers chan struct{} // one entry for each page being closed
	done    chan struct{} // closed by Close

	mu      sync.Mutex
	voucher *outbound.Voucher          // nil unless this program checks certificates for the browser
	proxies map[string]*outbound.Proxy // our own, by the upstream proxy they use
	places  []*place                   // one for the local browser, or one for each remote browser
	queue   []*waiter                  // pages that wait for a place, in the order they are served
	turns   int                        // places given so far
	timer   *time.Timer                // tries places again that are set aside
	closed  bool
	cleaned bool
	running sync.WaitGroup // engines, and pages that are being closed
}

// New is a browser that starts when the first page needs it.
func New(o Options) *Browser {
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
		b.grant(grant{err: errClosed})
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

var _ scraper.Renderer = (*Browser)(nil)

var errClosed = errors.New("the browser was closed")

// Show opens a page and returns what it shows once it has come to rest, or as soon as that is enough. A page whose browser is
// lost meanwhile is shown again. See scraper.Renderer.
func (b *Browser) Show(ctx context.Context, v scraper.View) (*scraper.Shown, error) {
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

// again reports whether the browser is at fault, so that showing the page again may work.
func again(err error) bool {
	return errors.Is(err, errEngineLost) || errors.Is(err, errPageCrashed) || errors.Is(err, errPageStuck)
}

// through is our own proxy for pages with the upstream proxy that the view asks for. The lock is held.
func (b *Browser) through(ctx context.Context, v scraper.View) (*outbound.Proxy, error) {
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

// way is the proxy server that the page's context has to use; empty when the browser's own setting is right.
func (b *Browser) way(ctx context.Context, e *engine, v scraper.View) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.closed:
		return "", errClosed
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
