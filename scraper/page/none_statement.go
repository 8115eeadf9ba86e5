package page

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// meaning is what a word adds to a statement that there are no open roles. A word may add several parts: some languages have one word
// for "we have no" and for "nobody".
type meaning uint16

const (
	meansNo           meaning = 1 << iota // "no", "not"
	meansJobs                             // "vacancies", "job offers"
	meansHire                             // "recruit", "take on staff": says it all without an object
	meansSeek                             // "look for", "need": says nothing without people as its object
	meansPeople                           // "employees", "anyone"
	meansRecruiting                       // "recruitment", "need of staff"
	meansApplications                     // "applications"
	meansAccept                           // "accept"
	meansNothing                          // "nothing"
	meansOpen                             // "available", "to offer": neutral beside jobs, needed beside "nothing"
	meansAll                              // "all our"
	meansFilled                           // "filled"
	meansTeam                             // "team"
	meansComplete                         // "complete"
	meansOver                             // "closed", "on hold"
	meansWhole                            // "hiring freeze": a statement by itself
)

// statementMeanings are the sections that list words and phrases, with commas between them. A star stands for any ending of a word.
// Words that change nothing, such as "currently" and "our company", are in the section "statement neutral".
var statementMeanings = map[string]meaning{
	"statement neutral": 0, "statement no": meansNo, "statement jobs": meansJobs, "statement hire": meansHire, "statement seek": meansSeek,
	"statement people": meansPeople, "statement recruiting": meansRecruiting, "statement applications": meansApplications,
	"statement accept": meansAccept, "statement nothing": meansNothing | meansNo, "statement open": meansOpen, "statement all": meansAll,
	"statement filled": meansFilled, "statement team": meansTeam, "statement complete": meansComplete, "statement over": meansOver,
	"statement whole": meansWhole,
}

// gateMeanings are those of which every statement has one. What adds one of them is part of the pattern not of its language.
const gateMeanings = meansNo | meansFilled | meansComplete | meansOver | meansWhole

// denies reports whether these parts, and no others, make a statement that there are no open roles.
func (p meaning) denies() bool {
	has := func(all meaning) bool { return p&all == all }
	if !has(meansNo) {
		return has(meansWhole) || has(meansAll|meansJobs|meansFilled) || has(meansTeam|meansComplete) && p&meansJobs == 0 ||
			(has(meansRecruiting|meansOver) || has(meansApplications|meansOver)) && p&meansJobs == 0
	}
	if p&(meansAll|meansFilled|meansComplete|meansOver|meansWhole|meansTeam) != 0 {
		return false // "not all positions are filled"
	}
	return p&(meansJobs|meansHire|meansRecruiting) != 0 && p&meansApplications == 0 ||
		has(meansSeek|meansPeople) || has(meansApplications|meansAccept) || has(meansNothing|meansOpen)
}

// spoken is a word or phrase of a lexicon. Each of its words may be a stem, which stands for all words that begin with it.
type spoken struct {
	words []string
	stems []bool
	adds  meaning
}

// lexicon holds the words that one language uses to say that there are no open roles. A text that has any other word says something
// else, or more: that no jobs are open in the bakery, or that no job experience is needed.
type lexicon struct {
	byStart map[string][]spoken // by the whole first word, or by the stem; the longest phrases first
	solid   bool                // the language does not part words by spaces
	starts  map[rune][]spoken   // of such a language, by the first character
}

// lexiconOf is the lexicon of a language; nil when it has none.
func lexiconOf(sections map[string][]string) *lexicon {
	adds := make(map[string]meaning)
	for section, p := range statementMeanings {
		for phrase := range phrasesIn(sections[section]) {
			if phrase != "" {
				adds[Fold(phrase)] |= p
			}
		}
	}
	if len(adds) == 0 {
		return nil
	}
	for filler := range phrasesIn(sections["filler"]) {
		if filler != "" {
			adds[filler] |= 0
		}
	}
	l := &lexicon{byStart: make(map[string][]spoken), starts: make(map[rune][]spoken)}
	for phrase, p := range adds {
		l.add(phrase, p)
	}
	longestFirst := func(a, b spoken) int {
		return cmp.Or(len(b.words)-len(a.words), len(b.words[0])-len(a.words[0]))
	}
	for _, all := range l.byStart {
		slices.SortFunc(all, longestFirst)
	}
	for _, all := range l.starts {
		slices.SortFunc(all, longestFirst)
	}
	return l
}

func (l *lexicon) add(phrase string, adds meaning) {
	first, _ := utf8.DecodeRuneInString(phrase)
	if isSolid(first) {
		l.solid = true
		s := spoken{words: []string{strings.ReplaceAll(phrase, " ", "")}, adds: adds}
		l.starts[first] = append(l.starts[first], s)
		return
	}
	s := spoken{adds: adds}
	for word := range strings.FieldsSeq(phrase) {
		stem, bends := strings.CutSuffix(word, "*")
		s.words, s.stems = append(s.words, stem), append(s.stems, bends)
	}
	l.byStart[s.words[0]] = append(l.byStart[s.words[0]], s)
}

// isSolid reports whether a character belongs to a script that does not part words by spaces, or not where words end.
func isSolid(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

// gate is an expression for what adds one of the parts that every statement has; "" without any.
func (l *lexicon) gate() string {
	var words, solid []string
	for _, all := range l.byStart {
		for _, s := range all {
			if s.adds&gateMeanings != 0 {
				words = append(words, s.expression())
			}
		}
	}
	for _, all := range l.starts {
		for _, s := range all {
			if s.adds&gateMeanings != 0 {
				solid = append(solid, regexp.QuoteMeta(s.words[0]))
			}
		}
	}
	slices.Sort(words)
	slices.Sort(solid)
	if len(words) > 0 {
		solid = slices.Insert(solid, 0, `(?:^|[^\p{L}])(?:`+strings.Join(words, "|")+`)(?:$|[^\p{L}])`)
	}
	return strings.Join(solid, "|")
}

// expression matches the phrase, with any endings behind its stems.
func (s *spoken) expression() string {
	parts := make([]string, len(s.words))
	for i, word := range s.words {
		if parts[i] = regexp.QuoteMeta(word); s.stems[i] {
			parts[i] += `[^ ]*`
		}
	}
	return strings.Join(parts, " ")
}

// reading is what a lexicon makes of words.
type reading struct {
	said meaning
	// rest are the words that carry the statement, and short ones: phrases such as "in our company" limit nothing, but articles may.
	rest []string
}

// denies reports whether that is a statement that there are no open roles. An entry of a list that says that applications are
// closed speaks of its own role.
func (r reading) denies(from source) bool {
	return r.said.denies() && (!from.entry || r.said&(meansNo|meansAll|meansOver) != meansOver)
}

// source is where a sentence stands, and on whose page.
type source struct {
	nameAt  func([]string) int // how many words at a beginning are the employer's name; nil when it is not known
	heading []string           // the words of the heading of openings right above, if that is the only one
	entry   bool               // in a list, a table or a link
}

// read puts together what the words say; known is false when one of them is not in the lexicon.
func (l *lexicon) read(words []string, from source) (r reading, known bool) {
	if l == nil {
		return reading{}, false
	}
	if l.solid {
		return l.readSolid(strings.Join(words, ""))
	}
	subject := true // so far there was nothing but punctuation
	for len(words) > 0 {
		if words[0] == clauseEnd {
			r.rest, words = append(r.rest, clauseEnd), words[1:]
			continue
		}
		adds, n := l.at(words)
		if n == 0 && subject {
			n = l.subject(words, from)
		}
		if n == 0 && from.headed(words[0]) {
			adds, n = meansJobs, 1
		}
		if n == 0 {
			return reading{}, false
		}
		if phrase := words[:n]; adds != 0 || n == 1 && len(phrase[0]) < longNeutral {
			r.rest = append(r.rest, phrase...)
		}
		subject, r.said, words = false, r.said|adds, words[n:]
	}
	return r, true
}

// longNeutral is the length from which a neutral word is no article.
const longNeutral = 5

// subject is how many words at the beginning are the employer's name in a sentence about the employer; 0 when there is none.
// The name in front of a noun is none: "bakery jobs" are a kind of job.
func (l *lexicon) subject(words []string, from source) int {
	if from.nameAt == nil {
		return 0
	}
	n := from.nameAt(words)
	if n == 0 || n == len(words) {
		return 0
	}
	if next, found := l.at(words[n:]); found == 0 || next&meansJobs != 0 {
		return 0
	}
	return n
}

// headed reports whether the heading has this word, perhaps with another ending.
func (from source) headed(word string) bool {
	return slices.ContainsFunc(from.heading, func(w string) bool {
		return len(word) >= sameStem && len(w) >= sameStem && w[:sameStem] == word[:sameStem]
	})
}

// sameStem is how many bytes words have in common that are forms of one.
const sameStem = 4

// at is what the longest phrase at the beginning of the words adds, and its length in words; 0 when there is none.
func (l *lexicon) at(words []string) (adds meaning, length int) {
	first := words[0]
	for end := len(first); end > 0; end-- {
		if end < len(first) && !utf8.RuneStart(first[end]) {
			continue
		}
		for _, s := range l.byStart[first[:end]] {
			if (end == len(first) || s.stems[0]) && len(s.words) > length && s.begins(words) {
				adds, length = s.adds, len(s.words)
				break
			}
		}
	}
	return adds, length
}

func (s *spoken) begins(words []string) bool {
	if len(words) < len(s.words) {
		return false
	}
	for i, w := range s.words {
		if words[i] != w && (!s.stems[i] || !strings.HasPrefix(words[i], w)) {
			return false
		}
	}
	return true
}

// readSolid is read for a script that does not part words.
func (l *lexicon) readSolid(text string) (r reading, known bool) {
	text = strings.ReplaceAll(text, clauseEnd, "")
	for text != "" {
		first, _ := utf8.DecodeRuneInString(text)
		at := slices.IndexFunc(l.starts[first], func(s spoken) bool { return strings.HasPrefix(text, s.words[0]) })
		if at < 0 {
			return reading{}, false
		}
		s := l.starts[first][at]
		r.said, text = r.said|s.adds, text[len(s.words[0]):]
	}
	return r, true
}
