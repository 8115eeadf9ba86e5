package search_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/account"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/search"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
)

// run runs one command line of an installation in a directory.
func run(t *testing.T, dir string, noun func(*command.CLI) *cobra.Command, args ...string) (out string, err error) {
	t.Helper()
	var printed bytes.Buffer
	cmd := noun(&command.CLI{
		In: strings.NewReader(""), Out: &printed, Err: t.Output(), Now: time.Now,
		Environ: []string{"HOME=" + dir, "BOARDWATCH_DATA_DIR=" + dir, "BOARDWATCH_DATABASE=sqlite:" + dir + "/boards.db"},
	})
	cmd.SetArgs(args)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err = cmd.ExecuteContext(t.Context())
	return printed.String(), err
}

func TestSearchesAreAddedListedAndRemoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := run(t, dir, account.Command, "create", "--email", "ann@northwind.example", "--plan", "ultra", "--verified")
	require.NoError(t, err)

	out, err := run(t, dir, search.Command, "add", "--name", "Robotics", "--text", "engineer", "--mode", "remote", "--kinds", "found, reopened")
	require.NoError(t, err)
	var added boardwatch.Search
	require.NoError(t, json.Unmarshal([]byte(out), &added))
	require.Equal(t, "Robotics", added.Name)
	require.Equal(t, boardwatch.WorkMode("remote"), added.Mode)
	require.Equal(t, []boardwatch.ChangeKind{"found", "reopened"}, added.Kinds)

	_, err = run(t, dir, search.Command, "remove", added.ID)
	require.NoError(t, err)
	out, err = run(t, dir, search.Command, "list")
	require.NoError(t, err)
	require.JSONEq(t, "[]", out)
	_, err = run(t, dir, search.Command, "remove", added.ID)
	require.EqualError(t, err, "ann@northwind.example has no search with the id "+added.ID)
}

func TestASearchIsRefusedByTheNamesOfItsFlags(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := run(t, dir, account.Command, "create", "--email", "ann@northwind.example", "--plan", "ultra", "--verified")
	require.NoError(t, err)
	_, err = run(t, dir, search.Command, "add", "--name", "x", "--pay-from", "-1")
	var failure *exit.Error
	require.ErrorAs(t, err, &failure)
	require.Equal(t, 2, failure.Code)
	require.ErrorContains(t, err, "--pay-from must be ")
}
