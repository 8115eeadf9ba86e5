package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport/webhook"
)

type triggerOptions struct {
	to                 string
	secret, secretFile string
	id                 string
	at                 int64
}

func newTriggerCmd(c *cli) *cobra.Command {
	var o triggerOptions
	cmd := &cobra.Command{
		Use:   "trigger EVENT --to URL (--secret S|--secret-file F) [--id ID] [--at UNIX]",
		Short: "Send a sample event to a receiver; exit 1 unless it was accepted",
		Long: `Send a signed sample event to a receiver that you are writing: {status, durationMs, error}. EVENT is job.found,
job.archived, board.failed or ping. The command does not use the database. The receiver's address must be https, or
http://localhost. Use the same --id twice to test how the receiver handles a repeat, and an --at more than five
minutes ago to test how it handles an old signature.

  boardwatch trigger job.found --to http://localhost:4000/hook --secret whsec_test
  boardwatch trigger job.found --to http://localhost:4000/hook --secret whsec_test --id 65f0c0ffee000000000000ff --at 1763629924
  boardwatch trigger board.failed --to https://hooks.example.com/roles --secret-file hook.secret`,
		Args: takes("EVENT"),
		RunE: func(cmd *cobra.Command, args []string) error { return c.trigger(cmd, o, boardwatch.EventType(args[0])) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.to, "to", "", "`URL` of the receiver")
	secretFlags(cmd, &o.secret, &o.secretFile)
	flags.StringVar(&o.id, "id", "", "`ID` of the delivery, 24 hex digits (default: a new one)")
	flags.Int64Var(&o.at, "at", 0, "sign with this `UNIX` time instead of now")
	must(cmd.MarkFlagRequired("to"))
	return cmd
}

// secretFlags are the two ways to give a signing secret.
func secretFlags(cmd *cobra.Command, secret, file *string) {
	cmd.Flags().StringVar(secret, "secret", "", "the webhook's signing `SECRET`; other users of this machine may see it, so --secret-file is safer")
	cmd.Flags().StringVar(file, "secret-file", "", "`FILE` that holds the secret")
}

// checkSecretFlags demands exactly one of the two.
func checkSecretFlags(cmd *cobra.Command, secret string) error {
	flags := cmd.Flags()
	switch {
	case flags.Changed("secret") == flags.Changed("secret-file"):
		return errors.New("give the secret once, with --secret or --secret-file")
	case flags.Changed("secret") && secret == "":
		return errors.New("the secret is empty")
	default:
		return nil
	}
}

func (c *cli) trigger(cmd *cobra.Command, o triggerOptions, event boardwatch.EventType) error {
	if err := o.check(cmd, event); err != nil {
		return usageError(cmd, err)
	}
	secret, err := verifyOptions{secret: o.secret, secretFile: o.secretFile}.readSecret()
	if err != nil {
		return err
	}
	cfg, err := c.config(cmd)
	if err != nil {
		return err
	}
	options := senderOptions(cfg, true)
	if cmd.Flags().Changed("at") {
		options.Now = func() time.Time { return time.Unix(o.at, 0) }
	}
	sender := webhook.New(options)
	defer sender.CloseIdleConnections()
	delivery := sample(event, cmp.Or(o.id, boardwatch.NewID()), c.Now())
	return c.printReceipt(sender.Deliver(cmd.Context(), boardwatch.Webhook{URL: o.to, Secret: string(secret)}, delivery))
}

func (o triggerOptions) check(cmd *cobra.Command, event boardwatch.EventType) error {
	if known := append(boardwatch.EventTypes(), boardwatch.EventPing); !slices.Contains(known, event) {
		return fmt.Errorf("%q is not one of %s", event, joined(known))
	}
	if err := checkSecretFlags(cmd, o.secret); err != nil {
		return err
	}
	if err := boardwatch.CheckWebhookURL(o.to, true); err != nil {
		return settingFault("--to", err)
	}
	switch {
	case cmd.Flags().Changed("id") && !boardwatch.ValidID(o.id):
		return fmt.Errorf("--id cannot be %q: it takes 24 hex digits in lower case", o.id)
	case o.at < 0:
		return errors.New("--at must not be negative")
	default:
		return nil
	}
}

// sample is an event about an invented company, as the service would send it.
func sample(event boardwatch.EventType, id string, now time.Time) boardwatch.Delivery {
	now = boardwatch.Milli(now)
	board := boardwatch.Board{ID: boardwatch.NewID(), Domain: "northwind.example", URL: "https://northwind.example/careers"}
	job := boardwatch.Job{
		ID: boardwatch.NewID(), BoardID: board.ID, Title: "Kiln Engineer", Location: "Turku, Finland", Department: "Glass",
		URL: "https://northwind.example/careers/kiln-engineer", Status: boardwatch.JobOpen, FirstSeenAt: now, LastSeenAt: now,
	}
	const company = "Northwind Labs"
	var p boardwatch.Payload
	switch event {
	case boardwatch.EventJobArchived:
		job.Status, job.FirstSeenAt, job.LastSeenAt, job.ClosedAt = boardwatch.JobClosed, now.AddDate(0, -1, 0), now.Add(-3*time.Hour), now
		p = boardwatch.JobsPayload("", event, board, company, []boardwatch.Job{job}, now)
	case boardwatch.EventBoardFailed:
		p = boardwatch.FailedPayload("", board, company, "the page answered 503 Service Unavailable", now)
	case boardwatch.EventPing:
		p = boardwatch.PingPayload("", boardwatch.Webhook{ID: boardwatch.NewID(), Events: boardwatch.EventTypes()}, now)
	default:
		p = boardwatch.JobsPayload("", event, board, company, []boardwatch.Job{job}, now)
	}
	d := boardwatch.Delivery{ID: id, Type: event, CreatedAt: now}
	d.Body = p.Body(d.ID)
	return d
}
