// Package lazyregexp has regular expressions that are compiled when they are first used. There are some 250 of them in the
// readers of boards, and a program that reads none, such as one that prints its version, needs none.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// Regexp is a regular expression. Its methods are those of regexp.Regexp.
type Regexp struct {
	compiled func() *regexp.Regexp
}

// New returns a regular expression that panics at its first use if it is faulty; in tests at once.
func New(expr string) *Regexp { return Of(func() string { return expr }) }

// Of is New for an expression that is put together at its first use.
func Of(expr func() string) *Regexp {
	r := &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr()) })}
	if len(os.Args) > 0 && strings.HasSuffix(os.Args[0], ".test") {
		r.compiled()
	}
	return r
}

// MatchString reports whether the text has a match.
func (r *Regexp) MatchString(s string) bool { return r.compiled().MatchString(s) }

// Match reports whether the text has a match.
func (r *Regexp) Match(b []byte) bool { return r.compiled().Match(b) }

// FindIndex returns where the first match is; nil if there is none.
func (r *Regexp) FindIndex(b []byte) []int { return r.compiled().FindIndex(b) }

// FindString returns the first match; empty if there is none.
func (r *Regexp) FindString(s string) string { return r.compiled().FindString(s) }

// FindStringIndex returns where the first match is; nil if there is none.
func (r *Regexp) FindStringIndex(s string) []int { return r.compiled().FindStringIndex(s) }

// FindStringSubmatch returns the first match and its groups; nil if there is none.
func (r *Regexp) FindStringSubmatch(s string) []string { return r.compiled().FindStringSubmatch(s) }

// FindStringSubmatchIndex returns where the first match and its groups are; nil if there is none.
func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	return r.compiled().FindStringSubmatchIndex(s)
}

// FindSubmatch returns the first match and its groups; nil if there is none.
func (r *Regexp) FindSubmatch(b []byte) [][]byte { return r.compiled().FindSubmatch(b) }

// FindAllString returns up to n matches, all if n is negative.
func (r *Regexp) FindAllString(s string, n int) []string { return r.compiled().FindAllString(s, n) }

// FindAllStringSubmatch returns up to n matches and their groups, all if n is negative.
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.compiled().FindAllStringSubmatch(s, n)
}

// ReplaceAllString replaces all matches by a template.
func (r *Regexp) ReplaceAllString(s, by string) string { return r.compiled().ReplaceAllString(s, by) }

// ReplaceAllLiteralString replaces all matches by a text.
func (r *Regexp) ReplaceAllLiteralString(s, by string) string {
	return r.compiled().ReplaceAllLiteralString(s, by)
}

// ReplaceAllStringFunc replaces all matches by what a function returns.
func (r *Regexp) ReplaceAllStringFunc(s string, by func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(s, by)
}

// Split returns up to n parts between the matches, all if n is negative.
func (r *Regexp) Split(s string, n int) []string { return r.compiled().Split(s, n) }

// ExpandString appends a template to dst, in which names stand for groups of a match.
func (r *Regexp) ExpandString(dst []byte, template, src string, match []int) []byte {
	return r.compiled().ExpandString(dst, template, src, match)
}

// FindAllStringIndex returns where up to n matches are, all if n is negative.
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringIndex(s, n)
}

// FindAllStringSubmatchIndex returns where up to n matches and their groups are, all if n is negative.
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringSubmatchIndex(s, n)
}
