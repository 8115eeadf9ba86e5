package main

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/deliver"
	"github.com/boardwatch/boardwatch/transport/channel"
)

func newChannelCmd(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "channel",
		Short: "Tell people about changes where they are: chats, phones, mail",
		Long: `Tell people about changes by e-mail or in Slack, Discord, Teams, Mattermost, Telegram, ntfy, Gotify, Matrix or Apprise. An
account has at most ten channels.

  boardwatch channel add --account ann@example.com --kind ntfy --to https://ntfy.sh/my-secret-topic
  boardwatch channel test 65f0c0ffee00000000000009 --account ann@example.com`,
	}
	channels := channelThings()
	cmd.AddCommand(newChannelAddCmd(c), channels.listCmd(c, "List an account's channels, with masked addresses",
		`List an account's channels, oldest first: {id, kind, to, searches, all, failures, state, name}. The state is on, failing (the
last message could not be sent) or off (nothing could be sent for three days, or "channel disable").`),
		newChannelEditCmd(c), newChannelTestCmd(c), newChannelSwitchCmd(c, true), newChannelSwitchCmd(c, false),
		channels.removeCmd(c, "remove", "Delete a channel", "Delete a channel. Messages that wait for it are dropped."))
	return cmd
}

// channels makes channels as the settings say.
func (a *app) channels() *account.Channels {
	return account.NewChannels(a.store, account.ChannelOptions{
		Dev: a.cfg.Dev, PrivateHosts: a.cfg.Channel.PrivateHosts, Lookup: a.lookup(), Shape: channel.Check, Mail: a.cfg.Mail.SMTPURL != "",
	})
}

func newChannelAddCmd(c *cli) *cobra.Command {
	var kind string
	var ch boardwatch.Channel
	cmd := c.sealed(&cobra.Command{
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
		Args: takes(),
	}, func(cmd *cobra.Command, a *app, owner account.Account, _ []string) error {
		ch.Kind = boardwatch.ChannelKind(kind)
		added, err := a.channels().Create(cmd.Context(), owner, ch)
		if err != nil {
			return channelRefused(cmd, err, a, ch.To)
		}
		return printItem(c, added, channelColumns()...)
	})
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&kind, "kind", "", "`KIND` of place: email, slack, discord, teams, mattermost, telegram, ntfy, gotify, matrix or apprise")
	channelFlags(cmd, &ch)
	must(cmd.MarkFlagRequired("kind"))
	return cmd
}

// channelFlags are the flags of where a channel leads, what it tells and what it is called.
func channelFlags(cmd *cobra.Command, ch *boardwatch.Channel) {
	flags := cmd.Flags()
	flags.StringVar(&ch.To, "to", "", "`ADDRESS` of the place")
	flags.StringArrayVar(&ch.Searches, "search", nil, "tell what the saved search with this `ID` finds; may be repeated")
	flags.BoolVar(&ch.All, "all", false, "tell all changes of roles")
	flags.BoolVar(&ch.Failures, "failures", false, "tell when a board can no longer be read")
	flags.StringVar(&ch.Name, "name", "", "`NAME` that the person knows it by")
}

func newChannelEditCmd(c *cli) *cobra.Command {
	var form boardwatch.Channel
	cmd := c.sealed(&cobra.Command{
		Use:   "edit [--account EMAIL] ID [--to ADDRESS] [--search ID | --all] [--failures] [--name NAME]",
		Short: "Change what a channel tells, its address or its name",
		Long: `Change a channel: {id, kind, to, searches, all, failures, state, name}. What no flag names stays as it is. --search names all
saved searches that the channel tells from then on, and takes the place of --all. With another address, what still waits is
sent there.

  boardwatch channel edit 65f0c0ffee00000000000009 --account ann@example.com --search 65f0c0ffee0000000000000a --failures
  boardwatch channel edit 65f0c0ffee00000000000009 --account ann@example.com --all=false --failures
  boardwatch channel edit 65f0c0ffee00000000000009 --account ann@example.com --to https://ntfy.sh/another-topic`,
		Args: takes("ID"),
	}, func(cmd *cobra.Command, a *app, owner account.Account, args []string) error {
		ch, err := a.channels().Find(cmd.Context(), owner, args[0])
		if err != nil {
			return channelThings().missing(err, owner, args[0])
		}
		changed, err := a.channels().Change(cmd.Context(), owner, ch.ID, edited(cmd, ch, form))
		if err != nil {
			return channelRefused(cmd, err, a, form.To)
		}
		return printItem(c, changed, channelColumns()...)
	})
	cmd.Flags().SortFlags = false
	channelFlags(cmd, &form)
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

// newChannelSwitchCmd is channel enable or channel disable.
func newChannelSwitchCmd(c *cli, on bool) *cobra.Command {
	name, word := "disable", "off"
	long := `Switch a channel off: {id, kind, to, searches, all, failures, state, name}. Messages that wait for it are dropped, and what
happens while it is off is not told.`
	if on {
		name, word = "enable", "on"
		long = `Switch a channel on again: {id, kind, to, searches, all, failures, state, name}. It tells what happens from then on. One that
was switched off because nothing could be sent for three days has another three days.`
	}
	return c.sealed(&cobra.Command{
		Use:   name + " [--account EMAIL] ID",
		Short: "Switch a channel " + word,
		Long:  long,
		Args:  takes("ID"),
	}, func(cmd *cobra.Command, a *app, owner account.Account, args []string) error {
		ch, err := a.channels().Switch(cmd.Context(), owner, args[0], on)
		if err != nil {
			return channelThings().missing(err, owner, args[0])
		}
		return printItem(c, ch, channelColumns()...)
	})
}

// channelRefused names what is wrong with a channel that leads to an address, by the flags that say it.
func channelRefused(cmd *cobra.Command, err error, a *app, to string) error {
	e, ok := errors.AsType[*boardwatch.Error](err)
	if !ok {
		return err
	}
	fields, ok := e.Details.([]boardwatch.FieldError)
	if !ok {
		return err
	}
	sentences := make([]string, len(fields))
	for i, f := range fields {
		switch f.Field {
		case "channel":
			sentences[i] = f.Message
		case "searches":
			sentences[i] = "--search " + f.Message
		default:
			sentences[i] = "--" + f.Field + " " + f.Message
		}
		if f.Field == "to" && !a.cfg.Dev && onlyDev(func(dev bool) error {
			return account.CheckChannelURL(to, dev, a.cfg.Channel.PrivateHosts)
		}) {
			sentences[i] += needsDev
		}
	}
	return usageError(cmd, errors.New(strings.Join(sentences, "\n")))
}

func newChannelTestCmd(c *cli) *cobra.Command {
	return c.sealed(&cobra.Command{
		Use:   "test [--account EMAIL] ID",
		Short: "Send a test message to a channel; exit 1 unless it was accepted",
		Long: `Send one test message to a channel: {status, durationMs, error}. The status is null if there was no answer, and 200 for a
mail that the mail server took. The exit code is 1 unless the message was accepted. A test is not retried or logged.`,
		Args: takes("ID"),
	}, func(cmd *cobra.Command, a *app, owner account.Account, args []string) error {
		ch, err := a.channels().Find(cmd.Context(), owner, args[0])
		if err != nil {
			return channelThings().missing(err, owner, args[0])
		}
		return a.withSender(a.cfg.Dev, func(d *deliver.Dispatcher) error {
			receipt, err := d.PingChannel(cmd.Context(), ch)
			if err != nil {
				return err
			}
			return c.printReceipt(receipt)
		})
	})
}

func channelThings() things[boardwatch.Channel] {
	return things[boardwatch.Channel]{
		one: "channel", many: "channels", lacks: "has no", secret: true, columns: channelColumns(),
		list: func(ctx context.Context, a *app, owner account.Account) ([]boardwatch.Channel, error) {
			return a.channels().List(ctx, owner)
		},
		remove: func(ctx context.Context, a *app, owner account.Account, id string) (string, error) {
			return "", a.channels().Delete(ctx, owner, id)
		},
	}
}

func channelColumns() []column[boardwatch.Channel] {
	return []column[boardwatch.Channel]{
		{"ID", func(ch boardwatch.Channel) string { return ch.ID }},
		{"KIND", func(ch boardwatch.Channel) string { return string(ch.Kind) }},
		{"TO", func(ch boardwatch.Channel) string { return ch.Shown }},
		{"SEARCHES", func(ch boardwatch.Channel) string { return strings.Join(ch.Searches, ", ") }},
		{"ALL", func(ch boardwatch.Channel) string { return strconv.FormatBool(ch.All) }},
		{"FAILURES", func(ch boardwatch.Channel) string { return strconv.FormatBool(ch.Failures) }},
		{"STATE", func(ch boardwatch.Channel) string { return string(ch.State()) }},
		{"NAME", func(ch boardwatch.Channel) string { return ch.Name }},
	}
}
