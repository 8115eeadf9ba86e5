package service

import (
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
		s := signposted{Scraper: scraper.New(app.NewClient(cfg), scraper.Options{}), cfg: cfg}
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
