//go:build !linux

package browser

import (
	"os"
	"os/exec"
)

// apart changes nothing: only Linux ends a program with the one that started it.
func apart(*exec.Cmd) {}

// endGroup ends a browser; its helpers follow when they notice.
func endGroup(p *os.Process) {
	if p != nil {
		_ = p.Kill() // it may have ended already
	}
}

// groupMemory is not known here.
func groupMemory(*os.Process) int64 { return 0 }

// birth is not known here.
func birth(int) int64 { return 0 }

// mayRun never says no: without a sure way to tell, nothing is removed.
func mayRun(int, int64) bool { return true }
