package service

import (
	"net/http"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/transport/mcp"
)

// grants is what people have allowed OAuth clients that reach the service at base.
func grants(a *app.App, base string) *account.Grants {
	return account.NewGrants(a.Store, account.GrantOptions{
		Resource: base + "/mcp", Access: a.Config.OAuth.AccessTTL, Refresh: a.Config.OAuth.RefreshTTL, Grace: a.Config.OAuth.RefreshGrace,
		Life: a.Config.OAuth.GrantTTL,
	})
}

// connector is the MCP door of a process that is reached at base.
func connector(a *app.App, grants *account.Grants, base string) (http.Handler, error) {
	return mcp.New(
		mcp.Services{Tokens: grants, Gate: a.Gate, Tracker: a.Lists, Feed: track.NewFeed(a.Store, nil)},
		mcp.Options{
			BaseURL: base, Origins: a.Config.MCP.AllowedOrigins, Loopback: config.OnLoopback(a.Config.Listen),
			Version: build.Version(), Log: a.Log,
		})
}
