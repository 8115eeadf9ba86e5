package main

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockedByte is the one that is locked: far behind the text, which others may then still read.
const lockedByte = 1 << 30

func lockFile(f *os.File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, &windows.Overlapped{Offset: lockedByte})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errLocked
	}
	return err
}
