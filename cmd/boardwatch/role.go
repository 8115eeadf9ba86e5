package main

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
)

func newRoleCmd(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "role",
		Short: "Show roles and what has happened to them",
		Long: `Show the roles on an account's boards, and the history of a role.

  boardwatch role list --account ann@example.com --search engineer
  boardwatch role history 66f2a9c81b5e4d0fa3c27e10`,
	}
	cmd.AddCommand(newRoleListCmd(c), newRoleShowCmd(c), newRoleHistoryCmd(c))
	return cmd
}

func newRoleListCmd(c *cli) *cobra.Command {
	var status, mode, kind string
	var texts bool
	var filter track.JobFilter
	cmd := c.owned(&cobra.Command{
		Use:   "list [--account EMAIL]",
		Short: "List roles, newest first",
		Long: `List the roles on an account's boards, newest first, as the interface's own Job objects. Without --limit, all matching
roles are listed. Locked boards have none. With --text, each object also has facts, which holds what the source states
about the role ({postedAt, updatedAt, validThrough, mode, type, typeText, pay, places, requisition, language}), and text, in
Markdown. --words finds roles whose text has all of the words, each of them at least by its beginning.

  boardwatch role list --account ann@example.com --status all -o csv
  boardwatch role list --account ann@example.com --mode remote --words "kubernetes golang" --text
  boardwatch role list --account ann@example.com --search "data engineer" --location berlin`,
		Args: takes(),
	}, func(cmd *cobra.Command, a *app, owner account.Account, _ []string) error {
		wanted, err := track.ParseJobStatus(status)
		if err != nil {
			return usageError(cmd, err)
		}
		filter.Status, filter.Only.Mode, filter.Only.Type = wanted, boardwatch.WorkMode(mode), boardwatch.JobType(kind)
		jobs, err := a.tracker.AllJobs(cmd.Context(), owner, filter)
		if boardwatch.CodeOf(err) == boardwatch.CodeInvalidRequest {
			return usageError(cmd, err)
		}
		if err != nil {
			return err
		}
		if !texts {
			return printList(c, jobs, jobColumns()...)
		}
		if jobs, err = a.tracker.WithTexts(cmd.Context(), jobs); err != nil {
			return err
		}
		return printList(c, statedRoles(jobs), statedColumns()...)
	})
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&filter.BoardID, "board", "", "only the board with this `ID`")
	flags.StringVar(&filter.Search, "search", "", "only roles with this `TEXT` in the title")
	flags.StringVar(&filter.Location, "location", "", "only roles with this `TEXT` in the location")
	flags.StringVar(&filter.Only.Department, "department", "", "only roles with this `TEXT` in the department")
	flags.StringVar(&mode, "mode", "", "only roles of which the source states this `MODE` of work: remote, hybrid or onsite")
	flags.StringVar(&kind, "type", "", "only roles of which the source states this `TYPE`: full_time, part_time, contract, …")
	flags.IntVar(&filter.Only.PayFrom, "pay-from", 0, "only roles that may pay this `AMOUNT` in a year, as far as it is stated")
	flags.StringVar(&filter.Only.Currency, "currency", "", "only roles whose pay is stated in this `CURRENCY`, such as EUR")
	flags.StringVar(&filter.Only.Words, "words", "", "only roles whose text has these `WORDS`, in any order")
	flags.BoolVar(&texts, "text", false, "also show facts and texts")
	flags.StringArrayVar(&filter.Only.Tags, "tag", nil, "only boards with this `TAG`; may be repeated")
	flags.StringVar(&status, "status", string(boardwatch.JobOpen), "`STATUS`: open, closed or all")
	flags.IntVar(&filter.Limit, "limit", 0, "at most `N` roles (default: all)")
	flags.Int64Var(&filter.Skip, "skip", 0, "skip the newest `N` roles")
	return after(func(cmd *cobra.Command, _ []string) error {
		if cmd.Flags().Changed("limit") && filter.Limit < 1 {
			return errors.New("--limit must be at least 1; without it all are listed")
		}
		return nil
	}, cmd)
}

func newRoleShowCmd(c *cli) *cobra.Command {
	var text bool
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show one role",
		Long: `Show one role, regardless of who tracks its board: the interface's own Job object with facts, which holds what the source
states about the role, and text, in Markdown. With --text, only the text is shown.

  boardwatch role show 66f2a9c81b5e4d0fa3c27e10
  boardwatch role show --text 66f2a9c81b5e4d0fa3c27e10`,
		Args: takes("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withRole(cmd, args[0], func(ctx context.Context, a *app, j boardwatch.Job) error {
				jobs, err := a.tracker.WithTexts(ctx, []boardwatch.Job{j})
				if err != nil {
					return err
				}
				switch {
				case !text:
					return printItem(c, statedRole(jobs[0]), statedColumns()...)
				case jobs[0].Text == "":
					return fail(errors.New("no text of this role is kept"), "")
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

func statedColumns() []column[statedRole] {
	var columns []column[statedRole]
	for _, col := range jobColumns() {
		columns = append(columns, column[statedRole]{col.Head, func(r statedRole) string { return col.Cell(boardwatch.Job(r)) }})
	}
	return slices.Insert(columns, 4, column[statedRole]{"FACTS", func(r statedRole) string { return r.Facts.Line() }})
}

func newRoleHistoryCmd(c *cli) *cobra.Command {
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
		Args: takes("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withRole(cmd, args[0], func(ctx context.Context, a *app, j boardwatch.Job) error {
				events, err := a.tracker.RoleHistory(ctx, j)
				if err != nil {
					return err
				}
				return printList(c, events, roleEventColumns()...)
			})
		},
	}
}

// withRole finds a role of any board.
func (c *cli) withRole(cmd *cobra.Command, id string, run func(ctx context.Context, a *app, j boardwatch.Job) error) error {
	return c.withApp(cmd, func(ctx context.Context, a *app) error {
		j, err := a.tracker.AnyRole(ctx, id)
		if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
			return fail(fmt.Errorf("there is no role with the id %s", id),
				`Run "boardwatch role list --account EMAIL --status all" to see the roles on an account's boards.`)
		}
		if err != nil {
			return err
		}
		return run(ctx, a, j)
	})
}

func roleEventColumns() []column[boardwatch.RoleEvent] {
	return []column[boardwatch.RoleEvent]{
		{"AT", func(e boardwatch.RoleEvent) string { return stamp(e.At) }},
		{"KIND", func(e boardwatch.RoleEvent) string { return string(e.Kind) }},
		{"CHANGES", func(e boardwatch.RoleEvent) string { return fieldChangesText(e.Changes) }},
		{"CHECK", func(e boardwatch.RoleEvent) string { return e.CheckID }},
		{"REASON", func(e boardwatch.RoleEvent) string { return e.Reason() }},
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

func jobColumns() []column[boardwatch.Job] {
	return []column[boardwatch.Job]{
		{"ID", func(j boardwatch.Job) string { return j.ID }},
		{"TITLE", func(j boardwatch.Job) string { return j.Title }},
		{"LOCATION", func(j boardwatch.Job) string { return j.Location }},
		{"DEPARTMENT", func(j boardwatch.Job) string { return j.Department }},
		{"COMPANY", func(j boardwatch.Job) string { return j.Company }},
		{"STATUS", func(j boardwatch.Job) string { return string(j.Status) }},
		{"FIRST SEEN", func(j boardwatch.Job) string { return stamp(j.FirstSeenAt) }},
		{"LAST SEEN", func(j boardwatch.Job) string { return stamp(j.LastSeenAt) }},
		{"CLOSED", func(j boardwatch.Job) string { return stamp(j.ClosedAt) }},
		{"URL", func(j boardwatch.Job) string { return j.URL }},
	}
}
