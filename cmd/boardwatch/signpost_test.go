package main_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
)

func TestServeSaysWhatDevOpensAndWhatIsShutWithoutIt(t *testing.T) {
	t.Parallel()
	i := install(t, storagetestPath(t))
	i.do(&struct{}{}, "account", "create", "--email", e2eEmail)
	i.do(&struct{}{}, "board", "add", "--dev", "--account", e2eEmail, "http://127.0.0.1:1/careers")
	shut := i.serve()
	var failed []boardwatch.BoardView
	i.eventually("the board was looked for", func() bool {
		i.do(&failed, "board", "list", "--account", e2eEmail, "--status", "failed")
		return len(failed) == 1
	})
	var shown bytes.Buffer
	require.Zero(t, main.Execute(t.Context(), i.cli(&shown, io.Discard), []string{"board", "history", failed[0].ID}))
	require.Contains(t, shown.String(), "boards on this machine are read with --dev")
	require.NotContains(t, shut.errs.String(), "dev is true")
	shut.stop()
	require.Zero(t, <-shut.code)
	require.Contains(t, i.serve("--dev").errs.String(), "dev is true: boards and webhooks may be on this machine")
}
