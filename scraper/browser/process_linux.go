package browser

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

// apart starts a program in a process group of its own, which is killed when this program ends, however it ends.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// endGroup kills a browser and all its helper processes.
func endGroup(p *os.Process) {
	if p != nil && p.Pid > 1 {
		_ = syscall.Kill(-p.Pid, syscall.SIGKILL) // it may have ended already
	}
}

// groupMemory is how many bytes of memory a browser and its helper processes use and share with nobody.
func groupMemory(p *os.Process) int64 {
	if p == nil {
		return 0
	}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0 // the pattern is well formed
	}
	var pages int64
	group := []byte(strconv.Itoa(p.Pid))
	for _, file := range stats {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // it has just ended
		}
		// After the program's name in brackets: state, parent, group.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 3 || !bytes.Equal(fields[2], group) {
			continue
		}
		size, err := os.ReadFile(filepath.Join(filepath.Dir(file), "statm"))
		if fields := bytes.Fields(size); err == nil && len(fields) > 2 {
			pages += count64(fields[1]) - count64(fields[2])
		}
	}
	return pages * int64(os.Getpagesize())
}

func count64(b []byte) int64 {
	n, err := strconv.ParseInt(string(b), 10, 64)
	if err != nil {
		return 0 // the kernel writes numbers only
	}
	return n
}

// birth is when a process was started, in ticks since the machine was; 0 when there is no such process. It tells a process from
// a later one with the same number.
func birth(pid int) int64 {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0
	}
	if fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]); len(fields) > 19 {
		return count64(fields[19])
	}
	return 0
}

// mayRun reports whether the process that was started then may still run.
func mayRun(pid int, born int64) bool { return birth(pid) == born }
