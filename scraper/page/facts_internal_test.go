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
		"Remote, Portugal":               {{Text: "Remote, Portugal", Country: "PT"}},
		"Munich, Bavaria, Germany; Oslo": {{Text: "Munich, Bavaria, Germany", Country: "DE", City: "Munich"}, {Text: "Oslo"}},
		"London, UK":                     {{Text: "London, UK", Country: "GB", City: "London"}},
		"Houston,TX,United States":       {{Text: "Houston,TX,United States", Country: "US", City: "Houston"}},
		"Michigan, USA":                  {{Text: "Michigan, USA", Country: "US"}},
		"Detroit, Michigan, USA":         {{Text: "Detroit, Michigan, USA", Country: "US", City: "Detroit"}},
		"United States-Michigan-Detroit": {{Text: "United States-Michigan-Detroit", Country: "US", City: "Detroit"}},
		"Detroit-MI-United States":       {{Text: "Detroit-MI-United States", Country: "US", City: "Detroit"}},
		"Germany, Berlin":                {{Text: "Germany, Berlin", Country: "DE", City: "Berlin"}},
		"US-MI-Detroit":                  {{Text: "US-MI-Detroit", Country: "US", City: "Detroit"}},
		"Guinea-Bissau":                  {{Text: "Guinea-Bissau", Country: "GW"}},
		"Baden-Baden":                    nil, "Stratford-upon-Avon": nil,
		"Oslo": nil, "": nil, "San Francisco, CA": nil, "Atlanta, Georgia": nil, "Zzyzzx Quay, Portugal": nil, "IT, DE": nil,
	} {
		p := boardwatch.Posting{Location: location}
		NameCountries(&p)
		require.Equal(t, want, p.Facts.Places, location)
	}
	p := boardwatch.Posting{Location: "Lisbon, Portugal", Facts: boardwatch.Facts{Places: []boardwatch.Place{{Text: "Lisbon", City: "Lisbon"}}}}
	NameCountries(&p)
	require.Len(t, p.Facts.Places, 1)
	require.Empty(t, p.Facts.Places[0].Country, "what the source states counts")
}
