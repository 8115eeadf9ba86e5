package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/postgres"
	"github.com/boardwatch/boardwatch/storage/sqlite"
)

func newRestoreCmd(c *cli) *cobra.Command {
	var force, check bool
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Fill the database from a backup",
		Long: `Fill the database from a backup, which may have been made of SQLite or PostgreSQL, by this version or an earlier one:
{file, bytes, rows, tables, schema, createdAt, sha256}. The file is read to its end first; one that is cut off or damaged, or
that a newer version made, changes nothing. All of it comes or nothing, schema included: what was in the database is there
until everything else is.

The database has to be empty; --force replaces what is in it. Nothing else may have it open: no service of any role, no
command. Webhook secrets in the
backup need the key they were encrypted under: copy secret.key into the data directory. Without it the service does not
start; "rotate-key --lost" gives those webhooks up. A backup without such secrets needs no key.

With --check the file is only looked through.

  boardwatch restore /backups/boardwatch-2026-11-20.gz
  boardwatch restore --database postgres://boards@db/boards /backups/boardwatch-2026-11-20.gz
  boardwatch restore --check /backups/boardwatch-2026-11-20.gz`,
		Args: takes("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := readBackup(args[0])
			if err != nil {
				return unrestorable(args[0], err)
			}
			if check {
				return c.printBackup(newBackupView(args[0], b))
			}
			return c.restore(cmd, args[0], force)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace what the database holds")
	cmd.Flags().BoolVar(&check, "check", false, "only look whether the file is whole")
	return cmd
}

func (c *cli) restore(cmd *cobra.Command, file string, force bool) (err error) {
	ctx := cmd.Context()
	cfg, err := c.config(cmd)
	if err != nil {
		return err
	}
	if err := makeDataDir(cfg); err != nil {
		return err
	}
	lock, err := lockForRestore(cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	store, err := openStore(ctx, cfg, storage.Options{Plans: cfg.AllPlans(), NoMigrate: true, Log: c.logger(cfg)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	var b storage.Backup
	err = withFile(file, func(r io.Reader) error {
		b, err = store.Restore(ctx, r, force)
		return err
	})
	if err != nil {
		return unrestorable(file, err)
	}
	if err := c.noteKey(ctx, cfg, store, b); err != nil {
		return err
	}
	return c.printBackup(newBackupView(file, b))
}

// lockForRestore keeps services from the SQLite file. PostgreSQL itself knows who is connected.
func lockForRestore(cfg config.Config) (io.Closer, error) {
	name, ok := sqliteFile(cfg)
	if !ok {
		return io.NopCloser(nil), nil
	}
	lock, err := lockFile(name)
	if errors.Is(err, sqlite.ErrLocked) {
		return nil, fail(err, "Stop it first.")
	}
	return lock, err
}

// noteKey says when the key that the secrets need is not the one that the settings name.
func (c *cli) noteKey(ctx context.Context, cfg config.Config, store *storage.Store, b storage.Backup) error {
	if b.Key == "" {
		return nil
	}
	key, err := knownKey(cfg)
	if err != nil {
		return err
	}
	opens, err := store.OpensWith(ctx, key)
	if err == nil && !opens {
		c.note("webhook secrets in this backup are encrypted under a key that is not here: copy its secret.key into the data directory before the next start, or set secrets.key or secrets.key_file; if it is lost, run \"boardwatch rotate-key --lost\"")
	}
	return err
}

// unrestorable says in one sentence why nothing was restored, and what to do.
func unrestorable(file string, err error) error {
	if e, ok := errors.AsType[*exitError](unreached(err)); ok {
		return e
	}
	switch {
	case errors.Is(err, storage.ErrBackup), errors.Is(err, storage.ErrNewerSchema):
		return fail(fmt.Errorf("%s was not restored: %w", file, err), "Nothing was changed. Take another backup.")
	case errors.Is(err, storage.ErrNotEmpty):
		return fail(err, "Name another database with --database, or replace everything in this one with --force.")
	case errors.Is(err, storage.ErrInUse):
		return fail(err, "Stop them first: services of every role, and commands that still run.")
	case errors.Is(err, postgres.ErrPooled):
		return fail(err, "Name the server itself with --database for this command.")
	default:
		return fail(fmt.Errorf("%s was not restored: %w", file, err), "The database is as it was before.")
	}
}
