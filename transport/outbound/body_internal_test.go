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
			buf := p.buffer(firstBuffer - 1)
			_, err := p.decode(buf, bytes.NewReader(body), nil, keptBuffer)
			require.NoError(t, err)
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
	buf := p.buffer(firstBuffer - 1)
	_, err := p.decode(buf, bytes.NewReader(body), nil, 2*keptBuffer)
	require.NoError(t, err)
	require.True(t, bytes.Equal(body, *buf))
	require.Equal(t, len(body), cap(*buf))
}

func TestTheMemoryOfBodiesIsKeptBySize(t *testing.T) {
	t.Parallel()
	var p pools
	for _, size := range []int{0, leastBuffer - 1, leastBuffer, firstBuffer, keptBuffer - 1, keptBuffer, 3 * keptBuffer} {
		b := p.buffer(size)
		require.Empty(t, *b)
		require.GreaterOrEqual(t, cap(*b), size)
		*b = append(*b, "rest of another body"...)
		p.putBuffer(b)
	}
	for _, size := range []int{keptBuffer, firstBuffer, leastBuffer, 1} {
		b := p.buffer(size)
		require.Empty(t, *b)
		require.GreaterOrEqual(t, cap(*b), size)
		require.LessOrEqual(t, cap(*b), max(2*size, leastBuffer), "no small body takes the memory of a large one")
	}
}
