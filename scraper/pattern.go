package scraper

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// pattern is a regular expression for many languages at once. Most texts hold none of the words that any match must
// hold; that is found out first, because it costs a hundredth of a match. Alternatives that match at the start of a text
// only are kept apart, because their words are looked for in one place.
// It is compiled when it is first asked for: all of them together take a tenth of a second, which programs that read no
// page should not spend.
type pattern struct {
	compiled func() *compiled
}

type compiled struct {
	*regexp.Regexp

	start     *part // the alternatives that begin with ^; nil when there are none
	elsewhere *part // the others
}

// part is a set of alternatives.
type part struct {
	*regexp.Regexp

	pairs *[1024]uint64  // the first two bytes of the words of which every match holds one; nil when that cannot be told
	heads *[256][]string // the words by a hash of these bytes
}

func newPattern(expr string) *pattern {
	return &pattern{sync.OnceValue(func() *compiled { return compile(expr) })}
}

func compile(expr string) *compiled {
	p := &compiled{Regexp: regexp.MustCompile(expr)}
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return p // cannot be: it was just compiled
	}
	var start, elsewhere []*syntax.Regexp
	alternatives := []*syntax.Regexp{parsed}
	if parsed.Op == syntax.OpAlternate {
		alternatives = parsed.Sub
	}
	for _, re := range alternatives {
		if re.Op == syntax.OpConcat && re.Sub[0].Op == syntax.OpBeginText && leading(re) != nil {
			start = append(start, re)
		} else {
			elsewhere = append(elsewhere, re)
		}
	}
	p.start, p.elsewhere = newPart(start, leading), newPart(elsewhere, required)
	return p
}

func newPart(alternatives []*syntax.Regexp, words func(*syntax.Regexp) []string) *part {
	if len(alternatives) == 0 {
		return nil
	}
	exprs := make([]string, len(alternatives))
	needs, known := []string(nil), true
	for i, re := range alternatives {
		exprs[i] = "(?:" + re.String() + ")"
		some := words(re)
		known = known && some != nil
		needs = append(needs, some...)
	}
	p := &part{Regexp: regexp.MustCompile(strings.Join(exprs, "|"))}
	for _, need := range needs {
		known = known && len(need) >= 2
	}
	if !known {
		return p
	}
	p.pairs, p.heads = new([1024]uint64), new([256][]string)
	for _, need := range needs {
		i := pair(need[0], need[1])
		p.pairs[i>>6] |= 1 << (i & 63)
		p.heads[head(i)] = append(p.heads[head(i)], need)
	}
	return p
}

func pair(a, b byte) uint16 { return uint16(a)<<8 | uint16(b) }

func head(pair uint16) uint8 { return uint8(pair&0xff) ^ uint8(pair>>8)*31 }

// MatchString reports whether the text holds a match.
func (p *pattern) MatchString(text string) bool {
	c := p.compiled()
	if c.start != nil && c.start.beginsHere(text) && c.start.MatchString(text) {
		return true
	}
	return c.elsewhere != nil && c.elsewhere.possible(text) && c.elsewhere.MatchString(text)
}

// find is the first match and its groups, or nil.
func (p *pattern) find(text string) []string {
	if !p.possible(text) {
		return nil
	}
	return p.compiled().FindStringSubmatch(text)
}

// possible reports whether the text holds something that every match must hold.
func (p *pattern) possible(text string) bool {
	c := p.compiled()
	return c.start != nil && c.start.beginsHere(text) || c.elsewhere != nil && c.elsewhere.possible(text)
}

func (p *part) possible(text string) bool {
	if p.pairs == nil {
		return true
	}
	for i := 1; i < len(text); i++ {
		if p.beginsAt(text, i-1) {
			return true
		}
	}
	return false
}

func (p *part) beginsHere(text string) bool {
	return p.pairs == nil || len(text) >= 2 && p.beginsAt(text, 0)
}

func (p *part) beginsAt(text string, i int) bool {
	n := pair(text[i], text[i+1])
	if p.pairs[n>>6]&(1<<(n&63)) == 0 {
		return false
	}
	for _, need := range p.heads[head(n)] {
		if strings.HasPrefix(text[i:], need) {
			return true
		}
	}
	return false
}

// leading lists texts with one of which every match of the expression begins; nil when there is no such list.
func leading(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 {
			return nil
		}
		return []string{string(re.Rune)}
	case syntax.OpCapture, syntax.OpPlus:
		return leading(re.Sub[0])
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			some := leading(sub)
			if some == nil {
				return nil
			}
			all = append(all, some...)
		}
		return all
	case syntax.OpConcat:
		return leadingOf(re.Sub)
	default:
	}
	return nil
}

// leadingOf is leading for what follows one another: first what is empty or may be left out.
func leadingOf(parts []*syntax.Regexp) []string {
	var all []string
	for i, sub := range parts {
		switch sub.Op {
		case syntax.OpBeginText, syntax.OpWordBoundary, syntax.OpEmptyMatch:
			continue
		case syntax.OpQuest:
			some := leading(sub.Sub[0])
			if some == nil {
				return nil
			}
			all = append(all, some...)
			continue
		case syntax.OpLiteral:
			if len(sub.Rune) == 1 && i+1 < len(parts) { // one letter and what follows: "v" and "(iew|er)"
				if rest := leadingOf(parts[i+1:]); rest != nil && sub.Flags&syntax.FoldCase == 0 {
					for _, text := range rest {
						all = append(all, string(sub.Rune)+text)
					}
					return all
				}
			}
		default:
		}
		some := leading(sub)
		if some == nil {
			return nil
		}
		return append(all, some...)
	}
	return nil
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
			if some := required(sub); some != nil && (best == nil || shortest(some) >= shortest(best)) {
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
