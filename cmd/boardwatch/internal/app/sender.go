package app

import (
	"context"
	"net"
	"net/netip"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/deliver"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/transport/channel"
	"github.com/boardwatch/boardwatch/transport/webhook"
)

// Sender makes attempts as the settings say.
type Sender struct {
	Webhooks *webhook.Sender
	channels *channel.Sender
	local    bool     // this machine may be the receiver
	private  []string // hosts of the operator's own that channels may use
}

// NewSender returns a sender for the service at that address. With local, this machine may be the receiver.
func (a *App) NewSender(base string, local bool) (Sender, error) {
	o := SenderOptions(a.Config, local)
	told := channel.Options{
		BaseURL: base, PrivateHosts: a.Config.Channel.PrivateHosts, HeaderPrefix: o.HeaderPrefix, Version: o.Version, Timeout: o.Timeout,
		Local: o.Local, Proxy: o.Proxy,
	}
	switch server, err := a.SMTP(base); {
	case err != nil:
		return Sender{}, err
	case server != nil:
		told.Mailer = server
	}
	return Sender{webhook.New(o), channel.New(told), local, a.Config.Channel.PrivateHosts}, nil
}

// CloseIdleConnections ends the connections that no attempt uses.
func (s Sender) CloseIdleConnections() {
	s.Webhooks.CloseIdleConnections()
	s.channels.CloseIdleConnections()
}

// Deliver makes one attempt. The receipt says what to do about a receiver that was registered with --dev, and is not sent to
// without.
func (s Sender) Deliver(ctx context.Context, w boardwatch.Webhook, d boardwatch.Delivery) boardwatch.Receipt {
	var by boardwatch.Deliverer = s.Webhooks
	if w.Channel != "" {
		by = s.channels
	}
	r := by.Deliver(ctx, w, d)
	if !s.local && OnlyDev(func(dev bool) error {
		if w.Channel != "" {
			return account.CheckChannelURL(w.Secret, dev, s.private)
		}
		return boardwatch.CheckWebhookURL(w.URL, dev)
	}) {
		r.Error += NeedsDev
	}
	return r
}

// SenderOptions are the settings in the words of the sender of webhooks. With local, this machine may be the receiver.
func SenderOptions(cfg config.Config, local bool) webhook.Options {
	o := webhook.Options{
		HeaderPrefix: cfg.Webhook.HeaderPrefix, Version: build.Version(), Timeout: cfg.Webhook.Timeout, Local: local,
	}
	if proxy, err := url.Parse(string(cfg.Webhook.Proxy)); err == nil && cfg.Webhook.Proxy != "" {
		o.Proxy = proxy
	}
	return o
}

// WithSender lends out a dispatcher that is not running, for a ping or a replay. With local, this machine may be the
// receiver.
func (a *App) WithSender(local bool, work func(d *deliver.Dispatcher) error) error {
	sender, err := a.NewSender(a.Config.PublicURL(a.Config.Listen), local)
	if err != nil {
		return err
	}
	defer sender.CloseIdleConnections()
	return work(deliver.New(a.Store, sender, deliver.Options{Rules: a.Config.Rules(), Log: a.Log}))
}

// NeedsDev follows the reason why http://localhost is refused.
const NeedsDev = "; http://localhost needs --dev"

// OnlyDev reports whether an address is refused that --dev would allow.
func OnlyDev(check func(dev bool) error) bool { return check(false) != nil && check(true) == nil }

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
