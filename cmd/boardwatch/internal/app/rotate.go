package app

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
)

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
