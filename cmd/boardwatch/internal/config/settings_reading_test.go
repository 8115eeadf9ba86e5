package config_test

import (
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/pace"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
)

func TestPacesOfSystems(t *testing.T) {
	t.Parallel()
	load := func(variables ...string) (config.Loaded, error) {
		return config.Load(config.Source{
			Flags: pflag.NewFlagSet("serve", pflag.ContinueOnError), Environ: append(variables, "HOME="+t.TempDir()),
		})
	}
	l, err := load()
	require.NoError(t, err)
	paces := l.HTTP.Paces()
	require.Equal(t, pace.Pace{Every: 200 * time.Millisecond, AtOnce: 4}, paces["smartrecruiters"])
	require.Equal(t, pace.Pace{Every: time.Second, AtOnce: 1}, paces["workday"])
	require.NotContains(t, paces, "ashby", "of which nothing is known")

	l, err = load("BOARDWATCH_HTTP_PACE_SMARTRECRUITERS=50ms", "BOARDWATCH_HTTP_PACE_WORKDAY=3s", "BOARDWATCH_HTTP_PACE_ASHBY=400ms")
	require.NoError(t, err)
	paces = l.HTTP.Paces()
	require.Equal(t, pace.Pace{Every: 50 * time.Millisecond, AtOnce: 16}, paces["smartrecruiters"], "more at once, or it could not be that fast")
	require.Equal(t, pace.Pace{Every: 3 * time.Second, AtOnce: 1}, paces["workday"])
	require.Equal(t, pace.Pace{Every: 400 * time.Millisecond, AtOnce: 3}, paces["ashby"])

	for _, pause := range []string{"0s", "1ns", "9ms"} {
		l, err = load("BOARDWATCH_HTTP_PAUSE="+pause, "BOARDWATCH_HTTP_PACE_WORKDAY=3s")
		require.NoError(t, err)
		require.Equal(t, map[string]pace.Pace{"workday": {Every: 3 * time.Second, AtOnce: 1}}, l.HTTP.Paces(), pause)
	}
	l, err = load("BOARDWATCH_HTTP_PAUSE=10ms")
	require.NoError(t, err)
	require.Contains(t, l.HTTP.Paces(), "workday")

	_, err = load("BOARDWATCH_HTTP_PACE_LEVER=0s", "BOARDWATCH_HTTP_PACE_LEVVER=1s")
	require.ErrorContains(t, err, "http.pace.lever (BOARDWATCH_HTTP_PACE_LEVER): ")
	require.ErrorContains(t, err, "did you mean BOARDWATCH_HTTP_PACE_LEVER?")
}

func TestOneOfManyAlikeIsNotListed(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{}
	for _, s := range config.Listed() {
		listed[s.Key] = true
	}
	require.True(t, listed["http.pace.greenhouse"])
	require.False(t, listed["http.pace.ashby"])
}
