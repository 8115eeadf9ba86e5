package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
)

func TestSecretKey(t *testing.T) {
	t.Parallel()
	key := make([]byte, 32)
	key[0] = 7

	t.Run("is made once, for its owner only", func(t *testing.T) {
		t.Parallel()
		cfg := config.Config{DataDir: filepath.Join(t.TempDir(), "data")}
		first, err := secretKey(cfg)
		require.NoError(t, err)
		require.Len(t, first, 32)
		second, err := secretKey(cfg)
		require.NoError(t, err)
		require.Equal(t, first, second)
		info, err := os.Stat(filepath.Join(cfg.DataDir, "secret.key"))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
		entries, err := os.ReadDir(cfg.DataDir)
		require.NoError(t, err)
		require.Len(t, entries, 1, "nothing half-written is left")
	})

	t.Run("is the same for all processes that start at once", func(t *testing.T) {
		t.Parallel()
		cfg := config.Config{DataDir: t.TempDir()}
		var group sync.WaitGroup
		keys := make([][]byte, 16)
		errs := make([]error, len(keys))
		for i := range keys {
			group.Go(func() { keys[i], errs[i] = secretKey(cfg) })
		}
		group.Wait()
		for i := range keys {
			require.NoError(t, errs[i])
			require.Equal(t, keys[0], keys[i])
		}
	})

	t.Run("is the one that the settings give", func(t *testing.T) {
		t.Parallel()
		got, err := secretKey(config.Config{Secrets: config.Secrets{Key: config.Secret(base64.StdEncoding.EncodeToString(key))}})
		require.NoError(t, err)
		require.Equal(t, key, got)
		file := filepath.Join(t.TempDir(), "key")
		require.NoError(t, os.WriteFile(file, []byte(base64.RawURLEncoding.EncodeToString(key)+"\n"), 0o600))
		got, err = secretKey(config.Config{Secrets: config.Secrets{KeyFile: file}})
		require.NoError(t, err)
		require.Equal(t, key, got)
	})

	t.Run("is not made up when the file that was named is missing or wrong", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "key")
		_, err := secretKey(config.Config{DataDir: t.TempDir(), Secrets: config.Secrets{KeyFile: file}})
		require.ErrorIs(t, err, os.ErrNotExist)
		require.NoError(t, os.WriteFile(file, []byte("too short"), 0o600))
		_, err = secretKey(config.Config{DataDir: t.TempDir(), Secrets: config.Secrets{KeyFile: file}})
		require.ErrorContains(t, err, file)
		require.NotContains(t, err.Error(), "too short")
	})
}

func TestReady(t *testing.T) {
	t.Parallel()
	running, stopped := &atomic.Bool{}, &atomic.Bool{}
	running.Store(true)
	well := func(context.Context) error { return nil }
	tests := []struct {
		name   string
		health health
		status int
		want   string
	}{
		{
			"a watching process with a database is ready",
			health{database: well, watching: running},
			200,
			`{"status":"ready","parts":{"database":{"ok":true},"watcher":{"ok":true}}}`,
		},
		{
			"a process that does not watch answers for its database alone",
			health{database: well},
			200,
			`{"status":"ready","parts":{"database":{"ok":true}}}`,
		},
		{
			"a watcher that has ended is told",
			health{database: well, watching: stopped},
			503,
			`{"status":"unavailable","parts":{"database":{"ok":true},"watcher":{"ok":false,"reason":"does not run"}}}`,
		},
		{"a database that does not answer is told without its address", health{
			database: func(context.Context) error { return errors.New("dial postgres://boards:hunter2@db") }, watching: running,
		}, 503, `{"status":"unavailable","parts":{"database":{"ok":false,"reason":"does not answer"},"watcher":{"ok":true}}}`},
		{"a database that takes no changes is told without its file", health{
			database: well, writing: newWriteTrial(func(context.Context) error { return errors.New("/srv/boards.db: disk full") }, time.Now), watching: running,
		}, 503, `{"status":"unavailable","parts":{"database":{"ok":false,"reason":"cannot be written to"},"watcher":{"ok":true}}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.health.log = slog.New(slog.DiscardHandler)
			if tt.health.writing == nil {
				tt.health.writing = newWriteTrial(well, time.Now)
			}
			w := httptest.NewRecorder()
			tt.health.serveReady(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
			require.Equal(t, tt.status, w.Code)
			require.Equal(t, "application/json", w.Header().Get("Content-Type"))
			require.JSONEq(t, tt.want, w.Body.String())
		})
	}
}

func TestReadyWritesNowAndThenHoweverOftenItIsAsked(t *testing.T) {
	t.Parallel()
	now, writes := time.Now(), 0
	trial := newWriteTrial(func(context.Context) error { writes++; return nil }, func() time.Time { return now })
	for range 100 {
		require.NoError(t, trial.ask(t.Context()))
	}
	require.Equal(t, 1, writes)
	now = now.Add(trialEvery)
	require.NoError(t, trial.ask(t.Context()))
	require.Equal(t, 2, writes)
}

func TestReadyDoesNotWaitForAWriteThatHangs(t *testing.T) {
	t.Parallel()
	hanging, done := make(chan struct{}), make(chan struct{})
	trial := newWriteTrial(func(context.Context) error { close(hanging); <-done; return nil }, time.Now)
	first := make(chan error)
	go func() { first <- trial.ask(t.Context()) }()
	<-hanging
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("no answer in time"))
	require.EqualError(t, trial.ask(ctx), "no answer in time")
	close(done)
	require.NoError(t, <-first)
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	m := newMetrics(buildInfo{Version: "1.2.3", Go: "go1.26"})
	m.observe(watch.CheckReport{
		Board: boardwatch.Board{Source: "greenhouse:northwind"}, Check: boardwatch.Check{Health: boardwatch.HealthFailed, Cause: cause.Timeout},
		Duration: time.Second,
	})
	m.observe(watch.CheckReport{Board: boardwatch.Board{Source: "greenhouse:northwind"}, Unchanged: true})
	m.observe(watch.CheckReport{Board: boardwatch.Board{Source: "page:x"}, Merged: true})
	m.observe(watch.CheckReport{Board: boardwatch.Board{Source: "page:x"}, Err: errors.New("x")})
	m.observe(watch.CheckReport{
		Board: boardwatch.Board{Source: "page:x"}, Check: boardwatch.Check{Health: boardwatch.HealthOK},
		Change: boardwatch.Change{Found: make([]boardwatch.Job, 3), Closed: make([]boardwatch.Job, 2)},
	})
	w := httptest.NewRecorder()
	m.handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Equal(t, http.StatusOK, w.Code)
	for _, line := range []string{
		`boardwatch_checks_total{system="greenhouse",verdict="failed"} 1`,
		`boardwatch_checks_total{system="greenhouse",verdict="ok"} 1`,
		`boardwatch_check_causes_total{cause="timeout",system="greenhouse"} 1`,
		`boardwatch_checks_total{system="page",verdict="merged"} 1`,
		`boardwatch_checks_total{system="page",verdict="unsaved"} 1`,
		`boardwatch_checks_total{system="page",verdict="ok"} 1`,
		`boardwatch_roles_changed_total{change="found"} 3`,
		`boardwatch_roles_changed_total{change="closed"} 2`,
		`boardwatch_check_duration_seconds_bucket{system="greenhouse",le="1"} 2`,
		`boardwatch_checks_in_flight 0`,
		`boardwatch_build_info{goversion="go1.26",revision="",version="1.2.3"} 1`,
		"go_goroutines ", "boardwatch_check_due_lag_seconds_count 0",
	} {
		require.Contains(t, w.Body.String(), line)
	}
}

func TestAskReady(t *testing.T) {
	t.Parallel()
	answer := func(status int, body any) *httptest.Server {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			require.Equal(t, "/readyz", r.URL.Path)
			w.WriteHeader(status)
			require.NoError(t, json.NewEncoder(w).Encode(body))
		}))
		t.Cleanup(s.Close)
		return s
	}

	t.Run("reads what a service says of itself", func(t *testing.T) {
		t.Parallel()
		want := readiness{Status: "unavailable", Parts: map[string]partStatus{"database": {Reason: "does not answer"}}}
		got, err := askReady(t.Context(), answer(http.StatusServiceUnavailable, want).URL)
		require.NoError(t, err)
		require.Equal(t, want, got)
	})

	t.Run("tells another program from a service", func(t *testing.T) {
		t.Parallel()
		_, err := askReady(t.Context(), answer(http.StatusOK, "hello").URL)
		require.ErrorContains(t, err, "is not boardwatch")
	})

	t.Run("says that nobody answers", func(t *testing.T) {
		t.Parallel()
		s := answer(http.StatusOK, nil)
		s.Close()
		_, err := askReady(t.Context(), s.URL)
		require.Error(t, err)
	})
}

func TestServeNamesTheSettingWhoseAddressIsTaken(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	address := taken.Addr().String()
	for _, tc := range []struct{ listen, metrics, sentence, next string }{
		{"127.0.0.1:0", address, "boardwatch: metrics.listen: another program listens on " + address, "with the setting metrics.listen."},
		{address, "", "boardwatch: listen: another program listens on " + address, "with --listen."},
	} {
		got := Line{
			Args: []string{"serve", "--listen", tc.listen, "--data-dir", t.TempDir(), "--role", "api"},
			Env:  []string{"BOARDWATCH_METRICS_LISTEN=" + tc.metrics},
		}.Run(t.Context())
		require.Equal(t, 1, got.Code)
		require.Contains(t, got.Err, tc.sentence)
		require.Contains(t, got.Err, tc.next)
	}
}
