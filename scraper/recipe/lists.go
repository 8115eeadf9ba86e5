package recipe

import (
	"cmp"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper/page"
)

// Bounds of the lists that are offered to a person.
const (
	maxLists = 8
	maxFirst = 5
	leastOf  = 2 // texts in a list
	longest  = 140
)

// Lists are the texts of a page in groups that are written alike, as somebody may choose one of them: those that read most like
// roles first. Navigation and footer are left
// out, and so are elements without text of their own.
func Lists(d *page.Document) []boardwatch.TextList {
	l := newLook(parse(d, false))
	groups := make(map[string][]*place)
	var order []string
	for _, e := range l.all {
		if e.text == "" || e.chrome || len(e.text) > longest || len(e.text) < 3 || len(l.tree.Lines(e.node, true, false)) == 0 {
			continue
		}
		way := e.way()
		if groups[way] == nil {
			order = append(order, way)
		}
		groups[way] = append(groups[way], e)
	}
	var lists []boardwatch.TextList
	worth := make(map[string]float64)
	for _, way := range order {
		list, ok := l.textList(groups[way])
		if !ok || slices.ContainsFunc(lists, func(o boardwatch.TextList) bool { return slices.Equal(o.First, list.First) }) {
			continue
		}
		lists = append(lists, list)
		worth[list.First[0]] = l.worthOf(groups[way])
	}
	slices.SortStableFunc(lists, func(a, b boardwatch.TextList) int { return cmp.Compare(worth[b.First[0]], worth[a.First[0]]) })
	return lists[:min(len(lists), maxLists)]
}

// way is how an element is written: its tag and classes, and those of what it stands in.
func (e *place) way() string {
	parts := make([]string, 0, 3)
	for a := e; a != nil && len(parts) < 3; a = a.parent {
		parts = append(parts, step{tag: a.tag, classes: a.classes}.String())
	}
	return strings.Join(parts, " < ")
}

// textList is a group as it is shown. ok is false when it is none that somebody could mean.
func (l *look) textList(of []*place) (list boardwatch.TextList, ok bool) {
	for _, e := range of {
		if slices.Contains(list.First, e.text) {
			continue
		}
		if list.Count++; len(list.First) < maxFirst {
			list.First = append(list.First, e.text)
		}
	}
	return list, list.Count >= leastOf
}

// worthOf is how much a group reads like roles.
func (l *look) worthOf(of []*place) float64 {
	worth := 0.0
	for _, e := range of {
		switch {
		case l.namesRole(e):
			worth++
		case isSentence(e.text), l.tree.NamesTerms(e.text), l.tree.NamesPlace(e.text):
			worth -= 0.5
		}
		if l.tree.OtherMatter(e.node) {
			worth -= 0.5
		}
	}
	return worth / float64(len(of)) * min(float64(len(of)), 5)
}
