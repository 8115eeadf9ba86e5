// Package command is what commands share: the streams and settings they see, arguments, output, progress, the account they act
// for, and lists of things that an account has. Each package below it has the commands of one noun.
package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/lmittmann/tint"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
)

// CLI is what a command sees of the world: its streams, its environment and the time.
type CLI struct {
	In       io.Reader
	Out, Err io.Writer
	Environ  []string // "NAME=value", as os.Environ has it
	OutTerm  Terminal
	ErrTerm  Terminal
	Now      func() time.Time

	Output  string // what -o says; empty when it was not given
	File    string // what --config says
	Started bool   // a command's own work has begun: what went wrong before is a matter of usage
}

// Terminal says whether a stream is a terminal, and how wide; a width of 0 is not known.
type Terminal struct {
	Is    bool
	Width int
}

// Env looks up one variable of the environment. One that is set to nothing counts as not set.
func (c *CLI) Env(name string) (string, bool) {
	for _, entry := range slices.Backward(c.Environ) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value, value != ""
		}
	}
	return "", false
}

// color reports whether a stream may be coloured.
func (c *CLI) color(t Terminal) bool {
	_, no := c.Env("NO_COLOR")
	kind, _ := c.Env("TERM")
	return t.Is && !no && kind != "dumb"
}

// Logger writes to stderr as the settings say: for people on a terminal, else one line of text or JSON per record.
func (c *CLI) Logger(cfg config.Config) *slog.Logger {
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

// Progress shows a passing line on a terminal; elsewhere it does nothing. The empty text removes it.
func (c *CLI) Progress(format string, args ...any) {
	if !c.ErrTerm.Is {
		return
	}
	fmt.Fprint(c.Err, "\r\x1b[K", Plain(fmt.Sprintf(format, args...)))
}

// Config reads, merges and validates all settings. Its error names every problem at once.
func (c *CLI) Config(cmd *cobra.Command) (config.Config, error) {
	l, err := c.Load(cmd)
	return l.Config, err
}

// Load is config with what "config show" tells about it.
func (c *CLI) Load(cmd *cobra.Command) (config.Loaded, error) {
	l, err := config.Load(config.Source{File: c.File, Environ: c.Environ, Flags: cmd.Flags()})
	if err != nil {
		return l, exit.Misconfigured(err, `Correct the settings, then run "boardwatch config check"; "boardwatch config init -" prints all of them.`)
	}
	return l, nil
}

// Note tells a person on stderr what was done.
func (c *CLI) Note(format string, args ...any) {
	fmt.Fprintln(c.Err, Plain(fmt.Sprintf(format, args...)))
}

// Confirm asks a question when there is a person to ask; a program that runs the command has decided already.
func (c *CLI) Confirm(question string) bool {
	f, ok := c.In.(*os.File)
	if !ok || !c.ErrTerm.Is || !term.IsTerminal(int(f.Fd())) {
		return true
	}
	fmt.Fprint(c.Err, question+" [y/N] ")
	answer, err := bufio.NewReader(f).ReadString('\n')
	if err != nil {
		return false
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true
	default:
		return false
	}
}

// ReadInput reads the file that the first argument names; none, or "-", is standard input.
func (c *CLI) ReadInput(args []string) ([]byte, error) {
	if len(args) == 0 || args[0] == "-" {
		data, err := io.ReadAll(c.In)
		if err != nil {
			return nil, exit.Fail(fmt.Errorf("read standard input: %w", err), "")
		}
		return data, nil
	}
	data, err := os.ReadFile(args[0])
	if err != nil {
		return nil, exit.Fail(fmt.Errorf("read %s: %w", args[0], config.PlainReadError(err)), "")
	}
	return data, nil
}

// TerminalOf is what the writer shows on.
func TerminalOf(w io.Writer) Terminal {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return Terminal{}
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		width = 0
	}
	return Terminal{Is: true, Width: width}
}

// WithApp runs a command's work on the parts, and puts them away afterwards.
func (c *CLI) WithApp(cmd *cobra.Command, work func(ctx context.Context, a *app.App) error) (err error) {
	return c.WithPresentApp(cmd, app.MustExist, work)
}

// WithPresentApp is WithApp for commands that may make the database.
func (c *CLI) WithPresentApp(cmd *cobra.Command, p app.Presence, work func(ctx context.Context, a *app.App) error) error {
	return c.with(cmd, func(ctx context.Context, cfg config.Config, log *slog.Logger) (*app.App, error) {
		return app.Open(ctx, cfg, log, nil, nil, p)
	}, work)
}

// WithSealedApp is WithApp for work that reads or writes webhook secrets.
func (c *CLI) WithSealedApp(cmd *cobra.Command, work func(ctx context.Context, a *app.App) error) error {
	return c.with(cmd, func(ctx context.Context, cfg config.Config, log *slog.Logger) (*app.App, error) {
		return app.OpenSealed(ctx, cfg, log, nil, app.MustExist)
	}, work)
}

func (c *CLI) with(
	cmd *cobra.Command, open func(context.Context, config.Config, *slog.Logger) (*app.App, error), work func(context.Context, *app.App) error,
) (err error) {
	cfg, err := c.Config(cmd)
	if err != nil {
		return err
	}
	a, err := open(cmd.Context(), cfg, c.Logger(cfg))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	return work(cmd.Context(), a)
}
