package page

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"hash/maphash"
	"io"
	"strings"
	"sync"
)

// placesFile holds the names of cities, provinces, countries and regions in the languages that the reader knows, folded and
// sorted, one on a line. Command gazetteer (tools/gazetteer) makes it. Small towns whose names are ordinary words too, such
// as "reading" or "best", have a question mark behind them.
//
//go:embed places.txt.gz
var placesFile []byte

// nameTable is that file unpacked: a few hundred kilobytes that are searched as they are, and what spares most searches.
type nameTable struct {
	text  string
	seed  maphash.Seed
	marks [nameMarks / 64]uint64 // a bit for the hash of each name
}

// nameMarks is how many bits there are: few of them are set, so that nearly all that is no name is known not to be one.
const nameMarks = 1 << 19

var gazetteer = sync.OnceValue(func() *nameTable {
	names := &nameTable{text: placeNamesText(), seed: maphash.MakeSeed()}
	for line := range strings.Lines(names.text) {
		word, bit := names.markOf(strings.TrimRight(line, "?\n"))
		names.marks[word] |= bit
	}
	return names
})

// markOf is where the bit of a name stands.
func (t *nameTable) markOf(name string) (word int, bit uint64) {
	hash := maphash.String(t.seed, name) % nameMarks
	return int(hash / 64), 1 << (hash % 64)
}

// mayHold reports whether a name has to be searched for.
func (t *nameTable) mayHold(name string) bool {
	word, bit := t.markOf(name)
	return t.marks[word]&bit != 0
}

func placeNamesText() string {
	unpacked, err := gzip.NewReader(bytes.NewReader(placesFile))
	if err != nil {
		panic(err) // it is part of the program
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// renown is how surely a text is the name of a place.
type renown int

const (
	unknownName  renown = iota
	ordinaryName        // of a town, and an ordinary word
	knownName
)

// renownOf looks a folded name up.
func renownOf(folded string) renown {
	names := gazetteer()
	if !names.mayHold(folded) {
		return unknownName
	}
	text := names.text
	low, high := 0, len(text) // the beginnings of lines between which the name stands if it does
	for low < high {
		start := low + strings.LastIndexByte(text[low:(low+high)/2], '\n') + 1
		line, _, _ := strings.Cut(text[start:], "\n")
		name, ordinary := strings.CutSuffix(line, "?")
		switch {
		case name == folded && ordinary:
			return ordinaryName
		case name == folded:
			return knownName
		case name < folded:
			low = start + len(line) + 1
		default:
			high = start
		}
	}
	return unknownName
}
