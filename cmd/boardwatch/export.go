package main

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// outputLines is the form of a list of boards with nothing but their addresses.
const outputLines = "lines"

func newExportCmd(c *cli) *cobra.Command {
	var email, format string
	cmd := &cobra.Command{
		Use:   "export [--account EMAIL]",
		Short: "Export an account's list of boards",
		Long: `Write an account's list of boards, in the order they were added and including locked ones. JSON and CSV contain the
interface's own Board objects, lines contain only addresses. Without --account, the only account is meant. "import"
reads all of these formats.

  boardwatch export --account ann@example.com >boards.json
  boardwatch export --account ann@example.com --format lines
  boardwatch export --account ann@example.com -o csv >boards.csv`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			formats := []string{outputLines, outputCSV, outputJSON, outputNDJSON}
			if format != "" && !slices.Contains(formats, format) {
				return usageError(cmd, fmt.Errorf("--format %q is not one of %s", format, strings.Join(formats, ", ")))
			}
			return c.withOnlyAccount(cmd, email, func(ctx context.Context, a *app, owner boardwatch.Account) error {
				boards, err := a.tracker.Boards(ctx, owner, "")
				if err != nil {
					return err
				}
				if format == outputLines || format == "" && c.format() == outputTable {
					return c.printAddresses(boards)
				}
				if format != "" {
					c.output = format
				}
				return printList(c, boards, boardColumns()...)
			})
		},
	}
	anyAccountFlag(cmd, &email)
	cmd.Flags().StringVar(&format, "format", "", "`FORMAT`: lines, csv, json or ndjson (default: that of --output, or lines on a terminal)")
	return cmd
}

func (c *cli) printAddresses(boards []boardwatch.BoardView) error {
	out := bufio.NewWriter(c.Out)
	for _, b := range boards {
		if _, err := fmt.Fprintln(out, plain(b.CareersURL)); err != nil {
			return err
		}
	}
	return out.Flush()
}
