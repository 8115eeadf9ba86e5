package main

import (
	"context"
	"net/url"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/deliver"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/transport/channel"
	"github.com/boardwatch/boardwatch/transport/webhook"
)

// sender makes attempts as the settings say.
type sender struct {
	webhooks *webhook.Sender
	channels *channel.Sender
	local    bool     // this machine may be the receiver
	private  []string // hosts of the operator's own that channels may use
}

// newSender returns a sender for the service at that address. With local, this machine may be the receiver.
func (a *app) newSender(base string, local bool) (sender, error) {
	o := senderOptions(a.cfg, local)
	told := channel.Options{
		BaseURL: base, PrivateHosts: a.cfg.Channel.PrivateHosts, HeaderPrefix: o.HeaderPrefix, Version: o.Version, Timeout: o.Timeout,
		Local: o.Local, Proxy: o.Proxy,
	}
	switch server, err := a.smtp(base); {
	case err != nil:
		return sender{}, err
	case server != nil:
		told.Mailer = server
	}
	return sender{webhook.New(o), channel.New(told), local, a.cfg.Channel.PrivateHosts}, nil
}

// CloseIdleConnections ends the connections that no attempt uses.
func (s sender) CloseIdleConnections() {
	s.webhooks.CloseIdleConnections()
	s.channels.CloseIdleConnections()
}

// Deliver makes one attempt. The receipt says what to do about a receiver that was registered with --dev, and is not sent to
// without.
func (s sender) Deliver(ctx context.Context, w boardwatch.Webhook, d boardwatch.Delivery) boardwatch.Receipt {
	var by boardwatch.Deliverer = s.webhooks
	if w.Channel != "" {
		by = s.channels
	}
	r := by.Deliver(ctx, w, d)
	if !s.local && onlyDev(func(dev bool) error {
		if w.Channel != "" {
			return account.CheckChannelURL(w.Secret, dev, s.private)
		}
		return boardwatch.CheckWebhookURL(w.URL, dev)
	}) {
		r.Error += needsDev
	}
	return r
}

func senderOptions(cfg config.Config, local bool) webhook.Options {
	o := webhook.Options{
		HeaderPrefix: cfg.Webhook.HeaderPrefix, Version: programVersion(), Timeout: cfg.Webhook.Timeout, Local: local,
	}
	if proxy, err := url.Parse(string(cfg.Webhook.Proxy)); err == nil && cfg.Webhook.Proxy != "" {
		o.Proxy = proxy
	}
	return o
}

// withSender lends out a dispatcher that is not running, for a ping or a replay. With local, this machine may be the
// receiver.
func (a *app) withSender(local bool, work func(d *deliver.Dispatcher) error) error {
	sender, err := a.newSender(a.cfg.PublicURL(a.cfg.Listen), local)
	if err != nil {
		return err
	}
	defer sender.CloseIdleConnections()
	return work(deliver.New(a.store, sender, deliver.Options{Rules: a.cfg.Rules(), Log: a.log}))
}

// needsDev follows the reason why http://localhost is refused.
const needsDev = "; http://localhost needs --dev"

// onlyDev reports whether an address is refused that --dev would allow.
func onlyDev(check func(dev bool) error) bool { return check(false) != nil && check(true) == nil }

// receiptView is what one attempt met.
type receiptView struct {
	Status     *int    `json:"status"` // null: no answer
	DurationMs int64   `json:"durationMs"`
	Error      *string `json:"error"`
}

func viewReceipt(r boardwatch.Receipt) receiptView {
	return receiptView{code(r.Code), r.Duration.Milliseconds(), optional(r.Error)}
}

func newWebhookTestCmd(c *cli) *cobra.Command {
	return c.sealed(&cobra.Command{
		Use:   "test [--account EMAIL] ID",
		Short: "Send a ping to a webhook; exit 1 unless it was accepted",
		Long: `Send one ping to a webhook: {status, durationMs, error}. The status is null if there was no answer. The exit code is 1
unless the status is 2xx. A ping is not retried or logged, and it does not count as a success or failure of the webhook.`,
		Args: takes("ID"),
	}, func(cmd *cobra.Command, a *app, owner account.Account, args []string) error {
		return a.withSender(a.cfg.Dev, func(d *deliver.Dispatcher) error {
			receipt, err := d.Ping(cmd.Context(), owner.ID, args[0])
			if err != nil {
				return webhookThings().missing(err, owner, args[0])
			}
			return c.printReceipt(receipt)
		})
	})
}

// printReceipt prints what an attempt met. An attempt that was not taken is a negative answer.
func (c *cli) printReceipt(r boardwatch.Receipt) error {
	err := printItem(c, viewReceipt(r),
		column[receiptView]{"STATUS", func(v receiptView) string { return orText(number(v.Status), "no answer") }},
		column[receiptView]{"TIME", func(v receiptView) string { return strconv.FormatInt(v.DurationMs, 10) + " ms" }},
		column[receiptView]{"ERROR", func(v receiptView) string { return text(v.Error) }},
	)
	if err == nil && !r.OK() {
		return errNegative()
	}
	return err
}
