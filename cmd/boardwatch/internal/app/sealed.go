package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/observe"
	"github.com/boardwatch/boardwatch/storage"
)

// OpenSealed is Open with the key for webhook secrets, which is made on first start. A key that the database does not
// belong to is refused.
func OpenSealed(ctx context.Context, cfg config.Config, log *slog.Logger, t *observe.Traces, p Presence) (*App, error) {
	known, err := KnownKey(cfg)
	if err != nil {
		return nil, err
	}
	if known == nil && p == MustExist { // no key is made for a database that nobody has made
		store, err := OpenStore(ctx, cfg, storage.Options{NoMigrate: true, NoCreate: true})
		if err != nil {
			return nil, err
		}
		if err := store.Close(); err != nil {
			return nil, err
		}
	}
	missing := missingDirs(cfg.DataDir)
	key, err := SecretKey(cfg)
	if err != nil {
		return nil, err
	}
	a, err := Open(ctx, cfg, log, t, key, p)
	if !errors.Is(err, storage.ErrSealKey) {
		return a, err
	}
	if known == nil {
		if err := takeBackKey(cfg, missing); err != nil {
			return nil, err
		}
		return nil, exit.Fail(errors.New("webhook secrets in the database are encrypted, and their key is gone"),
			fmt.Sprintf(`Copy its secret.key into the data directory, as %s, or set secrets.key or secrets.key_file, or name the service's directory with --data-dir. If it is lost, "boardwatch rotate-key --lost" deletes all webhooks and begins with a new one.`, OwnKeyFile(cfg)))
	}
	if a, ok := openRotated(ctx, cfg, log, t); ok {
		return a, nil
	}
	from, ok := KeyFile(cfg)
	if !ok {
		from = "the setting secrets.key"
	}
	return nil, exit.Fail(err, fmt.Sprintf(`The key that was tried is that in %s. If the right one is lost, "boardwatch rotate-key --lost" deletes all webhooks and goes on with this one.`, from))
}

// openRotated opens the database with a key that was left beside the key file when a rotation was cut off after the
// database had changed over, and brings that rotation to its end.
func openRotated(ctx context.Context, cfg config.Config, log *slog.Logger, t *observe.Traces) (*App, bool) {
	file, ok := KeyFile(cfg)
	if !ok {
		return nil, false
	}
	left, err := filepath.Glob(file + ".new-*")
	if err != nil {
		return nil, false
	}
	for _, name := range left {
		key, err := readKey(name)
		if err != nil {
			continue
		}
		a, err := Open(ctx, cfg, log, t, key, MustExist)
		if err != nil {
			continue
		}
		if err := replaceKey(file, name); err != nil {
			log.WarnContext(ctx, "the rotated key could not be put into its place", slog.String("file", file), slog.Any("error", err))
		}
		return a, true
	}
	return nil, false
}

// KeyFile is the file that the key for webhook secrets is read from; false when it is in the setting itself.
func KeyFile(cfg config.Config) (string, bool) {
	switch {
	case cfg.Secrets.Key != "":
		return "", false
	case cfg.Secrets.KeyFile != "":
		return cfg.Secrets.KeyFile, true
	default:
		return OwnKeyFile(cfg), true
	}
}

// replaceKey puts a new key file in the place of an old one, which is kept: databases that were backed up before still
// belong to it. Another process may have done so already.
func replaceKey(file, next string) error {
	if _, err := os.Stat(next); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	old := file + ".old"
	if err := os.Remove(old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Link(file, old); err != nil {
		return err
	}
	if err := os.Rename(next, file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	SyncDir(filepath.Dir(file))
	return nil
}
