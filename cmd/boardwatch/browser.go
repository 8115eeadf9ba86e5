package main

import (
	"errors"
	"log/slog"
	"os"
	"slices"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/browser"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// newBrowser is the browser of the settings; nil when none is to be used. Nothing is started before a page needs it. The
// client, when there is one, answers all its requests in place of the network.
func newBrowser(cfg config.Config, log *slog.Logger, through *outbound.Client) *browser.Browser {
	if scraper.BrowserMode(cfg.Browser.Mode) == scraper.BrowserNever {
		return nil
	}
	return browser.New(browserOptions(cfg, log, through))
}

// browserOptions are the settings in the words of the browser.
func browserOptions(cfg config.Config, log *slog.Logger, through *outbound.Client) browser.Options {
	o := browser.Options{
		Path: cfg.Browser.Path, Remotes: []string(cfg.Browser.RemoteURL), MaxPages: cfg.Browser.MaxPages,
		NoSandbox: cfg.Browser.NoSandbox, MaxMemory: int64(cfg.Browser.MaxMemory),
		Outbound: clientOptions(cfg), Through: through, Log: log,
		Vouch: os.Getenv("SSL_CERT_FILE")+os.Getenv("SSL_CERT_DIR") != "",
	}
	return o
}

// examineBrowsers starts the browser that the settings name, or joins each of those elsewhere. As long as one answers, pages
// can be shown.
func examineBrowsers(cfg config.Config) []finding {
	chromium := newBrowser(cfg, slog.New(slog.DiscardHandler), nil)
	if chromium == nil {
		return []finding{{"browser", stateOK, "not used"}}
	}
	trials := chromium.Try()
	bad := stateWarning
	if !slices.ContainsFunc(trials, func(t browser.Trial) bool { return t.Err == nil }) {
		bad = stateFault
	}
	findings := make([]finding, 0, len(trials)+1)
	for _, t := range trials {
		f := finding{"browser", stateOK, t.What}
		switch {
		case errors.Is(t.Err, browser.ErrNotFound):
			f.State, f.Detail = bad, t.Err.Error()+"; pages that need a browser cannot be read until then. If none are to be read, set browser.mode to never"
		case t.Err != nil:
			f.State, f.Detail = bad, t.Err.Error()
		case len(cfg.Browser.RemoteURL) > 0:
			f.Detail = t.Name + " (" + t.What + ")"
		}
		findings = append(findings, f)
	}
	if err := chromium.Close(); err != nil {
		findings = append(findings, finding{"browser", stateFault, err.Error()})
	}
	return findings
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

func closeBrowser(b *browser.Browser) error {
	if b == nil {
		return nil
	}
	return b.Close()
}
