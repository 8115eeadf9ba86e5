package main

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// newBrowser is the browser of the settings; nil when none is to be used. Nothing is started before a page needs it. The
// client, when there is one, answers all its requests in place of the network.
func newBrowser(cfg Config, log *slog.Logger, through *outbound.Client) *scraper.Browser {
	if scraper.BrowserMode(cfg.Browser.Mode) == scraper.BrowserNever {
		return nil
	}
	return scraper.NewBrowser(browserOptions(cfg, log, through))
}

// browserOptions are the settings in the words of the browser.
func browserOptions(cfg Config, log *slog.Logger, through *outbound.Client) scraper.BrowserOptions {
	o := scraper.BrowserOptions{
		Path: cfg.Browser.Path, Remotes: []string(cfg.Browser.RemoteURL), MaxPages: cfg.Browser.MaxPages,
		NoSandbox: cfg.Browser.NoSandbox, MaxMemory: int64(cfg.Browser.MaxMemory),
		Outbound: clientOptions(cfg), Through: through, Log: log,
		Vouch: os.Getenv("SSL_CERT_FILE")+os.Getenv("SSL_CERT_DIR") != "",
	}
	return o
}

// examineBrowser shows a page of nothing in the browser that the settings name.
func examineBrowser(ctx context.Context, cfg Config) finding {
	browser := newBrowser(cfg, slog.New(slog.DiscardHandler), nil)
	if browser == nil {
		return finding{"browser", stateOK, "not used"}
	}
	what, err := browser.Try(ctx)
	switch err := errors.Join(err, browser.Close()); {
	case errors.Is(err, scraper.ErrNoBrowser):
		return finding{"browser", stateFault, err.Error() + "; pages that need a browser cannot be read until then"}
	case err != nil:
		return finding{"browser", stateFault, err.Error()}
	}
	return finding{"browser", stateOK, what}
}

// throughClient is the client that answers a browser's requests when they are read from an archive or written to one; nil
// when they go over the network.
func throughClient(o scrapeOptions, options outbound.Options) *outbound.Client {
	if o.har == "" && o.record == "" {
		return nil
	}
	options.Pause = -1 // what a page asks for comes all at once
	return outbound.New(options)
}

func closeBrowser(b *scraper.Browser) error {
	if b == nil {
		return nil
	}
	return b.Close()
}
