package main

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRunWritesNamesInOrder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	city := func(name, ascii, others, people string) string {
		return strings.Join([]string{"1", name, ascii, others, "0", "0", "P", "PPL", "XX", "", "", "", "", "", people, "", "", "", ""}, "\t") + "\n"
	}
	cities := write("cities.txt", city("Großstadt", "Grossstadt", "Grandeville,Большой,GRS,sale", "900000")+
		city("Best", "Best", "", "30000")+city("Weiler am See", "Weiler am See", "Weiler", "20000")+city("Dorf", "Dorf", "", "900"))
	write("cldr-localenames-full/main/de/territories.json", `{"main":{"de":{"localeDisplayNames":{"territories":{"XX":"Nirgends","AT":"Österreich","ZZ":"Unbekannt"}}}}}`)
	write("cldr-localenames-full/main/tlh/territories.json", `{"main":{"tlh":{"localeDisplayNames":{"territories":{"AT":"Otherland"}}}}}`)
	write("cldr-subdivisions-full/subdivisions/en/en.json", `{"subdivisions":{"localeDisplayNames":{"subdivisions":{"deby":"Bavaria","frb":"Sale"}}}}`)
	write("cldr-dates-full/main/ja/timeZoneNames.json", `{"main":{"ja":{"dates":{"timeZoneNames":{"zone":{"Europe":{"Oslo":{"exemplarCity":"オスロ"}}}}}}}}`)
	own := write("own.txt", "U.K.\n")
	texts := write("texts.txt", strings.Repeat("the best sale\n", 20))
	out := filepath.Join(folder, "places.txt.gz")
	require.NoError(t, run(cities, folder, own, texts, out))

	f, err := os.Open(out)
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	unpacked, err := gzip.NewReader(f)
	require.NoError(t, err)
	text, err := io.ReadAll(unpacked)
	require.NoError(t, err)
	require.Equal(t, "bavaria\nbest?\ngrandeville\ngrossstadt\nosterreich\nsale?\nu.k.\nweiler\nweiler am see\nбольшой\nオスロ\n", string(text))
}

func TestRunSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	empty := filepath.Join(t.TempDir(), "empty.txt")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	require.ErrorContains(t, run(empty, t.TempDir(), empty, empty, filepath.Join(t.TempDir(), "out")), "unpack CLDR's packages there")
}
