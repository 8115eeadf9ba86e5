package main

import (
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// A running process takes the new key over without being told.
func TestRotateKeyBesideARunningService(t *testing.T) {
	t.Parallel()
	c := &cli{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Environ: []string{"BOARDWATCH_DATA_DIR=" + t.TempDir()}, Now: time.Now}
	cfg, err := c.config(newRoot(c))
	require.NoError(t, err)
	running, err := openSealedApp(t.Context(), cfg, slog.New(slog.DiscardHandler), nil, madeIfAbsent)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, running.close()) })
	ann, err := running.accounts.Create(t.Context(), account.NewAccount{Email: "ann@northwind.example", Plan: account.PlanUltra})
	require.NoError(t, err)
	create := func(path string) boardwatch.Webhook {
		hook, err := running.webhooks().Create(t.Context(), ann, account.WebhookForm{URL: "https://192.88.98.1" + path, Events: []string{"job.found"}})
		require.NoError(t, err)
		return hook
	}
	before := create("/before")
	for range 2 {
		require.Zero(t, c.run(t.Context(), []string{"rotate-key"}))
		found, err := running.webhooks().Find(t.Context(), ann, before.ID)
		require.NoError(t, err)
		require.Equal(t, before.Secret, found.Secret)
	}
	require.Zero(t, c.run(t.Context(), []string{"rotate-key"}))
	after := create("/after") // the first thing that needs the key since

	restarted, err := openSealedApp(t.Context(), cfg, slog.New(slog.DiscardHandler), nil, madeIfAbsent)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, restarted.close()) })
	hooks, err := restarted.store.Webhooks(t.Context(), ann.ID)
	require.NoError(t, err)
	require.Equal(t, []string{before.Secret, after.Secret}, []string{hooks[0].Secret, hooks[1].Secret})
	left, err := filepath.Glob(filepath.Join(cfg.DataDir, "secret.key*"))
	require.NoError(t, err)
	require.Len(t, left, 2, "the key and the one before")
}
