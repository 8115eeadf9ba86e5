package main

import (
	"net"
	"net/http"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
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
			BaseURL: base, Origins: a.cfg.MCP.AllowedOrigins, Loopback: onLoopback(a.cfg.Listen),
			Version: programVersion(), Log: a.log,
		})
}

// onLoopback reports whether nobody but this machine reaches the address.
func onLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return err == nil && boardwatch.IsLocalhost(host)
}
