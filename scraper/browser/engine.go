package browser

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

	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

var (
	errEngineLost  = errors.New("the browser was lost")
	errPageCrashed = errors.New("the page crashed in the browser")
	errPageStuck   = errors.New("the browser opened no page")
	errPageTimeout = errors.New("the page took too long in the browser")
)

// engine is one running browser.
type engine struct {
	at      *place
	base    context.Context //nolint:containedctx // chromedp keeps a browser in a context
	proxied bool            // all its requests go through our proxy
	server  string          // the proxy that new pages are told to use; empty when the whole browser was
	product string          // "HeadlessChrome/148.0.7778.96"
	agent   string          // what it calls itself
	started time.Time
	pulse   time.Duration // how often its health is checked
	feel    func() error  // checks its health: an error is why it has to end
	end     func()
	ending  sync.Once
	ended   chan struct{} // closed with the end
	gone    atomic.Bool   // a page noticed the loss before chromedp did

	// Under the lock of Browser.
	pages  int // begun so far
	active int // shown at this moment
	shown  int // shown to their end
	stuck  int // how many in a row were not opened in time
}

// lost reports whether the browser is gone.
func (e *engine) lost() bool { return e.gone.Load() || e.base.Err() != nil }

// worn reports whether it is time to replace the browser.
func (e *engine) worn() bool { return e.pages >= enginePages || time.Since(e.started) > engineAge }

// stop ends the browser and waits until nothing of it is left.
func (e *engine) stop() {
	e.ending.Do(func() {
		e.end()
		close(e.ended)
	})
}

// newEngine starts a browser here, or connects to one elsewhere. Close cuts it short.
func (b *Browser) newEngine(at *place) (*engine, error) {
	if at.remote == "" {
		return b.startLocal(at)
	}
	return b.connect(at)
}

// Limits of a browser's start and life.
const (
	startTimeout = 90 * time.Second // a busy machine needs this long
	joinTimeout  = 15 * time.Second // a remote browser is already running, so it answers quickly or not at all
	localPulse   = 2 * time.Second
	remotePulse  = 10 * time.Second
	feelTimeout  = 8 * time.Second // for a remote browser to answer
)

// startLocal starts a browser on this machine.
func (b *Browser) startLocal(at *place) (*engine, error) {
	program, err := Find(b.o.Path)
	if err != nil {
		return nil, err
	}
	if program, err = filepath.Abs(program); err != nil { // because it is started in another folder
		return nil, fmt.Errorf("start browser: %w", err)
	}
	p, err := b.defaultProxy()
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
	options := append(b.flags(program, dir, p.Address()), chromedp.ModifyCmdFunc(func(cmd *exec.Cmd) {
		cmd.Dir = dir
		apart(cmd)
	}))
	alloc, cancelAlloc := chromedp.NewExecAllocator(context.Background(), options...)
	base, cancelBase := chromedp.NewContext(alloc, b.quiet()...)
	end := func() {
		if c := chromedp.FromContext(base); process == nil && c.Browser != nil {
			process = c.Browser.Process() // it started after we gave up
		}
		endGroup(process) // at once: nothing it would still write is needed
		cancelBase()
		cancelAlloc()
		endGroup(process)
		removeFolder(dir)
	}
	if err := b.begin(base, startTimeout); err != nil {
		end()
		return nil, startFault(program, err)
	}
	process = chromedp.FromContext(base).Browser.Process()
	e := &engine{at: at, base: base, proxied: true, started: time.Now(), pulse: localPulse, end: end, ended: make(chan struct{})}
	e.feel = func() error {
		if used := groupMemory(process); used > b.o.MaxMemory {
			return fmt.Errorf("it uses too much memory: %d bytes", used)
		}
		return nil
	}
	if err := e.introduce(base, b.o.Outbound.UserAgent); err != nil {
		end()
		return nil, startFault(program, err)
	}
	b.o.Log.Debug("browser started", "program", program, "pid", process.Pid)
	return e, nil
}

// defaultProxy is our own proxy, with the upstream proxy of the settings.
func (b *Browser) defaultProxy() (*outbound.Proxy, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, errClosed
	}
	return b.through(context.Background(), scraper.View{})
}

// connect connects to a browser that runs elsewhere.
func (b *Browser) connect(at *place) (*engine, error) {
	u, err := url.Parse(at.remote)
	if err != nil || u.Host == "" {
		return nil, errors.New("browser.remote_url is not an address")
	}
	if u.Port() == "" && u.Scheme == "ws" {
		u.Host = net.JoinHostPort(u.Hostname(), "80")
	}
	var options []devtools.Option
	if u.Scheme == "wss" || u.RawQuery != "" || strings.Contains(u.Path, "/devtools/") {
		options = append(options, devtools.NoModifyURL) // this is the final address; other addresses are asked for it
	}
	p, err := b.defaultProxy()
	if err != nil {
		return nil, err
	}
	alloc, cancelAlloc := devtools.NewAllocator(context.Background(), u.String(), options...)
	base, cancelBase := chromedp.NewContext(alloc, b.quiet()...)
	e := &engine{at: at, base: base, started: time.Now(), pulse: remotePulse, ended: make(chan struct{}), end: func() {
		cancelBase()
		cancelAlloc()
	}}
	e.feel = func() error {
		ctx, cancel := context.WithTimeout(base, feelTimeout)
		defer cancel()
		_, err := versionOf(ctx, base)
		return err
	}
	err = b.begin(base, joinTimeout)
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
	b.o.Log.Debug("browser joined", "host", u.Host)
	return e, nil
}

// onThisMachine reports whether a browser on that host can reach our proxy, which listens on loopback.
func onThisMachine(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}

// begin waits until the browser answers.
func (b *Browser) begin(base context.Context, patience time.Duration) error {
	up := make(chan error, 1)
	go func() { up <- chromedp.Do(base) }()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case err := <-up:
		return err
	case <-b.done:
		return errClosed
	case <-limit.C:
		return errors.New("it did not answer")
	}
}

// startFault is why a browser did not start, with the first line of its own output.
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

// Find is the Chromium program: the one at path, or the first installed one, lean builds first. The error is ErrNotFound, or
// says what is wrong with path.
func Find(path string) (string, error) {
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
	return "", ErrNotFound
}
