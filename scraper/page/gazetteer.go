package page

import (
	"bytes"
	"compress/gzip"
	_ "embed"
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

// placeNamesText is that file unpacked: a few hundred kilobytes that are searched as they are.
//
//nolint:gochecknoglobals // a constant table
var placeNamesText = sync.OnceValue(func() string {
	unpacked, err := gzip.NewReader(bytes.NewReader(placesFile))
	if err != nil {
		panic(err) // it is part of the program
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		panic(err)
	}
	return string(text)
})

// renown is how surely a text is the name of a place.
type renown int

const (
	unknownName  renown = iota
	ordinaryName        // of a town, and an ordinary word
	knownName
)

// renownOf looks a folded name up.
func renownOf(folded string) renown {
	text := placeNamesText()
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
