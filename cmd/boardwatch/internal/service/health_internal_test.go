package service

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

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
