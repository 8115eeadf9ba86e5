package main

import (
	"net/http"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/transport/mcp"
)

// grants is what people have allowed OAuth clients that reach the service at base.
func (a *app) grants(base string) *account.Grants {
	return account.NewGrants(a.store, account.GrantOptions{
		Resource: base + "/mcp", Access: a.cfg.OAuth.AccessTTL, Refresh: a.cfg.OAuth.RefreshTTL, Grace: a.cfg.OAuth.RefreshGrace,
		Life: a.cfg.OAuth.GrantTTL,
	})
}

// connector is the MCP door of a process that is reached at base.
func (a *app) connector(grants *account.Grants, base string) (http.Handler, error) {
	return mcp.New(
		mcp.Services{Tokens: grants, Gate: a.gate, Tracker: a.lists, Feed: track.NewFeed(a.store, nil)},
		mcp.Options{
			BaseURL: base, Origins: a.cfg.MCP.AllowedOrigins, Loopback: config.OnLoopback(a.cfg.Listen),
			Version: build.Version(), Log: a.log,
		})
}
