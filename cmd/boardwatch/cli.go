package main

import (
	"bufio"
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

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
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

// config reads, merges and validates all settings. Its error names every problem at once.
func (c *cli) config(cmd *cobra.Command) (config.Config, error) {
	l, err := c.load(cmd)
	return l.Config, err
}

// load is config with what "config show" tells about it.
func (c *cli) load(cmd *cobra.Command) (config.Loaded, error) {
	l, err := config.Load(config.Source{File: c.file, Environ: c.Environ, Flags: cmd.Flags()})
	if err != nil {
		return l, exit.Misconfigured(err, `Correct the settings, then run "boardwatch config check"; "boardwatch config init -" prints all of them.`)
	}
	return l, nil
}

// note tells a person on stderr what was done.
func (c *cli) note(format string, args ...any) {
	fmt.Fprintln(c.Err, plain(fmt.Sprintf(format, args...)))
}

// confirm asks a question when there is a person to ask; a program that runs the command has decided already.
func (c *cli) confirm(question string) bool {
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

// readInput reads the file that the first argument names; none, or "-", is standard input.
func (c *cli) readInput(args []string) ([]byte, error) {
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

// terminalOf is what the writer shows on.
func terminalOf(w io.Writer) termInfo {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return termInfo{}
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		width = 0
	}
	return termInfo{Is: true, Width: width}
}
