package rest

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// What scrolls sideways on the page can be reached without a mouse.
func TestThePageIsForKeyboards(t *testing.T) {
	t.Parallel()
	docs := []byte(Reference("https://boards.example"))
	require.Positive(t, bytes.Count(docs, []byte(`<pre tabindex="0">`)))
	require.Zero(t, bytes.Count(docs, []byte(`<pre>`)))
	require.Equal(t, bytes.Count(docs, []byte(`<table>`)), bytes.Count(docs, []byte(`class="scroll" tabindex="0"`)))
}
