package scraper

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// pattern is a regular expression for many languages at once. Most texts hold none of the words that any match must
// hold; that is found out first, because it costs a hundredth of a match.
type pattern struct {
	*regexp.Regexp
	needs []string      // every match holds one of these; nil when that cannot be told
	pairs *[1024]uint64 // the first two bytes of each of them, as a set
}

func newPattern(expr string) *pattern {
	p := &pattern{Regexp: regexp.MustCompile(expr)}
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return p // cannot be: it was just compiled
	}
	p.needs = required(parsed)
	for _, need := range p.needs {
		if len(need) < 2 {
			p.needs = nil
		}
	}
	if p.needs == nil {
		return p
	}
	p.pairs = new([1024]uint64)
	for _, need := range p.needs {
		i := pair(need[0], need[1])
		p.pairs[i>>6] |= 1 << (i & 63)
	}
	return p
}

func pair(a, b byte) uint16 { return uint16(a)<<8 | uint16(b) }

// MatchString reports whether the text holds a match.
func (p *pattern) MatchString(text string) bool {
	return p.possible(text) && p.Regexp.MatchString(text)
}

// possible reports whether the text holds something that every match must hold.
func (p *pattern) possible(text string) bool {
	if p.pairs == nil {
		return true
	}
	for i := 1; i < len(text); i++ {
		n := pair(text[i-1], text[i])
		if p.pairs[n>>6]&(1<<(n&63)) != 0 && p.begins(text[i-1:]) {
			return true
		}
	}
	return false
}

func (p *pattern) begins(text string) bool {
	for _, need := range p.needs {
		if strings.HasPrefix(text, need) {
			return true
		}
	}
	return false
}

// required lists texts of which every match of the expression holds at least one; nil when there is no such list.
func required(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 {
			return nil
		}
		return []string{string(re.Rune)}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			some := required(sub)
			if some == nil {
				return nil
			}
			all = append(all, some...)
		}
		return all
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if some := required(sub); some != nil && (best == nil || shortest(some) > shortest(best)) {
				best = some
			}
		}
		return best
	default:
	}
	return nil
}

func shortest(texts []string) int {
	n := len(texts[0])
	for _, t := range texts {
		n = min(n, len(t))
	}
	return n
}
