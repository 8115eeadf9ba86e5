package main_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-runewidth"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/board"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/role"
)

// A terminal of 80 columns shows every row on one line, with the ids that the next command needs.
func TestTablesFitATerminal(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	id := strings.Repeat("5f", 12)
	tracked := boardwatch.BoardView{
		ID: id, Company: "The Society of Very Long Company Names", CareersURL: "https://careers.northwind.example/en/all-open-positions",
		Status: boardwatch.BoardScraping, Tracking: boardwatch.TrackingActive, OpenJobs: 1234, LastCheckedAt: at, LastSuccessAt: at,
	}
	opening := boardwatch.Job{
		ID: id, Title: "Principal Engineer of Distributed Storage Systems", Location: "Rotterdam, The Netherlands", Department: "Infrastructure and Operations",
		Company: tracked.Company, Status: boardwatch.JobOpen, FirstSeenAt: at, LastSeenAt: at, URL: tracked.CareersURL,
	}
	for name, show := range map[string]func(c *command.CLI) error{
		"boards": func(c *command.CLI) error {
			return command.PrintList(c, []boardwatch.BoardView{tracked}, board.Columns()...)
		},
		"roles": func(c *command.CLI) error { return command.PrintList(c, []boardwatch.Job{opening}, role.Columns()...) },
	} {
		for _, width := range []int{60, 80, 120, 200} {
			var out, errs bytes.Buffer
			c := &command.CLI{Out: &out, Err: &errs, Output: command.OutputTable, OutTerm: command.Terminal{Is: true, Width: width}, ErrTerm: command.Terminal{Is: true, Width: width}}
			require.NoError(t, show(c))
			for line := range strings.Lines(out.String()) {
				require.LessOrEqual(t, runewidth.StringWidth(strings.TrimSuffix(line, "\n")), width, name)
			}
			require.Contains(t, out.String(), id, "%s at %d", name, width)
			if width == 80 {
				require.Contains(t, errs.String(), "left out, as the terminal is narrow: ")
				require.NotContains(t, out.String(), "2026-1…", "half a time tells nothing")
			}
		}
	}
	var out bytes.Buffer
	c := &command.CLI{Out: &out, Err: &bytes.Buffer{}, Output: command.OutputTable, OutTerm: command.Terminal{Is: true, Width: 100}}
	opening.Title = "Engineer of Storage, Senior"
	require.NoError(t, command.PrintList(c, []boardwatch.Job{opening}, role.Columns()...))
	require.Contains(t, out.String(), opening.Title, "titles are cut last")
}

func TestBoardListTakesTheOnlyAccount(t *testing.T) {
	t.Parallel()
	i := install(t, onSQLite(t))
	var made map[string]any
	i.do(&made, "account", "create", "--email", "ann@northwind.example", "--plan", "pro", "--verified")
	var list []map[string]any
	i.do(&list, "board", "list")
	require.Empty(t, list)
	i.do(&list, "role", "list")
	i.do(&made, "account", "create", "--email", "bob@northwind.example", "--plan", "pro", "--verified")
	i.refuses(2, "there are 2 accounts: choose one with --account: ann@northwind.example, bob@northwind.example", "board", "list")
}

// completed is what a shell would be offered for the last word.
func (i *installation) completed(words ...string) []string {
	i.t.Helper()
	var out, errs output
	require.Zero(i.t, main.Execute(i.t.Context(), i.cli(&out, &errs), append([]string{"__complete"}, words...)), "%s", &errs)
	var offered []string
	for line := range strings.Lines(out.String()) {
		if word, _, _ := strings.Cut(strings.TrimSpace(line), "\t"); word != "" && !strings.HasPrefix(word, ":") {
			offered = append(offered, word)
		}
	}
	return offered
}

func TestCompletionKnowsPlansAccountsBoardsAndOutputs(t *testing.T) {
	t.Parallel()
	i := install(t, "sqlite:"+t.TempDir()+"/complete.db")
	require.Empty(t, i.completed("board", "list", "--account", ""), "without a database nothing is offered, and none is made")
	var made map[string]any
	i.do(&made, "account", "create", "--email", "ann@northwind.example", "--plan", "pro", "--verified")
	var list []map[string]any
	i.do(&list, "board", "add", "--account", "ann@northwind.example", "https://boards.greenhouse.io/northwind", "contoso.example")
	ids := []string{list[0]["board"].(map[string]any)["id"].(string), list[1]["board"].(map[string]any)["id"].(string)} //nolint:forcetypeassert // our own JSON

	require.Equal(t, []string{"table", "json", "ndjson", "csv"}, i.completed("board", "list", "-o", ""))
	require.Equal(t, []string{"ann@northwind.example"}, i.completed("board", "list", "--account", ""))
	require.Equal(t, []string{"ann@northwind.example"}, i.completed("account", "set-plan", ""))
	require.Equal(t, []string{"free", "pro", "ultra"}, i.completed("account", "set-plan", "ann@northwind.example", ""))
	require.Equal(t, []string{"free", "pro", "ultra"}, i.completed("account", "create", "--plan", ""))
	for _, command := range []string{"check", "history", "recipe", "remove"} {
		require.Subset(t, i.completed("board", command, ""), ids, command)
	}
	require.ElementsMatch(t, ids, i.completed("role", "list", "--board", ""))
}
