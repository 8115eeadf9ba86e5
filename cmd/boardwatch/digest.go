package main

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"strconv"
	_ "time/tzdata" // so that everybody's time zone is known where the machine has none

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/digest"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/transport/mail"
)

func newDigestCmd(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "digest",
		Short: "Send the daily mail by hand",
		Long: `Send the daily mail by hand. A running service sends it to each person at the hour they chose.

  boardwatch digest send --account ann@example.com`,
	}
	cmd.AddCommand(newDigestSendCmd(c))
	return cmd
}

// digestView is what became of a daily mail.
type digestView struct {
	Email    string  `json:"email"`
	Sent     bool    `json:"sent"`
	Reason   *string `json:"reason"`
	Found    int     `json:"found"`
	Reopened int     `json:"reopened"`
	Closed   int     `json:"closed"`
	Updated  int     `json:"updated"`
}

func newDigestSendCmd(c *cli) *cobra.Command {
	var again bool
	cmd := c.owned(&cobra.Command{
		Use:   "send [--account EMAIL]",
		Short: "Send an account's daily mail now",
		Long: `Send an account's daily mail now, whatever its hour: {email, sent, reason, found, reopened, closed, updated}. It counts as the
mail of the day. Nothing is sent if nothing has changed since the last mail, if today's mail was already sent, if the
address is not confirmed, or if the person has switched the mail off. The reason says which of these it was.

  boardwatch digest send --account ann@example.com
  boardwatch digest send --account ann@example.com --again`,
		Args: takes(),
	}, func(cmd *cobra.Command, a *app, owner account.Account, _ []string) error {
		d, err := a.digest(a.cfg.PublicURL(a.cfg.Listen))
		if err != nil {
			return err
		}
		if d == nil {
			return fail(errors.New("no mail server is set up"), "Set mail.smtp_url, such as smtp://user:password@mail.example.com:587.")
		}
		sent, err := d.Send(cmd.Context(), owner, again)
		if err != nil {
			return fail(err, `Run "boardwatch doctor" to see whether the mail server answers.`)
		}
		return c.printDigest(owner, sent)
	})
	cmd.Flags().BoolVar(&again, "again", false, "send a mail even if one was already sent today")
	config.AddFlags(cmd.Flags(), "base_url")
	return cmd
}

func (c *cli) printDigest(owner account.Account, sent digest.Sent) error {
	return printItem(c, digestView{
		Email: owner.Email, Sent: sent.Sent, Reason: optional(sent.Reason), Found: sent.Found, Reopened: sent.Reopened,
		Closed: sent.Closed, Updated: sent.Updated,
	},
		column[digestView]{"EMAIL", func(d digestView) string { return d.Email }},
		column[digestView]{"SENT", func(d digestView) string { return strconv.FormatBool(d.Sent) }},
		column[digestView]{"REASON", func(d digestView) string { return text(d.Reason) }},
		column[digestView]{"FOUND", func(d digestView) string { return strconv.Itoa(d.Found) }},
		column[digestView]{"REOPENED", func(d digestView) string { return strconv.Itoa(d.Reopened) }},
		column[digestView]{"CLOSED", func(d digestView) string { return strconv.Itoa(d.Closed) }},
		column[digestView]{"UPDATED", func(d digestView) string { return strconv.Itoa(d.Updated) }},
	)
}

// digest writes to people; it is nil where no mail server is set up.
func (a *app) digest(base string) (*digest.Digest, error) {
	server, err := a.smtp(base)
	if err != nil || server == nil {
		return nil, err
	}
	return digest.New(a.store, server, digest.Options{
		Hour: a.cfg.Mail.DigestHour, BaseURL: base, UnsubscribeURL: base + account.UnsubscribePath, Log: a.log,
	}), nil
}

// smtp is the mail server of the settings, or nil.
func (a *app) smtp(base string) (*mail.SMTP, error) {
	if a.cfg.Mail.SMTPURL == "" {
		return nil, nil //nolint:nilnil // no mail server is a value like any other
	}
	return mailServer(a.cfg, base)
}

func mailServer(cfg config.Config, base string) (*mail.SMTP, error) {
	o := mail.Options{From: cfg.Mail.From, BaseURL: base, Password: string(cfg.Mail.Password), Unverified: !cfg.Mail.TLSVerify}
	if cfg.Mail.CAFile != "" {
		authorities, err := os.ReadFile(cfg.Mail.CAFile)
		if err != nil {
			return nil, fmt.Errorf("mail.ca_file: read %s: %w", cfg.Mail.CAFile, config.PlainReadError(err))
		}
		if o.RootCAs, err = x509.SystemCertPool(); err != nil {
			o.RootCAs = x509.NewCertPool()
		}
		if !o.RootCAs.AppendCertsFromPEM(authorities) {
			return nil, fmt.Errorf("mail.ca_file: %s contains no certificate in PEM", cfg.Mail.CAFile)
		}
	}
	server, err := mail.NewSMTP(string(cfg.Mail.SMTPURL), o)
	if err != nil {
		return nil, fmt.Errorf("mail.smtp_url: %w", err)
	}
	return server, nil
}

// startDigest sends the daily mail and notices until the context ends, in processes that do the work.
func (a *app) startDigest(ctx context.Context, group *errgroup.Group, base string) error {
	if !a.cfg.Runs("worker") {
		return nil
	}
	d, err := a.digest(base)
	if err != nil || d == nil {
		return err
	}
	group.Go(func() error { return d.Run(ctx) })
	return nil
}
