package main

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
	"github.com/boardwatch/boardwatch/storage"
)

func newMigrateCmd(c *cli) *cobra.Command {
	var status bool
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Update the database's schema",
		Long: `Update the database's schema and list its steps: {name, applied, appliedAt}. A database that is not there yet is made.
Every command updates the schema when it starts, so this one is only for people who want to choose the time. With --status nothing is changed, and the exit code is 1
if steps are missing or there is no database yet.

  boardwatch migrate
  boardwatch migrate --status`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error { return c.migrate(cmd, status) },
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

func (c *cli) migrate(cmd *cobra.Command, statusOnly bool) (err error) {
	ctx := cmd.Context()
	cfg, err := c.config(cmd)
	if err != nil {
		return err
	}
	if !statusOnly {
		if err := app.MakeDataDir(cfg); err != nil {
			return err
		}
	}
	store, err := app.OpenStore(ctx, cfg, storage.Options{Plans: cfg.AllPlans(), NoMigrate: true, NoCreate: statusOnly, Log: c.logger(cfg)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if !statusOnly {
		steps, err := store.Migrate(ctx)
		if err != nil {
			return err
		}
		c.note("%s", applied(len(steps)))
	}
	return c.printMigrations(ctx, store, statusOnly)
}

func applied(steps int) string {
	if steps == 0 {
		return "the schema was up to date"
	}
	return "applied " + count(steps, "step")
}

func (c *cli) printMigrations(ctx context.Context, store *storage.Store, statusOnly bool) error {
	steps, err := store.Migrations(ctx)
	if err != nil {
		return err
	}
	missing := false
	views := make([]migrationView, len(steps))
	for i, s := range steps {
		views[i] = migrationView{s.Name, !s.AppliedAt.IsZero(), optional(stamp(s.AppliedAt))}
		missing = missing || s.AppliedAt.IsZero()
	}
	err = printList(c, views,
		column[migrationView]{"NAME", func(m migrationView) string { return m.Name }},
		column[migrationView]{"APPLIED", func(m migrationView) string { return cmp.Or(text(m.AppliedAt), "no") }},
	)
	if err == nil && statusOnly && missing {
		return exit.Negative()
	}
	return err
}
