package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// errLocked says that another process holds the lock.
var errLocked = errors.New("locked by another process")

// watchLock makes sure that one SQLite file has one watching process. The lock belongs to the open file, so that it ends
// with its process however that ends; the text inside is for people.
type watchLock struct{ file *os.File }

// lockWatching takes the lock of a database file. When another process has it, the error is a sentence that names that
// process.
func lockWatching(database string) (*watchLock, error) {
	path := database + ".lock"
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // the operator names the database
	if err != nil {
		return nil, fmt.Errorf("open the lock file: %w", err)
	}
	if err := lockFile(f); err != nil {
		holder, _ := io.ReadAll(io.LimitReader(f, 200)) // only to say who; the lock itself is what counts
		_ = f.Close()                                   // nothing was written
		if errors.Is(err, errLocked) {
			return nil, fmt.Errorf("the boards in %s are being watched already, by %s (%s)", database, holderName(holder), path)
		}
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	l := &watchLock{file: f}
	if err := l.sign(); err != nil {
		return nil, errors.Join(fmt.Errorf("write %s: %w", path, err), l.release())
	}
	return l, nil
}

func (l *watchLock) sign() error {
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err := l.file.WriteAt(fmt.Appendf(nil, "process %d\n", os.Getpid()), 0)
	return err
}

// release gives the lock up. The file stays: removing it would let two processes hold a lock on two files of that name.
func (l *watchLock) release() error {
	return errors.Join(l.file.Truncate(0), l.file.Close())
}

func holderName(text []byte) string {
	if s := strings.TrimSpace(string(text)); s != "" {
		return s
	}
	return "another process"
}
