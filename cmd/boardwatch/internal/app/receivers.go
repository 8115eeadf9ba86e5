package app

import (
	"context"
	"net"
	"net/netip"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/transport/channel"
)

// Webhooks registers webhooks as the settings say.
func (a *App) Webhooks() *account.Webhooks {
	o := account.WebhookOptions{Options: account.Options{Plans: a.Config.AllPlans()}, Dev: a.Config.Dev}
	o.Lookup = a.lookup()
	return account.NewWebhooks(a.Store, o)
}

// lookup finds the addresses of receivers; nil where a proxy looks names up itself.
func (a *App) lookup() func(ctx context.Context, host string) ([]netip.Addr, error) {
	if a.Config.Webhook.Proxy != "" {
		return nil
	}
	return func(ctx context.Context, host string) ([]netip.Addr, error) {
		return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	}
}

// Channels makes channels as the settings say.
func (a *App) Channels() *account.Channels {
	return account.NewChannels(a.Store, account.ChannelOptions{
		Dev: a.Config.Dev, PrivateHosts: a.Config.Channel.PrivateHosts, Lookup: a.lookup(), Shape: channel.Check, Mail: a.Config.Mail.SMTPURL != "",
	})
}
