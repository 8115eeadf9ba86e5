//go:build long

package main_test

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
)

const rotations = 100

// TestRotateKeyKilled kills the rotation of the key at random moments: whatever the moment, the next start opens every
// secret.
func TestRotateKeyKilled(t *testing.T) {
	t.Parallel()
	binary := filepath.Join(t.TempDir(), "boardwatch")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for name, database := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := config.Config{DataDir: t.TempDir(), Database: config.Secret(database(t))}
			want := map[string]string{}
			open(t, cfg, func(a *app.App) {
				for _, email := range []string{"ann@northwind.example", "bob@northwind.example"} {
					owner, err := a.Accounts.Create(t.Context(), account.NewAccount{Email: email, Plan: account.PlanUltra})
					require.NoError(t, err)
					for range boardwatch.MaxWebhooks {
						hook := boardwatch.Webhook{ID: boardwatch.NewID(), AccountID: owner.ID, Secret: account.NewWebhookSecret()}
						require.NoError(t, a.Store.CreateWebhook(t.Context(), hook, boardwatch.MaxWebhooks))
						want[hook.ID] = hook.Secret
					}
				}
			})
			rotate := func(ctx context.Context) error {
				cmd := exec.CommandContext(ctx, binary, "rotate-key")
				cmd.Env = append(os.Environ(), "BOARDWATCH_DATA_DIR="+cfg.DataDir, "BOARDWATCH_DATABASE="+string(cfg.Database))
				return cmd.Run()
			}
			start := time.Now()
			require.NoError(t, rotate(t.Context()))
			whole := time.Since(start)

			finished, resumed := 0, 0
			for range rotations {
				before, err := os.ReadFile(app.OwnKeyFile(cfg))
				require.NoError(t, err)
				ctx, cancel := context.WithTimeout(t.Context(), rand.N(2*whole))
				if rotate(ctx) == nil {
					finished++
				}
				cancel()
				atKill, err := os.ReadFile(app.OwnKeyFile(cfg))
				require.NoError(t, err)
				open(t, cfg, func(a *app.App) {
					accounts, err := a.Store.Accounts(t.Context())
					require.NoError(t, err)
					got := map[string]string{}
					for _, owner := range accounts {
						hooks, err := a.Store.Webhooks(t.Context(), owner.ID)
						require.NoError(t, err)
						for _, h := range hooks {
							got[h.ID] = h.Secret
						}
					}
					require.Equal(t, want, got)
				})
				after, err := os.ReadFile(app.OwnKeyFile(cfg))
				require.NoError(t, err)
				if string(before) == string(atKill) && string(after) != string(atKill) {
					resumed++
				}
			}
			t.Logf("%d rotations: %d ran to their end, %d were brought to it by the next start", rotations, finished, resumed)
		})
	}
}

// open is a start of the service that works on it and ends.
func open(t *testing.T, cfg config.Config, work func(a *app.App)) {
	t.Helper()
	a, err := app.OpenSealed(t.Context(), cfg, slog.New(slog.DiscardHandler), nil, app.MadeIfAbsent)
	require.NoError(t, err)
	work(a)
	require.NoError(t, a.Close())
}
