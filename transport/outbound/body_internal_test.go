package outbound

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// Boards of one size are read all the time: their bodies take the memory of earlier ones.
func TestABodyFitsWhereOneOfItsSizeWas(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, firstBuffer - 1, firstBuffer, firstBuffer + 1, 3*firstBuffer - 1, 3 * firstBuffer, keptBuffer - 1} {
		t.Run(strconv.Itoa(size), func(t *testing.T) {
			t.Parallel()
			var p pools
			body := bytes.Repeat([]byte("x"), size)
			buf := p.buffer(firstBuffer)
			require.NoError(t, p.decode(buf, bytes.NewReader(body), "", keptBuffer))
			require.True(t, bytes.Equal(body, *buf))
			require.LessOrEqual(t, cap(*buf), keptBuffer, "else it would not be kept")

			*buf = (*buf)[:0]
			again := p.gather(buf, keptBuffer)
			defer again.end()
			require.NoError(t, again.from(bytes.NewReader(body)))
			require.Empty(t, again.pieces)
			require.True(t, bytes.Equal(body, *buf))
		})
	}
}

func TestABodyThatIsNotKeptTakesNoMoreThanItNeeds(t *testing.T) {
	t.Parallel()
	var p pools
	body := bytes.Repeat([]byte("x"), keptBuffer+1)
	buf := p.buffer(firstBuffer)
	require.NoError(t, p.decode(buf, bytes.NewReader(body), "", 2*keptBuffer))
	require.True(t, bytes.Equal(body, *buf))
	require.Equal(t, len(body), cap(*buf))
}
