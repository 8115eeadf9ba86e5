package sqlite

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockedByte lies past the process number that the file holds, which others may read while it is locked.
const lockedByte = 1 << 20

// tryLock locks the file for this process, or reports that another one has it.
func tryLock(f *os.File) (taken bool, err error) {
	at := windows.Overlapped{Offset: lockedByte}
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return true, nil
	}
	return false, err
}

// unlock does nothing: closing the file does.
func unlock(*os.File) error { return nil }
