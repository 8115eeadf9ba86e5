package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/account"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/board"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/channel"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/database"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/digest"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/doctor"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/key"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/program"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/receiver"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/role"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/scrape"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/search"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/serve"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/settings"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/webhook"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
)

// commands are all commands below the root, in the order in which help lists them.
func commands() []func(*command.CLI) *cobra.Command {
	return []func(*command.CLI) *cobra.Command{
		serve.Command,
		scrape.Command,
		scrape.Detect,
		scrape.Teach,
		account.Command,
		key.Command,
		board.Command,
		role.Command,
		search.Command,
		channel.Command,
		digest.Command,
		board.Import,
		board.Export,
		webhook.Command,
		webhook.Replay,
		serve.MCP,
		receiver.Listen,
		receiver.Trigger,
		receiver.VerifySignature,
		database.Migrate,
		database.Backup,
		database.Restore,
		database.RotateKey,
		doctor.Health,
		settings.Command,
		doctor.Command,
		program.Version,
		program.Completion,
		program.Man,
	}
}

func newRoot(c *command.CLI) *cobra.Command {
	root := &cobra.Command{
		Use:   "boardwatch",
		Short: "Watch careers pages and report what changed",
		Long: `boardwatch reads companies' careers pages, keeps every role with its history, and reports new and closed roles to
people and programs: by mail, in a web app, and over REST, MCP and signed webhooks.

Try "boardwatch serve --demo" to see it work without the Internet, or "boardwatch scrape URL" to read one page.`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetIn(c.In)
	root.SetOut(c.Out)
	root.SetErr(c.Err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return exit.Usage(cmd, command.FlagFault(err)) })
	root.Version = build.Version()
	root.SetVersionTemplate(build.Read().String() + "\n")
	root.Flags().Bool("version", false, "print the version")

	flags := root.PersistentFlags()
	flags.SortFlags = false
	flags.StringVar(&c.File, "config", "", "settings `FILE` (YAML, TOML or JSON)")
	config.AddFlags(flags, "database", "data_dir", "dev", "log.level", "log.format")
	flags.StringVarP(&c.Output, "output", "o", "", "`FORMAT` of results: table, json, ndjson or csv (default: table on a terminal, else json)")

	for _, newCmd := range commands() {
		root.AddCommand(newCmd(c))
	}
	root.SetHelpCommand(newHelpCmd())
	root.InitDefaultHelpCmd()
	prepare(c, root)
	program.Complete(c, root)
	return root
}

// execute runs one command line and returns the exit code: 0 success, 1 failure or a negative answer, 2 usage or
// configuration.
func execute(ctx context.Context, c *command.CLI, args []string) int {
	root := newRoot(c)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return 0
	}
	failure, ok := errors.AsType[*exit.Error](err)
	switch {
	case ok:
	case !c.Started:
		failure = exit.Usage(cmd, err)
	case ctx.Err() != nil:
		failure = exit.Fail(errors.New("interrupted"), "")
	default:
		failure = explain(err)
	}
	report(c, failure)
	return failure.Code
}

// prepare gives every command of the tree the same manners: output formats are checked before any work, and a group of
// commands refuses a word that is not one of them instead of showing help as if nothing were wrong.
func prepare(c *command.CLI, cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		prepare(c, sub)
	}
	if cmd.RunE == nil && cmd.Run == nil {
		cmd.Args = cobra.ArbitraryArgs
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return exit.Usage(cmd, unknownCommand(cmd, args[0]))
		}
	}
	if cmd.RunE == nil {
		return
	}
	cmd.PreRunE = command.MissingFlags
	work := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := command.CheckOutput(c.Output); err != nil {
			return exit.Usage(cmd, err)
		}
		c.Started = true
		return work(cmd, args)
	}
}

// newHelpCmd is help on a command, which has to be one.
func newHelpCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Explain a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			topic, rest, err := cmd.Root().Find(args)
			if err != nil {
				return exit.Usage(cmd, err)
			}
			if len(rest) > 0 {
				return exit.Usage(topic, unknownCommand(topic, rest[0]))
			}
			topic.InitDefaultHelpFlag()
			return topic.Help()
		},
	}
}

func unknownCommand(cmd *cobra.Command, word string) error {
	msg := fmt.Sprintf("unknown command %q of %q", word, cmd.CommandPath())
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(append(names, sub.Name()), sub.Aliases...)
		}
	}
	if name := config.Nearest(word, names); name != "" {
		msg += fmt.Sprintf("; did you mean %q?", name)
	}
	return errors.New(msg)
}

// explain finds the next step for an error that a command returned as it was.
func explain(err error) *exit.Error {
	if e, ok := errors.AsType[*boardwatch.Error](err); ok && e.Code != boardwatch.CodeInternal {
		return exit.Fail(errors.New(e.Message), "")
	}
	if e, ok := errors.AsType[*exit.Error](app.Unreached(err)); ok {
		return e
	}
	return exit.Fail(err, `Run "boardwatch doctor" to look for the cause.`)
}

// report says on stderr what went wrong and what to do next.
func report(c *command.CLI, e *exit.Error) {
	if e.Err == nil {
		return
	}
	c.Progress("")
	for line := range strings.SplitSeq(e.Err.Error(), "\n") {
		fmt.Fprintln(c.Err, "boardwatch: "+command.Plain(line))
	}
	if e.Next != "" {
		fmt.Fprintln(c.Err, e.Next)
	}
}
