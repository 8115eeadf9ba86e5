package page

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/internal/match"
)

// patterns are expressions of every kind that the vocabulary has.
func patterns() []*match.Pattern {
	all := []*match.Pattern{
		openings, closings, asides, unsolicited, actions, negations(), invites, several, aboutFilter, applyButton, applies, terms, contract,
		placeLabel, groupLabel, titleLabel, codeLabel, remote, missing, maintenance, signIn, relocated, consent, brokenList, roleGone,
		titleMark, workMark, loadMore, allRoles, chosen, nextText, jobNouns, totals, toRoles, toCareers, careersAt,
	}
	for _, d := range denials() {
		all = append(all, d.not, d.says, d.limits, d.contrasts)
	}
	return all
}

func texts(tb testing.TB) []string {
	tb.Helper()
	all := []string{
		"", "a", "b", "ab", "bc", "Kelvin", "K", "x\ny\nxx", "y\nxx", "\n", "a b", "no open positions", "there are no open positions at the moment", "we are not currently hiring",
		"derzeit haben wir keine offenen stellen", "nous n'avons aucune offre d'emploi pour le moment", "現在募集しておりません", "募集は行っておりません", "нет открытых вакансий",
		"jetzt bewerben", "apply now", "full-time", "3 days ago", "€ 40.000", "404 not found", "не найдена", "load more jobs", "もっと見る", "全 86 件中 86 件", "\xff\xfe", "no\xffopen positions", "open\u00a0positions",
	}
	for _, page := range pagesOf(tb) {
		d := Parse([]byte(page), fuzzAddress(tb))
		for _, e := range d.elements {
			if text := e.folded(); e.own && len(text) < 80 && !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	return all
}

// A pattern and its expression always agree, also while several texts build its automaton at once.
func TestPatternsAgreeWithTheirExpressions(t *testing.T) {
	t.Parallel()
	all := texts(t)
	for _, p := range patterns() {
		told := make([][]bool, 2)
		var together sync.WaitGroup
		for i := range told {
			together.Go(func() {
				for _, text := range all {
					told[i] = append(told[i], p.MatchString(text))
				}
			})
		}
		together.Wait()
		require.Equal(t, told[0], told[1])
		for i, text := range all {
			if i%7 == 0 || told[0][i] {
				require.Equal(t, p.Regexp().MatchString(text), told[0][i], "%.60q in %q", p.Regexp(), text)
			}
		}
	}
}

func FuzzPattern(f *testing.F) {
	for i, text := range texts(f) {
		f.Add(uint(i), text)
	}
	all := patterns()
	f.Fuzz(func(t *testing.T, i uint, text string) {
		p := all[i%uint(len(all))]
		for _, text := range [...]string{text, Fold(text)} {
			require.Equal(t, p.Regexp().MatchString(text), p.MatchString(text), "%.80s", p.Regexp())
		}
	})
}
