package board

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
)

// Import is "boardwatch import".
func Import(c *command.CLI) *cobra.Command {
	var format string
	var dryRun bool
	cmd := c.Owned(&cobra.Command{
		Use:   "import [--account EMAIL] FILE",
		Short: "Import boards into an account's list",
		Long: `Add the boards in a file to an account's list; "-" is standard input. Without --account, the only account is meant.
The file contains one address per line, or CSV with the columns url (or careersUrl) and companyName (or company), or
JSON: strings, or objects with these names, in an array or one after the other, or OPML as feed readers write it. The
output of "export" and the answer to listBoards can be read unchanged.

The result has one entry for each board: {line, url, result, boardId, locked, reason}, where result is added,
already_tracked or refused. If one is refused, the others are still added, but the exit code is 1. With --dry-run
nothing changes, and the result is would_add instead of added.

  boardwatch import --account ann@example.com boards.txt
  boardwatch export --account ann@example.com | boardwatch import --account bob@example.com --dry-run -`,
		Args: command.Takes("FILE"),
	}, func(cmd *cobra.Command, a *app.App, owner account.Account, args []string) error {
		entries, err := readList(c, args[0], track.ListFormat(format))
		if err != nil {
			return err
		}
		bar, count := c.NewBar("Importing", int64(len(entries)), false), int64(0)
		done, err := a.Tracker.Import(cmd.Context(), owner, entries, track.ImportOptions{
			DryRun: dryRun, Report: func(track.Imported) { count++; bar.To(count) },
		})
		bar.End()
		if err != nil {
			return exit.Fail(err, fmt.Sprintf("%d of %d entries are done; run the same command again for the rest.", len(done), len(entries)))
		}
		if err := command.PrintList(c, done, importColumns()...); err != nil {
			return err
		}
		return importSummary(c, done)
	})
	cmd.Flags().StringVar(&format, "format", "", "`FORMAT` of the file: lines, csv, json or opml (default: detected from the content)")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "print what would happen, but change nothing")
	return command.After(func(*cobra.Command, []string) error {
		formats := []string{string(track.ListAuto), string(track.ListLines), string(track.ListCSV), string(track.ListJSON), string(track.ListOPML)}
		if !slices.Contains(formats, format) {
			return fmt.Errorf("--format %q is not one of %s", format, strings.Join(formats[1:], ", "))
		}
		return nil
	}, cmd)
}

func readList(c *command.CLI, file string, f track.ListFormat) ([]track.Entry, error) {
	in := c.In
	if file != "-" {
		opened, err := os.Open(file)
		if err != nil {
			return nil, exit.Fail(fmt.Errorf("the list cannot be read: %w", err), `Name another file, or "-" for standard input.`)
		}
		defer opened.Close()
		in = io.Reader(opened)
	}
	entries, err := track.ReadList(in, f)
	if err != nil {
		return nil, exit.Fail(err, `Nothing was imported. Run "boardwatch import --help" to see what a list looks like.`)
	}
	return entries, nil
}

func importColumns() []command.Column[track.Imported] {
	return []command.Column[track.Imported]{
		command.Col("LINE", func(i track.Imported) string { return strconv.Itoa(i.Line) }),
		command.Col("RESULT", func(i track.Imported) string { return string(i.Result) }),
		command.Col("LOCKED", func(i track.Imported) string { return strconv.FormatBool(i.Locked) }),
		command.Col("BOARD ID", func(i track.Imported) string { return i.BoardID }),
		command.Col("URL", func(i track.Imported) string { return i.URL }),
		command.Col("REASON", func(i track.Imported) string { return i.Reason }),
	}
}

// importSummary tells a person how it went; refused entries are named, and are a negative answer.
func importSummary(c *command.CLI, done []track.Imported) error {
	counts := map[track.ImportResult]int{}
	for _, i := range done {
		counts[i.Result]++
		if i.Result == track.ImportRefused {
			c.Note("line %d refused: %s: %s", i.Line, i.URL, i.Reason)
		}
	}
	c.Note("%d added, %d on the list already, %d refused",
		counts[track.ImportAdded]+counts[track.ImportWouldAdd], counts[track.ImportTracked], counts[track.ImportRefused])
	if counts[track.ImportRefused] > 0 {
		return exit.Negative()
	}
	return nil
}
