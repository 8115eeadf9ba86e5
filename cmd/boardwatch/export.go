package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// The further forms of a list of boards: nothing but their addresses, and their feeds for feed readers.
const (
	outputLines = "lines"
	outputOPML  = "opml"
)

func newExportCmd(c *cli) *cobra.Command {
	var format string
	cmd := onBehalf(&cobra.Command{
		Use:   "export [--account EMAIL]",
		Short: "Export an account's list of boards",
		Long: `Write an account's list of boards, in the order they were added and including locked ones. JSON and CSV contain the
interface's own Board objects, lines contain only addresses, and OPML the Atom feeds of the boards for a feed reader.
Whoever has the addresses of these feeds can read them. Without --account, the only account is meant. "import" reads all
of these formats.

  boardwatch export --account ann@example.com >boards.json
  boardwatch export --account ann@example.com --format lines
  boardwatch export --account ann@example.com -o csv >boards.csv`,
		Args: takes(),
	}, func(cmd *cobra.Command, work func(context.Context, *app) error) error {
		if format == outputOPML { // the addresses of feeds are secrets
			return c.withSealedApp(cmd, work)
		}
		return c.withApp(cmd, work)
	}, func(cmd *cobra.Command, a *app, owner account.Account, _ []string) error {
		if format == outputOPML {
			return a.writeFeeds(cmd.Context(), c.Out, owner)
		}
		boards, err := a.tracker.Boards(cmd.Context(), owner, "")
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
	cmd.Flags().StringVar(&format, "format", "", "`FORMAT`: lines, csv, json, ndjson or opml (default: that of --output, or lines on a terminal)")
	return after(func(*cobra.Command, []string) error {
		formats := []string{outputLines, outputCSV, outputJSON, outputNDJSON, outputOPML}
		if format != "" && !slices.Contains(formats, format) {
			return fmt.Errorf("--format %q is not one of %s", format, strings.Join(formats, ", "))
		}
		return nil
	}, cmd)
}

// writeFeeds writes the feeds of an account's boards as OPML.
func (a *app) writeFeeds(ctx context.Context, out io.Writer, owner account.Account) error {
	boards, err := a.tracker.Boards(ctx, owner, "")
	if err != nil {
		return err
	}
	token, err := account.NewPreferenceManager(a.store, account.Options{}).FeedToken(ctx, owner)
	if err != nil {
		return err
	}
	base := a.cfg.PublicURL(a.cfg.Listen)
	return track.WriteOPML(out, boards, func(id string) string { return base + "/feeds/" + token + "/" + id })
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
