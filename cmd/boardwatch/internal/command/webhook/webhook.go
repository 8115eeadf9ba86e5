// Package webhook has the commands for webhooks and for sending their deliveries again.
package webhook

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/deliver"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
)

// Command is "boardwatch webhook".
func Command(c *command.CLI) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "webhook",
		Short: "Create, test and delete a person's webhooks",
		Long: `Create, test and delete a person's webhooks. An account has at most five, and its plan must include webhooks to create
one.

  boardwatch webhook create --account ann@example.com --url https://hooks.example.com/roles --events job.found,job.archived
  boardwatch webhook deliveries 65f0c0ffee00000000000009 --account ann@example.com`,
	}
	webhooks := things()
	cmd.AddCommand(newCreateCmd(c), webhooks.ListCmd(c, "List an account's webhooks, without their secrets",
		`List an account's webhooks: {id, url, events, createdAt, failingSince, disabledAt, disabledReason, name}. failingSince
is the time of the first failure since the last success. disabledAt is the time when the webhook was switched off.`),
		webhooks.RemoveCmd(c, "delete", "Delete a webhook and its waiting deliveries",
			`Delete a webhook with its log and its waiting deliveries. "boardwatch webhook list" shows its id.`),
		newTestCmd(c), newDeliveriesCmd(c))
	return cmd
}

// newWebhook is a webhook on the one occasion on which its secret is shown.
type newWebhook struct {
	ID     string                 `json:"id"`
	URL    string                 `json:"url"`
	Events []boardwatch.EventType `json:"events"`
	Secret string                 `json:"secret"`
}

// createOptions are the webhook that the flags of "webhook create" describe.
type createOptions struct {
	account.WebhookForm

	c *command.CLI
}

func newCreateCmd(c *command.CLI) *cobra.Command {
	o := createOptions{c: c}
	cmd := c.Sealed(&cobra.Command{
		Use:   "create [--account EMAIL] --url URL --events EVENTS",
		Short: "Create a webhook and show its secret once",
		Long: `Create a webhook: {id, url, events, secret}. The secret signs every delivery. It is shown now and never again. The
address must begin with https:// and name a public host. With --dev, http://localhost is allowed too. Events are
job.found, job.archived and board.failed.

  boardwatch webhook create --account ann@example.com --url https://hooks.example.com/roles --events job.found,board.failed`,
		Args: command.Takes(),
	}, o.run)
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.Name, "name", "", "`NAME` that the person knows it by")
	flags.StringVar(&o.URL, "url", "", "`URL` that deliveries are sent to")
	flags.StringSliceVar(&o.Events, "events", nil, "`EVENTS` that are sent, separated by commas: job.found, job.archived, board.failed")
	command.Must(cmd.MarkFlagRequired("url"))
	command.Must(cmd.MarkFlagRequired("events"))
	return cmd
}

// run makes the webhook.
func (o *createOptions) run(cmd *cobra.Command, a *app.App, owner account.Account, _ []string) error {
	o.Events = trimmed(o.Events)
	hook, err := a.Webhooks().Create(cmd.Context(), owner, o.WebhookForm)
	if err != nil {
		return command.NotMade(cmd, "webhook", localFault(err, o.URL, a.Config.Dev), owner)
	}
	return command.PrintItem(o.c, newWebhook{hook.ID, hook.URL, hook.Events, hook.Secret},
		command.Col("ID", func(w newWebhook) string { return w.ID }),
		command.Col("URL", func(w newWebhook) string { return w.URL }),
		command.Col("EVENTS", func(w newWebhook) string { return command.Joined(w.Events, ",") }),
		command.Col("SECRET", func(w newWebhook) string { return w.Secret }),
	)
}

// localFault adds to the refusal of http://localhost what would allow it.
func localFault(err error, address string, dev bool) error {
	e, ok := errors.AsType[*boardwatch.Error](err)
	if !ok || dev || !app.OnlyDev(func(dev bool) error { return boardwatch.CheckWebhookURL(address, dev) }) {
		return err
	}
	fields, ok := e.Details.([]boardwatch.FieldError)
	if !ok {
		return err
	}
	for i := range fields {
		if fields[i].Field == "url" {
			fields[i].Message += app.NeedsDev
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

func things() command.Things[webhookView] {
	return command.Things[webhookView]{
		One: "webhook", Many: "webhooks", Lacks: "has no", Secret: true,
		Columns: []command.Column[webhookView]{
			command.Col("ID", func(w webhookView) string { return w.ID }),
			command.Col("NAME", func(w webhookView) string { return command.Text(w.Name) }),
			command.Col("URL", func(w webhookView) string { return w.URL }),
			command.Col("EVENTS", func(w webhookView) string { return command.Joined(w.Events, ",") }),
			command.Col("STATE", webhookView.state),
		},
		List: func(ctx context.Context, a *app.App, owner account.Account) ([]webhookView, error) {
			hooks, err := a.Webhooks().List(ctx, owner)
			views := make([]webhookView, len(hooks))
			for i, h := range hooks {
				views[i] = webhookView{
					h.ID, h.URL, h.Events, command.Optional(command.Stamp(h.CreatedAt)), command.Optional(command.Stamp(h.FailingSince)),
					command.Optional(command.Stamp(h.DisabledAt)), command.Optional(h.DisabledReason), command.Optional(h.Name),
				}
			}
			return views, err
		},
		Remove: func(ctx context.Context, a *app.App, owner account.Account, id string) (string, error) {
			waiting, err := a.Store.FindDeliveries(ctx, boardwatch.DeliveryFilter{WebhookID: id, State: boardwatch.DeliveryPending})
			if err != nil {
				return "", err
			}
			return fmt.Sprintf("; deliveries that waited for it and are dropped: %d", len(waiting)), a.Webhooks().Delete(ctx, owner, id)
		},
	}
}

// state is how a webhook fares, for a person.
func (w webhookView) state() string {
	switch {
	case w.DisabledAt != nil:
		return "off since " + *w.DisabledAt + ": " + command.Text(w.DisabledReason)
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
		ID: d.ID, Type: d.Type, State: d.State, Attempts: d.Attempts, ResponseCode: command.Optional(d.ResponseCode), Error: command.Optional(d.Error),
		CreatedAt: command.Optional(command.Stamp(d.CreatedAt)), LastAttemptAt: command.Optional(command.Stamp(d.LastAttemptAt)), NextAttemptAt: command.Optional(command.Stamp(d.NextAttemptAt)),
	}
	if d.Attempts > 0 {
		ms := d.Duration.Milliseconds()
		v.DurationMs = &ms
	}
	return v
}

var deliveryStates = []boardwatch.DeliveryState{boardwatch.DeliveryPending, boardwatch.DeliveryDelivered, boardwatch.DeliveryDead}

// deliveriesIn are all of a webhook's deliveries that are in a state, newest first.
func deliveriesIn(ctx context.Context, a *app.App, webhookID string, state boardwatch.DeliveryState) ([]boardwatch.Delivery, error) {
	ids, err := a.Store.FindDeliveries(ctx, boardwatch.DeliveryFilter{WebhookID: webhookID, State: state})
	if err != nil {
		return nil, err
	}
	deliveries := make([]boardwatch.Delivery, 0, len(ids))
	for _, id := range slices.Backward(ids) {
		d, _, err := a.Store.StoredDelivery(ctx, id)
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

func newDeliveriesCmd(c *command.CLI) *cobra.Command {
	var state string
	cmd := c.Sealed(&cobra.Command{
		Use:   "deliveries ID [--account EMAIL]",
		Short: "List a webhook's last twenty deliveries",
		Long: `List a webhook's last twenty deliveries, newest first: {id, type, state, attempts, responseCode, error, durationMs,
createdAt, lastAttemptAt, nextAttemptAt}. The state is pending, delivered or dead. The code, error and duration are
those of the last attempt. With --state, all deliveries in that state are listed.`,
		Args: command.Takes("ID"),
	}, func(cmd *cobra.Command, a *app.App, owner account.Account, args []string) error {
		deliveries, err := a.Webhooks().Deliveries(cmd.Context(), owner, args[0])
		if err != nil {
			return things().Missing(err, owner, args[0])
		}
		if state != "" {
			if deliveries, err = deliveriesIn(cmd.Context(), a, args[0], boardwatch.DeliveryState(state)); err != nil {
				return err
			}
		}
		views := make([]deliveryView, len(deliveries))
		for i, d := range deliveries {
			views[i] = viewDelivery(d)
		}
		return command.PrintList(c, views,
			command.Col("ID", func(d deliveryView) string { return d.ID }),
			command.Col("TYPE", func(d deliveryView) string { return string(d.Type) }),
			command.Col("STATE", func(d deliveryView) string { return string(d.State) }),
			command.Col("TRIES", func(d deliveryView) string { return strconv.Itoa(d.Attempts) }),
			command.Col("CODE", func(d deliveryView) string { return command.Text(d.ResponseCode) }),
			command.Col("CREATED", func(d deliveryView) string { return command.Text(d.CreatedAt) }),
			command.Col("NEXT", func(d deliveryView) string { return command.Text(d.NextAttemptAt) }),
			command.Col("ERROR", func(d deliveryView) string { return command.Text(d.Error) }),
		)
	})
	cmd.Flags().StringVar(&state, "state", "", "all deliveries in this `STATE`: pending, delivered or dead")
	return command.After(func(*cobra.Command, []string) error {
		if state != "" && !slices.Contains(deliveryStates, boardwatch.DeliveryState(state)) {
			return fmt.Errorf("--state: %q is not one of pending, delivered, dead", state)
		}
		return nil
	}, cmd)
}

// trimmed are the words without blanks around them.
func trimmed(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strings.TrimSpace(w)
	}
	return out
}

func newTestCmd(c *command.CLI) *cobra.Command {
	return c.Sealed(&cobra.Command{
		Use:   "test [--account EMAIL] ID",
		Short: "Send a ping to a webhook; exit 1 unless it was accepted",
		Long: `Send one ping to a webhook: {status, durationMs, error}. The status is null if there was no answer. The exit code is 1
unless the status is 2xx. A ping is not retried or logged, and it does not count as a success or failure of the webhook.`,
		Args: command.Takes("ID"),
	}, func(cmd *cobra.Command, a *app.App, owner account.Account, args []string) error {
		return a.WithSender(a.Config.Dev, func(d *deliver.Dispatcher) error {
			receipt, err := d.Ping(cmd.Context(), owner.ID, args[0])
			if err != nil {
				return things().Missing(err, owner, args[0])
			}
			return c.PrintReceipt(receipt)
		})
	})
}
