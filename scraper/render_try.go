package scraper

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
)

// Try starts the browser, or joins each of those elsewhere, and says which it is. The error says what to do about it.
func (b *Browser) Try(ctx context.Context) (string, error) {
	if len(b.o.Remotes) == 0 {
		e, err := b.lease(ctx)
		if err != nil {
			return "", err
		}
		defer b.release(e)
		program, err := FindBrowser(b.o.Path)
		return fmt.Sprintf("%s (%s)", program, e.product), err
	}
	var found []string
	var faults []error
	for _, address := range b.o.Remotes {
		b.mu.Lock()
		e, err := b.connect(ctx, address)
		b.mu.Unlock()
		if err != nil {
			faults = append(faults, err)
			continue
		}
		e.stop()
		u, err := url.Parse(address)
		if err == nil {
			found = append(found, fmt.Sprintf("%s (%s)", u.Host, e.product))
		}
	}
	return "elsewhere: " + strings.Join(found, ", "), errors.Join(faults...)
}

// introduce asks a browser what it is.
func (e *engine) introduce(ctx context.Context, own string) error {
	version, err := cdp.Call(ctx, chromedp.FromContext(ctx).Browser, browser.GetVersion, cdp.Empty{})
	if err != nil {
		return fmt.Errorf("ask the browser for its version: %w", err)
	}
	e.product, e.agent = version.Product, own
	if own == "" {
		e.agent = version.UserAgent + " (compatible; " + agentName + ")"
	}
	return nil
}

// agentName is what is added to a browser's own name: who asks, and where to learn about it.
const agentName = "Boardwatch; +https://github.com/boardwatch/boardwatch"
