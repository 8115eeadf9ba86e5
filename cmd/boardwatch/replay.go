package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/deliver"
)

type replayOptions struct {
	webhook string
	dead    bool
	since   string
	to      string
}

func newReplayCmd(c *cli) *cobra.Command {
	var o replayOptions
	cmd := &cobra.Command{
		Use:   "replay (DELIVERY… | --webhook ID --dead | --since TIME) [--to URL]",
		Short: "Send stored deliveries again; exit 1 unless all were accepted",
		Long: `Send stored deliveries again, oldest first, with the same id and body and a new signature. Each is tried once: [{id,
type, webhookId, url, status, durationMs, error}]. The exit code is 1 unless all were accepted. A replay does not
change the log, the retries of waiting deliveries or the webhook's failures. Receivers recognise by the id what they
already have.

--webhook, --dead and --since can be combined. TIME is an instant such as 2026-11-20T09:00:00Z, a day, or a duration
before now such as 24h. --to sends to another address, which may be http://localhost, instead of the webhook's own,
signed with the webhook's secret. If the webhook's own address is http://localhost, --dev is needed.

  boardwatch replay 65f0c0ffee000000000000ff
  boardwatch replay --webhook 65f0c0ffee00000000000009 --dead
  boardwatch replay --webhook 65f0c0ffee00000000000009 --since 24h --to http://localhost:4000/hook`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return c.replay(cmd, o, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.webhook, "webhook", "", "only deliveries of the webhook with this `ID`")
	flags.BoolVar(&o.dead, "dead", false, "only dead deliveries, which are no longer retried")
	flags.StringVar(&o.since, "since", "", "only deliveries made at this `TIME` or later")
	flags.StringVar(&o.to, "to", "", "send to this `URL` instead")
	return cmd
}

// replayView is a delivery that was sent again.
type replayView struct {
	ID        string               `json:"id"`
	Type      boardwatch.EventType `json:"type"`
	WebhookID string               `json:"webhookId"`
	URL       string               `json:"url"`
	receiptView
}

func (c *cli) replay(cmd *cobra.Command, o replayOptions, ids []string) error {
	filter, err := o.filter(ids, c.Now())
	if err != nil {
		return usageError(cmd, err)
	}
	if o.to != "" {
		if err := boardwatch.CheckWebhookURL(o.to, true); err != nil {
			return usageError(cmd, settingFault("--to", err))
		}
	}
	return c.withSealedApp(cmd, func(ctx context.Context, a *app) error {
		if len(ids) == 0 {
			if ids, err = a.store.FindDeliveries(ctx, filter); err != nil {
				return err
			}
		}
		var views []replayView
		taken := true
		err := a.withSender(a.cfg.Dev || o.to != "", func(d *deliver.Dispatcher) error {
			for i, id := range ids {
				c.progress("sending %d of %d", i+1, len(ids))
				sent, err := d.Replay(ctx, id, o.to)
				if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
					return fail(fmt.Errorf("there is no stored delivery with the id %s", id), `Run "boardwatch webhook deliveries" to see those of a webhook.`)
				}
				if err != nil {
					return err
				}
				taken = taken && sent.Receipt.OK()
				views = append(views, replayView{sent.Delivery.ID, sent.Delivery.Type, sent.Delivery.WebhookID, sent.URL, viewReceipt(sent.Receipt)})
			}
			return nil
		})
		c.progress("")
		if printErr := printList(c, views, replayColumns()...); printErr != nil {
			return errors.Join(err, printErr)
		}
		if err == nil && !taken {
			return errNegative()
		}
		return err
	})
}

func replayColumns() []column[replayView] {
	return []column[replayView]{
		{"ID", func(v replayView) string { return v.ID }},
		{"TYPE", func(v replayView) string { return string(v.Type) }},
		{"STATUS", func(v replayView) string { return orText(number(v.Status), "no answer") }},
		{"TIME", func(v replayView) string { return strconv.FormatInt(v.DurationMs, 10) + " ms" }},
		{"URL", func(v replayView) string { return v.URL }},
		{"ERROR", func(v replayView) string { return text(v.Error) }},
	}
}

// filter is what the flags choose; they choose something, or the ids do, and not both.
func (o replayOptions) filter(ids []string, now time.Time) (f boardwatch.DeliveryFilter, err error) {
	byFlag := o.webhook != "" || o.dead || o.since != ""
	switch {
	case len(ids) > 0 && byFlag:
		return f, errors.New("give ids of deliveries, or --webhook, --dead and --since, not both")
	case len(ids) == 0 && !byFlag:
		return f, errors.New("give ids of deliveries, or --webhook ID --dead, or --since TIME")
	case o.webhook != "" && !boardwatch.ValidID(o.webhook):
		return f, fmt.Errorf("--webhook cannot be %q: it takes the id of a webhook, 24 hex digits in lower case", o.webhook)
	case o.webhook != "" && !o.dead && o.since == "":
		return f, errors.New("--webhook alone would send everything again: add --dead or --since TIME")
	case o.dead && o.webhook == "" && o.since == "":
		return f, errors.New("--dead alone concerns every webhook: add --webhook ID or --since TIME")
	}
	f.WebhookID = o.webhook
	if o.dead {
		f.State = boardwatch.DeliveryDead
	}
	if o.since != "" {
		f.Since, err = parseSince(o.since, now)
	}
	return f, err
}

// parseSince reads an instant, a day in UTC, or a span back from now.
func parseSince(s string, now time.Time) (time.Time, error) {
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), nil
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	return time.Time{}, fmt.Errorf("--since cannot be %q: it takes an instant such as 2026-11-20T09:00:00Z, a day, or a span such as 24h", s)
}
