//go:build chaos

package chaos_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// program is the built binary with its environment.
type program struct {
	binary string
	dir    string // home and data directory
	env    []string
}

// build builds the program as it is released, with further flags.
func build(t *testing.T, flags ...string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "boardwatch")
	cmd := exec.CommandContext(t.Context(), "go", slices.Concat([]string{"build", "-trimpath", "-o", binary}, flags, []string{"./cmd/boardwatch"})...)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return binary
}

// run runs a command to its end.
func (p program) run(ctx context.Context, input string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, p.binary, args...)
	cmd.Env = p.env
	cmd.Stdin = strings.NewReader(input)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return out, fmt.Errorf("boardwatch %s: %w: %s", strings.Join(args[:min(3, len(args))], " "), err, tail(errs.String(), 400))
	}
	return out, nil
}

func tail(s string, n int) string { return s[max(0, len(s)-n):] }

// slot is a place in which one process runs after the other, always at the same address.
type slot struct {
	name  string
	role  string
	url   string
	port  int
	env   []string
	log   string // file
	now   atomic.Pointer[incarnation]
	mu    sync.Mutex
	lives []*incarnation
}

// incarnation is one process in a slot.
type incarnation struct {
	slot *slot
	from time.Time
	cmd  *exec.Cmd
	done chan struct{}
	err  error

	mu     sync.Mutex
	to     time.Time // when it was stopped; zero while it runs
	wanted bool      // we stopped it
}

// ended returns when the incarnation was stopped; zero while it runs.
func (i *incarnation) ended() time.Time {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.to
}

func newSlot(t *testing.T, name, role string) *slot {
	t.Helper()
	port := freePort(t)
	return &slot{name: name, role: role, port: port, url: "http://127.0.0.1:" + strconv.Itoa(port), log: filepath.Join(t.TempDir(), name+".log")}
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, l.Close()) }()
	return l.Addr().(*net.TCPAddr).Port
}

// start runs a process in the slot. It gets its own process group, so that nothing it started can stay behind.
func (s *slot) start(p program, baseURL string) error {
	log, err := os.OpenFile(s.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	cmd := exec.Command(p.binary, "serve", "--listen", "127.0.0.1:"+strconv.Itoa(s.port), "--role", s.role, "--base-url", baseURL)
	cmd.Env = append(append([]string{}, p.env...), s.env...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	life := &incarnation{slot: s, from: time.Now(), cmd: cmd, done: make(chan struct{})}
	go func() {
		life.err = cmd.Wait()
		life.mu.Lock()
		if life.to.IsZero() {
			life.to = time.Now()
		}
		life.mu.Unlock()
		close(life.done)
	}()
	s.mu.Lock()
	s.lives = append(s.lives, life)
	s.mu.Unlock()
	s.now.Store(life)
	return nil
}

// end stops the slot's process with a signal, and waits until it is gone.
func (s *slot) end(sig syscall.Signal) error {
	life := s.now.Load()
	if life == nil {
		return nil
	}
	life.mu.Lock()
	if life.to.IsZero() {
		life.to, life.wanted = time.Now(), true
	}
	life.mu.Unlock()
	err := life.cmd.Process.Signal(sig)
	select {
	case <-life.done:
	case <-time.After(40 * time.Second):
		return errors.Join(fmt.Errorf("%s did not end after %s", s.name, sig), s.explain(life))
	}
	if sig == syscall.SIGTERM && life.err != nil {
		return fmt.Errorf("%s did not stop cleanly: %w", s.name, life.err)
	}
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// explain ends a process that does not end by itself. Its log then says what it was waiting for, and is kept with -keep.
func (s *slot) explain(life *incarnation) error {
	_ = life.cmd.Process.Signal(syscall.SIGQUIT)
	select {
	case <-life.done:
	case <-time.After(10 * time.Second):
		_ = life.cmd.Process.Kill()
		<-life.done
	}
	if *keepFlag == "" {
		return nil
	}
	raw, err := os.ReadFile(s.log)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(*keepFlag, s.name+".log"), raw, 0o600)
}

// lastLine returns the last line logged by a process in the slot.
func (s *slot) lastLine() string {
	raw, err := os.ReadFile(s.log)
	if err != nil {
		return ""
	}
	return tail(strings.TrimSpace(string(raw)), 300)
}

// processes returns all processes of the machine, with their parents.
func processes() map[int]int {
	out := make(map[int]int)
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return out
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		raw, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(raw), ") ")
		if f := strings.Fields(rest); len(f) > 1 {
			out[pid] = atoi(f[1])
		}
	}
	return out
}

// browsers returns the processes of the browsers run by the slot's process.
func (s *slot) browsers() []int {
	life := s.now.Load()
	if life == nil {
		return nil
	}
	all := processes()
	var found []int
	for pid := range all {
		for at, n := all[pid], 0; at > 1 && n < 8; at, n = all[at], n+1 {
			if at == life.cmd.Process.Pid {
				found = append(found, pid)
				break
			}
		}
	}
	return found
}

// ready waits until the process answers.
func (s *slot) ready(ctx context.Context, within time.Duration) error {
	deadline := time.Now().Add(within)
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/readyz", nil)
		if err != nil {
			return err
		}
		res, err := http.DefaultTransport.RoundTrip(req)
		if err == nil {
			_ = res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return nil
			}
		}
		life := s.now.Load()
		select {
		case <-life.done:
			return fmt.Errorf("%s has stopped: %w", s.name, life.err)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s does not answer", s.name)
		}
	}
}

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}
