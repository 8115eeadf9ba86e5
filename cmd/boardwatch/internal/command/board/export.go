package board

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
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
)

// The further forms of a list of boards: nothing but their addresses, and their feeds for feed readers.
const (
	outputLines = "lines"
	outputOPML  = "opml"
)

// Export is "boardwatch export".
func Export(c *command.CLI) *cobra.Command {
	var format string
	cmd := command.OnBehalf(&cobra.Command{
		Use:   "export [--account EMAIL]",
		Short: "Export an account's list of boards",
		Long: `Write an account's list of boards, in the order they were added and including locked ones. JSON and CSV contain the
interface's own Board objects, lines contain only addresses, and OPML the Atom feeds of the boards for a feed reader.
Whoever has the addresses of these feeds can read them. Without --account, the only account is meant. "import" reads all
of these formats.

  boardwatch export --account ann@example.com >boards.json
  boardwatch export --account ann@example.com --format lines
  boardwatch export --account ann@example.com -o csv >boards.csv`,
		Args: command.Takes(),
	}, func(cmd *cobra.Command, work func(context.Context, *app.App) error) error {
		if format == outputOPML { // the addresses of feeds are secrets
			return c.WithSealedApp(cmd, work)
		}
		return c.WithApp(cmd, work)
	}, func(cmd *cobra.Command, a *app.App, owner account.Account, _ []string) error {
		if format == outputOPML {
			return writeFeeds(cmd.Context(), a, c.Out, owner)
		}
		boards, err := a.Tracker.Boards(cmd.Context(), owner, "")
		if err != nil {
			return err
		}
		if format == outputLines || format == "" && c.Format() == command.OutputTable {
			return printAddresses(c, boards)
		}
		if format != "" {
			c.Output = format
		}
		return command.PrintList(c, boards, Columns()...)
	})
	cmd.Flags().StringVar(&format, "format", "", "`FORMAT`: lines, csv, json, ndjson or opml (default: that of --output, or lines on a terminal)")
	return command.After(func(*cobra.Command, []string) error {
		formats := []string{outputLines, command.OutputCSV, command.OutputJSON, command.OutputNDJSON, outputOPML}
		if format != "" && !slices.Contains(formats, format) {
			return fmt.Errorf("--format %q is not one of %s", format, strings.Join(formats, ", "))
		}
		return nil
	}, cmd)
}

// writeFeeds writes the feeds of an account's boards as OPML.
func writeFeeds(ctx context.Context, a *app.App, out io.Writer, owner account.Account) error {
	boards, err := a.Tracker.Boards(ctx, owner, "")
	if err != nil {
		return err
	}
	token, err := account.NewPreferenceManager(a.Store, account.Options{}).FeedToken(ctx, owner)
	if err != nil {
		return err
	}
	base := a.Config.PublicURL(a.Config.Listen)
	return track.WriteOPML(out, boards, func(id string) string { return base + "/feeds/" + token + "/" + id })
}

func printAddresses(c *command.CLI, boards []boardwatch.BoardView) error {
	out := bufio.NewWriter(c.Out)
	for _, b := range boards {
		if _, err := fmt.Fprintln(out, command.Plain(b.CareersURL)); err != nil {
			return err
		}
	}
	return out.Flush()
}
