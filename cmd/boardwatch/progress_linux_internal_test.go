package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// openTerminal makes a terminal: what is written to tty is read from screen.
func openTerminal(t *testing.T) (screen, tty *os.File) {
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

// onTerminal returns what a piece of work shows on standard error, when that is a terminal of 80 columns.
func onTerminal(t *testing.T, work func(c *cli)) string {
	t.Helper()
	screen, tty := openTerminal(t)
	shown := make(chan string)
	go func() {
		var all bytes.Buffer
		_, _ = io.Copy(&all, screen) // ends with an error when the other side is closed
		shown <- all.String()
	}()
	work(&cli{In: strings.NewReader(""), Out: io.Discard, Err: tty, ErrTerm: terminal(tty), Now: time.Now})
	require.NoError(t, tty.Close())
	return <-shown
}

func TestBarsAreForTerminals(t *testing.T) {
	t.Parallel()
	work := func(c *cli) {
		b := c.newBar("Importing", 200, false)
		b.began = time.Now().Add(-time.Minute) // it has been going on for a while
		for i := range int64(200) {
			b.to(i)
		}
		b.end()
		_, _ = io.WriteString(c.Err, "done")
	}
	shown := onTerminal(t, work)
	require.Contains(t, shown, "Importing")
	require.Contains(t, shown, "/200")
	require.Contains(t, shown, "%")
	last := shown[strings.LastIndexAny(shown, "\r\x1b")+1:]
	require.NotContains(t, last, "Importing", "the bar is taken away: %q", last)
	for line := range strings.FieldsFuncSeq(shown, func(r rune) bool { return r == '\r' || r == '\n' }) {
		require.LessOrEqual(t, len([]rune(line)), 100, "%q", line)
	}

	var plain bytes.Buffer
	work(&cli{Out: io.Discard, Err: &plain})
	require.Equal(t, "done", plain.String(), "elsewhere there is no bar")
}

func TestQuickWorkShowsNoBar(t *testing.T) {
	t.Parallel()
	shown := onTerminal(t, func(c *cli) {
		b := c.newBar("Importing", 2, false)
		b.to(1)
		b.to(2)
		b.end()
	})
	require.NotContains(t, shown, "Importing")
}

func TestFilesAreReadUnderABar(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "backup.gz")
	require.NoError(t, os.WriteFile(file, bytes.Repeat([]byte("roles "), 1<<16), 0o600))
	shown := onTerminal(t, func(c *cli) {
		require.NoError(t, c.readCounted("Restoring", file, func(r io.Reader) error {
			r.(*countedReader).bar.began = time.Now().Add(-time.Minute)
			n, err := io.Copy(io.Discard, io.MultiReader(r)) // in pieces
			require.EqualValues(t, 6<<16, n)
			return err
		}))
	})
	require.Contains(t, shown, "Restoring")
	require.Contains(t, shown, "kB")
}
