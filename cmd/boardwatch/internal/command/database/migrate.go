package database

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
	"github.com/boardwatch/boardwatch/storage"
)

// Migrate is "boardwatch migrate".
func Migrate(c *command.CLI) *cobra.Command {
	var status bool
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Update the database's schema",
		Long: `Update the database's schema and list its steps: {name, applied, appliedAt}. A database that is not there yet is made.
Every command updates the schema when it starts, so this one is only for people who want to choose the time. With --status nothing is changed, and the exit code is 1
if steps are missing or there is no database yet.

  boardwatch migrate
  boardwatch migrate --status`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error { return migrate(c, cmd, status) },
	}
	cmd.Flags().BoolVar(&status, "status", false, "only list which steps have been applied")
	return cmd
}

// migrationView is a step of the schema.
type migrationView struct {
	Name      string  `json:"name"`
	Applied   bool    `json:"applied"`
	AppliedAt *string `json:"appliedAt"`
}

func migrate(c *command.CLI, cmd *cobra.Command, statusOnly bool) (err error) {
	ctx := cmd.Context()
	cfg, err := c.Config(cmd)
	if err != nil {
		return err
	}
	if !statusOnly {
		if err := app.MakeDataDir(cfg); err != nil {
			return err
		}
	}
	store, err := app.OpenStore(ctx, cfg, storage.Options{Plans: cfg.AllPlans(), NoMigrate: true, NoCreate: statusOnly, Log: c.Logger(cfg)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if !statusOnly {
		steps, err := store.Migrate(ctx)
		if err != nil {
			return err
		}
		c.Note("%s", applied(len(steps)))
	}
	return printMigrations(ctx, c, store, statusOnly)
}

func applied(steps int) string {
	if steps == 0 {
		return "the schema was up to date"
	}
	return "applied " + command.Count(steps, "step")
}

func printMigrations(ctx context.Context, c *command.CLI, store *storage.Store, statusOnly bool) error {
	steps, err := store.Migrations(ctx)
	if err != nil {
		return err
	}
	missing := false
	views := make([]migrationView, len(steps))
	for i, s := range steps {
		views[i] = migrationView{s.Name, !s.AppliedAt.IsZero(), command.Optional(command.Stamp(s.AppliedAt))}
		missing = missing || s.AppliedAt.IsZero()
	}
	err = command.PrintList(c, views,
		command.Col("NAME", func(m migrationView) string { return m.Name }),
		command.Col("APPLIED", func(m migrationView) string { return cmp.Or(command.Text(m.AppliedAt), "no") }),
	)
	if err == nil && statusOnly && missing {
		return exit.Negative()
	}
	return err
}
