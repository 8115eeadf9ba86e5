package page

import (
	"slices"
	"strings"
	"sync"

	"github.com/boardwatch/boardwatch/internal/match"
)

// denial is the grammar one language uses to say that there are no open roles. Its patterns match plain words (see
// plainWords), and the text they match ends where a clause ends.
type denial struct {
	// not matches words such as "no" and "filled". A sentence without any of them denies nothing and needs no further check.
	not *match.Pattern
	// gate is what not is made of.
	gate []string
	// says matches the statement itself: "no open positions", "our team is complete".
	says *match.Pattern
	// limits matches conditions, and statements about one department, place, role or kind of role.
	limits *match.Pattern
	// contrasts matches a later clause that names open roles after all: "but we need two bakers".
	contrasts *match.Pattern
	// fillers are phrases that do not change the meaning: "at the moment", "unfortunately", "in our company".
	fillers map[string]bool
	// first holds the words that fillers begin with.
	first map[string]bool
	// longest is the number of words in the longest filler.
	longest int
	// lexicon reads statements word by word; nil when the language has none.
	lexicon *lexicon
}

var (
	denials = sync.OnceValue(func() []denial { return denialsOf(languages()) })

	// negations matches what the pattern not of any language matches.
	negations = sync.OnceValue(func() *match.Pattern { return patternOf(gatesOf(denials())) })

	// invites matches what makes a clause an invitation, which names no open role whatever its verb is: "always", "welcome".
	invites = sayings("invites")

	// several matches numbers in words or figures: whoever says how many people are needed does not only invite.
	several = sayings("several")
)

// gatesOf is what the patterns not of the languages match.
func gatesOf(all []denial) (gates []string) {
	for _, d := range all {
		gates = append(gates, d.gate...)
	}
	return gates
}

// gateOf is what the pattern not of a language matches.
func gateOf(words map[string][]string, l *lexicon) []string {
	if l == nil {
		return words["not"]
	}
	return append(slices.Clone(words["not"]), l.gate())
}

func denialsOf(languages []map[string][]string) (all []denial) {
	for _, words := range languages {
		lexicon := lexiconOf(words)
		if len(words["none"]) == 0 && lexicon == nil {
			continue
		}
		gate := gateOf(words, lexicon)
		d := denial{lexicon: lexicon, gate: gate, not: patternOf(gate), says: patternOf(words["none"]), limits: patternOf(words["limit"]), contrasts: patternOf(words["contrast"]), fillers: phrasesIn(words["filler"]), first: make(map[string]bool)}
		for phrase := range d.fillers {
			word, _, _ := strings.Cut(phrase, " ")
			d.first[word] = true
			d.longest = max(d.longest, strings.Count(phrase, " ")+1)
		}
		all = append(all, d)
	}
	return all
}

// deniesRoles reports whether a folded sentence says that there are no open roles at all. Languages that are related share many
// statements: what contradicts one in any of them counts.
func deniesRoles(sentence string) bool {
	return deniesRolesAt(sentence, source{})
}

// deniesRolesAt is deniesRoles for a sentence of which it is known where it stands.
func deniesRolesAt(sentence string, from source) bool {
	if !negations().MatchString(sentence) || aboutFilter.MatchString(sentence) {
		return false
	}
	clauses := clausesOf(plainWords(sentence))
	denied := false
	for _, d := range denials() {
		if !d.not.MatchString(sentence) {
			continue
		}
		said, contradicted := d.hears(clauses, from)
		if contradicted {
			return false
		}
		denied = denied || said
	}
	return denied
}

// clause is where a clause of a sentence ends: the words up to there, those after it, and the former as a text.
type clause struct {
	words, rest []string
	plain       string
}

func clausesOf(words []string) (clauses []clause) {
	for end := 1; end <= len(words); end++ {
		if end == len(words) || words[end] == clauseEnd {
			clauses = append(clauses, clause{words[:end], words[end:], together(words[:end])})
		}
	}
	return clauses
}

// hears reports whether a sentence denies roles, and whether it goes on to contradict that. It reads the sentence clause by clause
// until the statement is complete: the clauses up to there may limit it, the clauses after it may contradict it.
func (d *denial) hears(clauses []clause, from source) (said, contradicted bool) {
	for _, c := range clauses {
		short := c.plain
		if kept := d.withoutFillers(c.words); len(kept) < len(c.words) {
			short = together(kept)
		}
		if d.composes(c, from) {
			return true, d.contrasts.MatchString(withoutInvitations(c.rest))
		}
		if d.says.MatchString(c.plain) || d.says.MatchString(short) {
			return !d.limits.MatchString(short), d.contrasts.MatchString(withoutInvitations(c.rest))
		}
	}
	return false, false
}

// composes reports whether the clauses up to the end of c consist of words that together say that there are no open roles.
func (d *denial) composes(c clause, from source) bool {
	r, known := d.lexicon.read(c.words, from)
	return known && r.denies(from) && !d.limits.MatchString(together(r.rest)) && !unsolicited.MatchString(c.plain)
}

// withoutInvitations joins words to a text and leaves out what invites applications without a role: it names no role after all,
// though in many languages such applications are called open, and "we always look for people" has the verb of an open role. Fillers
// stay, since the words for "but" are among them.
func withoutInvitations(words []string) string {
	var kept []string
	for len(words) > 0 {
		end := slices.Index(words[1:], clauseEnd) + 1
		if end == 0 {
			end = len(words)
		}
		if part := together(words[:end]); invites.MatchString(part) && !several.MatchString(part) {
			kept = append(kept, words[:min(2, end)]...) // the "but" of what may follow
		} else {
			kept = append(kept, words[:end]...)
		}
		words = words[end:]
	}
	text := together(kept)
	if text == "" || !unsolicited.MatchString(text) {
		return text
	}
	return unsolicited.Regexp().ReplaceAllString(text, "")
}

// withoutFillers leaves the fillers out of the words.
func (d *denial) withoutFillers(words []string) (kept []string) {
	for i := 0; i < len(words); {
		n := d.fillerAt(words[i:])
		if n == 0 {
			kept = append(kept, words[i])
		}
		i += max(1, n)
	}
	return kept
}

// fillerAt is the length, in words, of the longest filler at the beginning of the words; 0 when there is none.
func (d *denial) fillerAt(words []string) int {
	if !d.first[words[0]] {
		return 0
	}
	n := min(d.longest, len(words))
	for n > 0 && !d.fillers[strings.Join(words[:n], " ")] {
		n--
	}
	return n
}

// clauseEnd replaces every punctuation mark that separates clauses.
const clauseEnd = ","

var plainMarks = strings.NewReplacer(
	",", " , ", ";", " , ", ":", " , ", "–", " , ", "—", " , ", "(", " , ", ")", " , ", "…", " , ", " - ", " , ", "、", " , ", "，", " , ", "：", " , ", "؛", " , ", "،", " , ",
	" but ", " , but ", " pero ", " , pero ", " maar ", " , maar ", " aber ", " , aber ",
	" mais nous ", " , mais nous ", " mais vous ", " , mais vous ", " mais n'hesitez ", " , mais n'hesitez ",
	"’", "'", `"`, " ", "“", " ", "”", " ", "„", " ", "«", " ", "»", " ",
)

// plainWords splits a sentence into words, with a clauseEnd for every mark that separates clauses.
func plainWords(sentence string) []string { return strings.Fields(plainMarks.Replace(sentence)) }

// together joins plain words to a text that has at most one mark between two words, and none at its ends.
func together(words []string) string {
	var b strings.Builder
	parted := false
	for _, w := range words {
		if w == clauseEnd {
			parted = b.Len() > 0
			continue
		}
		if parted {
			b.WriteString(clauseEnd)
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w)
		parted = false
	}
	return b.String()
}
