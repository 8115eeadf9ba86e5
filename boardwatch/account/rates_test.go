package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

func TestAllowance(t *testing.T) {
	t.Parallel()
	a := account.Allowance{Burst: 2, Every: time.Minute}
	var until time.Time
	take := func(at time.Duration) (wait time.Duration) {
		until, wait = a.Take(until, noon.Add(at))
		return wait
	}
	require.Zero(t, take(0))
	require.Zero(t, take(0))
	require.Equal(t, time.Minute, take(0))
	require.Equal(t, 20*time.Second, take(40*time.Second), "what is refused takes nothing")
	require.Zero(t, take(time.Minute))
	require.Equal(t, time.Minute, take(time.Minute))
	until = a.GiveBack(until)
	require.Zero(t, take(time.Minute))
	require.Zero(t, take(time.Hour))
	require.Zero(t, take(time.Hour), "turns are not saved up")
	require.Equal(t, time.Minute, take(time.Hour))
	require.Equal(t, time.Minute, take(-time.Hour), "a clock that was set back makes nobody wait until it has caught up")
	require.Zero(t, take(-time.Hour+time.Minute))
	_, wait := account.Allowance{}.Take(time.Time{}, noon)
	require.Zero(t, wait, "no allowance at all is no limit")
}
