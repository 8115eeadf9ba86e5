//go:build linux

package command

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/terminaltest"
)

// onTerminal returns what a piece of work shows on standard error, when that is a terminal of 80 columns.
func onTerminal(t *testing.T, work func(c *CLI)) string {
	t.Helper()
	return terminaltest.Show(t, func(tty *os.File) {
		work(&CLI{In: strings.NewReader(""), Out: io.Discard, Err: tty, ErrTerm: TerminalOf(tty), Now: time.Now})
	})
}

func TestBarsAreForTerminals(t *testing.T) {
	t.Parallel()
	work := func(c *CLI) {
		b := c.NewBar("Importing", 200, false)
		b.began = time.Now().Add(-time.Minute) // it has been going on for a while
		for i := range int64(200) {
			b.To(i)
		}
		b.End()
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
	work(&CLI{Out: io.Discard, Err: &plain})
	require.Equal(t, "done", plain.String(), "elsewhere there is no bar")
}

func TestQuickWorkShowsNoBar(t *testing.T) {
	t.Parallel()
	shown := onTerminal(t, func(c *CLI) {
		b := c.NewBar("Importing", 2, false)
		b.To(1)
		b.To(2)
		b.End()
	})
	require.NotContains(t, shown, "Importing")
}

func TestFilesAreReadUnderABar(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "backup.gz")
	require.NoError(t, os.WriteFile(file, bytes.Repeat([]byte("roles "), 1<<16), 0o600))
	shown := onTerminal(t, func(c *CLI) {
		require.NoError(t, c.ReadCounted("Restoring", file, func(r io.Reader) error {
			r.(*countedReader).bar.began = time.Now().Add(-time.Minute)
			n, err := io.Copy(io.Discard, io.MultiReader(r)) // in pieces
			require.EqualValues(t, 6<<16, n)
			return err
		}))
	})
	require.Contains(t, shown, "Restoring")
	require.Contains(t, shown, "kB")
}

func TestTheBarOfABoardBeginsAnewForTheRolesThemselves(t *testing.T) {
	t.Parallel()
	shown := onTerminal(t, func(c *CLI) {
		b := c.NewBoardBar(time.Now().Add(-time.Minute))
		b.Show(ats.Progress{Done: 20, Total: 80})
		b.Show(ats.Progress{Done: 60, Total: 120})
		b.Show(ats.Progress{Details: true, Done: 1, Total: 120})
		b.End()
	})
	for _, text := range []string{"Reading the list", "/80", "Reading the roles", "(1/120"} {
		require.Contains(t, shown, text)
	}
	quick := onTerminal(t, func(c *CLI) {
		b := c.NewBoardBar(time.Now())
		b.Show(ats.Progress{Done: 20})
		b.Show(ats.Progress{Done: 20, Total: 80})
		b.End()
	})
	require.NotContains(t, quick, "Reading")
}

func TestWorkElsewhereIsShownByHowLongItTookBefore(t *testing.T) {
	t.Parallel()
	show := func(took time.Duration, waited ...time.Duration) string {
		return onTerminal(t, func(c *CLI) {
			e := c.NewEstimate("Checking", took)
			e.bar.began = time.Now().Add(-time.Minute) // it has been going on for a while
			for _, w := range waited {
				e.Show(w)
			}
			e.End()
		})
	}
	known := show(20*time.Second, 5*time.Second, 12*time.Second, 26*time.Second)
	for _, text := range []string{
		"Checking, about 15s left", "25%", "Checking, about 8s left", "60%", "Checking: 26s so far, longer than the last time (20s)",
	} {
		require.Contains(t, known, text)
	}
	require.Empty(t, strings.TrimSpace(known[strings.LastIndex(known, "K")+1:]), "the bar is taken away")
	for line := range strings.FieldsFuncSeq(known, func(r rune) bool { return r == '\r' || r == '\n' }) {
		require.LessOrEqual(t, len([]rune(line)), 90, "%q", line)
	}
	unknown := show(0, 5*time.Second)
	require.Contains(t, unknown, "Checking: 5s so far")
	require.NotContains(t, unknown, "%")
	require.NotContains(t, show(200*time.Millisecond, time.Second), "longer", "than nothing to speak of")
}
