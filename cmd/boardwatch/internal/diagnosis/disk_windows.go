package diagnosis

import (
	"golang.org/x/sys/windows"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
)

// freeSpace is how many bytes this user may still write where the file is.
func freeSpace(file string) (config.ByteSize, error) {
	name, err := windows.UTF16PtrFromString(file)
	if err != nil {
		return 0, err
	}
	var free uint64
	err = windows.GetDiskFreeSpaceEx(name, &free, nil, nil)
	return config.ByteSize(free), err //nolint:gosec // no disk has as much as an int64 cannot hold
}
