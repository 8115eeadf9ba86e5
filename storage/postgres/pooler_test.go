package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/postgres"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// TestPooler runs behind PgBouncer in the ways that the documentation describes.
func TestPooler(t *testing.T) {
	t.Parallel()
	const unprepared = "default_query_exec_mode=exec"
	t.Run("that keeps a connection for each client", func(t *testing.T) {
		t.Parallel()
		works(t, pooler(t, "session", postgres.Parameters()))
	})
	t.Run("that keeps a connection for each transaction, with nothing prepared", func(t *testing.T) {
		t.Parallel()
		works(t, pooler(t, "transaction", postgres.Parameters())+"&"+unprepared)
	})
	t.Run("that forgets prepared statements", func(t *testing.T) {
		t.Parallel()
		address := pooler(t, "transaction", postgres.Parameters())
		for range 3 {
			_, err := postgres.Open(t.Context(), address, storage.Options{})
			require.ErrorIs(t, err, postgres.ErrUnprepared)
		}
		open(t, address+"&"+unprepared, storage.Options{})
	})
	t.Run("that was not told which parameters to ignore", func(t *testing.T) {
		t.Parallel()
		_, err := postgres.Open(t.Context(), pooler(t, "transaction", "extra_float_digits"), storage.Options{})
		require.ErrorContains(t, err, "unsupported startup parameter")
	})
}

// works uses a database from beginning to end: several processes migrate at once, then come checks, lists and a backup.
// Only a restore is refused.
func works(t *testing.T, address string) {
	t.Helper()
	opened := make(chan error, 4)
	for range cap(opened) {
		go func() {
			s, err := postgres.Open(t.Context(), address, storage.Options{})
			if err == nil {
				err = s.Close()
			}
			opened <- err
		}()
	}
	for range cap(opened) {
		require.NoError(t, <-opened)
	}
	s := open(t, address, storage.Options{})
	account, board, claim := tracked(t, s, "northwind")
	require.NoError(t, s.SaveCheck(t.Context(), claim, found("Cook", make(chan time.Time, 1))))
	page, err := s.Jobs(t.Context(), account.ID, track.JobFilter{BoardID: board.ID})
	require.NoError(t, err)
	require.Len(t, page.Jobs, 1)
	condition, err := s.Condition(t.Context())
	require.NoError(t, err)
	require.True(t, condition.Pooled)
	var file bytes.Buffer
	_, err = s.Backup(t.Context(), &file)
	require.NoError(t, err)
	_, err = s.Restore(t.Context(), &file, true)
	require.ErrorIs(t, err, postgres.ErrPooled)
}

// pooler runs PgBouncer in front of an empty database and returns its address.
func pooler(t *testing.T, mode, ignored string) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program, err = exec.LookPath("/usr/sbin/pgbouncer")
	}
	if err != nil {
		t.Skip("NOT TESTED: PgBouncer, because it is not installed")
	}
	address, err := url.Parse(storagetest.EmptyPostgresURL(t))
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755), "PgBouncer may run as another user")
	port := freePort(t)
	settings := fmt.Sprintf(`[databases]
* = host=%s port=%s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
unix_socket_dir =
auth_type = trust
auth_file = %s
pool_mode = %s
ignore_startup_parameters = %s
`, address.Hostname(), address.Port(), port, filepath.Join(dir, "users"), mode, ignored)
	version, err := exec.CommandContext(t.Context(), program, "--version").Output()
	require.NoError(t, err)
	minor := 0
	if _, err := fmt.Sscanf(string(version), "PgBouncer 1.%d", &minor); err == nil && minor >= 21 {
		settings += "max_prepared_statements = 0\n" // older versions do not have this setting
	}
	if os.Geteuid() == 0 { // PgBouncer refuses to run as root
		settings += "user = nobody\n"
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "settings"), []byte(settings), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "users"), []byte(`"postgres" ""`+"\n"), 0o644))
	run(t, program, "-q", filepath.Join(dir, "settings"))
	address.Host = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	listens(t, address.String())
	return address.String()
}

// run keeps a program running until the test ends.
func run(t *testing.T, program string, args ...string) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stderr = t.Output()
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		stop()
		_ = cmd.Wait() // it was killed
	})
}

// listens waits until the pooler accepts connections.
func listens(t *testing.T, address string) {
	t.Helper()
	require.Eventually(t, func() bool {
		conn, err := pgx.Connect(t.Context(), address)
		if err != nil {
			return false
		}
		return errors.Join(conn.Ping(t.Context()), conn.Close(t.Context())) == nil
	}, 20*time.Second, 20*time.Millisecond)
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	addr, ok := l.Addr().(*net.TCPAddr)
	require.True(t, ok)
	return addr.Port
}
