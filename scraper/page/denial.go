package page

import (
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/internal/match"
)

// denial is the grammar one language uses to say that there are no open roles. Its patterns match plain words (see
// plainWords), and the text they match ends where a clause ends.
type denial struct {
	// not matches words such as "no" and "filled". A sentence without any of them denies nothing and needs no further check.
	not *match.Pattern
	// says matches the statement itself: "no open positions", "our team is complete".
	says *match.Pattern
	// limits matches conditions, and statements about one department, place, role or kind of role.
	limits *match.Pattern
	// contrasts matches a later clause that names open roles after all: "but we need two bakers".
	contrasts *match.Pattern
	// fillers are phrases that do not change the meaning: "at the moment", "unfortunately", "in our company".
	fillers map[string]bool
	// longest is the number of words in the longest filler.
	longest int
}

//nolint:gochecknoglobals // constant tables
var (
	denials = denialsOf(languages)

	// negations matches what the pattern not of any language matches.
	negations = sayings("not")
)

func denialsOf(languages []map[string][]string) (all []denial) {
	for _, words := range languages {
		if len(words["none"]) == 0 {
			continue
		}
		d := denial{not: patternOf(words["not"]), says: patternOf(words["none"]), limits: patternOf(words["limit"]), contrasts: patternOf(words["contrast"]), fillers: phrasesIn(words["filler"])}
		for phrase := range d.fillers {
			d.longest = max(d.longest, strings.Count(phrase, " ")+1)
		}
		all = append(all, d)
	}
	return all
}

// deniesRoles reports whether a folded sentence says that there are no open roles at all.
func deniesRoles(sentence string) bool {
	if !negations.MatchString(sentence) || aboutFilter.MatchString(sentence) {
		return false
	}
	words := plainWords(sentence)
	return slices.ContainsFunc(denials, func(d denial) bool { return d.not.MatchString(sentence) && d.holds(words) })
}

// holds reports whether a sentence denies roles. It reads the sentence clause by clause until the statement is complete:
// the clauses up to there may limit it, the clauses after it may contradict it.
func (d *denial) holds(words []string) bool {
	for end := 1; end <= len(words); end++ {
		if end < len(words) && words[end] != clauseEnd {
			continue
		}
		plain, short := together(words[:end]), together(d.withoutFillers(words[:end]))
		if d.says.MatchString(plain) || d.says.MatchString(short) {
			return !d.limits.MatchString(short) && !d.contrasts.MatchString(together(d.withoutFillers(words[end:])))
		}
	}
	return false
}

func (d *denial) withoutFillers(words []string) (kept []string) {
	for i := 0; i < len(words); {
		if n := d.fillerAt(words[i:]); n > 0 {
			i += n
			continue
		}
		kept = append(kept, words[i])
		i++
	}
	return kept
}

// fillerAt is the length, in words, of the longest filler at the beginning of the words; 0 when there is none.
func (d *denial) fillerAt(words []string) int {
	for n := min(d.longest, len(words)); n > 0; n-- {
		if d.fillers[strings.Join(words[:n], " ")] {
			return n
		}
	}
	return 0
}

// clauseEnd replaces every punctuation mark that separates clauses.
const clauseEnd = ","

//nolint:gochecknoglobals // a constant table
var plainMarks = strings.NewReplacer(
	",", " , ", ";", " , ", ":", " , ", "–", " , ", "—", " , ", "(", " , ", ")", " , ", "…", " , ", " - ", " , ", "、", " , ", "，", " , ", "：", " , ", "؛", " , ", "،", " , ",
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
			parted = true
			continue
		}
		if b.Len() > 0 {
			if parted {
				b.WriteString(clauseEnd)
			}
			b.WriteByte(' ')
		}
		b.WriteString(w)
		parted = false
	}
	return b.String()
}
