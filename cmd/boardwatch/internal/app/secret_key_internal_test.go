package app

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
)

func TestSecretKey(t *testing.T) {
	t.Parallel()
	key := make([]byte, 32)
	key[0] = 7

	t.Run("is made once, for its owner only", func(t *testing.T) {
		t.Parallel()
		cfg := config.Config{DataDir: filepath.Join(t.TempDir(), "data")}
		first, err := SecretKey(cfg)
		require.NoError(t, err)
		require.Len(t, first, 32)
		second, err := SecretKey(cfg)
		require.NoError(t, err)
		require.Equal(t, first, second)
		info, err := os.Stat(filepath.Join(cfg.DataDir, "secret.key"))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
		entries, err := os.ReadDir(cfg.DataDir)
		require.NoError(t, err)
		require.Len(t, entries, 1, "nothing half-written is left")
	})

	t.Run("is the same for all processes that start at once", func(t *testing.T) {
		t.Parallel()
		cfg := config.Config{DataDir: t.TempDir()}
		var group sync.WaitGroup
		keys := make([][]byte, 16)
		errs := make([]error, len(keys))
		for i := range keys {
			group.Go(func() { keys[i], errs[i] = SecretKey(cfg) })
		}
		group.Wait()
		for i := range keys {
			require.NoError(t, errs[i])
			require.Equal(t, keys[0], keys[i])
		}
	})

	t.Run("is the one that the settings give", func(t *testing.T) {
		t.Parallel()
		got, err := SecretKey(config.Config{Secrets: config.Secrets{Key: config.Secret(base64.StdEncoding.EncodeToString(key))}})
		require.NoError(t, err)
		require.Equal(t, key, got)
		file := filepath.Join(t.TempDir(), "key")
		require.NoError(t, os.WriteFile(file, []byte(base64.RawURLEncoding.EncodeToString(key)+"\n"), 0o600))
		got, err = SecretKey(config.Config{Secrets: config.Secrets{KeyFile: file}})
		require.NoError(t, err)
		require.Equal(t, key, got)
	})

	t.Run("is not made up when the file that was named is missing or wrong", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "key")
		_, err := SecretKey(config.Config{DataDir: t.TempDir(), Secrets: config.Secrets{KeyFile: file}})
		require.ErrorIs(t, err, os.ErrNotExist)
		require.NoError(t, os.WriteFile(file, []byte("too short"), 0o600))
		_, err = SecretKey(config.Config{DataDir: t.TempDir(), Secrets: config.Secrets{KeyFile: file}})
		require.ErrorContains(t, err, file)
		require.NotContains(t, err.Error(), "too short")
	})
}
