package diagnosis

import (
	"errors"
	"log/slog"
	"slices"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/scraper/browser"
)

// examineBrowsers starts the browser that the settings name, or joins each of those elsewhere. As long as one answers, pages
// can be shown.
func examineBrowsers(cfg config.Config) []Finding {
	chromium := app.NewBrowser(cfg, slog.New(slog.DiscardHandler), nil)
	if chromium == nil {
		return []Finding{{"browser", OK, "not used"}}
	}
	trials := chromium.Try()
	bad := Warning
	if !slices.ContainsFunc(trials, func(t browser.Trial) bool { return t.Err == nil }) {
		bad = Fault
	}
	findings := make([]Finding, 0, len(trials)+1)
	for _, t := range trials {
		f := Finding{"browser", OK, t.What}
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
		findings = append(findings, Finding{"browser", Fault, err.Error()})
	}
	return findings
}
