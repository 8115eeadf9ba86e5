package main_test

import (
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
)

// A running process takes the new key over without being told.
func TestRotateKeyBesideARunningService(t *testing.T) {
	t.Parallel()
	c := &command.CLI{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Environ: []string{"BOARDWATCH_DATA_DIR=" + t.TempDir()}, Now: time.Now}
	cfg, err := c.Config(&cobra.Command{})
	require.NoError(t, err)
	running, err := app.OpenSealed(t.Context(), cfg, slog.New(slog.DiscardHandler), nil, app.MadeIfAbsent)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, running.Close()) })
	ann, err := running.Accounts.Create(t.Context(), account.NewAccount{Email: "ann@northwind.example", Plan: account.PlanUltra})
	require.NoError(t, err)
	create := func(path string) boardwatch.Webhook {
		hook, err := running.Webhooks().Create(t.Context(), ann, account.WebhookForm{URL: "https://192.88.98.1" + path, Events: []string{"job.found"}})
		require.NoError(t, err)
		return hook
	}
	before := create("/before")
	for range 2 {
		require.Zero(t, main.Execute(t.Context(), c, []string{"rotate-key"}))
		found, err := running.Webhooks().Find(t.Context(), ann, before.ID)
		require.NoError(t, err)
		require.Equal(t, before.Secret, found.Secret)
	}
	require.Zero(t, main.Execute(t.Context(), c, []string{"rotate-key"}))
	after := create("/after") // the first thing that needs the key since

	restarted, err := app.OpenSealed(t.Context(), cfg, slog.New(slog.DiscardHandler), nil, app.MadeIfAbsent)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, restarted.Close()) })
	hooks, err := restarted.Store.Webhooks(t.Context(), ann.ID)
	require.NoError(t, err)
	require.Equal(t, []string{before.Secret, after.Secret}, []string{hooks[0].Secret, hooks[1].Secret})
	left, err := filepath.Glob(filepath.Join(cfg.DataDir, "secret.key*"))
	require.NoError(t, err)
	require.Len(t, left, 2, "the key and the one before")
}
