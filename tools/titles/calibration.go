package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/boardwatch/boardwatch/scraper/page/judge"
)

// tally counts lists.
type tally struct{ lists, roles, found, others int }

// calibrationOf is a document that says how far the probabilities of lists can be trusted, and how well lists are judged by
// language.
func calibrationOf(verdicts []verdict) []byte {
	steps := make([]tally, 10)
	languages := make(map[string]*tally)
	seen := make(map[string]bool) // a page that counts twice in training is one page here
	for _, v := range verdicts {
		id := fmt.Sprint(v.page.ID, v.signs)
		if seen[id] {
			continue
		}
		seen[id] = true
		p := judge.Probability(v.odds)
		if languages[v.page.Language] == nil {
			languages[v.page.Language] = &tally{}
		}
		for _, t := range [...]*tally{&steps[min(9, int(p*10))], languages[v.page.Language]} {
			t.lists++
			switch {
			case v.roles && v.odds > 0:
				t.roles++
				t.found++
			case v.roles:
				t.roles++
			case v.odds > 0:
				t.others++
			}
		}
	}
	var b bytes.Buffer
	b.WriteString(`# How far the judge can be trusted

This document is written by ` + "`go run ./tools/titles lists --calibration docs/calibration.md FOLDER...`" + `, with the folders
that the shipped weights were trained on ([which these are](../tools/titles/README.md)), from lists of pages that the weights
had not been trained on: a tenth of the pages at a time was left out.

| the judge gives | lists | of them roles |
|---|---:|---:|
`)
	for i, t := range steps {
		fmt.Fprintf(&b, "| %d to %d %% | %d | %.0f %% |\n", i*10, i*10+10, t.lists, 100*float64(t.roles)/float64(max(1, t.lists)))
	}
	b.WriteString("\nBy language of the page, with 50 % as the limit:\n\n| language | lists of roles | found | other lists taken |\n|---|---:|---:|---:|\n")
	for _, l := range slices.SortedFunc(maps.Keys(languages), func(a, b string) int {
		return cmp.Or(cmp.Compare(languages[b].roles, languages[a].roles), cmp.Compare(a, b))
	}) {
		t := languages[l]
		fmt.Fprintf(&b, "| %s | %d | %d | %d of %d |\n", l, t.roles, t.found, t.others, t.lists-t.roles)
	}
	return b.Bytes()
}
