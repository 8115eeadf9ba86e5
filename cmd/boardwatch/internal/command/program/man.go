package program

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
)

// Man is "boardwatch man".
func Man(c *command.CLI) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIRECTORY",
		Short: "Write the manual pages",
		Long: `Write a manual page for each command into a directory: boardwatch.1, boardwatch-serve.1 and so on. The directory is
created if it does not exist. Pages in ~/.local/share/man are found if ~/.local/bin is in PATH.

  boardwatch man ~/.local/share/man/man1
  man boardwatch-serve`,
		Args: command.Takes("a directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil { //nolint:gosec // manual pages are for everybody
				return fmt.Errorf("make the directory: %w", err)
			}
			return writeMan(c, cmd.Root(), args[0])
		},
	}
}

// writeMan writes the page of a command and those of all below it.
func writeMan(c *command.CLI, cmd *cobra.Command, dir string) error {
	if cmd.Hidden || cmd.Name() == "help" {
		return nil
	}
	file := filepath.Join(dir, pageName(cmd)+".1")
	err := os.WriteFile(file, []byte(manPage(cmd, buildDay(c))), 0o644) //nolint:gosec // manual pages are for everybody
	if err != nil {
		return fmt.Errorf("write a manual page: %w", err)
	}
	var errs []error
	for _, sub := range cmd.Commands() {
		errs = append(errs, writeMan(c, sub, dir))
	}
	return errors.Join(errs...)
}

// built is the day that manual pages bear: that of the program, so that the same program writes the same pages.
func buildDay(c *command.CLI) time.Time {
	if t, err := time.Parse(time.RFC3339, build.Read().Time); err == nil {
		return t.UTC()
	}
	return c.Now().UTC()
}

// pageName is the name under which man finds a command.
func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage is the page of one command in the language of man(7).
func manPage(cmd *cobra.Command, built time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %q 1 %q %q \"User Commands\"\n", strings.ToUpper(pageName(cmd)), built.Format(time.DateOnly), "boardwatch "+build.Version())
	b.WriteString(".SH NAME\n" + roff(pageName(cmd)+" - "+cmd.Short) + "\n")
	b.WriteString(".SH SYNOPSIS\n.B " + roff(cmd.UseLine()) + "\n")
	b.WriteString(".SH DESCRIPTION\n" + roffText(cmd.Long))
	manFlags(&b, "OPTIONS", cmd.NonInheritedFlags())
	manFlags(&b, "GLOBAL OPTIONS", cmd.InheritedFlags())
	b.WriteString(".SH EXIT STATUS\n" + roff("0 success; 1 failure, or a negative answer; 2 a mistake in the command line or the settings.") + "\n")
	if related := manRelated(cmd); len(related) > 0 {
		b.WriteString(".SH SEE ALSO\n.BR " + strings.Join(related, " ,\n.BR ") + "\n")
	}
	return b.String()
}

// manFlags lists flags under a title; without any there is no title.
func manFlags(b *strings.Builder, title string, flags *pflag.FlagSet) {
	titled := false
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		if !titled {
			b.WriteString(".SH " + title + "\n")
			titled = true
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		b.WriteString(".TP\n\\fB" + roff(name) + "\\fR")
		if value != "" {
			b.WriteString(" \\fI" + roff(value) + "\\fR")
		}
		b.WriteString("\n" + roff(usage) + "\n")
	})
}

// manRelated are the pages above and below a command.
func manRelated(cmd *cobra.Command) []string {
	var names []string
	if cmd.HasParent() {
		names = append(names, roff(pageName(cmd.Parent()))+" (1)")
	}
	for _, sub := range cmd.Commands() {
		if !sub.Hidden && sub.Name() != "help" {
			names = append(names, roff(pageName(sub))+" (1)")
		}
	}
	return names
}

// roffText is a text of paragraphs. Lines that begin with a space are shown as they are.
func roffText(s string) string {
	var b strings.Builder
	shown := false
	for line := range strings.SplitSeq(strings.TrimRight(s, "\n"), "\n") {
		asIs := strings.HasPrefix(line, " ")
		if asIs != shown && line != "" {
			b.WriteString(map[bool]string{true: ".PP\n.RS\n.nf\n", false: ".fi\n.RE\n.PP\n"}[asIs])
			shown = asIs
		}
		switch {
		case line != "":
			b.WriteString(roff(strings.TrimPrefix(line, "  ")) + "\n")
		case !shown:
			b.WriteString(".PP\n")
		}
	}
	if shown {
		b.WriteString(".fi\n.RE\n")
	}
	return b.String()
}

// roff is one line of text, with nothing in it that man would take for a command of its own.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", `\[u2026]`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}
