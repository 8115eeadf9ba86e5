package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// describedRole is what "role show" prints of a role.
type describedRole struct {
	ID     string
	Status boardwatch.JobStatus
	Facts  boardwatch.Facts
	Text   string
}

// describeRole keeps a role whose facts and text change, and that closes then.
func describeRole(t *testing.T, database string) {
	t.Helper()
	now := time.Now().AddDate(0, -2, 0)
	store, err := openStore(t.Context(), config.Config{Database: config.Secret(database)}, storage.Options{
		SealKey: []byte(storagetest.SealKey), Now: func() time.Time { now = now.Add(time.Hour); return now },
	})
	require.NoError(t, err)
	a, err := store.AccountByEmail(t.Context(), e2eEmail)
	require.NoError(t, err)
	b, _, err := store.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID},
		boardwatch.Board{Source: "greenhouse:northwind", URL: "https://boards.greenhouse.example/northwind"}, "https://northwind.example/")
	require.NoError(t, err)
	check := func(postings ...boardwatch.Posting) {
		t.Helper()
		postings = append(postings, boardwatch.Posting{Key: "2", Title: "Sailor"}, boardwatch.Posting{Key: "3", Title: "Writer"})
		r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Company: "Northwind", Postings: postings}.Normalize()
		claims, err := store.ClaimDue(t.Context(), 1, time.Minute, boardwatch.ClaimFilter{})
		require.NoError(t, err)
		require.Len(t, claims, 1)
		require.Equal(t, b.ID, claims[0].Board.ID)
		require.NoError(t, store.SaveCheck(t.Context(), claims[0], func(in boardwatch.CheckInput) boardwatch.CheckResult {
			result := boardwatch.Decide(in, r, false, boardwatch.Rules{}, boardwatch.NewID)
			result.Board.NextCheckAt = in.Now
			return result
		}))
	}
	fitter := boardwatch.Posting{
		Key: "1", Title: "Fitter", Text: "# Fitter\n\nYou repair sails.\n\nOn board.",
		Facts: boardwatch.Facts{Mode: boardwatch.ModeOnsite, Pay: boardwatch.Pay{Min: 40000, Currency: "NOK", Period: boardwatch.PerMonth}, TypeText: "=HYPERLINK(1)"},
	}
	check(fitter)
	fitter.Text, fitter.Facts.Mode = "# Fitter\n\nYou repair engines.\n\nOn board.", boardwatch.ModeHybrid
	check(fitter)
	for range 3 {
		check()
	}
	require.NoError(t, store.Close())
}

// TestAClosedRoleIsStillDescribed asks the built program about a role that closed long ago: where it was kept, and after a backup
// and a restore into the other kind of database.
func TestAClosedRoleIsStillDescribed(t *testing.T) {
	t.Parallel()
	binary := buildBinary(t)
	others := map[string]string{"on SQLite": "on PostgreSQL", "on PostgreSQL": "on SQLite"}
	for name, database := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, database(t))
			run := func(i *installation, args ...string) string {
				t.Helper()
				cmd := exec.CommandContext(t.Context(), binary, args...)
				cmd.Env = i.env
				out, err := cmd.Output()
				require.NoError(t, err, "%v: %s", args, out)
				return string(out)
			}
			run(i, "account", "create", "--email", e2eEmail, "--plan", "ultra", "--verified")
			describeRole(t, strings.TrimPrefix(i.env[2], "BOARDWATCH_DATABASE="))
			file := filepath.Join(t.TempDir(), "boards.backup")
			run(i, "backup", file)
			other := others[name]
			if os.Getenv(storagetest.PostgresEnv) == "" {
				other = name
			}
			o := install(t, databases()[other](t))
			run(o, "restore", "--force", file)
			var before string
			for _, i := range []*installation{i, o} {
				var found []describedRole
				require.NoError(t, json.Unmarshal([]byte(run(i, "role", "list", "--status", "all", "--words", "ENGINE repair", "--mode", "hybrid", "--text")), &found))
				require.Len(t, found, 1)
				require.Equal(t, boardwatch.JobClosed, found[0].Status)
				shown := run(i, "role", "show", found[0].ID)
				var role describedRole
				require.NoError(t, json.Unmarshal([]byte(shown), &role))
				require.Equal(t, "# Fitter\n\nYou repair engines.\n\nOn board.", role.Text)
				require.Equal(t, role.Text+"\n", run(i, "role", "show", "--text", role.ID))
				require.Equal(t, "from 40,000 NOK per month", role.Facts.Pay.String())
				var history []roleEvent
				require.NoError(t, json.Unmarshal([]byte(run(i, "role", "history", role.ID)), &history))
				require.Equal(t, boardwatch.ChangeUpdated, history[1].Kind)
				require.Equal(t, []string{"mode", "onsite", "hybrid"}, []string{history[1].Changes[0].Field, *history[1].Changes[0].From, *history[1].Changes[0].To})
				require.Equal(t, "text", history[1].Changes[1].Field)
				csv := run(i, "role", "list", "--status", "all", "--text", "-o", "csv")
				require.Contains(t, csv, ",'=HYPERLINK(1),")
				require.Equal(t, "[]\n", run(i, "role", "list", "--status", "all", "--words", "sails"))
				if before != "" {
					require.Equal(t, before, shown)
				}
				before = shown
			}
		})
	}
}
