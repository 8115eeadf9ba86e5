//go:build unix

package diagnosis

import (
	"os"

	"golang.org/x/sys/unix"
)

// shutOut reports whether the owner of a directory cannot read a file, as far as its own rights tell. Only root is told:
// anybody else looks with rights of his own.
func shutOut(dir, file string) bool {
	var home, key unix.Stat_t
	if os.Geteuid() != 0 || unix.Stat(dir, &home) != nil || unix.Stat(file, &key) != nil || home.Uid == 0 {
		return false
	}
	switch {
	case key.Uid == home.Uid:
		return key.Mode&unix.S_IRUSR == 0
	case key.Gid == home.Gid:
		return key.Mode&unix.S_IRGRP == 0
	default:
		return key.Mode&unix.S_IROTH == 0
	}
}
