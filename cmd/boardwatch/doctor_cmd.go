package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/diagnosis"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
)

func newDoctorCmd(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Examine this installation for problems; exit 1 if there is a fault",
		Long: `Examine the settings, the database, the data directory, the browser, proxies, the mail server, the clock and the
boards, and the hosts that refuse requests, and report what is wrong with them. Nothing is changed, and nothing leaves this machine except a greeting to
the mail server.

  boardwatch doctor
  boardwatch doctor -o json`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error { return runDoctor(c, cmd) },
	}
	config.AddFlags(cmd.Flags(), "listen", "base_url")
	return cmd
}

func runDoctor(c *cli, cmd *cobra.Command) error {
	l, err := c.load(cmd)
	if err != nil {
		if printErr := c.printFindings([]diagnosis.Finding{diagnosis.NoSettings()}); printErr != nil {
			return printErr
		}
		return err
	}
	findings := diagnosis.Examine(cmd.Context(), l, c.env, c.Now)
	if err := c.printFindings(findings); err != nil {
		return err
	}
	for _, f := range findings {
		if f.State == diagnosis.Fault {
			return exit.Negative()
		}
	}
	return nil
}

func (c *cli) printFindings(findings []diagnosis.Finding) error {
	err := printList(c, findings,
		column[diagnosis.Finding]{"STATE", diagnosis.Finding.Mark},
		column[diagnosis.Finding]{"CHECK", func(f diagnosis.Finding) string { return f.Check }},
		column[diagnosis.Finding]{"DETAIL", func(f diagnosis.Finding) string { return f.Detail }},
	)
	if err != nil || c.format() != outputTable {
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
	_, err = fmt.Fprintf(c.Out, "%s, %s\n", count(faults, "fault"), count(warnings, "warning"))
	return err
}
