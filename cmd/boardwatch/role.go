package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

func newRoleCmd(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "role",
		Short: "Show the roles on an account's boards",
		Long: `Show the roles on an account's boards.

  boardwatch role list --account ann@example.com --search engineer`,
	}
	cmd.AddCommand(newRoleListCmd(c))
	return cmd
}

func newRoleListCmd(c *cli) *cobra.Command {
	var email, status string
	var filter boardwatch.JobFilter
	cmd := &cobra.Command{
		Use:   "list --account EMAIL",
		Short: "List roles, newest first",
		Long: `List the roles on an account's boards, newest first, as the interface's own Job objects. Without --limit, all matching
roles are listed. Locked boards have none.

  boardwatch role list --account ann@example.com --status all -o csv
  boardwatch role list --account ann@example.com --search "data engineer" --location berlin`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("limit") && filter.Limit < 1 {
				return usageError(cmd, errors.New("--limit must be at least 1; without it all are listed"))
			}
			return c.withAccount(cmd, email, func(ctx context.Context, a *app, owner boardwatch.Account) error {
				wanted, err := track.ParseJobStatus(status)
				if err != nil {
					return usageError(cmd, err)
				}
				filter.Status = wanted
				jobs, err := a.tracker.AllJobs(ctx, owner, filter)
				if boardwatch.CodeOf(err) == boardwatch.CodeInvalidRequest {
					return usageError(cmd, err)
				}
				if err != nil {
					return err
				}
				return printList(c, jobs, jobColumns()...)
			})
		},
	}
	accountFlag(cmd, &email)
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&filter.BoardID, "board", "", "only the board with this `ID`")
	flags.StringVar(&filter.Search, "search", "", "only roles with this `TEXT` in the title")
	flags.StringVar(&filter.Location, "location", "", "only roles with this `TEXT` in the location")
	flags.StringVar(&status, "status", string(boardwatch.JobOpen), "`STATUS`: open, closed or all")
	flags.IntVar(&filter.Limit, "limit", 0, "at most `N` roles (default: all)")
	flags.Int64Var(&filter.Skip, "skip", 0, "skip the newest `N` roles")
	return cmd
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
