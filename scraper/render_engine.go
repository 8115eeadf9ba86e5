package scraper

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/chromedp"
	devtools "github.com/chromedp/chromedp/remote"
)

var (
	errEngineLost  = errors.New("the browser was lost")
	errPageCrashed = errors.New("the page crashed in the browser")
	errPageStuck   = errors.New("the browser opened no page")
	errPageTimeout = errors.New("the page took too long in the browser")
)

// engine is one running browser.
type engine struct {
	base    context.Context //nolint:containedctx // chromedp keeps a browser in a context
	proxied bool            // all its requests go through our proxy
	server  string          // the proxy that new pages are told to use; empty when the whole browser was
	product string          // "HeadlessChrome/148.0.7778.96"
	agent   string          // what it calls itself
	started time.Time
	end     func()
	ending  sync.Once
	gone    atomic.Bool // a page noticed before chromedp did

	// Under the lock of Browser.
	pages  int // shown so far
	active int // shown just now
}

// lost reports whether the browser is gone.
func (e *engine) lost() bool { return e.gone.Load() || e.base.Err() != nil }

// worn reports whether another should take its place.
func (e *engine) worn() bool { return e.pages >= enginePages || time.Since(e.started) > engineAge }

// stop ends the browser and waits until nothing of it is left.
func (e *engine) stop() { e.ending.Do(e.end) }

// newEngine starts a browser here, or connects to one elsewhere. The lock of b is held.
func (b *Browser) newEngine(ctx context.Context, remote string) (*engine, error) {
	if remote == "" {
		return b.startLocal(ctx)
	}
	return b.connect(ctx, remote)
}

// startTimeout is the limit for a browser to come up; on a busy machine that takes its time.
const startTimeout = 90 * time.Second

// startLocal starts a browser on this machine.
func (b *Browser) startLocal(ctx context.Context) (*engine, error) {
	program, err := FindBrowser(b.o.Path)
	if err != nil {
		return nil, err
	}
	p, err := b.through(ctx, View{})
	if err != nil {
		return nil, err
	}
	if !b.cleaned {
		b.cleaned = true
		removeLeftovers(b.tempDir())
	}
	dir, err := os.MkdirTemp(b.tempDir(), folderName())
	if err != nil {
		return nil, fmt.Errorf("start browser: make its folder: %w", err)
	}
	var process *os.Process
	options := append(b.flags(program, dir, p.Address()), chromedp.ModifyCmdFunc(func(cmd *exec.Cmd) { apart(cmd) }))
	alloc, cancelAlloc := chromedp.NewExecAllocator(context.WithoutCancel(ctx), options...)
	base, cancelBase := chromedp.NewContext(alloc, b.quiet()...)
	watched := make(chan struct{})
	end := func() {
		if c := chromedp.FromContext(base); process == nil && c.Browser != nil {
			process = c.Browser.Process() // it came up too late
		}
		endGroup(process) // at once: whatever it would still write is thrown away
		cancelBase()
		cancelAlloc()
		close(watched)
		endGroup(process)
		removeFolder(dir)
	}
	if err := begin(ctx, base); err != nil {
		end()
		return nil, startFault(program, err)
	}
	process = chromedp.FromContext(base).Browser.Process()
	e := &engine{base: base, proxied: true, started: time.Now(), end: end}
	if err := e.introduce(base, b.o.Outbound.UserAgent); err != nil {
		end()
		return nil, startFault(program, err)
	}
	b.running.Go(func() { b.watch(e, process, watched) })
	b.o.Log.DebugContext(ctx, "browser started", "program", program, "pid", process.Pid)
	return e, nil
}

// connect joins a browser that runs elsewhere.
func (b *Browser) connect(ctx context.Context, address string) (*engine, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil, errors.New("browser.remote_url is not an address")
	}
	if u.Port() == "" && u.Scheme == "ws" {
		u.Host = net.JoinHostPort(u.Hostname(), "80")
	}
	var options []devtools.Option
	if u.Scheme == "wss" || u.RawQuery != "" || strings.Contains(u.Path, "/devtools/") {
		options = append(options, devtools.NoModifyURL) // it is the very address; others are asked for it
	}
	p, err := b.through(ctx, View{})
	if err != nil {
		return nil, err
	}
	alloc, cancelAlloc := devtools.NewAllocator(context.WithoutCancel(ctx), u.String(), options...)
	base, cancelBase := chromedp.NewContext(alloc, b.quiet()...)
	e := &engine{base: base, started: time.Now(), end: func() {
		cancelBase()
		cancelAlloc()
	}}
	err = begin(ctx, base)
	if err == nil {
		err = e.introduce(base, b.o.Outbound.UserAgent)
	}
	if err != nil {
		e.stop()
		return nil, fmt.Errorf("no browser answers at %s (browser.remote_url)", u.Host) // the cause would repeat the address, which may hold a token
	}
	if onThisMachine(u.Hostname()) {
		e.proxied, e.server = true, "http://"+p.Address()
	}
	b.o.Log.DebugContext(ctx, "browser joined", "host", u.Host)
	return e, nil
}

// onThisMachine reports whether a host can reach our proxy, which listens on loopback.
func onThisMachine(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}

// begin waits until the browser answers. Its life does not depend on ctx, which only limits the wait.
func begin(ctx, base context.Context) error {
	up := make(chan error, 1)
	go func() { up <- chromedp.Do(base) }()
	limit := time.NewTimer(startTimeout)
	defer limit.Stop()
	select {
	case err := <-up:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-limit.C:
		return errors.New("it did not answer")
	}
}

// startFault is why a browser did not come up, with the first line of what it said itself.
func startFault(program string, err error) error {
	said := strings.TrimSpace(err.Error())
	for _, hint := range []string{"No usable sandbox", "SUID sandbox", "without --no-sandbox"} {
		if strings.Contains(said, hint) {
			return fmt.Errorf("%s cannot use its sandbox here: allow it user namespaces, or set browser.no_sandbox", program)
		}
	}
	line, _, _ := strings.Cut(said, "\n")
	return fmt.Errorf("start browser %s: %s", program, line)
}

// quiet keeps chromedp from writing to the standard logger.
func (b *Browser) quiet() []chromedp.ContextOption {
	say := func(format string, args ...any) {
		b.o.Log.Debug("browser says", "message", fmt.Sprintf(format, args...))
	}
	return []chromedp.ContextOption{chromedp.WithErrorf(say), chromedp.WithLogf(say)}
}

func (b *Browser) tempDir() string {
	if b.o.TempDir != "" {
		return b.o.TempDir
	}
	return os.TempDir()
}

// watch ends a browser that uses too much memory, and puts one away that was lost.
func (b *Browser) watch(e *engine, process *os.Process, watched <-chan struct{}) {
	tick := time.NewTicker(2 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-watched:
			return
		case <-e.base.Done():
			b.mu.Lock()
			for i := range b.places {
				if b.places[i].engine == e {
					b.places[i].engine = nil
				}
			}
			b.retire(e)
			b.mu.Unlock()
			return
		case <-tick.C:
			if used := groupMemory(process); used > b.o.MaxMemory {
				b.o.Log.Warn("the browser is ended: it uses too much memory", "bytes", used)
				endGroup(process)
			}
		}
	}
}

// FindBrowser is the Chromium program: the one at path, or the first of those that are installed, the lean ones first. The
// error is ErrNoBrowser, or says what is wrong with path.
func FindBrowser(path string) (string, error) {
	if path != "" {
		program, err := exec.LookPath(path)
		if err != nil {
			return "", fmt.Errorf("%s is not a program: correct browser.path", path)
		}
		return program, nil
	}
	for _, name := range []string{
		"chromium-headless-shell", "chrome-headless-shell", "headless-shell", "headless_shell",
		"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
		"/headless-shell/headless-shell", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
		"/Applications/Chromium.app/Contents/MacOS/Chromium", `C:\Program Files\Google\Chrome\Application\chrome.exe`,
	} {
		if program, err := exec.LookPath(filepath.FromSlash(name)); err == nil {
			return program, nil
		}
	}
	return "", ErrNoBrowser
}
