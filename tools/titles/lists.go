package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/scraper/page/judge"
)

// listExample is one list of a page, and whether it holds the roles.
type listExample struct {
	page   *labelled
	roles  bool
	signs  judge.Signs
	text   string
	taken  bool
	size   int
	weight float64 // how much it counts
}

func listsCommand() *cobra.Command {
	var texts, lists string
	var crossed, told, unseen bool
	var calibration string
	c := &cobra.Command{
		Use: "lists [FOLDER...]", Short: "Train the weights of lists, and the table of texts further, from the invented pages and labelled real ones",
		RunE: func(c *cobra.Command, folders []string) error {
			l, err := readLesson(inventedPages, namedFolders(folders))
			if err != nil {
				return err
			}
			switch {
			case unseen:
				return printUnseen(c.OutOrStdout(), slices.Concat(l.invented, l.pages))
			case calibration != "":
				return os.WriteFile(calibration, calibrationOf(judgedUnseen(l.lists(everyFold))), 0o644) //nolint:gosec // a document
			case crossed:
				return crossValidate(c.OutOrStdout(), l.lists(everyFold), told)
			}
			m := l.model(everyFold)
			data, err := json.Marshal(m)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintln(c.OutOrStdout(), "digest of the pages:", l.digest()); err != nil {
				return err
			}
			if err := os.WriteFile(texts, []byte(m.Texts), 0o644); err != nil { //nolint:gosec // a table for everybody
				return err
			}
			return os.WriteFile(lists, append(data, '\n'), 0o644) //nolint:gosec // a table for everybody
		},
	}
	c.Flags().StringVar(&texts, "texts", "scraper/page/judge/texts.bin", "the table of texts to write")
	c.Flags().StringVar(&lists, "out", "scraper/page/judge/lists.json", "the weights to write")
	c.Flags().BoolVar(&crossed, "cross-validate", false, "leave out a tenth of the pages at a time, and print how well the rest judges them")
	c.Flags().StringVar(&calibration, "calibration", "", "leave out a tenth of the pages at a time, and write to this file how far the rest's probabilities can be trusted")
	c.Flags().BoolVar(&unseen, "unseen", false, "print the roles that stand in no list of their page: no judge can find these")
	c.Flags().BoolVar(&told, "verbose", false, "with --cross-validate, print what was judged wrongly")
	return c
}

// printUnseen prints the roles that stand in no list of their page.
func printUnseen(w io.Writer, pages []*labelled) error {
	seen, all := 0, 0
	for _, p := range pages {
		titles := make(map[string]bool)
		for _, l := range p.listsBy(nil) {
			for _, t := range l.Titles {
				titles[page.Fold(t)] = true
			}
		}
		for _, r := range p.Roles {
			all++
			if slices.ContainsFunc(r.Titles, func(t string) bool { return titles[page.Fold(t)] }) {
				seen++
			} else if _, err := fmt.Fprintf(w, "%-22s %s\n", p.ID, r.Titles[0]); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprintf(w, "%d of %d roles stand in a list\n", seen, all)
	return err
}

// lists are the lists of a page with their labels. Lists of which a part is roles, or nobody can say, are left out.
func (p *labelled) lists(m *judge.Model) []*listExample {
	titles, ignored := p.named()
	var all []*listExample
	for _, l := range p.listsBy(m) {
		if len(l.Titles) == 0 {
			continue
		}
		roles, unknown := 0, 0
		for _, t := range l.Titles {
			if holdsTitle(page.Fold(t), titles) {
				roles++
			} else if ignored[page.Fold(t)] {
				unknown++
			}
		}
		n := len(l.Titles)
		if unknown*2 > n || p.ignoresAll() || roles > 0 && roles*2 < n {
			continue
		}
		all = append(all, &listExample{page: p, roles: roles > 0, signs: l.Signs, size: n, weight: 1, taken: l.Taken, text: strings.Join(l.Titles[:min(4, n)], " / ")})
	}
	return all
}

// holdsTitle reports whether the text is a title, or begins with one: where a title ends is another question.
func holdsTitle(text string, titles map[string]bool) bool {
	if titles[text] {
		return true
	}
	for t := range titles {
		if len(t) > 5 && strings.HasPrefix(text, t) && len(text) < 3*len(t) {
			return true
		}
	}
	return false
}

const (
	listSteps = 3000
	listRate  = 0.3
	listDecay = 0.01
)

// trainLists trains both halves of the model.
func trainLists(all []*listExample) *judge.Model {
	return &judge.Model{Line: *trainLine(all), Forest: *growForest(all)}
}

// trainLine is logistic regression over the standardised signs, by gradient descent over all examples at once.
func trainLine(all []*listExample) *judge.Line {
	m := &judge.Line{Mean: make([]float64, judge.SignCount), Scale: make([]float64, judge.SignCount), Weights: make([]float64, judge.SignCount)}
	n := float64(len(all))
	for i := range judge.SignCount {
		for _, e := range all {
			m.Mean[i] += e.signs[i] / n
		}
		for _, e := range all {
			m.Scale[i] += (e.signs[i] - m.Mean[i]) * (e.signs[i] - m.Mean[i]) / n
		}
		m.Scale[i] = math.Sqrt(m.Scale[i]) + 1e-3
	}
	weights, scaled := listWeights(all), make([]judge.Signs, len(all))
	for j, e := range all {
		for i := range judge.SignCount {
			scaled[j][i] = max(-4, min(4, (e.signs[i]-m.Mean[i])/m.Scale[i]))
		}
	}
	for range listSteps {
		var gradient judge.Signs
		bias := 0.0
		for j, e := range all {
			label, odds := 0.0, m.Bias
			if e.roles {
				label = 1
			}
			for i, w := range m.Weights {
				odds += w * scaled[j][i]
			}
			step := (judge.Probability(odds) - label) * weights[j] / n
			bias += step
			for i := range gradient {
				gradient[i] += step * scaled[j][i]
			}
		}
		m.Bias -= listRate * bias
		for i := range gradient {
			m.Weights[i] -= listRate * (gradient[i] + listDecay*m.Weights[i])
		}
	}
	for i := range m.Weights {
		m.Weights[i], m.Mean[i], m.Scale[i] = rounded(m.Weights[i]), rounded(m.Mean[i]), rounded(m.Scale[i])
	}
	m.Bias = rounded(m.Bias)
	return m
}

func rounded(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// verdict is what weights that were trained without a list's page make of the list.
type verdict struct {
	*listExample
	odds float64
}

// judgedUnseen judges each list by weights that were trained without its page.
func judgedUnseen(all []*listExample) []verdict {
	verdicts := make([]verdict, 0, len(all))
	for fold := range folds {
		var train, test []*listExample
		for _, e := range all {
			if e.page.fold == fold {
				test = append(test, e)
			} else {
				train = append(train, e)
			}
		}
		m := trainLists(train)
		for _, e := range test {
			verdicts = append(verdicts, verdict{e, m.Score(&e.signs)})
		}
	}
	return verdicts
}

// crossValidate prints how well lists are judged by weights that were trained without their pages, and, when told, what was
// judged wrongly.
func crossValidate(w io.Writer, all []*listExample, told bool) error {
	var right, missed, wrong, rulesMissed, rulesWrong int
	for _, v := range judgedUnseen(all) {
		accepted := v.signs[judge.Accepted] > 0
		switch {
		case v.roles && v.odds <= 0:
			missed++
		case !v.roles && v.odds > 0:
			wrong++
		default:
			right++
		}
		if v.roles && !accepted {
			rulesMissed++
		}
		if !v.roles && accepted {
			rulesWrong++
		}
		if told && v.roles != (v.odds > 0) {
			if _, err := fmt.Fprintf(w, "%-22s roles %-5v %6.2f rules %5.2f taken %-5v %d: %.90s\n", v.page.ID, v.roles, v.odds, v.signs[judge.Rules], v.taken, v.size, v.text); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprintf(w, "%d lists: %d right, %d of roles missed, %d others taken; the rules alone: %d missed, %d taken\n", len(all), right, missed, wrong, rulesMissed, rulesWrong)
	return err
}
