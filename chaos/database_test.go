//go:build chaos

package chaos_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// database is the service's database, with the failures that can happen to it.
type database interface {
	url() string
	slots(t *testing.T) []*slot
	// strike makes the database fail in a way typical of its kind, and returns when that is over. It describes the
	// failure; empty if none was possible.
	strike(ctx context.Context) (what string, err error)
}

// sqliteFile is on a small separate disk if the machine allows that.
type sqliteFile struct {
	dir  string
	disk bool
}

func newSQLite(t *testing.T) *sqliteFile {
	t.Helper()
	d := &sqliteFile{dir: t.TempDir()}
	if out, err := exec.CommandContext(t.Context(), "mount", "-t", "tmpfs", "-o", "size=768m", "boardwatch-chaos", d.dir).CombinedOutput(); err != nil {
		t.Logf("NOT TESTED: a full disk, because no small disk can be mounted here: %s", strings.TrimSpace(string(out)))
		return d
	}
	d.disk = true
	t.Cleanup(func() {
		if *keepFlag != "" && t.Failed() {
			if err := os.CopyFS(filepath.Join(*keepFlag, t.Name()), os.DirFS(d.dir)); err != nil {
				t.Logf("the database could not be copied: %v", err)
			}
		}
		out, err := exec.Command("umount", d.dir).CombinedOutput()
		require.NoError(t, err, "%s", out)
	})
	return d
}

func (d *sqliteFile) url() string { return "sqlite:" + filepath.Join(d.dir, "boardwatch.db") }

func (d *sqliteFile) slots(t *testing.T) []*slot {
	t.Helper()
	return []*slot{newSlot(t, "one", "all")}
}

// strike fills the disk for some seconds.
func (d *sqliteFile) strike(ctx context.Context) (string, error) {
	if !d.disk {
		return "", nil
	}
	ballast := filepath.Join(d.dir, "ballast")
	f, err := os.Create(ballast)
	if err != nil {
		return "", err
	}
	_, _ = io.Copy(f, zeros{}) // until there is no room
	_ = f.Close()              // it could not be written completely, as intended
	select {
	case <-ctx.Done():
	case <-time.After(6 * time.Second):
	}
	return "the disk is full", os.Remove(ballast)
}

// zeros never ends.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// postgresCluster is a private server.
type postgresCluster struct {
	script, dir, address string
}

func newPostgres(t *testing.T) *postgresCluster {
	t.Helper()
	script, err := filepath.Abs("../scripts/postgres.sh")
	require.NoError(t, err)
	if err := exec.CommandContext(t.Context(), script, "find").Run(); err != nil {
		t.Skip("PostgreSQL is not installed")
	}
	dir, err := os.MkdirTemp("", "boardwatch-chaos.") //nolint:usetesting // the server's own user has to get there
	require.NoError(t, err)
	p := &postgresCluster{script: script, dir: dir}
	t.Cleanup(func() {
		out, err := exec.Command(script, "stop", dir).CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.NoError(t, os.RemoveAll(dir))
	})
	out, err := exec.CommandContext(t.Context(), script, "start", dir).Output()
	require.NoError(t, err)
	p.address = strings.TrimSpace(string(out))
	return p
}

func (p *postgresCluster) url() string { return p.address }

// slots are three processes: one that only answers requests, one that only reads boards, one that does both.
func (p *postgresCluster) slots(t *testing.T) []*slot {
	t.Helper()
	return []*slot{newSlot(t, "both", "all"), newSlot(t, "api", "api"), newSlot(t, "worker", "worker")}
}

// strike stops the server abruptly, as a power failure would, and restarts it.
func (p *postgresCluster) strike(ctx context.Context) (string, error) {
	return "PostgreSQL crashed", exec.CommandContext(ctx, p.script, "restart", p.dir).Run()
}
