//go:build unix

package main

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

func lockFile(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) //nolint:gosec // a file descriptor is small
	if errors.Is(err, unix.EWOULDBLOCK) {
		return errLocked
	}
	return err
}
