package main

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/scraper/page/judge"
)

// outcome is how a reading of a page stands against its labels.
type outcome struct {
	page    *labelled
	list    page.List
	want    int      // roles that the labels name
	hit     int      // of them read
	missing []string // the others
	wrong   []string // what was read and is no role
	right   bool     // a careful reader would say the same of the page
	unsafe  bool     // it counts as whole and is not
}

// read reads a page as the program does, without asking for any other; its lists are judged by m, or, nil, by what the program
// carries.
func (p *labelled) read(m *judge.Model) *outcome {
	d := page.Parse(p.text, p.at)
	d.JudgeBy(m)
	return p.compare(d.Candidates(p.at).Verdict(page.Visit{Asked: p.at, At: p.at, Text: p.text}))
}

// compare holds a reading against the labels.
func (p *labelled) compare(l page.List) *outcome {
	o := &outcome{page: p, list: l, want: len(p.Roles)}
	left := make(map[string]int)
	for _, q := range l.Reading.Postings {
		left[normal(q.Title)]++
	}
	for _, r := range p.Roles {
		at := slices.IndexFunc(r.Titles, func(t string) bool { return left[normal(t)] > 0 })
		if at < 0 {
			o.missing = append(o.missing, r.Titles[0])
			continue
		}
		left[normal(r.Titles[at])]--
		o.hit++
	}
	ignored := make(map[string]bool)
	for _, t := range p.Ignore {
		ignored[normal(t)] = true
	}
	for _, q := range l.Reading.Postings {
		if t := normal(q.Title); left[t] > 0 {
			left[t]--
			if !ignored[t] && !p.ignoresAll() {
				o.wrong = append(o.wrong, q.Title)
			}
		}
	}
	o.weigh()
	return o
}

// weigh says whether the verdict is right, and whether it is a dangerous one.
func (o *outcome) weigh() {
	health, none := o.list.Reading.Health, len(o.list.Reading.Postings) == 0
	whole := health == boardwatch.HealthOK
	switch o.page.Verdict {
	case "ok":
		o.right, o.unsafe = whole, whole && len(o.missing) > 0
	case "list":
		o.right, o.unsafe = whole || health == boardwatch.HealthPartial, whole && len(o.missing) > 0
	case "partial":
		o.right, o.unsafe = health == boardwatch.HealthPartial || health == boardwatch.HealthFailed && o.want == 0, whole
	case "empty":
		o.right = whole && none
	case "none":
		o.right, o.unsafe = !whole && len(o.wrong) == 0, whole
	case "text":
		o.right = !whole || !none
		o.wrong = nil
	}
}

// isWhole reports whether all roles of the page were read, and nothing else.
func (o *outcome) isWhole() bool {
	return len(o.missing) == 0 && len(o.wrong) == 0 && o.want > 0
}

// sums are the figures of several pages.
type sums struct{ pages, want, hit, wrong, right, unsafe, whole, truly int }

func (s *sums) add(o *outcome) {
	s.pages++
	s.want += o.want
	s.hit += o.hit
	s.wrong += len(o.wrong)
	count(&s.right, o.right)
	count(&s.unsafe, o.unsafe)
	ok := o.list.Reading.Health == boardwatch.HealthOK && len(o.list.Reading.Postings) > 0
	count(&s.whole, ok)
	count(&s.truly, ok && o.isWhole())
}

func count(n *int, is bool) {
	if is {
		*n++
	}
}

func percent(a, b int) string {
	if b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", 100*float64(a)/float64(b))
}

// normal is a title without what fonts and typists make different.
func normal(s string) string {
	s = strings.NewReplacer("’", "'", "‘", "'", "–", "-", "—", "-", "‑", "-", "\u200b", "", "\u00ad", "", "\ufeff", "", "\ufe0f", "").Replace(norm.NFKC.String(s))
	return strings.ToLower(strings.Join(strings.Fields(s), " "))
}
