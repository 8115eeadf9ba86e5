package match_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/internal/match"
)

func expressions() []string {
	return []string{
		`^a|^b\b`, `(?i)\bk(elvin)?$|straße`, `(?m)^x+$`, `.\b.`, ``, `a^`, `\Bb|(?s:.)c$`,
		`\b(open|current|available)\s+(positions?|roles?)\b|offene stellen|募集中|\d+ jobs`,
	}
}

func texts() []string {
	return []string{
		"", "a", "b", "ab", "bc", "b c", "Kelvin", "K", "k", "x\ny\nxx", "y\nxx", "\n", "\nc", "a b", "STRASSE", "Straße",
		"see all open positions", "openpositions", "current  role", "12 offene stellen", "全 86 件 募集中", "7 jobs", "\xff\xfe", "open\xffroles",
	}
}

// Matching agrees with package regexp, also while several texts build the automaton at once.
func TestPatternsMatchAsTheirExpressionsDo(t *testing.T) {
	t.Parallel()
	for _, expr := range expressions() {
		p := match.New(expr)
		var together sync.WaitGroup
		for range 2 {
			together.Go(func() {
				for _, text := range texts() {
					_ = p.MatchString(text)
				}
			})
		}
		together.Wait()
		for _, text := range texts() {
			require.Equal(t, p.Regexp().MatchString(text), p.MatchString(text), "%q in %q", expr, text)
		}
	}
}

func TestFindReturnsTheFirstMatchAndItsGroups(t *testing.T) {
	t.Parallel()
	p := match.New(`(\d+) (jobs|roles)`)
	require.Equal(t, []string{"12 jobs", "12", "jobs"}, p.Find("12 jobs and 3 roles"))
	require.Nil(t, p.Find("no jobs"))
}

func TestAFaultyExpressionPanicsOnFirstUse(t *testing.T) {
	t.Parallel()
	p := match.New(`(`)
	require.Panics(t, func() { p.MatchString("x") })
}

func FuzzPattern(f *testing.F) {
	for i, text := range texts() {
		f.Add(uint(i), text)
	}
	all := expressions()
	f.Fuzz(func(t *testing.T, i uint, text string) {
		p := match.New(all[i%uint(len(all))])
		require.Equal(t, p.Regexp().MatchString(text), p.MatchString(text))
		require.Equal(t, p.Regexp().MatchString(strings.ToLower(text)), p.MatchString(strings.ToLower(text)))
	})
}
