package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"
)

func accuracyCommand() *cobra.Command {
	var out, each string
	c := &cobra.Command{
		Use: "accuracy [FOLDER...]", Short: "Write how well labelled pages are read by what was learned from other pages",
		RunE: func(c *cobra.Command, folders []string) error {
			l, err := readLesson(inventedPages, namedFolders(folders))
			if err != nil {
				return err
			}
			outcomes := l.read(folds - 1)
			if each != "" {
				t := totalOf(outcomes)
				if _, err := fmt.Fprintf(c.OutOrStdout(), "recall %s, precision %s, verdicts %s, wrong ok %d\n", percent(t.hit, t.want), percent(t.hit, t.hit+t.wrong),
					percent(t.right, t.pages), t.unsafe); err != nil {
					return err
				}
				return os.WriteFile(each, eachOf(outcomes), 0o600)
			}
			text := append(accuracyOf(outcomes, digestOf(l.pages), time.Now()), curveOf(l, outcomes)...)
			return os.WriteFile(out, text, 0o644) //nolint:gosec // a document
		},
	}
	c.Flags().StringVar(&out, "out", "docs/accuracy.md", "the document to write")
	c.Flags().StringVar(&each, "each", "", "write instead, to this file, what was read of each page, with why")
	return c
}

func totalOf(read []*outcome) *sums {
	total := &sums{}
	for _, o := range read {
		total.add(o)
	}
	return total
}

// eachOf is a line for each page that was not read as a careful person would: what it is, how it was read and why, what is missing and
// what is wrong, separated by tabs.
func eachOf(read []*outcome) []byte {
	var b bytes.Buffer
	for _, o := range read {
		if o.right && len(o.missing)+len(o.wrong) == 0 {
			continue
		}
		r := o.list.Reading
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s %s\t%d of %d\t%q\t%q\t%s\n", o.page.ID, o.page.Language, o.page.Shape, o.page.Verdict, r.Health, r.Cause, o.hit, o.want,
			o.missing, o.wrong, o.list.Trail)
	}
	return b.Bytes()
}

// digestOf tells labelled pages from others: the pages, their addresses and their labels.
func digestOf(pages []*labelled) string {
	sum := sha256.New()
	for _, p := range pages {
		_, _ = fmt.Fprintf(sum, "%s %s %s %v %v\n%s\n", p.ID, p.URL, p.Verdict, p.Roles, p.Ignore, p.text)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// leastShown is how many pages a kind has at least that is shown by itself.
const leastShown = 5

// accuracyOf is the document.
func accuracyOf(read []*outcome, digest string, now time.Time) []byte {
	total := totalOf(read)
	var b bytes.Buffer
	fmt.Fprintf(&b, `# How accurately pages are read

Made on %s by `+"`go run ./tools/titles accuracy`"+` from %d labelled pages of companies' own sites, %d roles in all. The pages
are real ones and not part of the repository; `+"`"+labelledPages+"`"+` names their folders ([how they are labelled](../tools/titles/README.md)).

Each page was judged by a table that was trained without it and without any other page of its organisation: the pages are dealt
into ten parts, and each part is read by what was learned from the others. The table that the program carries was trained on all of
them. The rules beside it were written before these pages were gathered, except for what tells the people of a company from its
roles, what a list adds to its titles (arrows, labels, numbers, signs at the end), the labels of tabs, what careers pages are called, cards
that stand twice, statements that contradict a list, and how sure a list must be to be whole, which were written with a look at some.

Digest of the pages: `+"`%s`"+`.

- **Recall**: of the roles that the labels name, how many were read.
- **Precision**: of the roles that were read, how many the labels name.
- **Verdicts**: pages of which a careful person would say the same: `+"`ok`"+` where the whole list is there, not `+"`ok`"+` where there is no list.
- **Wrong ok**: `+"`ok`"+` although roles are missing or the page holds no list.

| pages | roles | recall | precision | verdicts | wrong ok |
|---:|---:|---:|---:|---:|---:|
| %d | %d | %s %% | %s %% | %s %% | %d |

`, now.Format(time.DateOnly), total.pages, total.want, digest, total.pages, total.want, percent(total.hit, total.want),
		percent(total.hit, total.hit+total.wrong), percent(total.right, total.pages), total.unsafe)
	fmt.Fprintf(&b, "Of %d readings that are `ok` and show roles, %d have all roles of the page and nothing else.\n", total.whole, total.truly)
	b.WriteString("\n## By language\n\n")
	writeTable(&b, read, "language", func(o *outcome) string { return o.page.Language })
	b.WriteString("\n## By what the page is\n\n")
	writeTable(&b, read, "page", func(o *outcome) string { return verdictWords[o.page.Verdict] })
	b.WriteString("\n## By how its roles are written\n\nKinds of page with fewer than five pages are counted as \"other\".\n\n")
	shapes := make(map[string]int)
	for _, o := range read {
		shapes[o.page.Shape]++
	}
	writeTable(&b, read, "kind", func(o *outcome) string {
		if o.page.Shape == "" || shapes[o.page.Shape] < leastShown {
			return "other"
		}
		return o.page.Shape
	})
	return b.Bytes()
}

//nolint:gochecknoglobals // a constant table
var verdictWords = map[string]string{
	"ok": "the whole list", "list": "roles, perhaps not all", "empty": "says that there are none", "none": "no list", "text": "an offer in running text",
	"partial": "a part of the list",
}

func writeTable(b *bytes.Buffer, read []*outcome, name string, keyOf func(*outcome) string) {
	parts := make(map[string]*sums)
	for _, o := range read {
		key := keyOf(o)
		if parts[key] == nil {
			parts[key] = &sums{}
		}
		parts[key].add(o)
	}
	fmt.Fprintf(b, "| %s | pages | roles | recall | precision | verdicts | wrong ok |\n|---|---:|---:|---:|---:|---:|---:|\n", name)
	for _, key := range slices.SortedFunc(maps.Keys(parts), func(x, y string) int {
		return cmp.Or(cmp.Compare(parts[y].pages, parts[x].pages), cmp.Compare(x, y))
	}) {
		s := parts[key]
		fmt.Fprintf(b, "| %s | %d | %d | %s | %s | %s | %d |\n", key, s.pages, s.want, percent(s.hit, s.want), percent(s.hit, s.hit+s.wrong), percent(s.right, s.pages), s.unsafe)
	}
}

// curveOf is the section that says what more pages would bring.
func curveOf(l *lesson, whole []*outcome) []byte {
	var b bytes.Buffer
	b.WriteString("\n## By how much was learned from\n\nThe same, with only so many of the other nine parts beside the invented pages.\n\n")
	b.WriteString("| parts | recall | precision | verdicts | wrong ok |\n|---:|---:|---:|---:|---:|\n")
	row := func(parts int, read []*outcome) {
		s := totalOf(read)
		fmt.Fprintf(&b, "| %d | %s | %s | %s | %d |\n", parts, percent(s.hit, s.want), percent(s.hit, s.hit+s.wrong), percent(s.right, s.pages), s.unsafe)
	}
	for _, parts := range []int{0, 1, 2, 4} {
		row(parts, l.read(parts))
	}
	row(folds-1, whole)
	return b.Bytes()
}

// read reads each page by a model that was trained on the invented pages and on so many of the other folds.
func (l *lesson) read(parts int) []*outcome {
	read := make([]*outcome, len(l.pages))
	for fold := range folds {
		m := l.model(func(other int) bool {
			distance := (other - fold + folds) % folds
			return distance > 0 && distance <= parts
		})
		for i, p := range l.pages {
			if p.fold == fold {
				read[i] = p.read(m)
			}
		}
	}
	return read
}

// namedFolders are the folders named, or those of the environment.
func namedFolders(folders []string) []string {
	if len(folders) > 0 {
		return folders
	}
	return filepath.SplitList(os.Getenv(labelledPages)) //nolint:forbidigo // real pages are named as recordings are
}
