package browser

import (
	"context"
	"fmt"
	"sync"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
)

// Trial is the outcome of trying one browser.
type Trial struct {
	Name string // "local", or the host of a remote browser
	What string // the program and its version; empty when it did not start
	Err  error  // why it did not start, and what to do about it
}

// Try starts the local browser, or connects to each remote one, all at the same time.
func (b *Browser) Try() []Trial {
	trials := make([]Trial, len(b.places))
	var all sync.WaitGroup
	for i, at := range b.places {
		all.Go(func() { trials[i] = b.try(at) })
	}
	all.Wait()
	return trials
}

func (b *Browser) try(at *place) Trial {
	t := Trial{Name: at.name}
	e, err := b.newEngine(at)
	if err != nil {
		t.Err = err
		return t
	}
	defer e.stop()
	t.What = e.product
	if at.remote == "" {
		program, err := Find(b.o.Path)
		t.What, t.Err = program+" ("+e.product+")", err
	}
	return t
}

// introduce asks a browser for its name and version.
func (e *engine) introduce(base context.Context, own string) error {
	ctx, cancel := context.WithTimeout(base, startTimeout)
	defer cancel()
	version, err := versionOf(ctx, base)
	if err != nil {
		return err
	}
	e.product, e.agent = version.Product, own
	if own == "" {
		e.agent = version.UserAgent + " (compatible; " + agentName + ")"
	}
	return nil
}

// versionOf asks the browser of base for its version.
func versionOf(ctx, base context.Context) (browser.GetVersionResult, error) {
	version, err := cdp.Call(ctx, chromedp.FromContext(base).Browser, browser.GetVersion, cdp.Empty{})
	if err != nil {
		return version, fmt.Errorf("ask the browser for its version: %w", err)
	}
	return version, nil
}

// agentName is added to the browser's own user agent: who asks, and where to learn about it.
const agentName = "Boardwatch; +https://github.com/boardwatch/boardwatch"
