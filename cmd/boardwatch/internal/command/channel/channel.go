// Package channel has the commands for the places where people are told of changes.
package channel

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/deliver"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
)

// Command is "boardwatch channel".
func Command(c *command.CLI) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "channel",
		Short: "Tell people about changes where they are: chats, phones, mail",
		Long: `Tell people about changes by e-mail or in Slack, Discord, Teams, Mattermost, Telegram, ntfy, Gotify, Matrix or Apprise. An
account has at most ten channels.

  boardwatch channel add --account ann@example.com --kind ntfy --to https://ntfy.sh/my-secret-topic
  boardwatch channel test 65f0c0ffee00000000000009 --account ann@example.com`,
	}
	channels := things()
	cmd.AddCommand(newAddCmd(c), channels.ListCmd(c, "List an account's channels, with masked addresses",
		`List an account's channels, oldest first: {id, kind, to, searches, all, failures, state, name}. The state is on, failing (the
last message could not be sent) or off (nothing could be sent for three days, or "channel disable").`),
		newEditCmd(c), newTestCmd(c), newSwitchCmd(c, true), newSwitchCmd(c, false),
		channels.RemoveCmd(c, "remove", "Delete a channel", "Delete a channel. Messages that wait for it are dropped."))
	return cmd
}

func newAddCmd(c *command.CLI) *cobra.Command {
	var kind string
	var ch boardwatch.Channel
	cmd := c.Sealed(&cobra.Command{
		Use:   "add [--account EMAIL] --kind KIND --to ADDRESS [--search ID | --all] [--failures]",
		Short: "Add a channel",
		Long: `Add a channel: {id, kind, to, searches, all, failures, state, name}. The address is stored encrypted and shown masked. A channel
tells what saved searches find (--search), all changes of roles (--all, the default), or boards that can no longer be
read (--failures). The address depends on the kind:

  email       the account's own address; --to can be left out
  slack       https://hooks.slack.com/services/T000/B000/XXXX
  discord     https://discord.com/api/webhooks/123/TOKEN
  teams       the address that a Teams workflow shows
  mattermost  https://mattermost.example.com/hooks/KEY
  telegram    https://api.telegram.org/botTOKEN/sendMessage?chat_id=CHAT
  ntfy        https://ntfy.sh/TOPIC, with ?token=TOKEN if the topic is protected
  gotify      https://gotify.example.com/message?token=TOKEN
  matrix      https://matrix.example.com/!ROOM:example.com?token=TOKEN
  apprise     https://apprise.example.com/notify/KEY

  boardwatch channel add --account ann@example.com --kind slack --to https://hooks.slack.com/services/T000/B000/XXXX --all`,
		Args: command.Takes(),
	}, func(cmd *cobra.Command, a *app.App, owner account.Account, _ []string) error {
		ch.Kind = boardwatch.ChannelKind(kind)
		added, err := a.Channels().Create(cmd.Context(), owner, ch)
		if err != nil {
			return refused(cmd, err, a, ch.To)
		}
		return command.PrintItem(c, added, columns()...)
	})
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&kind, "kind", "", "`KIND` of place: email, slack, discord, teams, mattermost, telegram, ntfy, gotify, matrix or apprise")
	formFlags(cmd, &ch)
	command.Must(cmd.MarkFlagRequired("kind"))
	return cmd
}

// formFlags are the flags of where a channel leads, what it tells and what it is called.
func formFlags(cmd *cobra.Command, ch *boardwatch.Channel) {
	flags := cmd.Flags()
	flags.StringVar(&ch.To, "to", "", "`ADDRESS` of the place")
	flags.StringArrayVar(&ch.Searches, "search", nil, "tell what the saved search with this `ID` finds; may be repeated")
	flags.BoolVar(&ch.All, "all", false, "tell all changes of roles")
	flags.BoolVar(&ch.Failures, "failures", false, "tell when a board can no longer be read")
	flags.StringVar(&ch.Name, "name", "", "`NAME` that the person knows it by")
}

func newEditCmd(c *command.CLI) *cobra.Command {
	var form boardwatch.Channel
	cmd := c.Sealed(&cobra.Command{
		Use:   "edit [--account EMAIL] ID [--to ADDRESS] [--search ID | --all] [--failures] [--name NAME]",
		Short: "Change what a channel tells, its address or its name",
		Long: `Change a channel: {id, kind, to, searches, all, failures, state, name}. What no flag names stays as it is. --search names all
saved searches that the channel tells from then on, and takes the place of --all. With another address, what still waits is
sent there.

  boardwatch channel edit 65f0c0ffee00000000000009 --account ann@example.com --search 65f0c0ffee0000000000000a --failures
  boardwatch channel edit 65f0c0ffee00000000000009 --account ann@example.com --all=false --failures
  boardwatch channel edit 65f0c0ffee00000000000009 --account ann@example.com --to https://ntfy.sh/another-topic`,
		Args: command.Takes("ID"),
	}, func(cmd *cobra.Command, a *app.App, owner account.Account, args []string) error {
		ch, err := a.Channels().Find(cmd.Context(), owner, args[0])
		if err != nil {
			return things().Missing(err, owner, args[0])
		}
		changed, err := a.Channels().Change(cmd.Context(), owner, ch.ID, edited(cmd, ch, form))
		if err != nil {
			return refused(cmd, err, a, form.To)
		}
		return command.PrintItem(c, changed, columns()...)
	})
	cmd.Flags().SortFlags = false
	formFlags(cmd, &form)
	return cmd
}

// edited is a channel with what the flags say, and its own address only where they say one.
func edited(cmd *cobra.Command, ch, form boardwatch.Channel) boardwatch.Channel {
	ch.To = form.To
	given := cmd.Flags().Changed
	if given("name") {
		ch.Name = form.Name
	}
	if given("failures") {
		ch.Failures = form.Failures
	}
	if given("search") {
		ch.Searches, ch.All = form.Searches, false
	}
	if given("all") {
		ch.All = form.All
		if form.All && !given("search") {
			ch.Searches = nil
		}
	}
	return ch
}

// newSwitchCmd is channel enable or channel disable.
func newSwitchCmd(c *command.CLI, on bool) *cobra.Command {
	name, word := "disable", "off"
	long := `Switch a channel off: {id, kind, to, searches, all, failures, state, name}. Messages that wait for it are dropped, and what
happens while it is off is not told.`
	if on {
		name, word = "enable", "on"
		long = `Switch a channel on again: {id, kind, to, searches, all, failures, state, name}. It tells what happens from then on. One that
was switched off because nothing could be sent for three days has another three days.`
	}
	return c.Sealed(&cobra.Command{
		Use:   name + " [--account EMAIL] ID",
		Short: "Switch a channel " + word,
		Long:  long,
		Args:  command.Takes("ID"),
	}, func(cmd *cobra.Command, a *app.App, owner account.Account, args []string) error {
		ch, err := a.Channels().Switch(cmd.Context(), owner, args[0], on)
		if err != nil {
			return things().Missing(err, owner, args[0])
		}
		return command.PrintItem(c, ch, columns()...)
	})
}

// refused names what is wrong with a channel that leads to an address, by the flags that say it.
func refused(cmd *cobra.Command, err error, a *app.App, to string) error {
	return command.Refused(cmd, err, map[string]string{"channel": "", "searches": "--search"}, func(field string) string {
		if field == "to" && !a.Config.Dev && app.OnlyDev(func(dev bool) error {
			return account.CheckChannelURL(to, dev, a.Config.Channel.PrivateHosts)
		}) {
			return app.NeedsDev
		}
		return ""
	})
}

func newTestCmd(c *command.CLI) *cobra.Command {
	return c.Sealed(&cobra.Command{
		Use:   "test [--account EMAIL] ID",
		Short: "Send a test message to a channel; exit 1 unless it was accepted",
		Long: `Send one test message to a channel: {status, durationMs, error}. The status is null if there was no answer, and 200 for a
mail that the mail server took. The exit code is 1 unless the message was accepted. A test is not retried or logged.`,
		Args: command.Takes("ID"),
	}, func(cmd *cobra.Command, a *app.App, owner account.Account, args []string) error {
		ch, err := a.Channels().Find(cmd.Context(), owner, args[0])
		if err != nil {
			return things().Missing(err, owner, args[0])
		}
		return a.WithSender(a.Config.Dev, func(d *deliver.Dispatcher) error {
			receipt, err := d.PingChannel(cmd.Context(), ch)
			if err != nil {
				return err
			}
			return c.PrintReceipt(receipt)
		})
	})
}

func things() command.Things[boardwatch.Channel] {
	return command.Things[boardwatch.Channel]{
		One: "channel", Many: "channels", Lacks: "has no", Secret: true, Columns: columns(),
		List: func(ctx context.Context, a *app.App, owner account.Account) ([]boardwatch.Channel, error) {
			return a.Channels().List(ctx, owner)
		},
		Remove: func(ctx context.Context, a *app.App, owner account.Account, id string) (string, error) {
			return "", a.Channels().Delete(ctx, owner, id)
		},
	}
}

func columns() []command.Column[boardwatch.Channel] {
	return []command.Column[boardwatch.Channel]{
		command.Col("ID", func(ch boardwatch.Channel) string { return ch.ID }),
		command.Col("KIND", func(ch boardwatch.Channel) string { return string(ch.Kind) }),
		command.Col("TO", func(ch boardwatch.Channel) string { return ch.Shown }),
		command.Col("SEARCHES", func(ch boardwatch.Channel) string { return strings.Join(ch.Searches, ", ") }),
		command.Col("ALL", func(ch boardwatch.Channel) string { return strconv.FormatBool(ch.All) }),
		command.Col("FAILURES", func(ch boardwatch.Channel) string { return strconv.FormatBool(ch.Failures) }),
		command.Col("STATE", func(ch boardwatch.Channel) string { return string(ch.State()) }),
		command.Col("NAME", func(ch boardwatch.Channel) string { return ch.Name }),
	}
}
