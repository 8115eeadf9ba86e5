package main_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/storage"
)

// TestEndLeavesTheDatabaseInOneFile ends commands and the service in good order, and reads a copy of the file alone.
func TestEndLeavesTheDatabaseInOneFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "boards.db")
	i := install(t, "sqlite:"+path, "BOARDWATCH_LOG_LEVEL=error")
	whole := func() {
		require.NoFileExists(t, path+"-wal")
		require.NoFileExists(t, path+"-shm")
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		alone := filepath.Join(t.TempDir(), "copy.db")
		require.NoError(t, os.WriteFile(alone, b, 0o600))
		store, err := app.OpenStore(t.Context(), config.Config{Database: config.Secret("sqlite:" + alone)}, storage.Options{})
		require.NoError(t, err)
		_, err = store.AccountByEmail(t.Context(), e2eEmail)
		require.NoError(t, err)
		require.NoError(t, store.Close())
	}
	i.do(&struct{}{}, "account", "create", "--email", e2eEmail, "--plan", "ultra", "--verified")
	whole()
	service := i.serve()
	status, _ := service.get(t, "/readyz")
	require.Equal(t, http.StatusOK, status)
	i.do(&struct{}{}, "key", "create", "--account", e2eEmail, "--name", "beside it")
	service.stop()
	require.Zero(t, <-service.code)
	whole()
}
