// Package database has the commands that maintain the database and its key: backup, restore, migrate and rotate-key.
package database

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
	"github.com/boardwatch/boardwatch/storage"
)

// Backup is "boardwatch backup".
func Backup(c *command.CLI) *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Write a backup of the database into a file",
		Long: `Write a backup of the whole database into a file: {file, bytes, rows, tables, schema, createdAt, sha256}. The backup
shows the database at one instant, and a service may be running meanwhile. A backup has the same format for SQLite and
PostgreSQL, and "restore" reads it into either.

The backup is written under a temporary name, read back and compared before it gets its own name. It replaces an older
backup of that name, but no other file. Only its owner can read it.

Secrets are stored as they are in the database: passwords, keys and tokens hashed, webhook secrets encrypted. The key
that webhook secrets are encrypted with is not in the backup, so keep a copy of secret.key somewhere else.

  boardwatch backup /backups/boardwatch-$(date +%F).gz`,
		Args: command.Takes("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error { return backup(c, cmd, args[0]) },
	}
}

// backupView is what a backup holds.
type backupView struct {
	File      string           `json:"file"`
	Bytes     int64            `json:"bytes"`
	Rows      int64            `json:"rows"`
	Tables    map[string]int64 `json:"tables"` // rows by table
	Schema    string           `json:"schema"` // its last step
	CreatedAt string           `json:"createdAt"`
	SHA256    string           `json:"sha256"` // of its lines, before they are compressed
}

func newBackupView(file string, b storage.Backup) backupView {
	v := backupView{File: file, Rows: b.Rows(), Tables: b.Tables, CreatedAt: command.Stamp(b.CreatedAt), SHA256: b.SHA256}
	if n := len(b.Schema); n > 0 {
		v.Schema = b.Schema[n-1]
	}
	if info, err := os.Stat(file); err == nil {
		v.Bytes = info.Size()
	}
	return v
}

func printBackup(c *command.CLI, v backupView) error {
	return command.PrintItem(c, v,
		command.Col("FILE", func(v backupView) string { return v.File }),
		command.Col("BYTES", func(v backupView) string { return strconv.FormatInt(v.Bytes, 10) }),
		command.Col("ROWS", func(v backupView) string { return strconv.FormatInt(v.Rows, 10) }),
		command.Col("SCHEMA", func(v backupView) string { return v.Schema }),
		command.Col("CREATED", func(v backupView) string { return v.CreatedAt }),
	)
}

func backup(c *command.CLI, cmd *cobra.Command, file string) (err error) {
	ctx := cmd.Context()
	cfg, err := c.Config(cmd)
	if err != nil {
		return err
	}
	if err := replaceable(file); err != nil {
		return err
	}
	store, err := app.OpenStore(ctx, cfg, storage.Options{NoMigrate: true, NoCreate: true, Log: c.Logger(cfg)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	b, err := writeBackup(ctx, c, store, file)
	if err != nil {
		return err
	}
	c.Note("the key for webhook secrets is not in the backup: keep it in another place")
	return printBackup(c, newBackupView(file, b))
}

// replaceable complains when the file is there and is something else than a backup.
func replaceable(file string) error {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return exit.Fail(fmt.Errorf("the file %s cannot be replaced: %w", file, config.PlainReadError(err)), "Name another file.")
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case info.Mode().IsRegular() && info.Size() == 0:
		return nil
	case info.Mode().IsRegular() && storage.IsBackup(f):
		return nil
	default:
		return exit.Fail(fmt.Errorf("the file %s exists and is not a backup", file), "Name another file.")
	}
}

// writeBackup makes the file whole or not at all.
func writeBackup(ctx context.Context, c *command.CLI, store *storage.Store, file string) (b storage.Backup, err error) {
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".new-*") // for its owner's eyes only
	if errors.Is(err, fs.ErrNotExist) {
		return b, exit.Fail(fmt.Errorf("the backup cannot be written: there is no directory %s", filepath.Dir(file)), "Make it first, or name another.")
	}
	if err != nil {
		return b, exit.Fail(fmt.Errorf("the backup cannot be written: %w", config.PlainReadError(err)), "Name a file in a directory that this user may write to.")
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // it may be gone, and the first error is the one to know
		}
	}()
	b, err = store.Backup(ctx, &tellingWriter{f, c, 0})
	c.Progress("")
	if err != nil {
		return b, errors.Join(err, f.Close())
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return b, fmt.Errorf("write backup: %w", err)
	}
	read, err := readBackup(c, "Reading back", f.Name())
	if err != nil {
		return b, fmt.Errorf("read the backup back: %w", err)
	}
	if read.SHA256 != b.SHA256 {
		return b, errors.New("the backup differs from what was written: check the disk")
	}
	if err := os.Rename(f.Name(), file); err != nil {
		return b, fmt.Errorf("put the backup into its place: %w", err)
	}
	app.SyncDir(filepath.Dir(file))
	return b, nil
}

// readBackup reads a backup to its end.
func readBackup(c *command.CLI, what, file string) (b storage.Backup, err error) {
	err = c.ReadCounted(what, file, func(r io.Reader) error {
		b, err = storage.ReadBackup(r)
		return err
	})
	return b, err
}

// tellingWriter tells how much of a file is written. How much it will be is not known.
type tellingWriter struct {
	io.Writer
	c    *command.CLI
	done uint64
}

// Write is that of the file.
func (w *tellingWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	w.done += uint64(n) //nolint:gosec // no writer writes less than nothing
	w.c.Progress("Writing: %s", humanize.Bytes(w.done))
	return n, err
}
