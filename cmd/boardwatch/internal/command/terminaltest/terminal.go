//go:build linux

// Package terminaltest gives tests a terminal to write on.
package terminaltest

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// Open makes a terminal: what is written to tty is read from screen.
func Open(t *testing.T) (screen, tty *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = screen.Close() })
	require.NoError(t, unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetWinsize(int(tty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}))
	return screen, tty
}

// Show returns what a piece of work writes on a terminal of 80 columns.
func Show(t *testing.T, work func(tty *os.File)) string {
	t.Helper()
	screen, tty := Open(t)
	shown := make(chan string)
	go func() {
		var all bytes.Buffer
		_, _ = io.Copy(&all, screen) // ends with an error when the other side is closed
		shown <- all.String()
	}()
	work(tty)
	require.NoError(t, tty.Close())
	return <-shown
}
