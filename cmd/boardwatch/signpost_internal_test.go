package main

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/scraper"
)

func TestReasonsSayHowABoardCouldBeRead(t *testing.T) {
	t.Parallel()
	const machine = "; boards on this machine are read with --dev, or with the setting http.allow_private"
	read := func(address string) (reading, found string) {
		cfg := config.Config{}
		s := signposted{scraper.New(app.NewClient(cfg), scraper.Options{}), cfg}
		r, err := s.Read(t.Context(), boardwatch.Board{Source: "page:" + address, URL: address})
		require.NoError(t, err)
		require.Equal(t, boardwatch.HealthFailed, r.Health)
		_, err = s.Find(t.Context(), boardwatch.Board{URL: address})
		require.Error(t, err)
		_, again := s.Discover(t.Context(), address)
		require.EqualError(t, again, err.Error())
		return r.Reason, err.Error()
	}
	for address, want := range map[string]string{
		"http://127.0.0.1:1/careers": machine,
		"http://localhost:1/careers": machine,
		"http://10.0.0.1/careers":    "; boards on private addresses are read with the setting http.allow_private",
	} {
		reading, found := read(address)
		require.Regexp(t, want+"$", reading)
		require.Regexp(t, want+"$", found)
	}
	for _, address := range []string{"https://careers.invalid/", "http://169.254.169.254/"} { // of no use, whatever is set
		reading, found := read(address)
		require.NotContains(t, reading+found, "are read with")
	}
}

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
	require.Zero(t, execute(t.Context(), i.cli(&shown, io.Discard), []string{"board", "history", failed[0].ID}))
	require.Contains(t, shown.String(), "boards on this machine are read with --dev")
	require.NotContains(t, shut.errs.String(), "dev is true")
	shut.stop()
	require.Zero(t, <-shut.code)
	require.Contains(t, i.serve("--dev").errs.String(), "dev is true: boards and webhooks may be on this machine")
}
