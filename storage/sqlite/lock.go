package sqlite

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// ErrLocked says that another process watches the boards of the file.
var ErrLocked = errors.New("another process watches the boards of this database")

// Lock claims the right to watch the boards of the file at path, until the returned lock is closed or the process ends.
// Only one process can have it, whatever path it uses for the file; the error names the process that has it.
func Lock(path string) (io.Closer, error) {
	path = resolved(path)
	f, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock database: %w", err)
	}
	switch taken, err := tryLock(f); {
	case err != nil:
		return nil, errors.Join(fmt.Errorf("lock database: %w", err), f.Close())
	case taken:
		defer func() { _ = f.Close() }() // nothing was written
		return nil, fmt.Errorf("lock database: %w%s", ErrLocked, holder(f))
	}
	if err := note(f); err != nil {
		return nil, errors.Join(fmt.Errorf("lock database: %w", err), f.Close())
	}
	return held{f}, nil
}

// held is a lock. It is given up before its file is closed: a program that is being started at that moment has the file open
// too, and would keep the lock.
type held struct{ file *os.File }

// Close gives it up.
func (h held) Close() error { return errors.Join(unlock(h.file), h.file.Close()) }

// resolved returns the path of the file itself, with links followed. If the file does not exist yet, its directory
// must.
func resolved(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return path // opening it reports the error
}

// note writes this process's number into the file, for processes that find it locked.
func note(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err
}

func holder(f *os.File) string {
	b, err := io.ReadAll(io.LimitReader(f, 32))
	if pid := strings.TrimSpace(string(b)); err == nil && pid != "" {
		return " (process " + pid + ")"
	}
	return ""
}
