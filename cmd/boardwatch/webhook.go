package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

func newWebhookCmd(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "webhook",
		Short: "Create, test and delete a person's webhooks",
		Long: `Create, test and delete a person's webhooks. An account has at most five, and its plan must include webhooks to create
one.

  boardwatch webhook create --account ann@example.com --url https://hooks.example.com/roles --events job.found,job.archived
  boardwatch webhook deliveries 65f0c0ffee00000000000009 --account ann@example.com`,
	}
	webhooks := webhookThings()
	cmd.AddCommand(newWebhookCreateCmd(c), webhooks.listCmd(c, "List an account's webhooks, without their secrets",
		`List an account's webhooks: {id, url, events, createdAt, failingSince, disabledAt, disabledReason, name}. failingSince
is the time of the first failure since the last success. disabledAt is the time when the webhook was switched off.`),
		webhooks.removeCmd(c, "delete", "Delete a webhook and its waiting deliveries",
			`Delete a webhook with its log and its waiting deliveries. "boardwatch webhook list" shows its id.`),
		newWebhookTestCmd(c), newWebhookDeliveriesCmd(c))
	return cmd
}

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

// newWebhook is a webhook on the one occasion on which its secret is shown.
type newWebhook struct {
	ID     string                 `json:"id"`
	URL    string                 `json:"url"`
	Events []boardwatch.EventType `json:"events"`
	Secret string                 `json:"secret"`
}

func newWebhookCreateCmd(c *cli) *cobra.Command {
	var name, address string
	var events []string
	cmd := c.sealed(&cobra.Command{
		Use:   "create [--account EMAIL] --url URL --events EVENTS",
		Short: "Create a webhook and show its secret once",
		Long: `Create a webhook: {id, url, events, secret}. The secret signs every delivery. It is shown now and never again. The
address must begin with https:// and name a public host. With --dev, http://localhost is allowed too. Events are
job.found, job.archived and board.failed.

  boardwatch webhook create --account ann@example.com --url https://hooks.example.com/roles --events job.found,board.failed`,
		Args: takes(),
	}, func(cmd *cobra.Command, a *app, owner account.Account, _ []string) error {
		hook, err := a.webhooks().Create(cmd.Context(), owner, account.WebhookForm{Name: name, URL: address, Events: trimmed(events)})
		if err != nil {
			return notMade(cmd, "webhook", localFault(err, address, a.cfg.Dev), owner)
		}
		return printItem(c, newWebhook{hook.ID, hook.URL, hook.Events, hook.Secret},
			column[newWebhook]{"ID", func(w newWebhook) string { return w.ID }},
			column[newWebhook]{"URL", func(w newWebhook) string { return w.URL }},
			column[newWebhook]{"EVENTS", func(w newWebhook) string { return joined(w.Events) }},
			column[newWebhook]{"SECRET", func(w newWebhook) string { return w.Secret }},
		)
	})
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&name, "name", "", "`NAME` that the person knows it by")
	flags.StringVar(&address, "url", "", "`URL` that deliveries are sent to")
	flags.StringSliceVar(&events, "events", nil, "`EVENTS` that are sent, separated by commas: job.found, job.archived, board.failed")
	must(cmd.MarkFlagRequired("url"))
	must(cmd.MarkFlagRequired("events"))
	return cmd
}

// localFault adds to the refusal of http://localhost what would allow it.
func localFault(err error, address string, dev bool) error {
	e, ok := errors.AsType[*boardwatch.Error](err)
	if !ok || dev || !onlyDev(func(dev bool) error { return boardwatch.CheckWebhookURL(address, dev) }) {
		return err
	}
	fields, ok := e.Details.([]boardwatch.FieldError)
	if !ok {
		return err
	}
	for i := range fields {
		if fields[i].Field == "url" {
			fields[i].Message += needsDev
		}
	}
	return boardwatch.InvalidFields(fields)
}

// webhookView is a webhook in a list. FailingSince is the first failure since the last success.
type webhookView struct {
	ID             string                 `json:"id"`
	URL            string                 `json:"url"`
	Events         []boardwatch.EventType `json:"events"`
	CreatedAt      *string                `json:"createdAt"`
	FailingSince   *string                `json:"failingSince"`
	DisabledAt     *string                `json:"disabledAt"`
	DisabledReason *string                `json:"disabledReason"`
	Name           *string                `json:"name"`
}

func webhookThings() things[webhookView] {
	return things[webhookView]{
		one: "webhook", many: "webhooks", lacks: "has no", secret: true,
		columns: []column[webhookView]{
			{"ID", func(w webhookView) string { return w.ID }},
			{"NAME", func(w webhookView) string { return text(w.Name) }},
			{"URL", func(w webhookView) string { return w.URL }},
			{"EVENTS", func(w webhookView) string { return joined(w.Events) }},
			{"STATE", webhookView.state},
		},
		list: func(ctx context.Context, a *app, owner account.Account) ([]webhookView, error) {
			hooks, err := a.webhooks().List(ctx, owner)
			views := make([]webhookView, len(hooks))
			for i, h := range hooks {
				views[i] = webhookView{
					h.ID, h.URL, h.Events, optional(stamp(h.CreatedAt)), optional(stamp(h.FailingSince)),
					optional(stamp(h.DisabledAt)), optional(h.DisabledReason), optional(h.Name),
				}
			}
			return views, err
		},
		remove: func(ctx context.Context, a *app, owner account.Account, id string) (string, error) {
			waiting, err := a.store.FindDeliveries(ctx, boardwatch.DeliveryFilter{WebhookID: id, State: boardwatch.DeliveryPending})
			if err != nil {
				return "", err
			}
			return fmt.Sprintf("; deliveries that waited for it and are dropped: %d", len(waiting)), a.webhooks().Delete(ctx, owner, id)
		},
	}
}

// state is how a webhook fares, for a person.
func (w webhookView) state() string {
	switch {
	case w.DisabledAt != nil:
		return "off since " + *w.DisabledAt + ": " + text(w.DisabledReason)
	case w.FailingSince != nil:
		return "failing since " + *w.FailingSince
	default:
		return "on"
	}
}

// deliveryView is a delivery in the log.
type deliveryView struct {
	ID            string                   `json:"id"`
	Type          boardwatch.EventType     `json:"type"`
	State         boardwatch.DeliveryState `json:"state"`
	Attempts      int                      `json:"attempts"`
	ResponseCode  *int                     `json:"responseCode"` // null: no answer, or no attempt yet
	Error         *string                  `json:"error"`
	DurationMs    *int64                   `json:"durationMs"` // of the last attempt; null: none yet
	CreatedAt     *string                  `json:"createdAt"`
	LastAttemptAt *string                  `json:"lastAttemptAt"`
	NextAttemptAt *string                  `json:"nextAttemptAt"` // null unless pending
}

func viewDelivery(d boardwatch.Delivery) deliveryView {
	v := deliveryView{
		ID: d.ID, Type: d.Type, State: d.State, Attempts: d.Attempts, ResponseCode: code(d.ResponseCode), Error: optional(d.Error),
		CreatedAt: optional(stamp(d.CreatedAt)), LastAttemptAt: optional(stamp(d.LastAttemptAt)), NextAttemptAt: optional(stamp(d.NextAttemptAt)),
	}
	if d.Attempts > 0 {
		ms := d.Duration.Milliseconds()
		v.DurationMs = &ms
	}
	return v
}

var deliveryStates = []boardwatch.DeliveryState{boardwatch.DeliveryPending, boardwatch.DeliveryDelivered, boardwatch.DeliveryDead}

// deliveriesIn are all of a webhook's deliveries that are in a state, newest first.
func (a *app) deliveriesIn(ctx context.Context, webhookID string, state boardwatch.DeliveryState) ([]boardwatch.Delivery, error) {
	ids, err := a.store.FindDeliveries(ctx, boardwatch.DeliveryFilter{WebhookID: webhookID, State: state})
	if err != nil {
		return nil, err
	}
	deliveries := make([]boardwatch.Delivery, 0, len(ids))
	for _, id := range slices.Backward(ids) {
		d, _, err := a.store.StoredDelivery(ctx, id)
		if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
			continue // dropped in between
		}
		if err != nil {
			return nil, err
		}
		deliveries = append(deliveries, d)
	}
	return deliveries, nil
}

func newWebhookDeliveriesCmd(c *cli) *cobra.Command {
	var state string
	cmd := c.sealed(&cobra.Command{
		Use:   "deliveries ID [--account EMAIL]",
		Short: "List a webhook's last twenty deliveries",
		Long: `List a webhook's last twenty deliveries, newest first: {id, type, state, attempts, responseCode, error, durationMs,
createdAt, lastAttemptAt, nextAttemptAt}. The state is pending, delivered or dead. The code, error and duration are
those of the last attempt. With --state, all deliveries in that state are listed.`,
		Args: takes("ID"),
	}, func(cmd *cobra.Command, a *app, owner account.Account, args []string) error {
		deliveries, err := a.webhooks().Deliveries(cmd.Context(), owner, args[0])
		if err != nil {
			return webhookThings().missing(err, owner, args[0])
		}
		if state != "" {
			if deliveries, err = a.deliveriesIn(cmd.Context(), args[0], boardwatch.DeliveryState(state)); err != nil {
				return err
			}
		}
		views := make([]deliveryView, len(deliveries))
		for i, d := range deliveries {
			views[i] = viewDelivery(d)
		}
		return printList(c, views,
			column[deliveryView]{"ID", func(d deliveryView) string { return d.ID }},
			column[deliveryView]{"TYPE", func(d deliveryView) string { return string(d.Type) }},
			column[deliveryView]{"STATE", func(d deliveryView) string { return string(d.State) }},
			column[deliveryView]{"TRIES", func(d deliveryView) string { return strconv.Itoa(d.Attempts) }},
			column[deliveryView]{"CODE", func(d deliveryView) string { return number(d.ResponseCode) }},
			column[deliveryView]{"CREATED", func(d deliveryView) string { return text(d.CreatedAt) }},
			column[deliveryView]{"NEXT", func(d deliveryView) string { return text(d.NextAttemptAt) }},
			column[deliveryView]{"ERROR", func(d deliveryView) string { return text(d.Error) }},
		)
	})
	cmd.Flags().StringVar(&state, "state", "", "all deliveries in this `STATE`: pending, delivered or dead")
	return after(func(*cobra.Command, []string) error {
		if state != "" && !slices.Contains(deliveryStates, boardwatch.DeliveryState(state)) {
			return fmt.Errorf("--state: %q is not one of pending, delivered, dead", state)
		}
		return nil
	}, cmd)
}

// code is a status code; nil when no answer came.
func code(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

func number(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

func joined(events []boardwatch.EventType) string {
	names := make([]string, len(events))
	for i, e := range events {
		names[i] = string(e)
	}
	return strings.Join(names, ",")
}

// trimmed are the words without blanks around them.
func trimmed(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strings.TrimSpace(w)
	}
	return out
}
