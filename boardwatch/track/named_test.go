package track_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/track"
)

func TestIsName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"acorn", "Acorn Foods", "Acorn Foods Inc.", " ørsted ", "3M Company"} {
		require.True(t, track.IsName(name), name)
	}
	for _, address := range []string{"", "acorn.example", "https://acorn.example/jobs", "localhost:8080", "//acorn", "123", "a@b"} {
		require.False(t, track.IsName(address), address)
	}
}
