// Package role has the commands that show roles and their history.
package role

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
)

// Command is "boardwatch role".
func Command(c *command.CLI) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "role",
		Short: "Show roles and what has happened to them",
		Long: `Show the roles on an account's boards, and the history of a role.

  boardwatch role list --account ann@example.com --search engineer
  boardwatch role history 66f2a9c81b5e4d0fa3c27e10`,
	}
	cmd.AddCommand(newListCmd(c), newShowCmd(c), newHistoryCmd(c))
	return cmd
}

// listOptions are the roles that the flags of "role list" choose.
type listOptions struct {
	track.JobFilter

	c                  *command.CLI
	status, mode, kind string
	texts              bool
}

func newListCmd(c *command.CLI) *cobra.Command {
	o := listOptions{c: c}
	cmd := c.Owned(&cobra.Command{
		Use:   "list [--account EMAIL]",
		Short: "List roles, newest first",
		Long: `List the roles on an account's boards, newest first, as the interface's own Job objects. Without --limit, all matching
roles are listed. Locked boards have none. With --text, each object also has facts, which holds what the source states
about the role ({postedAt, updatedAt, validThrough, mode, type, typeText, pay, places, requisition, language}), and text, in
Markdown. --words finds roles whose text has all of the words, each of them at least by its beginning.

  boardwatch role list --account ann@example.com --status all -o csv
  boardwatch role list --account ann@example.com --mode remote --words "kubernetes golang" --text
  boardwatch role list --account ann@example.com --search "data engineer" --location berlin`,
		Args: command.Takes(),
	}, o.run)
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.BoardID, "board", "", "only the board with this `ID`")
	flags.StringVar(&o.Search, "search", "", "only roles with this `TEXT` in the title")
	flags.StringVar(&o.Location, "location", "", "only roles with this `TEXT` in the location")
	flags.StringVar(&o.Only.Department, "department", "", "only roles with this `TEXT` in the department")
	flags.StringVar(&o.mode, "mode", "", "only roles of which the source states this `MODE` of work: remote, hybrid or onsite")
	flags.StringVar(&o.kind, "type", "", "only roles of which the source states this `TYPE`: full_time, part_time, contract, …")
	flags.IntVar(&o.Only.PayFrom, "pay-from", 0, "only roles that may pay this `AMOUNT` in a year, as far as it is stated")
	flags.StringVar(&o.Only.Currency, "currency", "", "only roles whose pay is stated in this `CURRENCY`, such as EUR")
	flags.StringVar(&o.Only.Words, "words", "", "only roles whose text has these `WORDS`, in any order")
	flags.BoolVar(&o.texts, "text", false, "also show facts and texts")
	flags.StringArrayVar(&o.Only.Tags, "tag", nil, "only boards with this `TAG`; may be repeated")
	flags.StringVar(&o.status, "status", string(boardwatch.JobOpen), "`STATUS`: open, closed or all")
	flags.IntVar(&o.Limit, "limit", 0, "at most `N` roles (default: all)")
	flags.Int64Var(&o.Skip, "skip", 0, "skip the newest `N` roles")
	return command.After(func(cmd *cobra.Command, _ []string) error {
		if cmd.Flags().Changed("limit") && o.Limit < 1 {
			return errors.New("--limit must be at least 1; without it all are listed")
		}
		return nil
	}, cmd)
}

// run lists the roles.
func (o *listOptions) run(cmd *cobra.Command, a *app.App, owner account.Account, _ []string) error {
	wanted, err := track.ParseJobStatus(o.status)
	if err != nil {
		return exit.Usage(cmd, err)
	}
	o.Status, o.Only.Mode, o.Only.Type = wanted, boardwatch.WorkMode(o.mode), boardwatch.JobType(o.kind)
	jobs, err := a.Tracker.AllJobs(cmd.Context(), owner, o.JobFilter)
	if boardwatch.CodeOf(err) == boardwatch.CodeInvalidRequest {
		return exit.Usage(cmd, err)
	}
	if err != nil {
		return err
	}
	if !o.texts {
		return command.PrintList(o.c, jobs, Columns()...)
	}
	if jobs, err = a.Tracker.WithTexts(cmd.Context(), jobs); err != nil {
		return err
	}
	return command.PrintList(o.c, statedRoles(jobs), statedColumns()...)
}

func newShowCmd(c *command.CLI) *cobra.Command {
	var text bool
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show one role",
		Long: `Show one role, regardless of who tracks its board: the interface's own Job object with facts, which holds what the source
states about the role, and text, in Markdown. With --text, only the text is shown.

  boardwatch role show 66f2a9c81b5e4d0fa3c27e10
  boardwatch role show --text 66f2a9c81b5e4d0fa3c27e10`,
		Args: command.Takes("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withRole(c, cmd, args[0], func(ctx context.Context, a *app.App, j boardwatch.Job) error {
				jobs, err := a.Tracker.WithTexts(ctx, []boardwatch.Job{j})
				if err != nil {
					return err
				}
				switch {
				case !text:
					return command.PrintItem(c, statedRole(jobs[0]), statedColumns()...)
				case jobs[0].Text == "":
					return exit.Fail(errors.New("no text of this role is kept"), "")
				}
				_, err = fmt.Fprintln(c.Out, jobs[0].Text)
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&text, "text", false, "show only the text")
	return cmd
}

// statedRole is a role with what its source states.
type statedRole boardwatch.Job

// MarshalJSON writes the Job object with facts and text.
func (r statedRole) MarshalJSON() ([]byte, error) { return json.Marshal(boardwatch.Job(r).Stated()) }

func statedRoles(jobs []boardwatch.Job) []statedRole {
	roles := make([]statedRole, len(jobs))
	for i, j := range jobs {
		roles[i] = statedRole(j)
	}
	return roles
}

func statedColumns() []command.Column[statedRole] {
	var columns []command.Column[statedRole]
	for _, shared := range Columns() {
		columns = append(columns, command.Col(shared.Head, func(r statedRole) string { return shared.Cell(boardwatch.Job(r)) }))
	}
	return slices.Insert(columns, 4, command.Col("FACTS", func(r statedRole) string { return r.Facts.Line() }))
}

func newHistoryCmd(c *command.CLI) *cobra.Command {
	return &cobra.Command{
		Use:   "history ID",
		Short: "Show the history of a role",
		Long: `Show the history of a role, oldest first: [{at, kind, changes, checkId, reason}]. The kinds are found, updated,
missing, closed and reopened. For an updated role, changes contains the values before and after: [{field, from, to}],
where field is title, location, department, url, mode, type, pay, places, validThrough, requisition or text, whose values are
hashes. It is empty in entries from before this was recorded. The reason of
a closed role names the checks that missed it, which "boardwatch board history" lists.

  boardwatch role history 66f2a9c81b5e4d0fa3c27e10
  boardwatch role history 66f2a9c81b5e4d0fa3c27e10 -o csv`,
		Args: command.Takes("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withRole(c, cmd, args[0], func(ctx context.Context, a *app.App, j boardwatch.Job) error {
				events, err := a.Tracker.RoleHistory(ctx, j)
				if err != nil {
					return err
				}
				return command.PrintList(c, events, roleEventColumns()...)
			})
		},
	}
}

// withRole finds a role of any board.
func withRole(c *command.CLI, cmd *cobra.Command, id string, run func(ctx context.Context, a *app.App, j boardwatch.Job) error) error {
	return c.WithApp(cmd, func(ctx context.Context, a *app.App) error {
		j, err := a.Tracker.AnyRole(ctx, id)
		if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
			return exit.Fail(fmt.Errorf("there is no role with the id %s", id),
				`Run "boardwatch role list --account EMAIL --status all" to see the roles on an account's boards.`)
		}
		if err != nil {
			return err
		}
		return run(ctx, a, j)
	})
}

func roleEventColumns() []command.Column[boardwatch.RoleEvent] {
	return []command.Column[boardwatch.RoleEvent]{
		command.Col("AT", func(e boardwatch.RoleEvent) string { return command.Stamp(e.At) }),
		command.Col("KIND", func(e boardwatch.RoleEvent) string { return string(e.Kind) }),
		command.Col("CHANGES", func(e boardwatch.RoleEvent) string { return fieldChangesText(e.Changes) }),
		command.Col("CHECK", func(e boardwatch.RoleEvent) string { return e.CheckID }),
		command.Col("REASON", func(e boardwatch.RoleEvent) string { return e.Reason() }),
	}
}

// fieldChangesText is what changed about a role on one line.
func fieldChangesText(changes []boardwatch.FieldChange) string {
	parts := make([]string, len(changes))
	for i, f := range changes {
		parts[i] = fmt.Sprintf("%s: %s -> %s", f.Field, cmp.Or(f.From, "nothing"), cmp.Or(f.To, "nothing"))
	}
	return strings.Join(parts, "; ")
}

// Columns are what a table shows of a role.
func Columns() []command.Column[boardwatch.Job] {
	return []command.Column[boardwatch.Job]{
		command.Col("ID", func(j boardwatch.Job) string { return j.ID }),
		command.Col("TITLE", func(j boardwatch.Job) string { return j.Title }),
		command.Col("LOCATION", func(j boardwatch.Job) string { return j.Location }),
		command.Col("DEPARTMENT", func(j boardwatch.Job) string { return j.Department }),
		command.Col("COMPANY", func(j boardwatch.Job) string { return j.Company }),
		command.Col("STATUS", func(j boardwatch.Job) string { return string(j.Status) }),
		command.Col("FIRST SEEN", func(j boardwatch.Job) string { return command.Stamp(j.FirstSeenAt) }),
		command.Col("LAST SEEN", func(j boardwatch.Job) string { return command.Stamp(j.LastSeenAt) }),
		command.Col("CLOSED", func(j boardwatch.Job) string { return command.Stamp(j.ClosedAt) }),
		command.Col("URL", func(j boardwatch.Job) string { return j.URL }),
	}
}
