package main

import (
	_ "embed" // for the table
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/scraper/page/judge"
)

// baseTexts is the table of texts before it learns from pages: what the command texts made.
//
//go:embed base.bin
var baseTexts string

// examples are the texts of a page's lists with their labels, each once. Texts that begin with a title are left out: where a title ends is
// another question.
func (p *labelled) examples() []*example {
	if p.Verdict == "text" || p.ignoresAll() {
		return nil
	}
	titles, seen := p.named()
	var all []*example
	for _, l := range p.listsBy(&judge.Model{Texts: baseTexts}) {
		for _, t := range l.Titles {
			text := page.Fold(t)
			if seen[text] || !titles[text] && holdsTitle(text, titles) {
				continue
			}
			seen[text] = true
			e := &example{title: titles[text], language: p.Language, source: "page", group: p.ID, text: t}
			all = append(all, e.featured())
		}
	}
	return all
}

// named are the titles that the labels name, and the texts that count neither way, folded.
func (p *labelled) named() (titles, ignored map[string]bool) {
	titles, ignored = make(map[string]bool), make(map[string]bool)
	for _, r := range p.Roles {
		for _, t := range r.Titles {
			titles[page.Fold(t)] = true
		}
	}
	for _, t := range p.Ignore {
		ignored[page.Fold(t)] = true
	}
	return titles, ignored
}

// ignoresAll reports whether the labels say nothing of what they do not name.
func (p *labelled) ignoresAll() bool {
	return slices.ContainsFunc(p.Ignore, func(s string) bool { return strings.HasPrefix(s, "*") })
}

// Few texts of pages are titles: together they count as much as all others, but none more than so many. The table moves slowly, so that it
// keeps what it knows.
const (
	mostTitle  = 20
	pageRounds = 4
	pageRate   = 0.2
	pageStart  = 10 // of the sums of squares by which AdaGrad slows down
)

// tuned is the base table, taught by texts of pages.
func tuned(all []*example) string {
	if len(all) == 0 {
		return baseTexts
	}
	weights := make([]float64, len(baseTexts))
	for i := range weights {
		weights[i] = float64(int8(baseTexts[i])) / judge.TextStep //nolint:gosec // the byte is a signed one
	}
	var counts [2]float64
	for _, e := range all {
		counts[side(e)]++
	}
	for _, e := range all {
		e.weight = min(mostTitle, (counts[0]+counts[1])/2/counts[side(e)])
	}
	teach(all, weights, slices.Repeat([]float64{pageStart}, len(weights)), pageRounds, pageRate, 0)
	return string(quantized(weights))
}

// lesson is what is learned from: labelled pages in folds, with their texts, and the invented pages.
type lesson struct {
	pages, invented []*labelled
	texts           map[*labelled][]*example
}

// readLesson reads the invented pages and those of the other folders.
func readLesson(invented string, folders []string) (*lesson, error) {
	pages, err := readPages(folders)
	if err != nil {
		return nil, err
	}
	others, err := readPages([]string{invented})
	if err != nil {
		return nil, err
	}
	return newLesson(pages, others), nil
}

// digest tells what was learned from.
func (l *lesson) digest() string { return digestOf(slices.Concat(l.invented, l.pages)) }

func newLesson(pages, invented []*labelled) *lesson {
	l := &lesson{pages, invented, make(map[*labelled][]*example, len(pages))}
	for _, p := range pages {
		l.texts[p] = p.examples()
	}
	return l
}

// textsOf is a table of texts that was taught by the pages in these folds.
func (l *lesson) textsOf(taught func(fold int) bool) string {
	var all []*example
	for _, p := range l.pages {
		if taught(p.fold) {
			all = append(all, l.texts[p]...)
		}
	}
	return tuned(all)
}

// lists are the lists of the pages in these folds and of the invented ones. The texts of each are scored by a table that was taught by the
// other folds: a judge that learned from scores of texts that the table knew would trust it too much.
func (l *lesson) lists(among func(fold int) bool) []*listExample {
	var all []*listExample
	for fold := range folds {
		if !among(fold) {
			continue
		}
		m := &judge.Model{Texts: l.textsOf(func(other int) bool { return among(other) && other != fold })}
		for _, p := range l.pages {
			if p.fold == fold {
				all = append(all, p.lists(m)...)
			}
		}
	}
	m := &judge.Model{Texts: l.textsOf(among)}
	for _, p := range l.invented {
		all = append(all, p.lists(m)...)
	}
	return all
}

// model is what is learned from the pages in these folds.
func (l *lesson) model(among func(fold int) bool) *judge.Model {
	m := trainLists(l.lists(among))
	m.Texts = l.textsOf(among)
	return m
}

func everyFold(int) bool { return true }

// listsBy are the lists of the page, their texts scored by a model.
func (p *labelled) listsBy(m *judge.Model) []page.Evidence {
	d := page.Parse(p.text, p.at)
	d.JudgeBy(m)
	return d.Lists()
}
