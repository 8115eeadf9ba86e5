package database

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/postgres"
	"github.com/boardwatch/boardwatch/storage/sqlite"
)

// Restore is "boardwatch restore".
func Restore(c *command.CLI) *cobra.Command {
	var force, check bool
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Restore the database from a backup",
		Long: `Restore the database from a backup: {file, bytes, rows, tables, schema, createdAt, sha256}. The backup may come from
SQLite or PostgreSQL, and from this version or an earlier one. The whole file is read first. A file that is truncated,
damaged or from a newer version changes nothing. Everything is restored in one transaction, including the schema, so
the database never holds half of a backup.

The database must be empty, unless --force is given to replace its contents. No service and no other command may have
it open.

Webhook secrets in the backup need the key that they were encrypted with, so copy secret.key into the data directory.
Without it the service does not start; "rotate-key --lost" deletes those webhooks. A backup without webhook secrets
needs no key.

With --check the file is only examined.

  boardwatch restore /backups/boardwatch-2026-11-20.gz
  boardwatch restore --database postgres://boards@db/boards /backups/boardwatch-2026-11-20.gz
  boardwatch restore --check /backups/boardwatch-2026-11-20.gz`,
		Args: command.Takes("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := readBackup(c, "Checking", args[0])
			if err != nil {
				return unrestorable(args[0], err)
			}
			if check {
				return printBackup(c, newBackupView(args[0], b))
			}
			return restore(c, cmd, args[0], force)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace the contents of the database")
	cmd.Flags().BoolVar(&check, "check", false, "only check that the file is complete")
	return cmd
}

func restore(c *command.CLI, cmd *cobra.Command, file string, force bool) (err error) {
	ctx := cmd.Context()
	cfg, err := c.Config(cmd)
	if err != nil {
		return err
	}
	if err := app.MakeDataDir(cfg); err != nil {
		return err
	}
	lock, err := lockForRestore(cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	store, err := app.OpenStore(ctx, cfg, storage.Options{Plans: cfg.AllPlans(), NoMigrate: true, Log: c.Logger(cfg)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	var b storage.Backup
	err = c.ReadCounted("Restoring", file, func(r io.Reader) error {
		b, err = store.Restore(ctx, r, force)
		return err
	})
	if err != nil {
		return unrestorable(file, err)
	}
	if err := noteKey(ctx, c, cfg, store, b); err != nil {
		return err
	}
	return printBackup(c, newBackupView(file, b))
}

// lockForRestore keeps services from the SQLite file. PostgreSQL itself knows who is connected.
func lockForRestore(cfg config.Config) (io.Closer, error) {
	name, ok := cfg.SQLiteFile()
	if !ok {
		return io.NopCloser(nil), nil
	}
	lock, err := app.LockFile(name)
	if errors.Is(err, sqlite.ErrLocked) {
		return nil, exit.Fail(err, "Stop it first.")
	}
	return lock, err
}

// noteKey says when the key that the secrets need is not the one that the settings name.
func noteKey(ctx context.Context, c *command.CLI, cfg config.Config, store *storage.Store, b storage.Backup) error {
	if b.Key == "" {
		return nil
	}
	key, err := app.KnownKey(cfg)
	if err != nil {
		return err
	}
	opens, err := store.OpensWith(ctx, key)
	if err == nil && !opens {
		c.Note("webhook secrets in this backup are encrypted under a key that is not here: copy its secret.key into the data directory before the next start, or set secrets.key or secrets.key_file; if it is lost, run \"boardwatch rotate-key --lost\"")
	}
	return err
}

// unrestorable says in one sentence why nothing was restored, and what to do.
func unrestorable(file string, err error) error {
	if e, ok := errors.AsType[*exit.Error](app.Unreached(err)); ok {
		return e
	}
	switch {
	case errors.Is(err, storage.ErrBackup), errors.Is(err, storage.ErrNewerSchema):
		return exit.Fail(fmt.Errorf("%s was not restored: %w", file, err), "Nothing was changed. Take another backup.")
	case errors.Is(err, storage.ErrNotEmpty):
		return exit.Fail(err, "Name another database with --database, or replace everything in this one with --force.")
	case errors.Is(err, storage.ErrInUse):
		return exit.Fail(err, "Stop them first: services of every role, and commands that still run.")
	case errors.Is(err, postgres.ErrPooled):
		return exit.Fail(err, "Name the server itself with --database for this command.")
	default:
		return exit.Fail(fmt.Errorf("%s was not restored: %w", file, err), "The database is as it was before.")
	}
}
