package page

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func TestLocationsThatNameTheirCountry(t *testing.T) {
	t.Parallel()
	for location, want := range map[string][]boardwatch.Place{
		"Lisbon, Portugal":               {{Text: "Lisbon, Portugal", Country: "PT", City: "Lisbon"}},
		"Portugal; Remote":               {{Text: "Portugal", Country: "PT"}, {Text: "Remote"}},
		"Munich, Bavaria, Germany; Oslo": {{Text: "Munich, Bavaria, Germany", Country: "DE", City: "Munich"}, {Text: "Oslo"}},
		"London, UK":                     {{Text: "London, UK", Country: "GB", City: "London"}},
		"Oslo":                           nil, "": nil, "San Francisco, CA": nil, "Atlanta, Georgia": nil, "Zzyzzx Quay, Portugal": nil, "IT, DE": nil,
	} {
		var f boardwatch.Facts
		namedCountries(&f, location)
		require.Equal(t, want, f.Places, location)
	}
}
