package foreign

import "slices"

// wide is a charset that writes a letter beyond ASCII in two bytes.
type wide struct {
	name string
	// size is how many bytes the letter has that begins so; 0 when none does. common says that it is one of those that texts
	// are mostly made of.
	size func(first, second byte) (size int, common bool)
}

func between(c, from, to byte) bool { return c >= from && c <= to }

// kana is how often the letters stand in a Japanese text that no Chinese or Korean one has, at least.
const kana = 0.1

//nolint:gochecknoglobals // a constant table
var wides = []wide{
	{"shift_jis", func(a, b byte) (int, bool) {
		switch {
		case between(a, 0xa1, 0xdf):
			return 1, false
		case !between(a, 0x81, 0x9f) && !between(a, 0xe0, 0xfc), b < 0x40, b == 0x7f, b > 0xfc:
			return 0, false
		}
		return 2, between(a, 0x81, 0x83) || between(a, 0x88, 0x97)
	}},
	{"euc-jp", func(a, b byte) (int, bool) {
		switch {
		case a == 0x8e && b >= 0xa1:
			return 2, false
		case !between(a, 0xa1, 0xfe) || !between(b, 0xa1, 0xfe):
			return 0, false
		}
		return 2, a <= 0xa5 || between(a, 0xb0, 0xcf)
	}},
	{"euc-kr", func(a, b byte) (int, bool) {
		if !between(a, 0x81, 0xfe) || b < 0x41 || b == 0xff {
			return 0, false
		}
		return 2, b >= 0xa1 && (between(a, 0xb0, 0xc8) || between(a, 0xa1, 0xa3))
	}},
	{"gbk", func(a, b byte) (int, bool) {
		if !between(a, 0x81, 0xfe) || b < 0x40 || b == 0x7f || b == 0xff {
			return 0, false
		}
		return 2, b >= 0xa1 && (between(a, 0xb0, 0xd7) || between(a, 0xa1, 0xa3))
	}},
	{"big5", func(a, b byte) (int, bool) {
		if !between(a, 0x81, 0xfe) || !between(b, 0x40, 0x7e) && !between(b, 0xa1, 0xfe) {
			return 0, false
		}
		return 2, between(a, 0xa4, 0xc6) || between(a, 0xa1, 0xa2)
	}},
}

// guessWide is the charset of two bytes that a text is in. sure says that it is in one.
func guessWide(text []byte, said []string) (name string, sure bool) {
	most := wellKnown
	for _, w := range wides {
		score, broken := w.score(text)
		if !broken && score > halfKnown && (slices.Contains(said, w.name) || w.name == "gbk" && slices.Contains(said, "gb18030")) {
			return w.name, true
		}
		if score > most {
			name, most = w.name, score
		}
	}
	return name, name != ""
}

// score is the share of letters that are common, of all that are beyond ASCII; bytes that are no letter count twice.
func (w wide) score(text []byte) (score float64, broken bool) {
	common, all, japanese := 0.0, 0.0, 0.0
	for i := 0; i < len(text); {
		a := text[i]
		if a < 0x80 {
			i++
			continue
		}
		b := byte(0)
		if i+1 < len(text) {
			b = text[i+1]
		}
		size, usual := w.size(a, b)
		all++
		switch {
		case size == 0:
			all++
			size, broken = 1, true
		case usual:
			common++
		}
		if w.name == "shift_jis" && between(a, 0x82, 0x83) || w.name == "euc-jp" && between(a, 0xa4, 0xa5) {
			japanese++
		}
		i += size
	}
	if all < 2 {
		return 0, broken
	}
	score = common / all
	switch w.name {
	case "shift_jis", "euc-jp":
		if japanese < kana*all {
			return score * 3 / 4, broken
		}
		score += 0.2
	case "euc-kr":
		score += 0.05 // Chinese spreads over more letters than Korean does
	}
	return score, broken
}
