//go:build unix

package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// leaveToOwner gives files that root has made to the owner of the directory they are in: a service that runs under a name
// of its own has to read what an operator's commands leave there. For anybody but root it does nothing.
func leaveToOwner(files ...string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	for _, file := range files {
		var made, dir unix.Stat_t
		err := unix.Lstat(file, &made)
		if errors.Is(err, fs.ErrNotExist) || err == nil && (made.Mode&unix.S_IFMT != unix.S_IFREG || made.Uid != 0) {
			continue
		}
		if err == nil {
			err = unix.Stat(filepath.Dir(file), &dir)
		}
		if err == nil && dir.Uid != 0 {
			err = os.Lchown(file, int(dir.Uid), int(dir.Gid))
		}
		if err != nil {
			return fmt.Errorf("give %s to the owner of its directory: %w", file, err)
		}
	}
	return nil
}

// ownedLike gives a file that root has made to replace another one the owner and the rights of that one.
func ownedLike(old, file string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	var was unix.Stat_t
	err := unix.Stat(old, &was)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = errors.Join(os.Lchown(file, int(was.Uid), int(was.Gid)), os.Chmod(file, fs.FileMode(was.Mode)&fs.ModePerm))
	}
	if err != nil {
		return fmt.Errorf("give %s the owner of %s: %w", file, old, err)
	}
	return nil
}
