package page

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/boardwatch/boardwatch/internal/match"
)

// The words are in folded form: lower case, Latin letters without their marks. They never decide alone; they are one sign
// among several, so a language or trade that is missing costs certainty, not the page.

// Fold is the form in which words are compared.
func Fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return foldWide(s)
}

func foldWide(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	table := foldedRunes()
	for i, r := range s {
		switch {
		case r < utf8.RuneSelf:
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			b.WriteRune(r)
		case int(r) < len(table):
			if r >= 0x300 && r <= 0x36f && i > 0 {
				return foldMarks(s)
			}
			b.WriteString(table[r])
		case r >= 0x1e00 && r < 0x2000 || r >= 0x1100 && r <= 0x11ff || r == 0x3099 || r == 0x309a || r >= 0xfb00 && r <= 0xfb4f:
			return foldMarks(s)
		default:
			b.WriteRune(unicode.ToLower(plainDigit(r)))
		}
	}
	return b.String()
}

// plainDigit is the ASCII digit for one of the digits that Arabic, Persian, Hindi, Thai and, in full width, Japanese pages number with.
func plainDigit(r rune) rune {
	for _, zero := range [...]rune{'٠', '۰', '०', '๐', '０'} {
		if r < zero {
			return r
		}
		if r < zero+10 {
			return r - zero + '0'
		}
	}
	return r
}

// foldMarks folds text whose letters and marks have to be put together or taken apart.
func foldMarks(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	last := rune(0)
	for _, r := range norm.NFD.String(strings.ToLower(s)) {
		if r < 0x300 || r > 0x36f {
			last = r
		} else if r != 0x306 || last != 'и' { // "й" is a letter of its own
			continue
		}
		b.WriteRune(r)
	}
	return norm.NFC.String(plainLetters.Replace(b.String()))
}

// plainLetters stand for letters that are no others with marks.
var plainLetters = strings.NewReplacer("ł", "l", "ø", "o", "ı", "i", "đ", "d", "ß", "ss", "æ", "ae")

// foldedRunes are the letters of the European alphabets, folded one by one.
var foldedRunes = sync.OnceValue(func() *[0x530]string {
	var table [0x530]string
	for r := range table {
		table[r] = foldMarks(string(rune(r)))
	}
	return &table
})

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// Words splits folded text at everything that is neither letter nor digit.
func Words(folded string) []string { return strings.FieldsFunc(folded, partsWords) }

func partsWords(r rune) bool {
	if r < utf8.RuneSelf {
		return (r|0x20 < 'a' || r|0x20 > 'z') && (r < '0' || r > '9')
	}
	return !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

func isWordByte(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

func set(text string) map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(text) {
		m[w] = true
	}
	return m
}

// byByte sorts the words of a section by one of their bytes, so that only those are tried that can match.
func byByte(of func(string) byte, section string) func() *[256][]string {
	return sync.OnceValue(func() *[256][]string {
		var sorted [256][]string
		for _, text := range wordList(section) {
			sorted[of(text)] = append(sorted[of(text)], text)
		}
		return &sorted
	})
}

var (
	// roleWords name what people are hired as, as whole words.
	roleWords = wordsIn("role")
	// roleStems begin such words in languages that bend them.
	roleStems = byByte(func(stem string) byte { return stem[0] }, "role stem")
	// roleEnds end compound words of Germanic languages.
	roleEnds = byByte(func(end string) byte { return end[len(end)-1] }, "role end")
	// roleParts stand anywhere in scripts that do not part words.
	roleParts = sync.OnceValue(func() []string { return vocabulary()["role part"] })
	// wideRoleEnds end names of roles in such scripts, and noWideRoles are words that end like them.
	wideRoleEnds = sync.OnceValue(func() []string { return wordList("role end wide") })
	noWideRoles  = sync.OnceValue(func() []string { return wordList("wide but no role") })
	// partEnds end the names of parts of a company in such scripts.
	partEnds = sync.OnceValue(func() []string { return wordList("part end") })

	// genderMark is the "(m/f/d)" and its kin that German, French, Polish and Dutch titles carry, and shares of full time.
	genderMark = match.New(`(?i)\(?\b[mfwhkv]\s*[/|:]\s*[mfwhkvdxi*](\s*[/|:]\s*[dxiav*])?\b\)?|\(all( genders)?\)|all genders|[a-zäöü][:*_]in(nen)?\b|/-?in\b|\(in\)|\(\s*\d{1,3}\s*(%|-\s*\d{1,3}\s*%)\s*\)|\(h[./]f\)|\bm/k\b`)

	// openings are the headings that stand above a list of roles.
	openings = sayings("openings")

	// closings are the headings above what is no open role, though it may look like one.
	closings = sayings("closings")

	// asides are the headings above other matter of a careers page.
	asides = sayings("asides")

	// unsolicited are entries that invite applications without a role.
	unsolicited = sayings("unsolicited")

	// actions are the texts of buttons: never a title.
	actions = sayings("actions")

	// sentences tells running text from a title: a full stop or the like inside, after a whole word.
	sentences = match.New(`\p{L}{4,}[.!?] +\p{Lu}`)

	// idleWords begin texts that are no title unless they name a role: "Contact" is none, "Contact Center Agent" may be.
	idleWords = wordsIn("idle word")

	// aboutFilter tells that a none-sentence is about a search, not about the whole list.
	aboutFilter = sayings("about a search")
)

// namesRole reports whether a text reads like the name of a role.
func namesRole(text string) bool { return roleNamed(text, Fold(text)) }

// roleNamed is namesRole for a text that is folded already.
func roleNamed(text, folded string) bool {
	if namesPart(folded) {
		return false
	}
	first := true
	for w := range strings.FieldsFuncSeq(folded, partsWords) {
		if isRoleWord(w, first) {
			return true
		}
		first = false
	}
	if marksGender(text) {
		return true
	}
	if isASCII(folded) {
		return false
	}
	for _, part := range roleParts() {
		if strings.Contains(text, part) {
			return true
		}
	}
	return endsWideRole(folded)
}

// endsWideRole reports whether the words of a text in a script without gaps, up to a bracket or a mark, end as names of roles do.
func endsWideRole(folded string) bool {
	words := folded
	if end := strings.IndexFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) && r != 'ー' }); end >= 0 {
		words = folded[:end]
	}
	if n := utf8.RuneCountInString(words); n < 2 || n > longestWideRole {
		return false
	}
	hasEnd := func(end string) bool { return strings.HasSuffix(words, end) }
	return slices.ContainsFunc(wideRoleEnds(), hasEnd) && !slices.ContainsFunc(noWideRoles(), hasEnd)
}

// longestWideRole is how many letters the name of a role has at most in such a script.
const longestWideRole = 12

// isRoleWord reports whether a word of a text, perhaps its first one, names what people are hired as.
func isRoleWord(w string, first bool) bool {
	if roleWords()[w] && (first || !roleAdjectives()[w]) || isFeminine(w, first) {
		return true
	}
	for _, end := range roleEnds()[w[len(w)-1]] {
		if strings.HasSuffix(w, end) {
			return true
		}
	}
	for _, stem := range roleStems()[w[0]] {
		if strings.HasPrefix(w, stem) {
			return true
		}
	}
	return false
}

// roleAdjectives name roles at the beginning of a title only; elsewhere they say what kind: "seguro médico".
var roleAdjectives = wordsIn("role adjective")

// ending is how a word for women, or for several people, ends, and how the word that it is made from does.
type ending struct{ end, base string }

var (
	// feminine are such endings.
	feminine = endingsIn("feminine")
	// feminineFirst are those that end many other words too, and so count at the beginning of a title only.
	feminineFirst = endingsIn("feminine first")
)

// endingsIn are the endings of a section by their last byte.
func endingsIn(section string) func() *[256][]ending {
	return sync.OnceValue(func() *[256][]ending {
		var all [256][]ending
		for pair := range wordsIn(section)() {
			end, base, _ := strings.Cut(pair, "<")
			last := end[len(end)-1]
			all[last] = append(all[last], ending{end, base})
		}
		return &all
	})
}

// isFeminine reports whether a word is a form, for women or for several, of a word for a role.
func isFeminine(w string, first bool) bool {
	if len(w) < 5 {
		return false
	}
	isForm := func(f ending) bool {
		stem, found := strings.CutSuffix(w, f.end)
		return found && len(stem) > 3 && roleWords()[stem+f.base] && !roleAdjectives()[stem+f.base]
	}
	last := w[len(w)-1]
	return slices.ContainsFunc(feminine()[last], isForm) || first && slices.ContainsFunc(feminineFirst()[last], isForm)
}

// namesPart reports whether a text in a script without gaps names a part of a company.
func namesPart(folded string) bool {
	if isASCII(folded) || strings.ContainsRune(folded, ' ') {
		return false
	}
	return slices.ContainsFunc(partEnds(), func(end string) bool { return strings.HasSuffix(folded, end) })
}

var applyButton = sayings("apply")

var applies = sayings("details")

// marksGender reports whether a text carries a mark that only titles carry, such as "(m/f/d)".
func marksGender(text string) bool {
	return (strings.ContainsAny(text, "/|:*_(") || strings.Contains(text, "enders")) && genderMark.MatchString(text)
}
