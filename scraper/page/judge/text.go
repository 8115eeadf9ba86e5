package judge

import (
	_ "embed" // for the table
	"math"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Buckets is how many weights the table of texts has.
const Buckets = 1 << 16

// textTable holds a weight for each bucket of features, in steps of 1/TextStep.
//
//go:embed texts.bin
var textTable string

// TextStep is how many steps of the table make one unit of the score.
const TextStep = 16

// Text is how likely the text is the title of a role by the table that the program carries, as the logarithm of the odds: above zero it
// is rather one. It knows words and parts of words, not where a title ends: a title with a place behind it scores like the title.
func Text(text string) float64 { return TextBy(textTable, text) }

// TextBy is Text by another table.
func TextBy(table, text string) float64 {
	if len(table) != Buckets {
		return 0 // while it is trained
	}
	var room [usualFeatures]uint32
	features := AppendTextFeatures(room[:0], text)
	sum := 0
	for _, bucket := range features {
		sum += int(int8(table[bucket])) //nolint:gosec // the byte is a signed one
	}
	return float64(sum) / TextStep / math.Sqrt(float64(len(features)))
}

// usualFeatures is room for the features of most texts.
const usualFeatures = 512

// maxText is how much of a text is looked at, in characters.
const maxText = 160

// AppendTextFeatures appends the features of a text as buckets of the table: words, pairs of words, the first and the last
// word, parts of words, and the shape of the whole. Case says nothing, because pages shout.
func AppendTextFeatures(buckets []uint32, text string) []uint32 {
	var room [2*maxText + 2]rune
	words := edgedWords(text, room[:0])
	buckets = append(buckets, bucketOf('n', min(countWords(words), 12)))
	var before []rune
	for len(words) > 0 {
		edged := words[:slices.Index(words, wordEnd)+1]
		words = words[len(edged):]
		w := edged[1 : len(edged)-1]
		buckets = append(buckets, hash('w', w))
		if before == nil {
			buckets = append(buckets, hash('f', w))
		} else {
			buckets = append(buckets, hashPair(before, w))
		}
		if len(words) == 0 {
			buckets = append(buckets, hash('l', w))
		}
		buckets = appendParts(buckets, edged)
		before = w
	}
	return appendShape(buckets, text)
}

// wordStart and wordEnd stand around each word, so that its parts say where they stand in it.
const (
	wordStart = '^'
	wordEnd   = '$'
)

// edgedWords appends the words of a text in lower case, each between the marks of its edges.
func edgedWords(text string, words []rune) []rune {
	n, inside := 0, false
	add := func(r rune) {
		if !inside {
			words, inside = append(words, wordStart), true
		}
		words = append(words, r)
	}
	for _, r := range text {
		if n++; n > maxText {
			break
		}
		switch {
		case isLatin(r):
			add(r | 0x20)
		case unicode.IsLetter(r) || unicode.IsMark(r):
			add(unicode.ToLower(r))
		case unicode.IsDigit(r):
			add('0')
		case inside && (r == '\'' || r == '’' || r == '+' || r == '#'):
			add(r)
		case inside:
			words, inside = append(words, wordEnd), false
		}
	}
	if inside {
		words = append(words, wordEnd)
	}
	return words
}

func countWords(edged []rune) int {
	n := 0
	for _, r := range edged {
		if r == wordEnd {
			n++
		}
	}
	return n
}

// appendParts appends the parts of a word between its edges: three to five characters, and one to four of scripts that write
// without gaps. The shorter ones come first. A part is hashed as the one before it and one more character.
func appendParts(buckets []uint32, edged []rune) []uint32 {
	shortest, longest := 3, 5
	if gapless(edged[1]) {
		shortest, longest = 1, 4
	}
	from, parts := len(buckets), 0
	for n := shortest; n <= min(longest, len(edged)); n++ {
		parts += len(edged) - n + 1
	}
	buckets = slices.Grow(buckets, parts)[:from+parts]
	for i := range edged {
		h, at := mix(fnvOffset, 'p'), from+i
		for n, r := range edged[i:min(i+longest, len(edged))] {
			h = mix(h, r)
			if n+1 >= shortest {
				buckets[at] = fold(h)
				at += len(edged) - n // as many parts have this length
			}
		}
	}
	return buckets
}

// firstGapless is the first letter of such a script: Thai.
const firstGapless = 0x0E00

func gapless(r rune) bool {
	return r >= firstGapless && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// appendShape appends what the text looks like, whatever it says.
func appendShape(buckets []uint32, text string) []uint32 {
	if text == "" {
		return buckets
	}
	runes := utf8.RuneCountInString(text)
	buckets = append(buckets, bucketOf('z', min(runes/8, 16)))
	last, _ := utf8.DecodeLastRuneInString(text)
	if !unicode.IsLetter(last) && !unicode.IsDigit(last) {
		buckets = append(buckets, fold(mix(mix(fnvOffset, 'e'), last)))
	}
	seen := uint32(0)
	for _, r := range text {
		if isLatin(r) || r == ' ' {
			continue
		}
		sign := signOf(r)
		if sign != 0 && seen&(1<<sign) == 0 {
			seen |= 1 << sign
			buckets = append(buckets, bucketOf('s', int(sign)))
		}
	}
	return buckets
}

// isLatin reports whether a character is one of the letters that most texts are made of.
func isLatin(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }

// signOf is the kind of a character that says something by itself; 0 for most.
func signOf(r rune) uint32 {
	switch {
	case unicode.IsDigit(r):
		return 1
	case r == ',' || r == '、':
		return 2
	case r == '-' || r == '–' || r == '—':
		return 3
	case r == '(' || r == '（' || r == '[':
		return 4
	case r == '/' || r == '|':
		return 5
	case r == '?' || r == '!' || r == '？' || r == '！':
		return 6
	case r == '.' || r == '。':
		return 7
	case r == ':' || r == '：':
		return 8
	case r == '@' || r == '©' || r == '€' || r == '$' || r == '%':
		return 9
	case r == '&':
		return 10
	}
	return 0
}

// The hash is FNV-1a over the kind of the feature and its characters, folded to the number of buckets.
const (
	fnvOffset = 2166136261
	fnvPrime  = 16777619
	fnvSquare = fnvPrime * fnvPrime & math.MaxUint32
	fnvCube   = fnvSquare * fnvPrime & math.MaxUint32
)

func hash(kind rune, runes []rune) uint32 {
	h := mix(fnvOffset, kind)
	for _, r := range runes {
		h = mix(h, r)
	}
	return fold(h)
}

func hashPair(a, b []rune) uint32 {
	h := mix(fnvOffset, 'b')
	for _, r := range a {
		h = mix(h, r)
	}
	h = mix(h, ' ')
	for _, r := range b {
		h = mix(h, r)
	}
	return fold(h)
}

func bucketOf(kind rune, n int) uint32 { return fold(mix(mix(fnvOffset, kind), rune(n))) } //nolint:gosec // small numbers

// mix takes three bytes of a character into the hash. Where the higher ones are zero, it only multiplies for them.
func mix(h uint32, r rune) uint32 {
	if r < 1<<8 {
		return (h ^ uint32(r)) * fnvCube //nolint:gosec // a character is not negative
	}
	h = (h ^ uint32(r&0xff)) * fnvPrime
	h = (h ^ uint32(r>>8&0xff)) * fnvPrime
	return (h ^ uint32(r>>16&0xff)) * fnvPrime
}

func fold(h uint32) uint32 { return (h ^ h>>16) & (Buckets - 1) }
