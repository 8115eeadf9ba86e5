package main_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/demo"
)

// roleEvent is an entry of "role history" as it is printed.
type roleEvent struct {
	At      string                `json:"at"`
	Kind    boardwatch.ChangeKind `json:"kind"`
	Changes []struct {
		Field    string
		From, To *string
	} `json:"changes"`
	CheckID string  `json:"checkId"`
	Reason  *string `json:"reason"`
}

// TestRoleHistory has a running service read a page that changes, and asks what happened to a role.
func TestRoleHistory(t *testing.T) {
	t.Parallel()
	for name, database := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, database(t),
				"BOARDWATCH_DEV=true", "BOARDWATCH_PLANS_ULTRA_CADENCE=100ms", "BOARDWATCH_CHECKS_CLOSE_AFTER=3", "BOARDWATCH_CHECKS_CLOSE_HOLD=0s", "BOARDWATCH_LOG_LEVEL=error")
			fitter, sailor, writer := demo.Role{ID: 1, Title: "Fitter", Location: "Bergen", Department: "Workshop"}, demo.Role{ID: 2, Title: "Sailor", Location: "Halifax", Department: "Sea"}, demo.Role{ID: 3, Title: "Writer", Location: "Remote", Department: ""}
			site := newCareersSite(t, fitter, sailor, writer)
			i.do(&struct{}{}, "account", "create", "--email", e2eEmail, "--plan", "ultra", "--verified")
			i.serve()
			i.do(&struct{}{}, "board", "add", "--account", e2eEmail, site.URL+"/careers")
			i.eventually("the board is read", func() bool { return i.board().OpenJobs == 3 })
			id := i.roles()["Fitter"].ID

			fitter.Title, fitter.Location = "Senior Fitter", "Oslo"
			site.show(fitter, sailor, writer)
			i.eventually("the role is updated", func() bool { return i.roles()["Senior Fitter"].ID == id })
			site.show(sailor, writer)
			i.eventually("the role closes", func() bool { return i.board().ClosedJobs == 1 })
			site.show(fitter, sailor, writer)
			i.eventually("the role is back", func() bool { return i.board().OpenJobs == 3 })

			var shown boardwatch.Job
			i.do(&shown, "role", "show", id)
			require.Equal(t, i.roles()["Senior Fitter"].Title, shown.Title)
			require.Equal(t, boardwatch.JobOpen, shown.Status)

			var history []roleEvent
			i.do(&history, "role", "history", id)
			var kinds []boardwatch.ChangeKind
			for _, e := range history {
				kinds = append(kinds, e.Kind)
				require.Regexp(t, "^[0-9a-f]{24}$", e.CheckID)
				require.NotNil(t, e.Changes, "an empty list, not null")
			}
			require.Equal(t, []boardwatch.ChangeKind{
				boardwatch.ChangeFound, boardwatch.ChangeUpdated, boardwatch.ChangeMissing, boardwatch.ChangeClosed, boardwatch.ChangeReopened,
			}, kinds)
			changes := history[1].Changes
			require.Len(t, changes, 2)
			require.Equal(t, []string{"title", "Fitter", "Senior Fitter"}, []string{changes[0].Field, *changes[0].From, *changes[0].To})
			require.Equal(t, []string{"location", "Bergen", "Oslo"}, []string{changes[1].Field, *changes[1].From, *changes[1].To})
			require.Empty(t, history[2].Changes)

			var checks []struct {
				ID     string `json:"id"`
				At     string `json:"at"`
				Missed int    `json:"missed"`
			}
			i.do(&checks, "board", "history", i.board().ID)
			missed := 0
			for _, c := range checks {
				if c.Missed > 0 {
					missed++
					require.Contains(t, *history[3].Reason, c.ID+" at "+c.At)
				}
			}
			require.Equal(t, 3, missed, "which checks missed it")

			var out, errs output
			require.Zero(t, main.Execute(t.Context(), i.cli(&out, &errs), []string{"role", "history", id, "-o", "table"}), "%s", &errs)
			require.Contains(t, out.String(), "title: Fitter -> Senior Fitter; location: Bergen -> Oslo")
			out = output{}
			require.Zero(t, main.Execute(t.Context(), i.cli(&out, &errs), []string{"role", "history", id, "-o", "csv"}), "%s", &errs)
			require.True(t, strings.HasPrefix(out.String(), "at,kind,changes,checkId,reason\n"))
			require.Equal(t, 6, strings.Count(out.String(), "\n"))
			out = output{}
			require.Zero(t, main.Execute(t.Context(), i.cli(&out, &errs), []string{"role", "history", id, "-o", "ndjson"}), "%s", &errs)
			require.Equal(t, 5, strings.Count(out.String(), "\n"))
		})
	}
}
