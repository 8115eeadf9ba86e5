package track_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// written returns a difference as people write it.
func written(lines []track.DiffLine) string {
	marks := map[track.DiffKind]string{track.DiffOld: "-", track.DiffNew: "+", track.DiffGap: "…", track.DiffBoth: " "}
	var out []string
	for _, line := range lines {
		out = append(out, marks[line.Kind]+line.Text)
	}
	return strings.Join(out, "|")
}

func TestDiffText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ from, to, want string }{
		{"", "", ""},
		{"a\nb", "a\n\nb\n", "…"},
		{"", "a", "+a"},
		{"a", "", "-a"},
		{"a\nb\nc\nd\ne", "a\nb\nx\nd\ne", "…| b|-c|+x| d|…"},
		{"a\nb\nc\nd\ne", "b\nc\nd\ne\nf", "-a| b|…| e|+f"},
		{"a\nb", "c\nd", "-a|-b|+c|+d"},
	} {
		require.Equal(t, tt.want, written(track.DiffText(tt.from, tt.to)), "%q %q", tt.from, tt.to)
	}
	many := strings.Repeat("a\nb\n", 2000)
	require.Len(t, track.DiffText("x\n"+many+"y", "z\n"+strings.ReplaceAll(many, "b", "c")+"w"), 8004)
}
