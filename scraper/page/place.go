package page

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// Texts name places with all kinds of matter around them: "Berlin | Full-time", "Engineering · Berlin, Germany",
// "10115 Berlin", "Hybrid (Lyon)". They are taken apart at signs, each part is looked at by itself, and what names a place is
// put together again as it was written.

var (
	// aroundPlaces are the words that stand around the name of a place without changing which place is meant.
	aroundPlaces = wordsIn("around a place")

	// placeSigns are pictures that stand before places.
	placeSigns = strings.NewReplacer("📍", " ", "🌍", " ", "🌎", " ", "🌏", " ", "🏢", " ", "🗺️", " ", "🗺", " ", "📌", " ", "🏠", " ", "⚲", " ")

	// within is what runs before a place in running text and at the end of titles.
	within = lazyregexp.Of(func() string {
		return `(?:^|[\s(])` + oneOf("in") + `\s+(\p{Lu}[\p{L}'’.-]*(?:\s+(?:` + oneOf("inside a place") + `\s+)?\p{Lu}[\p{L}'’-]+){0,3})`
	})

	// conjunctions join two names, of places or of departments.
	conjunctions = wordsIn("and")
	// alternatives join places as well: "berlin oder hamburg".
	alternatives = wordsIn("and", "or")
)

// isKnownPlace reports whether a folded text is the name of a place, with no more around it than belongs to one.
func isKnownPlace(folded string) bool {
	if renownOf(folded) == knownName {
		return true
	}
	if bare := withoutAround(folded); bare != folded {
		return renownOf(bare) == knownName
	}
	if strings.ContainsFunc(folded, isGapless) {
		return isWidePlace(strings.ReplaceAll(folded, " ", ""))
	}
	city, part, found := strings.Cut(folded, "-")
	return found && !strings.Contains(part, "-") && len(city) > 3 && len(part) > 2 && renownOf(city) == knownName // "berlin-mitte"
}

// withoutAround is a folded text without the words and the postal code around the name of a place.
func withoutAround(folded string) string {
	for {
		first, rest, found := strings.Cut(folded, " ")
		if !found || !aroundPlaces()[first] && !isPostcode(first) {
			break
		}
		folded = rest
	}
	for {
		at := strings.LastIndexByte(folded, ' ')
		if at < 0 || !aroundPlaces()[folded[at+1:]] && !isPostcode(folded[at+1:]) {
			return folded
		}
		folded = folded[:at]
	}
}

// isWidePlace reports whether a text in a script that does not part words is an address: it begins with a known place and ends with
// a unit that places are made of, such as a ward or a branch.
func isWidePlace(text string) bool {
	if utf8.RuneCountInString(text) > 24 {
		return false
	}
	for at := range text {
		name, rest := text[:at], text[at:]
		if at == 0 || renownOf(name) != knownName {
			continue
		}
		for _, unit := range wideUnits() {
			if strings.HasSuffix(rest, unit) {
				return true
			}
		}
	}
	return false
}

// wideUnits end addresses in scripts that do not part words.
var wideUnits = sync.OnceValue(func() []string { return wordList("place unit") })

// isGapless reports whether a letter is of a script that does not part words.
func isGapless(r rune) bool {
	return r >= 0x3040 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// isPostcode reports whether a word is a postal code, perhaps with that of its country: "D-80331".
func isPostcode(word string) bool {
	if country, code, found := strings.Cut(word, "-"); found && len(country) <= 2 {
		word = code
	}
	return len(word) >= 4 && len(word) <= 6 && strings.Trim(word, "0123456789") == ""
}

// part is a piece of a text between signs.
type part struct {
	from, to int  // in the text
	tied     bool // only a comma, a stroke or a bracket keeps it apart from the one before
	nature   partNature
}

type partNature int

const (
	unknownPart partNature = iota
	placePart
	modePart  // "Remote", "Hybrid"
	townPart  // the name of a town and an ordinary word
	otherPart // a kind of work, a department, a date, a role
)

// looseSigns keep parts of different kinds apart. The others tie what belongs together: "Lyon, France", "Oslo (Norway)".
const (
	looseSigns = "|·•・／;‧∙●▪–—⋅◦○■◆★→›»~"
	tiedSigns  = ",/&()[]、，،+"
)

// parts takes a text apart.
func (p *phrase) placeRuns() []part {
	var list []part
	text, start, tied := p.text, 0, true
	end := func(at, next int, ties bool) {
		from, to := start, at
		for from < to && isBlank(text[from]) {
			from++
		}
		for to > from && isBlank(text[to-1]) {
			to--
		}
		if from < to {
			list = append(list, part{from: from, to: to, tied: tied, nature: natureOf(text[from:to])})
			tied = true
		}
		tied = tied && ties
		start = next
	}
	for i, r := range text {
		width := utf8.RuneLen(r)
		switch {
		case strings.ContainsRune(tiedSigns, r):
			spaced := r == '/' && i > 0 && text[i-1] == ' '
			end(i, i+width, !spaced)
		case strings.ContainsRune(looseSigns, r), r == '-' && i > 0 && text[i-1] == ' ' && strings.HasPrefix(text[i+1:], " "):
			end(i, i+width, false)
		}
	}
	end(len(text), len(text), false)
	p.codes(list)
	return list
}

// codes takes the codes of states and countries behind a place for parts of it: "Lyon, FR", "Toronto, ON".
func (p *phrase) codes(list []part) {
	for i := 1; i < len(list); i++ {
		a, before := &list[i], &list[i-1]
		text := p.text[a.from:a.to]
		switch {
		case a.nature == otherPart || len(text) > 3 || text != strings.ToUpper(text) || strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf || !unicode.IsLetter(r) }):
		case before.nature == placePart && len(text) > 1 && (a.tied || isStateCode(text)):
			a.nature = placePart
		case a.tied && before.nature != otherPart && isStateCode(text):
			a.nature, before.nature = placePart, placePart
		}
	}
}

func isBlank(c byte) bool { return c == ' ' || c == ':' }

func natureOf(text string) partNature {
	folded := Fold(text)
	said := &phrase{text: text, folded: folded}
	switch {
	case remote.MatchString(folded) || workMode()[folded]:
		return modePart
	case isKnownPlace(folded) || endsInCode(text) || areKnownPlaces(folded):
		return placePart
	case contract.MatchString(folded), said.saysTerms(), namesDepartment(folded), namesPart(folded), said.namesRole(), strings.Count(folded, " ") > 4:
		return otherPart
	case renownOf(folded) == ordinaryName, strings.Count(text, " ") <= 3 && knownPrefix(text) != "":
		return townPart // "Best", "Berlin Mitte"
	}
	first, _ := utf8.DecodeRuneInString(text)
	if unicode.IsLower(first) || strings.ContainsAny(text, "0123456789") {
		return otherPart
	}
	return unknownPart
}

// endsInCode reports whether a text is a known place with the code of its state, canton or district behind it: "Zürich ZH".
func endsInCode(text string) bool {
	at := strings.LastIndexByte(text, ' ')
	if at < 0 || len(text)-at > 5 {
		return false
	}
	code := text[at+1:]
	return len(code) > 1 && strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == "" && isKnownPlace(Fold(text[:at]))
}

// areKnownPlaces reports whether a folded text is several known places: "berlin oder hamburg".
func areKnownPlaces(folded string) bool {
	for word := range alternatives() {
		if one, other, found := strings.Cut(folded, " "+word+" "); found && isKnownPlace(one) && (isKnownPlace(other) || areKnownPlaces(other)) {
			return true
		}
	}
	return false
}

func isStateCode(text string) bool { return usState.MatchString(", " + text) }

// placeIn is the part of the text that is a place, or "".
func (p *phrase) placeIn() string {
	if p.once(knowsWhere) {
		p.where = placeIn(p)
	}
	return p.where
}

func placeIn(p *phrase) string {
	if bare := squeeze(placeSigns.Replace(p.text)); bare != p.text {
		p = &phrase{text: bare, folded: Fold(bare)}
	}
	if len(p.text) > 320 {
		return ""
	}
	if isKnownPlace(p.folded) {
		return p.text
	}
	if name := placeInProse(p.text); name != "" && strings.Count(p.text, " ") <= 5 && !p.namesRole() {
		return name // "Based in Berlin"
	}
	parts := p.placeRuns()
	if len(parts) > 0 && parts[0].nature == modePart && remote.MatchString(p.folded) && !slices.ContainsFunc(parts, func(a part) bool { return a.nature == otherPart }) {
		return p.text // "Remote (CET)"
	}
	first := slices.IndexFunc(parts, part.says)
	if first < 0 {
		if namesState(p.text) && !p.namesRole() {
			return p.text
		}
		return ""
	}
	last := first
	for last+1 < len(parts) && parts[last+1].joins(parts[last], parts[last+1].tied) {
		last++
	}
	for first > 0 && parts[first-1].joins(parts[first], parts[first].tied) {
		first--
	}
	return strings.TrimSpace(balanced(p.text, parts[first].from, parts[last].to))
}

// says reports whether a part says where the role is, or that it is anywhere.
func (a part) says() bool { return a.nature == placePart || a.nature == modePart }

// joins reports whether a part beside another that says where the role is belongs to it. What nobody knows may be a part of a town,
// but not of "Remote".
func (a part) joins(beside part, tied bool) bool {
	return a.says() || tied && beside.nature != modePart && (a.nature == townPart || a.nature == unknownPart)
}

// balanced is the text between two places in it, with the bracket that closes what opens there.
func balanced(text string, from, to int) string {
	piece := text[from:to]
	if strings.Count(piece, "(") > strings.Count(piece, ")") && strings.HasPrefix(text[to:], ")") {
		return text[from : to+1]
	}
	return piece
}

// placeAtEnd is the place that a title ends with, or "": "Engineer - Berlin (all genders)", "Nurse, Oslo", "Cook in Lyon".
func (p *phrase) placeAtEnd() string {
	parts := p.placeRuns()
	last := len(parts) - 1
	for last > 0 && !parts[last].says() && (parts[last].nature == otherPart || isMark(p.text[parts[last].from:parts[last].to])) {
		last--
	}
	first := last
	for first > 0 && parts[first-1].joins(parts[first], parts[first].tied && first-1 > 0) {
		first--
	}
	if first > 0 && last > 0 && parts[last].says() {
		place := balanced(p.text, parts[first].from, parts[last].to)
		return cmp.Or(placeInProse(place), place) // "in Munich"
	}
	if found := within.FindAllStringSubmatchIndex(p.text, -1); len(found) > 0 {
		at := found[len(found)-1]
		rest := p.text[at[2]:]
		if name := knownPrefix(rest); name != "" && at[2] > 0 && (len(name) == len(rest) || !isLetter(rest[len(name)]) && !strings.ContainsFunc(rest[len(name):], unicode.IsLower)) {
			return name
		}
	}
	return ""
}

// isMark reports whether a part of a title marks for whom it is: "m", "w", "d", "all genders".
func isMark(text string) bool {
	return utf8.RuneCountInString(text) <= 2 || strings.Contains(Fold(text), "gender")
}

// knownPrefix is the longest beginning of a text, in whole words, that is a place known by its name alone; "" for none.
func knownPrefix(text string) string {
	found := ""
	words := 0
	for i := 0; i <= len(text) && words < 5; i++ {
		if i == len(text) || strings.IndexByte(" ,.;:)!?", text[i]) >= 0 {
			words++
			if renownOf(Fold(text[:i])) == knownName {
				found = text[:i]
			}
		}
	}
	return found
}

// placeInProse is the one place that running text says the work is in, as in "You join our office in Kampala". It is empty
// when there is none.
func placeInProse(text string) string {
	found := ""
	for _, at := range within.FindAllStringSubmatchIndex(text, -1) {
		name := withCountry(knownPrefix(text[at[2]:at[3]]), text[at[2]:])
		if name == "" || name == found {
			continue
		}
		if found != "" {
			return ""
		}
		found = name
	}
	return found
}

// withCountry is the name that a text begins with, and what follows after a comma if that is a place too: "Lyon, France".
func withCountry(name, text string) string {
	rest, found := strings.CutPrefix(text[len(name):], ", ")
	if name == "" || !found {
		return name
	}
	country := knownPrefix(rest)
	if code := rest[:len(rest)-len(strings.TrimLeft(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))]; country == "" && len(code) > 1 && isStateCode(code) {
		country = code
	}
	if country == "" {
		return name
	}
	return text[:len(name)+2+len(country)]
}

// allIn is a sentence about all roles of a page up to the place where they are: "All positions are in …".
var allIn = sayings("all are in")

// longestAllIn is the length of the longest line that says where all roles are.
const longestAllIn = 140

// placeAll gives the place that one line of the page states for all of its roles to those that name none. In a list without cards
// that line may stand behind the last role.
func (d *Document) placeAll(found []*candidate, postings []boardwatch.Posting) {
	placed := 0
	for _, p := range postings {
		countIf(&placed, p.Location != "")
	}
	if len(postings) < 2 || placed == len(postings) {
		return
	}
	place := ""
	if last := found[len(found)-1]; placed == 1 && last.flat && postings[len(postings)-1].Location != "" {
		place = postings[len(postings)-1].Location
	} else if placed == 0 {
		place = d.placeForAll(found)
	}
	for i := range postings {
		if postings[i].Location == "" {
			postings[i].Location = place
		}
	}
}

// placeForAll is the place that a line beside the cards states, by a label or in a sentence; "" when none does, or several do.
func (d *Document) placeForAll(found []*candidate) string {
	cards, place := d.onCards(found), ""
	for _, e := range d.within(d.body) {
		if !e.own || e.hidden || e.chrome || cards[e.index] || e.longer(longestAllIn) {
			continue
		}
		text := e.statedForAll()
		if text == "" || text == place {
			continue
		}
		if place != "" {
			return ""
		}
		place = text
	}
	return place
}

// statedForAll is the place that a line states for all roles, or "".
func (e *element) statedForAll() string {
	d, said := e.page, e.said()
	if label, value, found := cutLabel(said.text); found && isPlaceLabel(d.fold(label)) && value != "" && d.sections().at(e).about() == open {
		return strings.Trim(value, " .。!")
	}
	for sentence := range strings.FieldsFuncSeq(said.text, func(r rune) bool { return r == '.' || r == '!' || r == '。' || r == '！' }) {
		sentence = strings.TrimSpace(sentence)
		folded := Fold(sentence)
		if !allIn.MatchString(folded) {
			continue
		}
		at := allIn.Regexp().FindStringIndex(folded)
		words, named := strings.Fields(sentence), strings.Fields(folded[at[1]:])
		if n := len(named); n > 0 && n <= 5 && n < len(words) {
			place := strings.Trim(strings.Join(words[len(words)-n:], " "), " .,;:")
			if !slices.ContainsFunc(named, func(word string) bool { return roleWords()[word] }) {
				return place
			}
		}
	}
	return ""
}
