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
		made, err := os.Lstat(file)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !made.Mode().IsRegular() {
			continue
		}
		dir, failed := os.Stat(filepath.Dir(file))
		if err := errors.Join(err, failed); err != nil {
			return fmt.Errorf("find out whose file it is: %w", err)
		}
		owner, ok := dir.Sys().(*syscall.Stat_t)
		if s, known := made.Sys().(*syscall.Stat_t); !ok || !known || s.Uid != 0 || owner.Uid == 0 {
			continue
		}
		if err := os.Lchown(file, int(owner.Uid), int(owner.Gid)); err != nil {
			return fmt.Errorf("give the file to the owner of its directory: %w", err)
		}
	}
	return nil
}

// ownedLike gives a file that root has made to replace another one the owner and the rights of that one.
func ownedLike(old, file string) error {
	info, err := os.Stat(old)
	if os.Geteuid() != 0 || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if owner, ok := info.Sys().(*syscall.Stat_t); ok {
		err = os.Lchown(file, int(owner.Uid), int(owner.Gid))
	}
	return errors.Join(err, os.Chmod(file, info.Mode().Perm()))
}

// shutOut reports whether the owner of a directory cannot read a file, as far as its own rights tell. Only root is told:
// anybody else looks with rights of his own.
func shutOut(dir, file string) bool {
	home, err := os.Stat(dir)
	if err != nil || os.Geteuid() != 0 {
		return false
	}
	info, err := os.Stat(file)
	if err != nil {
		return false
	}
	owner, ok := home.Sys().(*syscall.Stat_t)
	of, known := info.Sys().(*syscall.Stat_t)
	switch mode := info.Mode().Perm(); {
	case !ok || !known || owner.Uid == 0:
		return false
	case of.Uid == owner.Uid:
		return mode&0o400 == 0
	case of.Gid == owner.Gid:
		return mode&0o040 == 0
	default:
		return mode&0o004 == 0
	}
}
