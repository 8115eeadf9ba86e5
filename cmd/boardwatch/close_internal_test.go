package main

import (
	"context"
	"database/sql"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEndLeavesTheDatabaseInOneFile ends commands and the service in good order, and reads a copy of the file alone.
func TestEndLeavesTheDatabaseInOneFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "boards.db")
	i := install(t, "sqlite:"+path, "BOARDWATCH_LOG_LEVEL=error")
	whole := func() {
		require.NoFileExists(t, path+"-wal")
		require.NoFileExists(t, path+"-shm")
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		alone := filepath.Join(t.TempDir(), "copy.db")
		require.NoError(t, os.WriteFile(alone, b, 0o600))
		db, err := sql.Open("sqlite", alone)
		require.NoError(t, err)
		defer db.Close()
		var email string
		require.NoError(t, db.QueryRowContext(t.Context(), "SELECT email FROM accounts").Scan(&email))
		require.Equal(t, e2eEmail, email)
	}
	i.do(&struct{}{}, "account", "create", "--email", e2eEmail, "--plan", "ultra", "--verified")
	whole()
	binary := buildBinary(t)
	t.Run("serve", func(t *testing.T) {
		cmd := exec.CommandContext(context.WithoutCancel(t.Context()), binary, "serve", "--listen", "127.0.0.1:0")
		cmd.Env = i.env
		url := runServer(t, cmd)
		res, err := http.Get(url + "/readyz") //nolint:noctx // it is our own
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, http.StatusOK, res.StatusCode)
		i.do(&struct{}{}, "key", "create", "--account", e2eEmail, "--name", "beside it")
	})
	whole()
}
