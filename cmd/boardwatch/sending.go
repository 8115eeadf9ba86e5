package main

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/deliver"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/transport/webhook"
)

// sender makes attempts as the settings say.
type sender struct {
	*webhook.Sender

	dev bool
}

// newSender returns a sender. With local, this machine may be the receiver.
func newSender(cfg config.Config, local bool) sender {
	return sender{webhook.New(senderOptions(cfg, local)), cfg.Dev}
}

// Deliver makes one attempt. The receipt says what to do about a webhook that was registered with --dev, and is not sent to
// without.
func (s sender) Deliver(ctx context.Context, w boardwatch.Webhook, d boardwatch.Delivery) boardwatch.Receipt {
	r := s.Sender.Deliver(ctx, w, d)
	if r.Code == 0 && !s.dev {
		r.Error = needsDev(r.Error)
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
	sender := newSender(a.cfg, local)
	defer sender.CloseIdleConnections()
	return work(deliver.New(a.store, sender, deliver.Options{Rules: a.cfg.Rules(), Log: a.log}))
}

// needsDev adds to the reason why http://localhost is refused what would allow it.
func needsDev(reason string) string {
	const refused = "must begin with https://"
	return strings.Replace(reason, refused, refused+"; http://localhost needs --dev", 1)
}

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
	var email string
	cmd := &cobra.Command{
		Use:   "test ID --account EMAIL",
		Short: "Send a ping to a webhook; exit 1 unless it was accepted",
		Long: `Send one ping to a webhook: {status, durationMs, error}. The status is null if there was no answer. The exit code is 1
unless the status is 2xx. A ping is not retried or logged, and it does not count as a success or failure of the webhook.`,
		Args: takes("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withHookOwner(cmd, email, func(ctx context.Context, a *app, owner boardwatch.Account) error {
				return a.withSender(a.cfg.Dev, func(d *deliver.Dispatcher) error {
					receipt, err := d.Ping(ctx, owner.ID, args[0])
					if err != nil {
						return noHook(err, owner, args[0])
					}
					return c.printReceipt(receipt)
				})
			})
		},
	}
	accountFlag(cmd, &email)
	return cmd
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
