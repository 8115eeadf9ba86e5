package main_test

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRestoreBesideAService restores while the program runs as a process of its own, in a role that watches nothing and so
// takes no lock: it is noticed, goes on undisturbed, and ends in good order.
func TestRestoreBesideAService(t *testing.T) {
	t.Parallel()
	for name, database := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, database(t))
			i.do(&struct{}{}, "account", "create", "--email", e2eEmail, "--plan", "ultra")
			file := filepath.Join(t.TempDir(), "backup.gz")
			i.do(&backupShown{}, "backup", file)
			stop := i.process("serve", "--role", "api", "--listen", "127.0.0.1:0")
			for _, args := range [][]string{{"restore", file}, {"restore", "--force", file}} {
				i.refuses(1, "other processes use the database", args...)
			}
			i.do(&[]struct{}{}, "account", "list")
			require.NoError(t, stop())
			i.refuses(1, "not empty", "restore", file)
			i.do(&backupShown{}, "restore", "--force", file)
			stop = i.process("serve", "--listen", "127.0.0.1:0")
			require.NoError(t, stop())
		})
	}
}

// process runs the program until stop tells it to end, and returns when it listens.
func (i *installation) process(args ...string) (stop func() error) {
	i.t.Helper()
	cmd := exec.CommandContext(i.t.Context(), buildBinary(i.t), args...)
	cmd.Env = i.env
	cmd.Stderr = i.t.Output()
	out, err := cmd.StdoutPipe()
	require.NoError(i.t, err)
	require.NoError(i.t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(i.t, err)
	require.Contains(i.t, line, "listening on")
	return func() error {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			return err
		}
		return cmd.Wait()
	}
}
