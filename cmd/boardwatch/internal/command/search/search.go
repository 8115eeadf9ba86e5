// Package search has the commands for saved searches.
package search

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/role"
)

// Command is "boardwatch search".
func Command(c *command.CLI) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "search",
		Short: "Save searches for roles",
		Long: `Save searches for roles, at most 20 for each account. A saved search has a page in the app, an Atom feed and a part in
the daily mail, and search_jobs of MCP accepts its name.

  boardwatch search add --account ann@example.com --name "Data in Berlin" --text "data engineer" --location berlin
  boardwatch search list --account ann@example.com`,
	}
	searches := things()
	cmd.AddCommand(newAddCmd(c), searches.ListCmd(c, "List an account's searches", "List an account's searches, oldest first."),
		newShowCmd(c),
		searches.RemoveCmd(c, "remove", "Delete a search", `Delete a search and its feed. "boardwatch search list" shows its id.`))
	return cmd
}

// addOptions are the search that the flags of "search add" describe.
type addOptions struct {
	boardwatch.Search

	c          *command.CLI
	kinds      []string
	mode, kind string
}

func newAddCmd(c *command.CLI) *cobra.Command {
	o := addOptions{c: c}
	cmd := c.Owned(&cobra.Command{
		Use:   "add [--account EMAIL] --name NAME",
		Short: "Save a search",
		Long: `Save a search: {id, name, text, location, department, boards, tags, kinds, mode, type, payFrom, currency, words}; those
from mode on are left out if not set. A role matches if every text occurs in its field, in any case, if its board is one of
those given by --board or --tag, and if its source states the mode, the type and the pay. Pay per hour, day, week or month is
counted for a year of full-time work. A condition that is left out matches every role. --kinds limits the kinds of changes
in the feed and the daily mail.

  boardwatch search add --account ann@example.com --name Robotics --text engineer --tag robotics --kinds found,reopened`,
		Args: command.Takes(),
	}, o.run)
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.Name, "name", "", "`NAME` of the search")
	flags.StringVar(&o.Text, "text", "", "only roles with this `TEXT` in the title")
	flags.StringVar(&o.Location, "location", "", "only roles with this `TEXT` in the location")
	flags.StringVar(&o.Department, "department", "", "only roles with this `TEXT` in the department")
	flags.StringVar(&o.mode, "mode", "", "only roles of which the source states this `MODE` of work: remote, hybrid or onsite")
	flags.StringVar(&o.kind, "type", "", "only roles of which the source states this `TYPE`: full_time, part_time, contract, …")
	flags.IntVar(&o.PayFrom, "pay-from", 0, "only roles that may pay this `AMOUNT` in a year, as far as it is stated")
	flags.StringVar(&o.Currency, "currency", "", "only roles whose pay is stated in this `CURRENCY`, such as EUR")
	flags.StringVar(&o.Words, "words", "", "only roles whose text has these `WORDS`, in any order")
	flags.StringArrayVar(&o.Boards, "board", nil, "only the board with this `ID`; may be repeated")
	flags.StringArrayVar(&o.Tags, "tag", nil, "only boards with this `TAG`; may be repeated")
	flags.StringSliceVar(&o.kinds, "kinds", nil, "`KINDS` of changes: found, updated, closed, reopened (default: all)")
	command.Must(cmd.MarkFlagRequired("name"))
	return cmd
}

// run saves the search.
func (o *addOptions) run(cmd *cobra.Command, a *app.App, owner account.Account, _ []string) error {
	for _, k := range o.kinds {
		o.Kinds = append(o.Kinds, boardwatch.ChangeKind(strings.TrimSpace(k)))
	}
	o.Mode, o.Type = boardwatch.WorkMode(o.mode), boardwatch.JobType(o.kind)
	saved, err := a.Tracker.SaveSearch(cmd.Context(), owner, o.Search)
	if err != nil {
		return command.Refused(cmd, err, map[string]string{"boards": "--board", "tags": "--tag", "payFrom": "--pay-from"}, nil)
	}
	return command.PrintItem(o.c, saved, columns()...)
}

func newShowCmd(c *command.CLI) *cobra.Command {
	return c.Owned(&cobra.Command{
		Use:   "show [--account EMAIL] ID",
		Short: "List the roles that a search finds now",
		Long: `List the open roles that a search finds now, newest first, as the interface's own Job objects. Kinds of changes are
ignored.`,
		Args: command.Takes("ID"),
	}, func(cmd *cobra.Command, a *app.App, owner account.Account, args []string) error {
		q, err := a.Tracker.Search(cmd.Context(), owner, args[0])
		if err != nil {
			return things().Missing(err, owner, args[0])
		}
		jobs, err := a.Tracker.AllJobs(cmd.Context(), owner, track.JobFilter{Status: boardwatch.JobOpen, Only: q.Criteria})
		if err != nil {
			return err
		}
		return command.PrintList(c, jobs, role.Columns()...)
	})
}

func things() command.Things[boardwatch.Search] {
	return command.Things[boardwatch.Search]{
		One: "search", Many: "searches", Lacks: "has no", Columns: columns(),
		List: func(ctx context.Context, a *app.App, owner account.Account) ([]boardwatch.Search, error) {
			return a.Tracker.Searches(ctx, owner)
		},
		Remove: func(ctx context.Context, a *app.App, owner account.Account, id string) (string, error) {
			return "", a.Tracker.RemoveSearch(ctx, owner, id)
		},
	}
}

func columns() []command.Column[boardwatch.Search] {
	return []command.Column[boardwatch.Search]{
		command.Col("ID", func(q boardwatch.Search) string { return q.ID }),
		command.Col("NAME", func(q boardwatch.Search) string { return q.Name }),
		command.Col("TEXT", func(q boardwatch.Search) string { return q.Text }),
		command.Col("LOCATION", func(q boardwatch.Search) string { return q.Location }),
		command.Col("DEPARTMENT", func(q boardwatch.Search) string { return q.Department }),
		command.Col("BOARDS", func(q boardwatch.Search) string { return strings.Join(q.Boards, ", ") }),
		command.Col("TAGS", func(q boardwatch.Search) string { return strings.Join(q.Tags, ", ") }),
		command.Col("KINDS", func(q boardwatch.Search) string { return command.Joined(q.Kinds, ", ") }),
	}
}
