package scraper

import (
	"regexp"
	"regexp/syntax"
	"sync"
	"sync/atomic"
)

// pattern is a regular expression for many languages at once, told by an automaton. Package regexp, which tries the
// alternatives one by one, takes over where more than a verdict is wanted.
// Both are made when they are first asked for, because programs that read no page should not wait for them.
type pattern struct {
	compiled func() *regexp.Regexp
	made     func() *atomic.Pointer[automaton]
}

func newPattern(expr string) *pattern {
	return &pattern{
		compiled: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) }),
		made:     sync.OnceValue(func() *atomic.Pointer[automaton] { return automatonOf(expr) }),
	}
}

func automatonOf(expr string) *atomic.Pointer[automaton] {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		panic("scraper: " + err.Error())
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		panic("scraper: " + err.Error())
	}
	var p atomic.Pointer[automaton]
	p.Store(newAutomaton(prog, classesOf(prog)))
	return &p
}

// MatchString reports whether the text holds a match.
func (p *pattern) MatchString(text string) bool {
	current := p.made()
	a := current.Load()
	matched, known := a.match(text)
	if known {
		return matched
	}
	current.CompareAndSwap(a, newAutomaton(a.prog, a.classes)) // what texts like this one made it keep is forgotten
	return p.compiled().MatchString(text)
}

// find is the first match and its groups, or nil.
func (p *pattern) find(text string) []string {
	if !p.MatchString(text) {
		return nil
	}
	return p.compiled().FindStringSubmatch(text)
}
