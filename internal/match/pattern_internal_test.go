package match

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// A text that needs more states than are kept is matched all the same, and the automaton starts afresh.
func TestAutomataForgetWhatTooManyTextsNeed(t *testing.T) {
	t.Parallel()
	p := New(`a.{14}b$`) // which of the last fourteen were an "a" makes 16,384 states
	text := make([]byte, 10_000)
	choice := rand.New(rand.NewPCG(3, 4))
	for i := range text {
		text[i] = "ac"[choice.IntN(2)]
	}
	for _, end := range []string{"a", "b", "aaaaaaaaaaaaaaab", "accccccccccccccb", "caaaaaaaaaaaaaab"} {
		require.Equal(t, p.Regexp().MatchString(string(text)+end), p.MatchString(string(text)+end))
		require.LessOrEqual(t, len(p.made.Load().states), maxStates)
	}
}
