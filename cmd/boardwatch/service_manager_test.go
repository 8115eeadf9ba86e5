//go:build linux

package main_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/terminaltest"
)

// managed is a running "serve", and what it tells its service manager.
type managed struct {
	*exec.Cmd

	socket *net.UnixConn
}

// startManaged runs the program in a pod that has been told of Services, until change lets it differ.
func startManaged(t *testing.T, change func(*exec.Cmd)) managed {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, "notify")
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
	require.NoError(t, err)
	t.Cleanup(func() { _ = socket.Close() })
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), buildBinary(t), "serve", "--listen", "127.0.0.1:0", "--data-dir", dir)
	cmd.Env = []string{
		"HOME=" + dir, "NOTIFY_SOCKET=" + name, "BOARDWATCH_BROWSER_MODE=never",
		"BOARDWATCH_SERVICE_HOST=10.96.4.7", "BOARDWATCH_PORT=tcp://10.96.4.7:8080", "BOARDWATCH_PORT_8080_TCP_ADDR=10.96.4.7",
		"BOARDWATCH_POSTGRES_SERVICE_PORT_HTTP=5432",
	}
	cmd.Stderr = t.Output()
	change(cmd)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	m := managed{cmd, socket}
	require.Equal(t, "READY=1", m.told(t))
	return m
}

// told is the next thing that the manager is told.
func (m managed) told(t *testing.T) string {
	t.Helper()
	require.NoError(t, m.socket.SetReadDeadline(time.Now().Add(time.Minute)))
	message := make([]byte, 100)
	n, err := m.socket.Read(message)
	require.NoError(t, err)
	return string(message[:n])
}

func TestServeTellsItsManagerWhenItServesAndWhenItStops(t *testing.T) {
	t.Parallel()
	m := startManaged(t, func(*exec.Cmd) {})
	require.NoError(t, m.Process.Signal(syscall.SIGTERM))
	require.Equal(t, "STOPPING=1", m.told(t))
	require.NoError(t, m.Wait())
}

// ignoresHangup reports whether a process has told the system to ignore SIGHUP.
func (m managed) ignoresHangup(t *testing.T) bool {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", m.Process.Pid))
	require.NoError(t, err)
	found := regexp.MustCompile(`(?m)^SigIgn:\s+([0-9a-f]+)$`).FindSubmatch(status)
	require.NotNil(t, found)
	mask, err := strconv.ParseUint(string(found[1]), 16, 64)
	require.NoError(t, err)
	return mask&(1<<(syscall.SIGHUP-1)) != 0
}

func TestSIGHUPIsIgnoredWithoutATerminalAndUnderNohup(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*exec.Cmd, *os.File){
		"without a terminal": func(*exec.Cmd, *os.File) {},
		"under nohup": func(cmd *exec.Cmd, tty *os.File) {
			cmd.Args = append([]string{"sh", "-c", `trap "" HUP; exec "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)
			cmd.Path, cmd.Stdin = "/bin/sh", tty
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, tty := terminaltest.Open(t)
			m := startManaged(t, func(cmd *exec.Cmd) { change(cmd, tty) })
			require.True(t, m.ignoresHangup(t))
			require.NoError(t, m.Process.Signal(syscall.SIGTERM))
			require.Equal(t, "STOPPING=1", m.told(t))
			require.NoError(t, m.Wait())
		})
	}
}

func TestSIGHUPEndsWhatRunsOnATerminalInGoodOrder(t *testing.T) {
	t.Parallel()
	_, tty := terminaltest.Open(t)
	m := startManaged(t, func(cmd *exec.Cmd) { cmd.Stdin = tty })
	require.False(t, m.ignoresHangup(t))
	require.NoError(t, m.Process.Signal(syscall.SIGHUP))
	require.Equal(t, "STOPPING=1", m.told(t))
	require.NoError(t, m.Wait())
}

func TestServeOutlivesTheReaderOfItsLog(t *testing.T) {
	t.Parallel()
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, reader.Close())
	m := startManaged(t, func(cmd *exec.Cmd) { cmd.Stdout, cmd.Stderr = writer, writer })
	require.NoError(t, writer.Close())
	require.NoError(t, m.Process.Signal(syscall.SIGTERM))
	require.Equal(t, "STOPPING=1", m.told(t))
	require.NoError(t, m.Wait())
}
