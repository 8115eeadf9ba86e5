// Package digest has the command that sends the daily mail by hand.
package digest

import (
	"errors"
	"strconv"
	_ "time/tzdata" // so that everybody's time zone is known where the machine has none

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/digest"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
)

// Command is "boardwatch digest".
func Command(c *command.CLI) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "digest",
		Short: "Send the daily mail by hand",
		Long: `Send the daily mail by hand. A running service sends it to each person at the hour they chose.

  boardwatch digest send --account ann@example.com`,
	}
	cmd.AddCommand(newSendCmd(c))
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

func newSendCmd(c *command.CLI) *cobra.Command {
	var again bool
	cmd := c.Owned(&cobra.Command{
		Use:   "send [--account EMAIL]",
		Short: "Send an account's daily mail now",
		Long: `Send an account's daily mail now, whatever its hour: {email, sent, reason, found, reopened, closed, updated}. It counts as the
mail of the day. Nothing is sent if nothing has changed since the last mail, if today's mail was already sent, if the
address is not confirmed, or if the person has switched the mail off. The reason says which of these it was.

  boardwatch digest send --account ann@example.com
  boardwatch digest send --account ann@example.com --again`,
		Args: command.Takes(),
	}, func(cmd *cobra.Command, a *app.App, owner account.Account, _ []string) error {
		d, err := a.Digest(a.Config.PublicURL(a.Config.Listen))
		if err != nil {
			return err
		}
		if d == nil {
			return exit.Fail(errors.New("no mail server is set up"), "Set mail.smtp_url, such as smtp://user:password@mail.example.com:587.")
		}
		sent, err := d.Send(cmd.Context(), owner, again)
		if err != nil {
			return exit.Fail(err, `Run "boardwatch doctor" to see whether the mail server answers.`)
		}
		return printDigest(c, owner, sent)
	})
	cmd.Flags().BoolVar(&again, "again", false, "send a mail even if one was already sent today")
	config.AddFlags(cmd.Flags(), "base_url")
	return cmd
}

func printDigest(c *command.CLI, owner account.Account, sent digest.Sent) error {
	return command.PrintItem(c, digestView{
		Email: owner.Email, Sent: sent.Sent, Reason: command.Optional(sent.Reason), Found: sent.Found, Reopened: sent.Reopened,
		Closed: sent.Closed, Updated: sent.Updated,
	},
		command.Col("EMAIL", func(d digestView) string { return d.Email }),
		command.Col("SENT", func(d digestView) string { return strconv.FormatBool(d.Sent) }),
		command.Col("REASON", func(d digestView) string { return command.Text(d.Reason) }),
		command.Col("FOUND", func(d digestView) string { return strconv.Itoa(d.Found) }),
		command.Col("REOPENED", func(d digestView) string { return strconv.Itoa(d.Reopened) }),
		command.Col("CLOSED", func(d digestView) string { return strconv.Itoa(d.Closed) }),
		command.Col("UPDATED", func(d digestView) string { return strconv.Itoa(d.Updated) }),
	)
}
