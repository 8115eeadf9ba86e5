//go:build unix

package app

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/storage"
)

func TestRootLeavesFilesToTheOwnerOfTheirDirectory(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("NOT TESTED: commands that run as root, because this user is another")
	}
	const owner = 65534
	dir := t.TempDir()
	require.NoError(t, os.Chown(dir, owner, owner))
	cfg := config.Config{DataDir: dir, Database: config.Secret("sqlite:" + filepath.Join(dir, "boardwatch.db")), Role: []string{"all"}}
	lock, err := LockBoards(cfg)
	require.NoError(t, err)
	store, err := OpenStore(t.Context(), cfg, storage.Options{})
	require.NoError(t, err)
	require.NoError(t, writeKey(OwnKeyFile(cfg)))

	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Subset(t, files, []string{OwnKeyFile(cfg), filepath.Join(dir, "boardwatch.db"), filepath.Join(dir, "boardwatch.db.lock")})
	for _, file := range files {
		info, err := os.Stat(file)
		require.NoError(t, err)
		require.EqualValues(t, owner, info.Sys().(*syscall.Stat_t).Uid, file) //nolint:forcetypeassert // it is one on unix
	}
	next, err := tempKey(OwnKeyFile(cfg))
	require.NoError(t, err)
	require.NoError(t, os.Chown(OwnKeyFile(cfg), owner, owner-1))
	require.NoError(t, os.Chmod(OwnKeyFile(cfg), 0o640))
	require.NoError(t, ownedLike(OwnKeyFile(cfg), next))
	info, err := os.Stat(next)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o640), info.Mode().Perm())
	require.EqualValues(t, owner-1, info.Sys().(*syscall.Stat_t).Gid) //nolint:forcetypeassert // see above
	require.NoError(t, store.Close())
	require.NoError(t, lock.Close())
}
