//go:build unix

package main_test

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkStart is how long the built program takes to say its version, and from its start until the service answers
// and is ready, on a database that is there already. CPU and memory are those of the program's process.
func BenchmarkStart(b *testing.B) {
	binary := filepath.Join(b.TempDir(), "boardwatch")
	cmd := exec.CommandContext(b.Context(), "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	require.NoError(b, err, "%s", out)
	file, err := os.Stat(binary)
	require.NoError(b, err)

	b.Run("version", func(b *testing.B) {
		var used usage
		for b.Loop() {
			cmd := exec.CommandContext(b.Context(), binary, "version")
			require.NoError(b, cmd.Run())
			used.add(cmd.ProcessState)
		}
		used.report(b)
		b.ReportMetric(float64(file.Size())/1e6, "MB-binary")
	})
	b.Run("ready", func(b *testing.B) {
		dir := b.TempDir()
		used := usage{}
		readyOnce(b, binary, dir, &usage{}) // makes the database
		for b.Loop() {
			readyOnce(b, binary, dir, &used)
		}
		used.report(b)
	})
}

// readyOnce runs the service until it is ready.
func readyOnce(b *testing.B, binary, dir string, used *usage) {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), binary, "serve", "--listen", "127.0.0.1:0", "--data-dir", dir, "--log-level", "error")
	url := runServing(b, cmd)
	req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, url+"/readyz", nil)
	require.NoError(b, err)
	answer, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(b, err)
	require.NoError(b, answer.Body.Close())
	require.Equal(b, http.StatusOK, answer.StatusCode)
	b.StopTimer()
	require.NoError(b, cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(b, cmd.Wait())
	used.add(cmd.ProcessState)
	b.StartTimer()
}

// runServing starts a server and returns the address that it prints.
func runServing(b *testing.B, cmd *exec.Cmd) string {
	b.Helper()
	out, err := cmd.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	url := printedAddress(out)
	require.NotEmpty(b, url, "the program listens")
	go func() { _, _ = io.Copy(io.Discard, out) }() // ends with the program
	return url
}

// usage is what processes have used.
type usage struct {
	processes int
	cpu       float64 // milliseconds
	peak      int64   // kilobytes
}

func (u *usage) add(state *os.ProcessState) {
	u.processes++
	u.cpu += (state.UserTime() + state.SystemTime()).Seconds() * 1000
	if r, ok := state.SysUsage().(*syscall.Rusage); ok {
		u.peak = max(u.peak, r.Maxrss)
	}
}

func (u *usage) report(b *testing.B) {
	b.Helper()
	b.ReportMetric(u.cpu/float64(u.processes), "cpu-ms/op")
	b.ReportMetric(float64(u.peak)/1024, "peak-rss-MB")
}
