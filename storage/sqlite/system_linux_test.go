package sqlite_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/sqlite"
)

func TestTryWriteFailsWhileTheDiskIsFull(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=4m"); err != nil {
		t.Skip("NOT TESTED: a full disk, because no small disk can be mounted here: " + err.Error())
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(dir, 0)) })
	s, err := sqlite.Open(t.Context(), filepath.Join(dir, "boardwatch.db"), storage.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	require.NoError(t, s.TryWrite(t.Context()))

	filler := filepath.Join(dir, "filler")
	err = os.WriteFile(filler, make([]byte, 5<<20), 0o600)
	require.ErrorIs(t, err, unix.ENOSPC)
	require.NoError(t, s.Ping(t.Context()), "it answers all the same")
	require.ErrorContains(t, s.TryWrite(t.Context()), "full")

	require.NoError(t, os.Remove(filler))
	require.NoError(t, s.TryWrite(t.Context()))
}

// A program that is being started has the files of this one open for a moment.
func TestLockIsGivenUpThoughAnotherProcessHasItsFileOpen(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "boardwatch.db")
	lock, err := sqlite.Lock(path)
	require.NoError(t, err)
	links, err := filepath.Glob("/proc/self/fd/*")
	require.NoError(t, err)
	copied := -1
	for _, link := range links {
		if to, err := os.Readlink(link); err == nil && to == path+".lock" {
			n, err := strconv.Atoi(filepath.Base(link))
			require.NoError(t, err)
			copied, err = unix.Dup(n)
			require.NoError(t, err)
		}
	}
	require.GreaterOrEqual(t, copied, 0)
	t.Cleanup(func() { require.NoError(t, unix.Close(copied)) })
	require.NoError(t, lock.Close())
	again, err := sqlite.Lock(path)
	require.NoError(t, err)
	require.NoError(t, again.Close())
}
