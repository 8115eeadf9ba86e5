package main

import (
	"bytes"
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
)

// Execute runs one command line.
func Execute(ctx context.Context, c *command.CLI, args []string) int { return execute(ctx, c, args) }

// DecodeKey reads a key for webhook secrets as its file holds it.
func DecodeKey(text string) ([]byte, error) { return config.DecodeKey(text) }

// Line is one command line, run inside the test.
type Line struct {
	Args  []string
	Env   []string // "NAME=value"; nothing else is in the environment
	In    string
	Width int // of the terminal that shows the output; 0: no terminal
	Now   time.Time
}

// Outcome is what came of it.
type Outcome struct {
	Code     int
	Out, Err string
}

// Run runs the command line.
func (l Line) Run(ctx context.Context) Outcome {
	var out, errs bytes.Buffer
	c := &command.CLI{
		In: strings.NewReader(l.In), Out: &out, Err: &errs, Environ: l.Env,
		OutTerm: command.Terminal{Is: l.Width > 0, Width: l.Width},
		Now:     time.Now,
	}
	if !l.Now.IsZero() {
		c.Now = func() time.Time { return l.Now }
	}
	code := execute(ctx, c, l.Args)
	return Outcome{code, out.String(), errs.String()}
}

// SettingDoc is a setting as the documentation shows it.
type SettingDoc struct {
	Key, Variable, Default, Flag, Doc string
	Secret                            bool
}

// SettingDocs are all settings in the order of the table.
func SettingDocs() []SettingDoc {
	var docs []SettingDoc
	for _, s := range config.Listed() {
		docs = append(docs, SettingDoc{s.Key, s.Variable(), s.Default, s.Flag, s.Doc, s.IsSecret()})
	}
	return docs
}

// CommandDoc is a command as the documentation shows it.
type CommandDoc struct {
	Path, Use, Long string
	Aliases         []string
	Flags           []FlagDoc // its own; those of every command belong to the root
}

// FlagDoc is a flag as the documentation shows it.
type FlagDoc struct{ Name, Usage string }

// CommandDocs are the root and all commands below it.
func CommandDocs() []CommandDoc {
	return commandDocs(newRoot(&command.CLI{}))
}

func commandDocs(cmd *cobra.Command) []CommandDoc {
	doc := CommandDoc{Path: cmd.CommandPath(), Use: cmd.UseLine(), Long: cmd.Long, Aliases: cmd.Aliases}
	if doc.Long == "" {
		doc.Long = cmd.Short + "."
	}
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) { doc.add(f) })
	cmd.PersistentFlags().VisitAll(func(f *pflag.Flag) { doc.add(f) })
	docs := []CommandDoc{doc}
	for _, sub := range cmd.Commands() {
		if sub.Name() != "help" && !sub.Hidden {
			docs = append(docs, commandDocs(sub)...)
		}
	}
	return docs
}

func (d *CommandDoc) add(f *pflag.Flag) {
	if f.Name == "help" {
		return
	}
	word, usage := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if word != "" {
		name += " " + word
	}
	switch f.DefValue {
	case "", "false", "0", "[]":
	default:
		usage += " (default " + f.DefValue + ")"
	}
	d.Flags = append(d.Flags, FlagDoc{name, usage})
}
