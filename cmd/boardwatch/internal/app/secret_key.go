package app

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
)

// SecretKey is the key under which webhook secrets are kept: the one that the settings give, else the file in the data
// directory, which is made on first start.
func SecretKey(cfg config.Config) ([]byte, error) {
	key, err := KnownKey(cfg)
	if key != nil || err != nil {
		return key, err
	}
	file := OwnKeyFile(cfg)
	if err := os.MkdirAll(cfg.DataDir, 0o700); err != nil {
		return nil, exit.Fail(fmt.Errorf("make the data directory: %w", err), "Name another with --data-dir.")
	}
	if err := writeKey(file); err != nil {
		return nil, err
	}
	return readKey(file) // ours, or that of a process that was a moment earlier
}

// takeBackKey removes a key that was made for a database that belongs to another one, which it would hide, and the
// directories that were made for it, unless something is in them by now.
func takeBackKey(cfg config.Config, made []string) error {
	if err := os.Remove(OwnKeyFile(cfg)); err != nil {
		return fmt.Errorf("take the new key for webhook secrets back: %w", err)
	}
	for _, dir := range made {
		_ = os.Remove(dir)
	}
	return nil
}

// missingDirs are a directory and those above it that do not exist, the lowest first.
func missingDirs(dir string) (missing []string) {
	for {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) || filepath.Dir(dir) == dir {
			return missing
		}
		missing = append(missing, dir)
		dir = filepath.Dir(dir)
	}
}

// KnownKey is the key for webhook secrets; nil when none is configured and the one in the data directory is not made yet.
func KnownKey(cfg config.Config) ([]byte, error) {
	switch {
	case cfg.Secrets.Key != "":
		return config.DecodeKey(string(cfg.Secrets.Key))
	case cfg.Secrets.KeyFile != "":
		return readKey(cfg.Secrets.KeyFile)
	}
	key, err := readKey(OwnKeyFile(cfg))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // no key yet is an answer
	}
	return key, err
}

// OwnKeyFile is where the key is kept when the settings name no other place.
func OwnKeyFile(cfg config.Config) string { return filepath.Join(cfg.DataDir, "secret.key") }

func readKey(file string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the key for webhook secrets: %w", err)
	}
	key, err := config.DecodeKey(string(text))
	if err != nil {
		return nil, fmt.Errorf("the key for webhook secrets in %s %w", file, err)
	}
	return key, nil
}

// writeKey makes a key file, whole or not at all: it gets its name only when it is written. A file that is there already
// is left as it is.
func writeKey(file string) (err error) {
	tmp, err := tempKey(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(tmp)) }()
	if err := os.Link(tmp, file); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make the key for webhook secrets: %w", err)
	}
	SyncDir(filepath.Dir(file))
	return nil
}

// tempKey makes a key in a file of its own beside the one it is for.
func tempKey(file string) (name string, err error) {
	var key [32]byte
	_, _ = rand.Read(key[:])                                                    // never fails: it aborts the program instead
	tmp, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".new-*") // only its owner may read it
	if err != nil {
		return "", fmt.Errorf("make the key for webhook secrets: %w", err)
	}
	_, err = tmp.WriteString(base64.StdEncoding.EncodeToString(key[:]) + "\n")
	if err = errors.Join(err, tmp.Sync(), tmp.Close(), leaveToOwner(tmp.Name())); err != nil {
		return "", fmt.Errorf("write the key for webhook secrets: %w", errors.Join(err, os.Remove(tmp.Name())))
	}
	SyncDir(filepath.Dir(file))
	return tmp.Name(), nil
}

// SyncDir makes the names in a directory outlive a loss of power, where the system can do that.
func SyncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = errors.Join(d.Sync(), d.Close()) // not on Windows, which keeps names by itself
	}
}

// RotateTo encrypts under the key in a file that a person has made.
func (a *App) RotateTo(ctx context.Context, file string) (int, error) {
	key, err := readKey(file)
	if err != nil {
		return 0, exit.Fail(err, `A new key is made by "openssl rand -base64 32".`)
	}
	return a.Store.RotateSealKey(ctx, key)
}

// RotateFile makes a new key and puts it in the place of the old one. It is on the disk before the database changes over,
// and gets its name afterwards; a start in between finds it.
func (a *App) RotateFile(ctx context.Context, file string) (n int, err error) {
	next, err := tempKey(file)
	if err != nil {
		return 0, exit.Fail(err, "Give the new key in a file of your own with --new-key-file.")
	}
	key, err := readKey(next)
	if err == nil {
		err = ownedLike(file, next)
	}
	if err == nil {
		n, err = a.Store.RotateSealKey(ctx, key)
	}
	if err != nil {
		return 0, errors.Join(err, os.Remove(next))
	}
	if err := replaceKey(file, next); err != nil {
		return 0, exit.Fail(fmt.Errorf("the database belongs to the new key, but its file could not be put into place: %w", err),
			fmt.Sprintf("Move %s to %s.", next, file))
	}
	return n, nil
}
