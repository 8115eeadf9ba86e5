package main

import (
	"context"
	"net"
	"net/netip"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/transport/channel"
)

// webhooks registers webhooks as the settings say.
func (a *app) webhooks() *account.Webhooks {
	o := account.WebhookOptions{Options: account.Options{Plans: a.cfg.AllPlans()}, Dev: a.cfg.Dev}
	o.Lookup = a.lookup()
	return account.NewWebhooks(a.store, o)
}

// lookup finds the addresses of receivers; nil where a proxy looks names up itself.
func (a *app) lookup() func(ctx context.Context, host string) ([]netip.Addr, error) {
	if a.cfg.Webhook.Proxy != "" {
		return nil
	}
	return func(ctx context.Context, host string) ([]netip.Addr, error) {
		return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	}
}

// channels makes channels as the settings say.
func (a *app) channels() *account.Channels {
	return account.NewChannels(a.store, account.ChannelOptions{
		Dev: a.cfg.Dev, PrivateHosts: a.cfg.Channel.PrivateHosts, Lookup: a.lookup(), Shape: channel.Check, Mail: a.cfg.Mail.SMTPURL != "",
	})
}
