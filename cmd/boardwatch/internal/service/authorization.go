package service

import (
	"log/slog"
	"net/http"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/transport/oauth"
)

// authorization is the authorization server of a process that is reached at base; nil where tokens could be read on their
// way.
func authorization(a *app.App, grants *account.Grants, pages oauth.Pages, base string) (http.Handler, error) {
	if !oauth.Safe(base) && !a.Config.OAuth.AllowHTTP {
		a.Log.Warn("programs cannot be connected over MCP: the base URL is not https", slog.String("base_url", base))
		return nil, nil //nolint:nilnil // no authorization server is a value like any other
	}
	return oauth.New(grants, pages, oauth.Options{
		BaseURL: base, Schemes: a.Config.OAuth.RedirectSchemes, Log: a.Log,
		Documents: oauth.NewDocuments(oauth.DocumentOptions{Loopback: ownAlone(a.Config.Listen, base), Version: build.Version()}),
	})
}

// ownAlone reports whether a service is this machine's alone: one that listens there may still be everybody's, by way of
// a proxy.
func ownAlone(listen, base string) bool {
	u, err := url.Parse(base)
	return err == nil && config.OnLoopback(listen) && boardwatch.IsLocalhost(u.Hostname())
}
