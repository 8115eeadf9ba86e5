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

// Text is how likely the text is the title of a role, as the logarithm of the odds: above zero it is rather one. It knows
// words and parts of words, not where a title ends: a title with a place behind it scores like the title.
func Text(text string) float64 {
	if len(textTable) != Buckets {
		return 0 // while it is trained
	}
	sum, n := 0, 0
	TextFeatures(text, func(bucket uint32) {
		sum += int(int8(textTable[bucket])) //nolint:gosec // the byte is a signed one
		n++
	})
	return float64(sum) / TextStep / math.Sqrt(float64(n))
}

// maxText is how much of a text is looked at, in characters.
const maxText = 160

// TextFeatures tells the features of a text as buckets of the table: words, pairs of words, the first and the last word,
// parts of words, and the shape of the whole. Case says nothing, because pages shout.
func TextFeatures(text string, each func(bucket uint32)) {
	var room [2*maxText + 2]rune
	words := edgedWords(text, room[:0])
	each(bucketOf('n', min(countWords(words), 12)))
	var before []rune
	for len(words) > 0 {
		edged := words[:slices.Index(words, wordEnd)+1]
		words = words[len(edged):]
		w := edged[1 : len(edged)-1]
		each(hash('w', w))
		if before == nil {
			each(hash('f', w))
		} else {
			each(hashPair(before, w))
		}
		if len(words) == 0 {
			each(hash('l', w))
		}
		parts(edged, each)
		before = w
	}
	shape(text, each)
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

// parts tells the parts of a word between its edges: three to five characters, and one to four of scripts that write without gaps.
func parts(edged []rune, each func(uint32)) {
	from, to := 3, 5
	if gapless(edged[1]) {
		from, to = 1, 4
	}
	for n := from; n <= to; n++ {
		for i := 0; i+n <= len(edged); i++ {
			each(hash('p', edged[i:i+n]))
		}
	}
}

// firstGapless is the first letter of such a script: Thai.
const firstGapless = 0x0E00

func gapless(r rune) bool {
	return r >= firstGapless && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// shape tells what the text looks like, whatever it says.
func shape(text string, each func(uint32)) {
	if text == "" {
		return
	}
	runes := utf8.RuneCountInString(text)
	each(bucketOf('z', min(runes/8, 16)))
	last, _ := utf8.DecodeLastRuneInString(text)
	if !unicode.IsLetter(last) && !unicode.IsDigit(last) {
		each(hash('e', []rune{last}))
	}
	seen := uint32(0)
	for _, r := range text {
		sign := signOf(r)
		if sign != 0 && seen&(1<<sign) == 0 {
			seen |= 1 << sign
			each(bucketOf('s', int(sign)))
		}
	}
}

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

func mix(h uint32, r rune) uint32 {
	for range 3 {
		h = (h ^ uint32(r&0xff)) * fnvPrime
		r >>= 8
	}
	return h
}

func fold(h uint32) uint32 { return (h ^ h>>16) & (Buckets - 1) }
