package fact

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// countriesFile has a line for each country: its code of two letters, that of three, its English names, and of many its names in other
// languages.
//
//go:embed countries.txt
var countriesFile string

//nolint:gochecknoglobals // a constant table
var countries = sync.OnceValue(func() map[string]string {
	codes := make(map[string]string)
	for row := range strings.Lines(countriesFile) {
		code, names, _ := strings.Cut(strings.TrimSpace(row), "|")
		codes[strings.ToLower(code)] = code
		for name := range strings.SplitSeq(names, "|") {
			codes[name] = code
		}
	}
	return codes
})

// regionsFile has the states and regions that are written between a city and its country, those of a country on a line.
//
//go:embed regions.txt
var regionsFile string

//nolint:gochecknoglobals // a constant table
var regions = sync.OnceValue(func() map[string]bool {
	names := make(map[string]bool)
	for row := range strings.Lines(regionsFile) {
		for name := range strings.SplitSeq(strings.TrimSpace(row), "|") {
			names[name] = true
		}
	}
	return names
})

// IsRegion reports whether a text is the name of a state or region, and not of a city as well.
func IsRegion(text string) bool { return regions()[strings.ToLower(text)] }

// Country is the code of the country that a field holds, as a code or a name; empty if it is neither.
func Country(text string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	if code := countries()[text]; code != "" {
		return code
	}
	main, _, _ := strings.Cut(text, ",") // "France, Metropolitan"
	return countries()[main]
}

// Place is one place from the fields of a source: its text, or else city and country.
func Place(text, city, country string) boardwatch.Place {
	if city, _, _ = strings.Cut(city, ","); Mode(city) != "" { // some fields name the region behind it, some the mode of work
		city = ""
	}
	p := boardwatch.Place{Text: Line(text), City: Line(city), Country: Country(country)}
	if p.City != "" && Mode(p.Text) != "" && !strings.Contains(p.Text, p.City) { // "Hybrid" is no place
		p.Text = ""
	}
	if p.Text == "" {
		p.Text = strings.Trim(p.City+", "+Line(country), ", ")
	}
	return p
}

// Places notes those of a role, each of them once. They are worth noting if more is known of one than its text.
func Places(f *boardwatch.Facts, places ...boardwatch.Place) {
	seen, known := make(map[string]bool, len(places)), false
	var kept []boardwatch.Place
	for _, p := range places {
		known = known || p.City != "" || p.Country != ""
		for text := range strings.SplitSeq(p.Text, "; ") { // some fields hold several
			if text != p.Text && p.City != "" {
				p.City, _, _ = strings.Cut(text, ",")
			}
			if p.Text = text; text != "" && !seen[text] && len(kept) < maxPlaces {
				seen[text] = true
				kept = append(kept, p)
			}
		}
	}
	if known {
		f.Places = kept
	}
}

// maxPlaces is how many places of one role are noted.
const maxPlaces = 100
