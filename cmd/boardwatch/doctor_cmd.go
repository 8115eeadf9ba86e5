package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
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
		if printErr := c.printFindings([]finding{unsettled()}); printErr != nil {
			return printErr
		}
		return err
	}
	findings := examine(cmd.Context(), l, c.env, c.Now)
	if err := c.printFindings(findings); err != nil {
		return err
	}
	for _, f := range findings {
		if f.State == stateFault {
			return exit.Negative()
		}
	}
	return nil
}

func (c *cli) printFindings(findings []finding) error {
	err := printList(c, findings,
		column[finding]{"STATE", finding.mark},
		column[finding]{"CHECK", func(f finding) string { return f.Check }},
		column[finding]{"DETAIL", func(f finding) string { return f.Detail }},
	)
	if err != nil || c.format() != outputTable {
		return err
	}
	faults, warnings := 0, 0
	for _, f := range findings {
		switch f.State {
		case stateOK:
		case stateWarning:
			warnings++
		case stateFault:
			faults++
		}
	}
	_, err = fmt.Fprintf(c.Out, "%s, %s\n", count(faults, "fault"), count(warnings, "warning"))
	return err
}
