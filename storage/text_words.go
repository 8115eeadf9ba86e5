package storage

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

const (
	maxWords     = 5000 // of one text
	maxWordRunes = 40
)

// unspaced are the scripts that are written without spaces between words.
var unspaced = []*unicode.RangeTable{ //nolint:gochecknoglobals // a constant table
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// firstUnspaced is before all letters of these scripts.
const firstUnspaced = '\u0e00'

// strokes are letters that Unicode does not take apart into a letter and a mark.
var strokes = strings.NewReplacer("ø", "o", "ł", "l", "đ", "d", "ħ", "h", "ŧ", "t", "ı", "i", "æ", "ae", "œ", "oe") //nolint:gochecknoglobals // a constant

// wordsOf returns the words of a text in the form in which they are looked up, each once: case and accents folded. A run of a
// script without spaces has no known words, so each two letters in a row are one, and the last letter is one as well.
func wordsOf(text string) []string { return words(text, true) }

// wantedWords returns the beginnings of words that somebody looks for, in the same form.
func wantedWords(query string) []string { return words(query, false) }

func words(text string, kept bool) []string {
	text = norm.NFD.String(Fold(text))
	text = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, text)
	text = strokes.Replace(norm.NFC.String(text))
	var found []string
	seen := make(map[string]bool)
	add := func(word string) {
		if !seen[word] && len(found) < maxWords {
			seen[word] = true
			found = append(found, word)
		}
	}
	var run []rune
	dense := false // the run is of a script without spaces
	end := func() {
		switch {
		case len(run) == 0:
		case !dense:
			add(string(run[:min(len(run), maxWordRunes)]))
		default:
			for i := range run[1:] {
				add(string(run[i : i+2]))
			}
			if kept || len(run) == 1 {
				add(string(run[len(run)-1:]))
			}
		}
		run = run[:0]
	}
	for _, r := range text {
		letter := unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
		switch {
		case letter && (r >= firstUnspaced && unicode.In(r, unspaced...)) != dense:
			end()
			dense = !dense
		case !letter && (len(run) == 0 || dense || r != '+' && r != '#'): // C++, C#
			end()
			continue
		}
		run = append(run, r)
	}
	end()
	return found
}

// wordQuery returns the query of a database for all of these beginnings of words.
func wordQuery(d driver.Dialect, words []string) string {
	parts := slices.Clone(words)
	for i, word := range parts {
		parts[i] = strings.ReplaceAll(d.Word, "?", word) // letters, digits, + and #
	}
	return strings.Join(parts, d.AndWord)
}
