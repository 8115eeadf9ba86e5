package main_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/demo"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// backupShown is what "backup" and "restore" print.
type backupShown struct {
	File, Schema, CreatedAt, SHA256 string
	Bytes, Rows                     int64
	Tables                          map[string]int64
}

// TestBackupUnderLoad backs a service up while it reads boards that change all the time, and restores the file into both
// kinds of databases: what is there then is the same, row by row, and holds together.
func TestBackupUnderLoad(t *testing.T) {
	t.Parallel()
	for name, database := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, database(t), "BOARDWATCH_DEV=true", "BOARDWATCH_PLANS_ULTRA_CADENCE=50ms",
				"BOARDWATCH_CHECKS_CLOSE_AFTER=2", "BOARDWATCH_CHECKS_CLOSE_HOLD=0s", "BOARDWATCH_CHECKS_SUSPECT_HOLD=0s", "BOARDWATCH_LOG_LEVEL=error")
			i.do(&struct{}{}, "account", "create", "--email", e2eEmail, "--plan", "ultra", "--verified")
			site := newCareersSite(t, demo.Role{ID: 1, Title: "Optical Engineer", Location: "Bergen", Department: "Engineering"})
			in := newInbox(t)
			i.webhook(in.url, "job.found,job.archived")
			r := i.serve()
			i.do(&struct{}{}, "board", "add", "--account", e2eEmail, site.URL+"/careers")
			stop, stopped := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(stopped)
				for n := 2; ; n++ {
					select {
					case <-stop:
						return
					case <-time.After(20 * time.Millisecond):
						site.show(demo.Role{ID: n, Title: fmt.Sprint("Engineer ", n), Location: "Bergen", Department: "Engineering"}, demo.Role{ID: n + 1, Title: fmt.Sprint("Fitter ", n), Location: "Oslo", Department: "Workshop"})
					}
				}
			}()
			i.eventually("something was found", func() bool { return len(in.got(boardwatch.EventJobFound)) > 3 })

			file := filepath.Join(t.TempDir(), "backup.gz")
			var made backupShown
			for range 3 { // the later ones replace the first
				i.do(&made, "backup", file)
			}
			info, err := os.Stat(file)
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
			require.NotZero(t, made.Tables["jobs"])
			require.NotZero(t, made.Tables["deliveries"])
			if name == "on SQLite" {
				i.refuses(1, "another process watches", "restore", file, "--force")
			} else {
				i.refuses(1, "other processes use the database", "restore", file, "--force")
			}
			close(stop)
			<-stopped
			r.stop()
			require.Zero(t, <-r.code)

			want := backupRows(t, file)
			for other, place := range databases() {
				if other == "on PostgreSQL" && os.Getenv(storagetest.PostgresEnv) == "" {
					continue
				}
				o := install(t, place(t), "BOARDWATCH_DEV=true")
				var restored backupShown
				o.do(&restored, "restore", file)
				require.Equal(t, made, restored)
				again := filepath.Join(t.TempDir(), "again.gz")
				o.do(&backupShown{}, "backup", again)
				require.Equal(t, want, backupRows(t, again), other)
				o.refuses(1, "not empty", "restore", file)
				o.do(&restored, "restore", "--force", file)
				board := o.board()
				open := 0
				for _, j := range o.roles() {
					if j.Status == boardwatch.JobOpen {
						open++
					}
				}
				require.Equal(t, board.OpenJobs, open, "what belongs together was read at one instant")
				o.refuses(1, "their key is gone", "serve", "--listen", "127.0.0.1:0")
			}
		})
	}
}

func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	i := install(t, storagetestPath(t))
	i.do(&struct{}{}, "account", "create", "--email", e2eEmail, "--plan", "ultra")
	i.do(&[]struct{}{}, "webhook", "list", "--account", e2eEmail) // from now on the database belongs to a key
	dir := t.TempDir()
	file := filepath.Join(dir, "backup.gz")
	i.do(&backupShown{}, "backup", file)
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	o := install(t, storagetestPath(t))
	for name, content := range map[string][]byte{
		"empty": nil, "text": []byte("no backup"), "cut": whole[:len(whole)-20], "more": append(slices.Clip(whole), 'x'),
	} {
		damaged := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(damaged, content, 0o600))
		o.refuses(1, "is not a complete backup", "restore", damaged)
		o.refuses(1, "is not a complete backup", "restore", "--check", damaged)
	}
	o.refuses(1, "cannot be read", "restore", filepath.Join(dir, "missing"))
	o.refuses(2, "", "restore")
	o.refuses(1, "there is no database at", "backup", file)
	i.refuses(1, "exists and is not a backup", "backup", filepath.Join(dir, "text"))
	i.refuses(1, "there is no directory "+filepath.Join(dir, "missing"), "backup", filepath.Join(dir, "missing", "backup.gz"))
	i.do(&backupShown{}, "backup", filepath.Join(dir, "empty"))
	o.do(&backupShown{}, "restore", "--check", file)
	o.do(&backupShown{}, "restore", file)
	o.do(&[]struct{}{}, "webhook", "list", "--account", e2eEmail) // nothing was encrypted: a key of its own will do
	left, err := filepath.Glob(filepath.Join(dir, "*.new-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func storagetestPath(t *testing.T) string {
	t.Helper()
	return "sqlite:" + filepath.Join(t.TempDir(), "boardwatch.db")
}

// refuses runs a command line that has to fail, with these words.
func (i *installation) refuses(code int, words string, args ...string) {
	i.t.Helper()
	var out, errs output
	require.Equal(i.t, code, main.Execute(i.t.Context(), i.cli(&out, &errs), args), "%v: %s", args, &errs)
	require.Contains(i.t, errs.String(), words)
}

// backupRows are the rows of a backup, each with its table, in an order of their own.
func backupRows(t *testing.T, file string) []string {
	t.Helper()
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	gz, err := gzip.NewReader(bytes.NewReader(content))
	require.NoError(t, err)
	var rows []string
	table := ""
	lines := bufio.NewScanner(gz)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "[") {
			rows = append(rows, table+" "+line)
			continue
		}
		var head struct {
			Table string `json:"table"`
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &head))
		table = head.Table
	}
	require.NoError(t, lines.Err())
	slices.Sort(rows)
	return rows
}
