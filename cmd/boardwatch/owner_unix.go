//go:build unix

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// leaveToOwner gives files that root has made to the owner of the directory they are in: a service that runs under a name
// of its own has to read what an operator's commands leave there. For anybody but root it does nothing.
func leaveToOwner(files ...string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	for _, file := range files {
		dir, err := os.Stat(filepath.Dir(file))
		if err != nil {
			return fmt.Errorf("find out whose directory it is: %w", err)
		}
		owner, ok := dir.Sys().(*syscall.Stat_t)
		made, err := os.Lstat(file)
		if errors.Is(err, fs.ErrNotExist) || !ok || err == nil && !made.Mode().IsRegular() {
			continue
		}
		if s, ok := made.Sys().(*syscall.Stat_t); err != nil || !ok || s.Uid != 0 || owner.Uid == 0 {
			continue
		}
		if err := os.Lchown(file, int(owner.Uid), int(owner.Gid)); err != nil {
			return fmt.Errorf("give the file to the owner of its directory: %w", err)
		}
	}
	return nil
}
