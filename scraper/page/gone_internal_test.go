package page

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A sentence of a live posting that looks like the end of it would close a role that is open.
func TestWhatIsSaidInEachLanguageWhenARoleIsClosed(t *testing.T) {
	t.Parallel()
	heard := make(map[string]int)
	for _, s := range examplesIn(t, "testdata/gone/sentences.txt") {
		d := Parse([]byte(`<!doctype html><html><head><title>Lakeside Mill</title></head><body><main><h1>Miller</h1><p>`+s.text+`</p></main></body></html>`), fuzzAddress(t))
		if got := d.SaysGone("Miller"); got != (s.mark == '+') {
			t.Errorf("%s: %c %s", s.language, s.mark, s.text)
		}
		heard[s.language]++
	}
	require.Len(t, heard, len(languages()), "each language has its sentences")
}
