//go:build unix

package diagnosis

import (
	"golang.org/x/sys/unix"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
)

// freeSpace is how many bytes this user may still write where the file is.
func freeSpace(file string) (config.ByteSize, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(file, &s); err != nil {
		return 0, err
	}
	return config.ByteSize(uint64(s.Bavail) * uint64(s.Bsize)), nil //nolint:gosec,unconvert // types differ between systems
}
