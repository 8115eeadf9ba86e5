// Package doctor has the commands that say how an installation is: doctor and health.
package doctor

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/diagnosis"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
)

// Command is "boardwatch doctor".
func Command(c *command.CLI) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Examine this installation for problems; exit 1 if there is a fault",
		Long: `Examine the settings, the database, the data directory, the browser, proxies, the mail server, the clock and the
boards, and the hosts that refuse requests, and report what is wrong with them. Nothing is changed, and nothing leaves this machine except a greeting to
the mail server.

  boardwatch doctor
  boardwatch doctor -o json`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error { return runDoctor(c, cmd) },
	}
	config.AddFlags(cmd.Flags(), "listen", "base_url")
	return cmd
}

func runDoctor(c *command.CLI, cmd *cobra.Command) error {
	l, err := c.Load(cmd)
	if err != nil {
		if printErr := printFindings(c, []diagnosis.Finding{diagnosis.NoSettings()}); printErr != nil {
			return printErr
		}
		return err
	}
	findings := diagnosis.Examine(cmd.Context(), l, c.Env, c.Now)
	if err := printFindings(c, findings); err != nil {
		return err
	}
	for _, f := range findings {
		if f.State == diagnosis.Fault {
			return exit.Negative()
		}
	}
	return nil
}

func printFindings(c *command.CLI, findings []diagnosis.Finding) error {
	err := command.PrintList(c, findings,
		command.Col("STATE", diagnosis.Finding.Mark),
		command.Col("CHECK", func(f diagnosis.Finding) string { return f.Check }),
		command.Col("DETAIL", func(f diagnosis.Finding) string { return f.Detail }),
	)
	if err != nil || c.Format() != command.OutputTable {
		return err
	}
	faults, warnings := 0, 0
	for _, f := range findings {
		switch f.State {
		case diagnosis.OK:
		case diagnosis.Warning:
			warnings++
		case diagnosis.Fault:
			faults++
		}
	}
	_, err = fmt.Fprintf(c.Out, "%s, %s\n", command.Count(faults, "fault"), command.Count(warnings, "warning"))
	return err
}
