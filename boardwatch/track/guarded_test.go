package track_test

import (
	"encoding/csv"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// starts matches the positions at which a program that ignores quotes, or uses a separator other than commas, begins a
// formula.
var starts = regexp.MustCompile(`(^|[;\t\r\n])[\p{Z}"]*[=+\-@＝＋－＠]`)

func TestGuarded(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                            "",
		"Engineer":                    "Engineer",
		"a=b, -c":                     "a=b, -c",
		"=1+1":                        "'=1+1",
		"  @x":                        "'  @x",
		"＋1":                          "'＋1",
		"\u00a0=1":                    "'\u00a0=1",
		"a;\u3000@x":                  "a;'\u3000@x",
		"Engineer;=cmd|' /C calc'!A0": "Engineer;'=cmd|' /C calc'!A0",
		`x; "=1`:                      `x;' "=1`,
		"a\t-1":                       "a\t'-1",
		"a\r\n+1":                     "a\r\n'+1",
		"a;b;c":                       "a;b;c",
		"\tx":                         "'\tx",
		"'=1":                         "'=1",
	} {
		require.Equal(t, want, track.Guarded(text), text)
	}
}

func FuzzGuarded(f *testing.F) {
	for _, text := range []string{"=1", ";=1", "\";\"\"=1", "a;\t\r\n -1", ";;;@", "'=1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		guarded := track.Guarded(text)
		require.NotRegexp(t, starts, guarded)
		require.Equal(t, guarded, track.Guarded(guarded), "twice is as good as once")
		var file strings.Builder
		out := csv.NewWriter(&file)
		require.NoError(t, out.Write([]string{guarded, guarded}))
		out.Flush()
		require.NotRegexp(t, starts, file.String())
	})
}

// Exported texts are imported unchanged.
func TestGuardedNamesComeBack(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"=Northwind", "North;=wind", "+1;-2; @3"} {
		entries, err := track.ReadList(strings.NewReader("url,companyName\nnorthwind.example,"+track.Guarded(name)+"\n"), track.ListCSV)
		require.NoError(t, err)
		require.Equal(t, name, entries[0].Board.CompanyName)
	}
}
