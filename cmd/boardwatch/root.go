package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/lmittmann/tint"
	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
)

// cli is what a command sees of the world: its streams, its environment and the time.
type cli struct {
	In       io.Reader
	Out, Err io.Writer
	Environ  []string // "NAME=value", as os.Environ has it
	OutTerm  termInfo
	ErrTerm  termInfo
	Now      func() time.Time

	output  string // what -o says; empty when it was not given
	file    string // what --config says
	started bool   // a command's own work has begun: what went wrong before is a matter of usage
}

// termInfo says whether a stream is a terminal, and how wide; a width of 0 is not known.
type termInfo struct {
	Is    bool
	Width int
}

// commands are all commands below the root, in the order in which help lists them.
func commands() []func(*cli) *cobra.Command {
	return []func(*cli) *cobra.Command{
		newServeCmd,
		newScrapeCmd,
		newDetectCmd,
		newTeachCmd,
		newAccountCmd,
		newKeyCmd,
		newBoardCmd,
		newRoleCmd,
		newSearchCmd,
		newChannelCmd,
		newDigestCmd,
		newImportCmd,
		newExportCmd,
		newWebhookCmd,
		newReplayCmd,
		newMCPCmd,
		newListenCmd,
		newTriggerCmd,
		newVerifySignatureCmd,
		newMigrateCmd,
		newBackupCmd,
		newRestoreCmd,
		newRotateKeyCmd,
		newHealthCmd,
		newConfigCmd,
		newDoctorCmd,
		newVersionCmd,
		newCompletionCmd,
		newManCmd,
	}
}

func newRoot(c *cli) *cobra.Command {
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
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usageError(cmd, flagFault(err)) })
	root.Version = programVersion()
	root.SetVersionTemplate(readBuild().String() + "\n")
	root.Flags().Bool("version", false, "print the version")

	flags := root.PersistentFlags()
	flags.SortFlags = false
	flags.StringVar(&c.file, "config", "", "settings `FILE` (YAML, TOML or JSON)")
	config.AddFlags(flags, "database", "data_dir", "dev", "log.level", "log.format")
	flags.StringVarP(&c.output, "output", "o", "", "`FORMAT` of results: table, json, ndjson or csv (default: table on a terminal, else json)")

	for _, newCmd := range commands() {
		root.AddCommand(newCmd(c))
	}
	root.SetHelpCommand(newHelpCmd())
	root.InitDefaultHelpCmd()
	c.prepare(root)
	c.complete(root)
	return root
}

// run executes one command line and returns the exit code: 0 success, 1 failure or a negative answer, 2 usage or
// configuration.
func (c *cli) run(ctx context.Context, args []string) int {
	root := newRoot(c)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return 0
	}
	failure, ok := errors.AsType[*exitError](err)
	switch {
	case ok:
	case !c.started:
		failure = usageError(cmd, err)
	case ctx.Err() != nil:
		failure = fail(errors.New("interrupted"), "")
	default:
		failure = explain(err)
	}
	c.report(failure)
	return failure.code
}

// prepare gives every command of the tree the same manners: output formats are checked before any work, and a group of
// commands refuses a word that is not one of them instead of showing help as if nothing were wrong.
func (c *cli) prepare(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		c.prepare(sub)
	}
	if cmd.RunE == nil && cmd.Run == nil {
		cmd.Args = cobra.ArbitraryArgs
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return usageError(cmd, unknownCommand(cmd, args[0]))
		}
	}
	if cmd.RunE == nil {
		return
	}
	cmd.PreRunE = missingFlags
	work := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := checkOutput(c.output); err != nil {
			return usageError(cmd, err)
		}
		c.started = true
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
				return usageError(cmd, err)
			}
			if len(rest) > 0 {
				return usageError(topic, unknownCommand(topic, rest[0]))
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

// env looks up one variable of the environment. One that is set to nothing counts as not set.
func (c *cli) env(name string) (string, bool) {
	for _, entry := range slices.Backward(c.Environ) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value, value != ""
		}
	}
	return "", false
}

// color reports whether a stream may be coloured.
func (c *cli) color(t termInfo) bool {
	_, no := c.env("NO_COLOR")
	kind, _ := c.env("TERM")
	return t.Is && !no && kind != "dumb"
}

// logger writes to stderr as the settings say: for people on a terminal, else one line of text or JSON per record.
func (c *cli) logger(cfg config.Config) *slog.Logger {
	level := cfg.Log.Least()
	switch {
	case cfg.Log.Format == "json":
		return slog.New(slog.NewJSONHandler(c.Err, &slog.HandlerOptions{Level: level}))
	case c.ErrTerm.Is:
		return slog.New(tint.NewTextHandler(c.Err, &tint.Options{Level: level, TimeFormat: time.TimeOnly, NoColor: !c.color(c.ErrTerm)}))
	default:
		return slog.New(slog.NewTextHandler(c.Err, &slog.HandlerOptions{Level: level}))
	}
}

// progress shows a passing line on a terminal; elsewhere it does nothing. The empty text removes it.
func (c *cli) progress(format string, args ...any) {
	if !c.ErrTerm.Is {
		return
	}
	fmt.Fprint(c.Err, "\r\x1b[K", plain(fmt.Sprintf(format, args...)))
}

// exitError ends the program with a code. Without an error nothing is said: the output has said it already.
type exitError struct {
	code int
	err  error
	next string // what the person may do now
}

// Error is the plain sentence.
func (e *exitError) Error() string {
	if e.err == nil {
		return "negative answer"
	}
	return e.err.Error()
}

// Unwrap is the cause.
func (e *exitError) Unwrap() error { return e.err }

// errNegative is a negative answer that the output has told already.
func errNegative() error { return &exitError{code: 1} }

// fail is a failure with the next step; an empty step says nothing.
func fail(err error, next string) *exitError { return &exitError{code: 1, err: err, next: next} }

// usageError is a mistake in the command line.
func usageError(cmd *cobra.Command, err error) *exitError {
	return &exitError{code: 2, err: err, next: fmt.Sprintf("Run %q to see how it is used.", cmd.CommandPath()+" --help")}
}

// explain finds the next step for an error that a command returned as it was.
func explain(err error) *exitError {
	if e, ok := errors.AsType[*boardwatch.Error](err); ok && e.Code != boardwatch.CodeInternal {
		return fail(errors.New(e.Message), "")
	}
	if e, ok := errors.AsType[*exitError](unreached(err)); ok {
		return e
	}
	return fail(err, `Run "boardwatch doctor" to look for the cause.`)
}

// report says on stderr what went wrong and what to do next.
func (c *cli) report(e *exitError) {
	if e.err == nil {
		return
	}
	c.progress("")
	for line := range strings.SplitSeq(e.err.Error(), "\n") {
		fmt.Fprintln(c.Err, "boardwatch: "+plain(line))
	}
	if e.next != "" {
		fmt.Fprintln(c.Err, e.next)
	}
}
