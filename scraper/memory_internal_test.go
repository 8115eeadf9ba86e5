package scraper

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMemoryForgetsWhatNobodyAsksFor(t *testing.T) {
	t.Parallel()

	var m memory
	m.Remember("used", "1")
	m.Remember("unused", "1")
	for i := range 2 * generation {
		m.Remember(strconv.Itoa(i), "x")
		if i%1000 == 0 {
			value, ok := m.Recall("used")
			require.True(t, ok)
			require.Equal(t, "1", value)
		}
	}
	_, ok := m.Recall("unused")
	require.False(t, ok)
	require.LessOrEqual(t, len(m.young)+len(m.old), 2*generation)
}
