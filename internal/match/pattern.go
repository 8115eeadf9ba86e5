// Package match tells whether a text matches a regular expression with hundreds of alternatives, such as the same words in
// many languages. It reads each text once, one step for each character, no matter how long the expression is.
package match

import (
	"regexp"
	"regexp/syntax"
	"sync"
	"sync/atomic"
)

// Pattern is a regular expression with many alternatives, matched by an automaton. Package regexp, which tries the
// alternatives one by one, takes over where more than a yes or no is wanted. Both are built on first use, so that programs
// which read no page do not wait for them. A Pattern is safe for concurrent use.
type Pattern struct {
	expr     func() string
	compiled func() *regexp.Regexp
	making   sync.Mutex
	made     atomic.Pointer[automaton] // nil before the first use
}

// New is the pattern of an expression in the syntax of package regexp. A faulty expression panics on first use.
func New(expr string) *Pattern { return Of(func() string { return expr }) }

// Of is New for an expression that is put together on first use.
func Of(expr func() string) *Pattern {
	return &Pattern{expr: expr, compiled: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr()) })}
}

// automaton is the pattern's automaton, made on first use.
func (p *Pattern) automaton() *automaton {
	if a := p.made.Load(); a != nil {
		return a
	}
	p.making.Lock()
	defer p.making.Unlock()
	if p.made.Load() == nil {
		p.made.Store(automatonOf(p.expr()))
	}
	return p.made.Load()
}

func automatonOf(expr string) *automaton {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		panic("match: " + err.Error())
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		panic("match: " + err.Error())
	}
	classes := classesOf(prog)
	return newAutomaton(programOf(prog, classes), classes)
}

// MatchString reports whether the text holds a match.
func (p *Pattern) MatchString(text string) bool {
	a := p.automaton()
	matched, known := a.match(text)
	if known {
		return matched
	}
	p.made.CompareAndSwap(a, newAutomaton(a.prog, a.classes)) // start afresh: texts like this one filled it with states
	return p.compiled().MatchString(text)
}

// Find is the first match and its groups; nil when there is none.
func (p *Pattern) Find(text string) []string {
	if !p.MatchString(text) {
		return nil
	}
	return p.compiled().FindStringSubmatch(text)
}

// Regexp is the same expression for package regexp.
func (p *Pattern) Regexp() *regexp.Regexp { return p.compiled() }
