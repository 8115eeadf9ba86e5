//go:build simulate

package simulate_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLullEndsWithAnyChange(t *testing.T) {
	t.Parallel()
	var l lull
	in := func() bool { _, ok := l.lasts(); return ok }
	require.False(t, in(), "nobody has asked yet")
	l.asks()(time.Now().Add(-time.Second))
	require.False(t, in(), "a board is due")
	due := time.Now().Add(time.Hour)
	l.asks()(due)
	until, ok := l.lasts()
	require.True(t, ok)
	require.Equal(t, due, until)
	ended := l.changing()
	require.False(t, in(), "a check is being saved")
	l.asks()(due)
	require.True(t, in())
	answered := l.asks()
	ended()
	require.False(t, in(), "it has been saved")
	answered(due)
	require.False(t, in(), "the answer is from before")
}
