package boardwatch

import (
	"hash/fnv"
	"html"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// roleName is what identifies a posting if its key cannot: its folded title and place.
type roleName struct{ title, place string }

// place is the words of each part of a place, and what is left of it without their order.
type place struct {
	parts  [][]string
	folded string
}

// texts folds the titles and places of a reading, each once.
type texts struct {
	titles map[string]title
	words  map[string][]string // of titles
	places map[string]place
}

// title is a title without marks, and what is left of that without signs.
type title struct{ bare, folded string }

func newTexts() texts { return texts{map[string]title{}, map[string][]string{}, map[string]place{}} }

func once[V any](of map[string]V, text string, fold func(string) V) V {
	v, ok := of[text]
	if !ok {
		v = fold(text)
		of[text] = v
	}
	return v
}

func (t texts) titleWords(text string) []string {
	return once(t.words, text, func(text string) []string {
		return wordSet(cutWord.ReplaceAllString(once(t.titles, text, titleOf).bare, ""))
	})
}

func (t texts) title(text string) string   { return once(t.titles, text, titleOf).folded }
func (t texts) place(text string) place    { return once(t.places, text, foldPlace) }
func (t texts) sameTitle(a, b string) bool { return a == b || t.title(a) == t.title(b) }
func (t texts) role(p Posting) roleName {
	return roleName{t.title(p.Title), t.place(p.Location).folded}
}

// hash is that of its role.
func (p Posting) hash() uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(foldTitle(p.Title) + "\x00" + foldPlace(p.Location).folded))
	return h.Sum32()
}

// genders matches the marks that say that all genders may apply.
var genders = regexp.MustCompile(`(?i)[(\[]?\b(?:(?:[mwfd]|div\.?)(?:\s?[/|,*]\s?(?:[mwfdxin]|div(?:\.|ers)?|gn|nb))+|h\s?/\s?f|f\s?/\s?h(?:\s?/\s?x)?|x\s?/\s?[mwf]\s?/\s?[mwf]|all genders|gn)\b[)\]]?`)

// remarks matches what a title says about a posting, and not about the role: that it is new or urgent.
var remarks = regexp.MustCompile(`(?i)^(?:new|neu|nouveau|nuevo|urgente?|dringend)\s*[:!|–—-]+\s|[(\[](?:new|neu|nouveau|nuevo|urgente?|dringend)!*[)\]]`)

// endings matches the ending of the other gender behind a word.
var endings = regexp.MustCompile(`(\p{Ll})(?:[:*_·•]|/-?|\()(?:in|innen|frau|ne|e|a|o|ère)\b\)?`)

// bareTitle returns a title without marks of gender, remarks, and escapes of signs.
func bareTitle(title string) string {
	if strings.Contains(title, "&") {
		title = html.UnescapeString(title)
	}
	if strings.ContainsAny(title, "/|,*Gg") { // all marks do
		title = genders.ReplaceAllString(title, " ")
	}
	if strings.ContainsAny(title, ":*_·•/(") {
		title = endings.ReplaceAllString(title, "$1")
	}
	if strings.ContainsAny(title, ":!|([-–—") {
		title = remarks.ReplaceAllString(title, " ")
	}
	return title
}

// titleOf drops case, spaces, punctuation and accents as well.
func titleOf(text string) title {
	bare := bareTitle(text)
	if folded := letters(bare); folded != "" {
		return title{bare, folded}
	}
	return title{bare, fold(text)}
}

func foldTitle(text string) string { return titleOf(text).folded }

func sameTitle(a, b string) bool { return a == b || foldTitle(a) == foldTitle(b) }

// letters returns the letters, digits and marks of a text in lower case, without accents.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if isLetter(r) {
			return r
		}
		return -1
	}, plain(text))
}

func isLetter(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '+' || r == '#'
}

// accents are letters and how they are written without accents, each followed by it.
const accents = "ä ae ö oe ü ue a\u0308 ae o\u0308 oe u\u0308 ue ß ss æ ae œ oe ø oe ﬀ ff ﬁ fi ﬂ fl ﬃ ffi ﬄ ffl " +
	"à a á a â a ã a å a ā a ă a ą a ç c ć c č c ċ c ď d đ d è e é e ê e ë e ē e ė e ę e ě e ğ g ģ g ì i í i î i ï i ī i į i ı i ķ k ļ l ľ l ł l " +
	"ñ n ń n ņ n ň n ò o ó o ô o õ o ō o ő o ŕ r ř r ś s ş s š s ș s ť t ţ t ț t ù u ú u û u ū u ů u ű u ų u ý y ÿ y ź z ż z ž z"

var plainLetters = strings.NewReplacer(strings.Fields(accents)...) //nolint:gochecknoglobals // a constant

// plain returns a text in lower case and common letters, without accents.
func plain(text string) string {
	text = strings.ToLower(text)
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case '\u0300' <= r && r <= '\u036f':
			return -1 // an accent behind its letter
		case '！' <= r && r <= '～':
			return r - '！' + '!' // as wide as a Chinese one
		default:
			return r
		}
	}, plainLetters.Replace(text))
}

// wordSet returns the words of a text in an order that says nothing, each once.
func wordSet(text string) []string {
	set := strings.FieldsFunc(plain(text), func(r rune) bool { return !isLetter(r) })
	slices.Sort(set)
	return slices.Compact(set)
}

// placeMark separates several places of one posting.
const placeMark = "; "

func several(place string) bool { return strings.Contains(place, placeMark) }

// anyPlace reports whether a place may be that of several roles: it names several, or none.
func anyPlace(place string) bool { return place == "" || several(place) }

// foldPlace drops case, spaces and punctuation, and the order of the parts.
func foldPlace(text string) place {
	parts := placeParts(text)
	joined := make([]string, len(parts))
	for i, words := range parts {
		joined[i] = strings.Join(words, "")
	}
	slices.Sort(joined)
	return place{parts, strings.Join(slices.Compact(joined), "\x01")}
}

var placeDashes = strings.NewReplacer(" - ", ",", " – ", ",", " — ", ",") //nolint:gochecknoglobals // a constant

// placeParts returns the words of each part of a place.
func placeParts(place string) (parts [][]string) {
	for part := range strings.FieldsFuncSeq(placeDashes.Replace(place), func(r rune) bool { return strings.ContainsRune(",;/()|·•", r) }) {
		if of := words(plain(part)); len(of) > 0 {
			parts = append(parts, of)
		}
	}
	return parts
}

// agrees reports whether the other place has each part of the shorter one, be it with further words, such as a postal code,
// or with fewer. A missing place agrees with any.
func agrees(few, many [][]string) bool {
	if len(few) > len(many) {
		few, many = many, few
	}
	return !slices.ContainsFunc(few, func(part []string) bool {
		return !slices.ContainsFunc(many, func(other []string) bool { return oneSays(part, other) })
	})
}

// oneSays reports whether one of both has all words of the other.
func oneSays(a, b []string) bool { return within(a, b) || within(b, a) }

func within(few, many []string) bool {
	return !slices.ContainsFunc(few, func(word string) bool { return !slices.Contains(many, word) })
}

// wording is the words of a title, and with those of its place.
type wording struct{ title, all []string }

// cutWord matches what is left of a word where a title is cut.
var cutWord = regexp.MustCompile(`\s\S*(?:…|\.{3})$`)

// commonWords returns the words that several titles and more than half of them have, and whether they are a few roles and all
// have it. A number is none: it tells roles apart.
func (t texts) commonWords(titles []string) map[string]bool {
	times := make(map[string]int)
	for _, title := range titles {
		for _, word := range t.titleWords(title) {
			times[word]++
		}
	}
	common := make(map[string]bool)
	for word, n := range times {
		if n > 1 && 2*n > len(titles) && !hasDigit(word) {
			common[word] = n == len(titles) && n >= fewRoles
		}
	}
	return common
}

// fewRoles is how many roles a board has at least whose titles may all have one word in the place of another, such as a month: of fewer,
// they are other roles.
const fewRoles = 3

// idleWords returns which words say nothing about a role: those that most titles have gained or lost. If some were gained and others
// lost, all titles must have had them and have them.
func idleWords(was, is map[string]bool) func(word string) bool {
	lost, gained := maps.Clone(was), maps.Clone(is)
	maps.DeleteFunc(lost, func(word string, _ bool) bool { _, stays := is[word]; return stays })
	maps.DeleteFunc(gained, func(word string, _ bool) bool { _, stays := was[word]; return stays })
	one := len(lost) == 0 || len(gained) == 0
	return func(word string) bool {
		allLost, went := lost[word]
		allGained, came := gained[word]
		return (went || came) && (one || allLost || allGained)
	}
}

// wordings returns the words of roles. Words that say nothing about a role are left out of titles that have others.
func (t texts) wordings(indexes []int, of func(int) Posting, idle func(word string) bool, place bool) map[roleName]wording {
	roles := make(map[roleName]wording, len(indexes))
	for _, i := range indexes {
		p := of(i)
		title := t.titleWords(p.Title)
		if own := slices.DeleteFunc(slices.Clone(title), idle); len(own) > 0 {
			title = own
		}
		said := wording{title, title}
		if place {
			said.all = wordSet(strings.Join(title, " ") + " " + p.Location)
		}
		roles[t.role(p)] = said
	}
	return roles
}

// mostAlike is how many roles may have a word for them to be compared by it: otherwise it tells little, and this takes long.
const mostAlike = 100

// reworded returns which roles that are listed are known ones in other words: one of both has all words of the other, and no
// third is as near to either. Unless most is set, they have to have the same words.
func reworded(known, listed map[roleName]wording, most bool) map[roleName]roleName {
	type neighbour struct {
		role  roleName // none if several are as near
		apart int
	}
	near := func(to map[roleName]neighbour, role, other roleName, apart int) {
		switch now, ok := to[role]; {
		case !ok || apart < now.apart:
			to[role] = neighbour{other, apart}
		case apart == now.apart && now.role != other:
			to[role] = neighbour{roleName{}, apart}
		}
	}
	with := make(map[string][]roleName)
	for role, said := range listed {
		for _, word := range said.all {
			with[word] = append(with[word], role)
		}
	}
	nearKnown, nearListed := make(map[roleName]neighbour), make(map[roleName]neighbour)
	for role, said := range known {
		for _, word := range said.all {
			if len(with[word]) > mostAlike {
				continue
			}
			for _, other := range with[word] {
				now := listed[other]
				apart := max(len(said.all)-len(now.all), len(now.all)-len(said.all))
				if (most || apart == 0) && oneSays(said.all, now.all) && oneSays(said.title, now.title) {
					near(nearKnown, role, other, apart)
					near(nearListed, other, role, apart)
				}
			}
		}
	}
	same := make(map[roleName]roleName)
	for role, of := range nearListed {
		if nearKnown[of.role].role == role {
			same[role] = of.role
		}
	}
	return same
}
