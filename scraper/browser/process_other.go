//go:build !linux

package browser

import (
	"os"
	"os/exec"
)

// apart does nothing: only Linux can end a program together with the one that started it.
func apart(*exec.Cmd) {}

// endGroup kills a browser. Its helper processes end when they notice.
func endGroup(p *os.Process) {
	if p != nil {
		_ = p.Kill() // it may have ended already
	}
}

// groupMemory is not known here.
func groupMemory(*os.Process) int64 { return 0 }

// birth is not known here.
func birth(int) int64 { return 0 }

// mayRun is always true: when it cannot be known, nothing is removed.
func mayRun(int, int64) bool { return true }
