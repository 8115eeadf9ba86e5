//go:build chaos

package chaos_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A machine's clock cannot be set for a single process, and the program has no setting for the time. So the program is
// built a second time from the same source, with a standard library whose time.Now can jump. Nothing else differs.
// Monotonic time goes on, as it does when a real clock is set.

// jump is a moment, and how wrong the clock is from then on.
type jump struct {
	at time.Time
	by time.Duration
}

// jumping is the code added to package time.
const jumping = `package time

import "syscall"

type clockJump struct{ at, by int64 }

var clockJumps = readClockJumps()

func readClockJumps() (out []clockJump) {
	text, _ := syscall.Getenv("CHAOS_CLOCK")
	var j clockJump
	n, sign, inBy := int64(0), int64(1), false
	for i := 0; i <= len(text); i++ {
		switch {
		case i == len(text) || text[i] == ',':
			if inBy {
				j.by = sign * n
				out = append(out, j)
			}
			n, sign, inBy = 0, 1, false
		case text[i] == ':':
			j.at, n, inBy = n, 0, true
		case text[i] == '-':
			sign = -1
		default:
			n = n*10 + int64(text[i]-'0')
		}
	}
	return out
}

func clockJumped(sec int64) (by int64) {
	for _, j := range clockJumps {
		if sec >= j.at {
			by = j.by
		}
	}
	return by
}
`

// buildJumping builds the program with a clock that follows CHAOS_CLOCK.
func buildJumping(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	require.NoError(t, err)
	lib := filepath.Join(strings.TrimSpace(string(root)), "src", "time")
	source, err := os.ReadFile(filepath.Join(lib, "time.go"))
	require.NoError(t, err)
	const now = "func Now() Time {\n\tsec, nsec, mono := runtimeNow()\n"
	require.Contains(t, string(source), now, "the standard library has changed: look at the new time.Now")
	changed := strings.Replace(string(source), now, now+"\tsec += clockJumped(sec)\n", 1)
	replace := make(map[string]string)
	for name, text := range map[string]string{"time.go": changed, "jump.go": jumping} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		replace[filepath.Join(lib, name)] = file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	file := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(file, overlay, 0o600))
	return build(t, "-overlay", file)
}

// variable is the environment variable that makes a process's clock jump.
func variable(jumps []jump) string {
	texts := make([]string, len(jumps))
	for i, j := range jumps {
		texts[i] = fmt.Sprintf("%d:%d", j.at.Unix(), int64(j.by/time.Second))
	}
	return "CHAOS_CLOCK=" + strings.Join(texts, ",")
}

// jumped returns the time that such a process sees.
func jumped(jumps []jump) time.Time {
	now := time.Now()
	var by time.Duration
	for _, j := range jumps {
		if !now.Before(j.at) {
			by = j.by
		}
	}
	return now.Add(by)
}

// jumpedSince reports whether the clock was set between then and now.
func jumpedSince(jumps []jump, then time.Time) bool {
	return slices.ContainsFunc(jumps, func(j jump) bool { return j.at.After(then) && !j.at.After(time.Now()) })
}

// The clock of the machine is set two hours ahead, three hours back, and right again, while the process runs and is killed.
// Recorded times are then as wrong as the clock, but nothing is lost or reported twice, and no poller misses a role.
func TestClock(t *testing.T) { //nolint:paralleltest // it needs the whole machine
	o := newOptions(t)
	o.binary = buildJumping(t)
	o.boards, o.length, o.browser, o.untimed = min(o.boards, 150), 150*time.Second, false, true
	begin := time.Now().Truncate(time.Second).Add(30 * time.Second)
	o.jumps = []jump{{begin, 2 * time.Hour}, {begin.Add(22 * time.Second), -time.Hour}, {begin.Add(44 * time.Second), 0}}
	require.True(t, slices.IsSortedFunc(o.jumps, func(a, b jump) int { return a.at.Compare(b.at) }))
	chaos(t, o, newSQLite(t))
}
