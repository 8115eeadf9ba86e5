//go:build siege

package siege_test

import (
	"bytes"
	"database/sql"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport/oidc/oidctest"
)

// service is the built program, running as a service.
type service struct {
	t    *testing.T
	url  string
	cmd  *exec.Cmd
	log  string
	most atomic.Int64 // memory
	stop chan struct{}
	over sync.WaitGroup
}

// build builds the program as it is released.
func build(t *testing.T) string {
	t.Helper()
	if *binaryFlag != "" {
		return *binaryFlag
	}
	binary := filepath.Join(t.TempDir(), "boardwatch")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", binary, "./cmd/boardwatch")
	cmd.Dir, cmd.Env = "..", append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return binary
}

// serve starts the program, at an address with a name, because passkeys belong to names. It trusts the addresses that the harness sends, so that each person has a network of their
// own.
func serve(t *testing.T, database string, at *oidctest.Provider) *service {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	dir := t.TempDir()
	s := &service{t: t, url: "http://localhost:" + port, log: filepath.Join(dir, "serve.log"), stop: make(chan struct{})}
	log, err := os.Create(s.log)
	require.NoError(t, err)
	s.cmd = exec.Command(build(t), "serve", "--listen", address, "--base-url", s.url)
	s.cmd.Env = []string{
		"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "BOARDWATCH_DATA_DIR=" + dir, "BOARDWATCH_DATABASE=" + database, "BOARDWATCH_DEV=true",
		"BOARDWATCH_PLANS_ULTRA_CADENCE=" + cadence.String(), "BOARDWATCH_BROWSER_MODE=never", "BOARDWATCH_TRUSTED_PROXIES=127.0.0.0/8",
		"BOARDWATCH_PLANS_FREE_REST=true", "BOARDWATCH_OIDC_ISSUER=" + at.URL, "BOARDWATCH_OIDC_CLIENT_ID=" + oidctest.ClientID,
		"BOARDWATCH_OIDC_CLIENT_SECRET=" + oidctest.ClientSecret,
		"BOARDWATCH_LOG_LEVEL=warn", "BOARDWATCH_ADMIN_EMAIL=operator@northwind.example", "BOARDWATCH_ADMIN_PASSWORD=" + password,
	}
	at.Redirect = s.url + "/signin/oidc/callback"
	s.cmd.Stdout, s.cmd.Stderr = log, log
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	require.NoError(t, s.cmd.Start())
	t.Cleanup(func() { _ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL) }) // if it is not gone yet
	s.over.Go(s.weigh)
	ready := &http.Client{Timeout: time.Second}
	require.Eventually(t, func() bool {
		res, err := ready.Get(s.url + "/readyz")
		if err != nil {
			return false
		}
		_ = res.Body.Close()
		return res.StatusCode == http.StatusOK
	}, 30*time.Second, 100*time.Millisecond, "the service does not start")
	return s
}

var resident = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

// weigh records how much memory the service uses, until it is stopped.
func (s *service) weigh() {
	for {
		select {
		case <-s.stop:
			return
		case <-time.After(200 * time.Millisecond):
		}
		status, err := os.ReadFile("/proc/" + strconv.Itoa(s.cmd.Process.Pid) + "/status")
		if found := resident.FindSubmatch(status); err == nil && found != nil {
			kB, _ := strconv.ParseInt(string(found[1]), 10, 64)
			s.most.Store(max(s.most.Load(), kB<<10))
		}
	}
}

// processed returns the processor time that the service has used so far.
func (s *service) processed() time.Duration {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(s.cmd.Process.Pid) + "/stat")
	_, after, found := bytes.Cut(stat, []byte(") "))
	fields := bytes.Fields(after)
	if err != nil || !found || len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(string(fields[11]), 10, 64)
	system, _ := strconv.ParseInt(string(fields[12]), 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond // a hundred ticks a second
}

// peak returns the most memory that the service has used since the last call.
func (s *service) peak() int64 { return s.most.Swap(0) }

// end stops the service gracefully.
func (s *service) end() {
	s.t.Helper()
	close(s.stop)
	s.over.Wait()
	require.NoError(s.t, s.cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(s.t, s.cmd.Wait())
	log, err := os.ReadFile(s.log)
	require.NoError(s.t, err)
	require.NotContains(s.t, string(log), "panic")
	s.t.Logf("log: %d warnings, %d errors", bytes.Count(log, []byte("level=WARN")), bytes.Count(log, []byte("level=ERROR")))
}

func fileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

func databaseSize(t *testing.T, url string) (size int64) {
	t.Helper()
	db, err := sql.Open("pgx", url)
	require.NoError(t, err)
	defer db.Close()
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT pg_database_size(current_database())").Scan(&size))
	return size
}
