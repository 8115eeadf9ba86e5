package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

func newSearchCmd(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "search",
		Short: "Save searches for roles",
		Long: `Save searches for roles, at most 20 for each account. A saved search has a page in the app, an Atom feed and a part in
the daily mail, and search_jobs of MCP accepts its name.

  boardwatch search add --account ann@example.com --name "Data in Berlin" --text "data engineer" --location berlin
  boardwatch search list --account ann@example.com`,
	}
	searches := searchThings()
	cmd.AddCommand(newSearchAddCmd(c), searches.listCmd(c, "List an account's searches", "List an account's searches, oldest first."),
		newSearchShowCmd(c),
		searches.removeCmd(c, "remove", "Delete a search", `Delete a search and its feed. "boardwatch search list" shows its id.`))
	return cmd
}

func newSearchAddCmd(c *cli) *cobra.Command {
	var kinds []string
	var mode, kind string
	var q boardwatch.Search
	cmd := c.owned(&cobra.Command{
		Use:   "add [--account EMAIL] --name NAME",
		Short: "Save a search",
		Long: `Save a search: {id, name, text, location, department, boards, tags, kinds, mode, type, payFrom, currency, words}; those
from mode on are left out if not set. A role matches if every text occurs in its field, in any case, if its board is one of
those given by --board or --tag, and if its source states the mode, the type and the pay. Pay per hour, day, week or month is
counted for a year of full-time work. A condition that is left out matches every role. --kinds limits the kinds of changes
in the feed and the daily mail.

  boardwatch search add --account ann@example.com --name Robotics --text engineer --tag robotics --kinds found,reopened`,
		Args: takes(),
	}, func(cmd *cobra.Command, a *app, owner account.Account, _ []string) error {
		for _, k := range kinds {
			q.Kinds = append(q.Kinds, boardwatch.ChangeKind(strings.TrimSpace(k)))
		}
		q.Mode, q.Type = boardwatch.WorkMode(mode), boardwatch.JobType(kind)
		saved, err := a.tracker.SaveSearch(cmd.Context(), owner, q)
		if err != nil {
			return searchRefused(cmd, err)
		}
		return printItem(c, saved, searchColumns()...)
	})
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&q.Name, "name", "", "`NAME` of the search")
	flags.StringVar(&q.Text, "text", "", "only roles with this `TEXT` in the title")
	flags.StringVar(&q.Location, "location", "", "only roles with this `TEXT` in the location")
	flags.StringVar(&q.Department, "department", "", "only roles with this `TEXT` in the department")
	flags.StringVar(&mode, "mode", "", "only roles of which the source states this `MODE` of work: remote, hybrid or onsite")
	flags.StringVar(&kind, "type", "", "only roles of which the source states this `TYPE`: full_time, part_time, contract, …")
	flags.IntVar(&q.PayFrom, "pay-from", 0, "only roles that may pay this `AMOUNT` in a year, as far as it is stated")
	flags.StringVar(&q.Currency, "currency", "", "only roles whose pay is stated in this `CURRENCY`, such as EUR")
	flags.StringVar(&q.Words, "words", "", "only roles whose text has these `WORDS`, in any order")
	flags.StringArrayVar(&q.Boards, "board", nil, "only the board with this `ID`; may be repeated")
	flags.StringArrayVar(&q.Tags, "tag", nil, "only boards with this `TAG`; may be repeated")
	flags.StringSliceVar(&kinds, "kinds", nil, "`KINDS` of changes: found, updated, closed, reopened (default: all)")
	must(cmd.MarkFlagRequired("name"))
	return cmd
}

// searchRefused names what is wrong with a search by the flags that say it.
func searchRefused(cmd *cobra.Command, err error) error {
	e, ok := errors.AsType[*boardwatch.Error](err)
	if !ok {
		return err
	}
	fields, ok := e.Details.([]boardwatch.FieldError)
	if !ok {
		return err
	}
	flags := map[string]string{"boards": "board", "tags": "tag", "payFrom": "pay-from"}
	sentences := make([]string, len(fields))
	for i, f := range fields {
		name, renamed := flags[f.Field]
		if !renamed {
			name = f.Field
		}
		sentences[i] = "--" + name + " " + f.Message
	}
	return usageError(cmd, errors.New(strings.Join(sentences, "\n")))
}

func newSearchShowCmd(c *cli) *cobra.Command {
	return c.owned(&cobra.Command{
		Use:   "show [--account EMAIL] ID",
		Short: "List the roles that a search finds now",
		Long: `List the open roles that a search finds now, newest first, as the interface's own Job objects. Kinds of changes are
ignored.`,
		Args: takes("ID"),
	}, func(cmd *cobra.Command, a *app, owner account.Account, args []string) error {
		q, err := a.tracker.Search(cmd.Context(), owner, args[0])
		if err != nil {
			return searchThings().missing(err, owner, args[0])
		}
		jobs, err := a.tracker.AllJobs(cmd.Context(), owner, track.JobFilter{Status: boardwatch.JobOpen, Only: q.Criteria})
		if err != nil {
			return err
		}
		return printList(c, jobs, jobColumns()...)
	})
}

func searchThings() things[boardwatch.Search] {
	return things[boardwatch.Search]{
		one: "search", many: "searches", lacks: "has no", columns: searchColumns(),
		list: func(ctx context.Context, a *app, owner account.Account) ([]boardwatch.Search, error) {
			return a.tracker.Searches(ctx, owner)
		},
		remove: func(ctx context.Context, a *app, owner account.Account, id string) (string, error) {
			return "", a.tracker.RemoveSearch(ctx, owner, id)
		},
	}
}

func searchColumns() []column[boardwatch.Search] {
	return []column[boardwatch.Search]{
		{"ID", func(q boardwatch.Search) string { return q.ID }},
		{"NAME", func(q boardwatch.Search) string { return q.Name }},
		{"TEXT", func(q boardwatch.Search) string { return q.Text }},
		{"LOCATION", func(q boardwatch.Search) string { return q.Location }},
		{"DEPARTMENT", func(q boardwatch.Search) string { return q.Department }},
		{"BOARDS", func(q boardwatch.Search) string { return strings.Join(q.Boards, ", ") }},
		{"TAGS", func(q boardwatch.Search) string { return strings.Join(q.Tags, ", ") }},
		{"KINDS", func(q boardwatch.Search) string { return joinKinds(q.Kinds) }},
	}
}

func joinKinds(kinds []boardwatch.ChangeKind) string {
	texts := make([]string, len(kinds))
	for i, k := range kinds {
		texts[i] = string(k)
	}
	return strings.Join(texts, ", ")
}
