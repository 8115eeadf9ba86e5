package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/postgres"
	"github.com/boardwatch/boardwatch/storage/sqlite"
)

// OpenStore opens the database that the settings name, by its scheme. When there is none and none may be made, the error says
// where it was looked for, and what to do.
func OpenStore(ctx context.Context, cfg config.Config, o storage.Options) (*storage.Store, error) {
	if o.SealKey != nil {
		o.ReloadSealKey = func() ([]byte, error) { return KnownKey(cfg) }
	}
	if file, ok := cfg.SQLiteFile(); ok {
		store, err := sqlite.Open(ctx, file, o)
		if err != nil {
			return nil, absent(err, file, cfg)
		}
		if err := leaveToOwner(file, file+"-wal", file+"-shm", OwnKeyFile(cfg)); err != nil {
			return nil, errors.Join(err, store.Close())
		}
		return store, nil
	}
	store, err := postgres.Open(ctx, cfg.DatabaseURL(), o)
	return store, absent(Unreached(err), cfg.Database.String(), cfg)
}

// absent says that there is no database where it was looked for. Any other error stays as it is.
func absent(err error, where string, cfg config.Config) error {
	if !errors.Is(err, storage.ErrNoDatabase) {
		return err
	}
	next := `Name another with --database or --data-dir (settings database and data_dir), or make it: "boardwatch account create" and "boardwatch serve" do.`
	if cfg.Unread != "" {
		next = "This user cannot read " + cfg.Unread + ", which may name another: run the command as root. " + next
	}
	return exit.Fail(fmt.Errorf("%w at %s", storage.ErrNoDatabase, where), next)
}

// Unreached says in one sentence why no connection to PostgreSQL came about. Any other error stays as it is.
func Unreached(err error) error {
	e, ok := errors.AsType[*pgconn.ConnectError](err)
	if !ok {
		return err
	}
	at := e.Config.Host
	if !strings.HasPrefix(at, "/") {
		at = net.JoinHostPort(at, strconv.Itoa(int(e.Config.Port)))
	}
	return exit.Fail(fmt.Errorf("the database at %s cannot be used: %s", at, Refusal(e)), "Correct the setting database, or look whether PostgreSQL runs there.")
}

// Refusal is why a server let nobody in, without names: they are in the settings.
func Refusal(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch e.Code {
		case "28P01", "28000":
			return "it does not accept this user or password"
		case "3D000":
			return "it has no database of this name"
		case "08P01":
			if strings.HasPrefix(e.Message, "unsupported startup parameter") {
				return "it is a pooler that does not pass parameters on; let its ignore_startup_parameters name " + postgres.Parameters()
			}
			return e.Message
		default:
			return e.Message
		}
	}
	return Unconnected(err)
}

// Unconnected says why a connection did not come about.
func Unconnected(err error) string {
	if e, ok := errors.AsType[*net.DNSError](err); ok {
		if e.IsNotFound {
			return "the host does not exist"
		}
		return "the name of the host could not be looked up"
	}
	late, ok := errors.AsType[net.Error](err)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nothing listens there"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "there is no way to that host"
	case errors.Is(err, os.ErrNotExist):
		return "there is no such socket"
	case errors.Is(err, context.DeadlineExceeded), ok && late.Timeout():
		return "no answer came in time"
	default:
		return "it did not answer as it should"
	}
}

// LockBoards makes sure that no other process watches the boards of the same SQLite file. Nothing is locked when this
// process does not watch, or when the database is made for many.
func LockBoards(cfg config.Config) (io.Closer, error) {
	file, ok := cfg.SQLiteFile()
	if !ok || !cfg.Runs("worker") {
		return io.NopCloser(nil), nil
	}
	lock, err := LockFile(file)
	if errors.Is(err, sqlite.ErrLocked) {
		return nil, exit.Fail(err, `Stop that one, run this with "--role api", or keep the boards in PostgreSQL.`)
	}
	return lock, err
}

// LockFile makes sure that no other process watches the boards of a SQLite file.
func LockFile(file string) (io.Closer, error) {
	lock, err := sqlite.Lock(file)
	if err != nil {
		return nil, err
	}
	if err := leaveToOwner(file + ".lock"); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

// MakeDataDir makes the data directory when something will be kept in it. It is for the service's own user only.
func MakeDataDir(cfg config.Config) error {
	if file, ok := cfg.SQLiteFile(); !ok || filepath.Dir(file) != filepath.Clean(cfg.DataDir) {
		return nil
	}
	if err := os.MkdirAll(cfg.DataDir, 0o700); err != nil {
		return exit.Fail(fmt.Errorf("make the data directory: %w", err), "Name another with --data-dir, or a database with --database.")
	}
	return nil
}
