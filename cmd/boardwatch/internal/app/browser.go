package app

import (
	"log/slog"
	"os"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/browser"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// NewBrowser is the browser of the settings; nil when none is to be used. Nothing is started before a page needs it. The
// client, when there is one, answers all its requests in place of the network.
func NewBrowser(cfg config.Config, log *slog.Logger, through *outbound.Client) *browser.Browser {
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
		Outbound: ClientOptions(cfg), Through: through, Log: log,
		Vouch: os.Getenv("SSL_CERT_FILE")+os.Getenv("SSL_CERT_DIR") != "",
	}
	return o
}

// CloseBrowser ends a browser; nil is none.
func CloseBrowser(b *browser.Browser) error {
	if b == nil {
		return nil
	}
	return b.Close()
}
