package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/scraper/page/judge"
)

// example is one labelled text.
type example struct {
	title    bool
	language string
	source   string
	group    string
	text     string
	features []uint32
	weight   float64
}

func textsCommand() *cobra.Command {
	var out string
	var held bool
	c := &cobra.Command{
		Use: "texts < TSV", Short: "Train the table of texts, before it learns from pages, from labelled texts on standard input", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			examples, err := readTexts(c.InOrStdin())
			if err != nil {
				return err
			}
			written, err := writtenTexts()
			if err != nil {
				return err
			}
			examples = append(examples, written...)
			weigh(examples)
			if held {
				return holdOut(c.OutOrStdout(), examples)
			}
			return os.WriteFile(out, quantized(trainTexts(examples, textRounds)), 0o644) //nolint:gosec // a table for everybody
		},
	}
	c.Flags().StringVar(&out, "out", "tools/titles/base.bin", "the table to write")
	c.Flags().BoolVar(&held, "held-out", false, "leave out a tenth of each source, and print how well the rest judges it, by language")
	return c
}

func readTexts(r io.Reader) ([]*example, error) {
	var all []*example
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		f := strings.SplitN(lines.Text(), "\t", 5)
		if len(f) != 5 || f[0] != "0" && f[0] != "1" {
			return nil, fmt.Errorf("line %d: want label, language, source, group and text, separated by tabs", len(all)+1)
		}
		e := &example{title: f[0] == "1", language: f[1], source: f[2], group: f[3], text: f[4]}
		all = append(all, e.featured())
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, errors.New("no examples on standard input")
	}
	return all, nil
}

func (e *example) featured() *example {
	e.features = judge.AppendTextFeatures(nil, e.text)
	return e
}

// weigh makes what stands on pages count more than dictionaries, and each source count by the root of its size: a million
// names of cities teach little more than ten thousand.
func weigh(all []*example) {
	type source struct {
		name  string
		title bool
	}
	sizes := make(map[source]int)
	for _, e := range all {
		sizes[source{e.source + e.language, e.title}]++
	}
	total := [2]float64{}
	for _, e := range all {
		e.weight = 1 / math.Sqrt(float64(sizes[source{e.source + e.language, e.title}]))
		switch e.source {
		case "page", "rec", "corpus-pages", writtenSource:
			e.weight *= 6
		}
		total[side(e)] += e.weight
	}
	for _, e := range all {
		e.weight *= float64(len(all)) / 2 / total[side(e)]
	}
}

func side(e *example) int {
	if e.title {
		return 1
	}
	return 0
}

const (
	textRounds = 4
	rate       = 0.5
	decay      = 2e-7
	seed       = 18
)

// trainTexts is logistic regression by AdaGrad, one example after the other in an order that the seed fixes.
func trainTexts(all []*example, rounds int) []float64 {
	weights := make([]float64, judge.Buckets)
	teach(all, weights, make([]float64, judge.Buckets), rounds, rate, decay)
	return weights
}

// teach changes weights by all examples, so many times. Squares are what AdaGrad has summed up before.
func teach(all []*example, weights, squares []float64, rounds int, rate, decay float64) {
	random := rand.New(rand.NewPCG(seed, seed)) //nolint:gosec // repeatable by purpose
	order := random.Perm(len(all))
	for range rounds {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			learn(all[i], weights, squares, rate, decay)
		}
	}
}

func learn(e *example, weights, squares []float64, rate, decay float64) {
	scale := 1 / math.Sqrt(float64(len(e.features)))
	step := (logistic(score(e.features, weights)) - float64(side(e))) * min(e.weight, 20) * scale
	for _, b := range e.features {
		g := step + decay*weights[b]
		squares[b] += float64(g * g)
		weights[b] -= float64(rate * g / (math.Sqrt(squares[b]) + 1))
	}
}

func score(features []uint32, weights []float64) float64 {
	sum := 0.0
	for _, b := range features {
		sum += weights[b]
	}
	return sum / math.Sqrt(float64(len(features)))
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// quantized are the weights as the program embeds them: one signed byte each.
func quantized(weights []float64) []byte {
	table := make([]byte, len(weights))
	for i, w := range weights {
		table[i] = byte(int8(max(-127, min(127, math.Round(w*judge.TextStep))))) //nolint:gosec // the byte is a signed one
	}
	return table
}

// holdOut prints how well a table judges texts that it was not trained on.
func holdOut(w io.Writer, all []*example) error {
	random := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // repeatable by purpose
	var train, test []*example
	for _, e := range all {
		if random.IntN(10) == 0 {
			test = append(test, e)
		} else {
			train = append(train, e)
		}
	}
	weights := trainTexts(train, textRounds)
	type result struct{ scores [2][]float64 }
	by := make(map[string]*result)
	for _, e := range test {
		for _, key := range [...]string{e.language, "all", "from " + e.source} {
			if by[key] == nil {
				by[key] = &result{}
			}
			by[key].scores[side(e)] = append(by[key].scores[side(e)], score(e.features, weights))
		}
	}
	keys := make([]string, 0, len(by))
	for k := range by {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(by[b].scores[0])+len(by[b].scores[1]), len(by[a].scores[0])+len(by[a].scores[1])), cmp.Compare(a, b))
	})
	for _, k := range keys {
		r := by[k]
		if _, err := fmt.Fprintf(w, "%-24s %6d titles, %5.1f %% found; %6d others, %5.1f %% false; area under the curve %.3f\n", k,
			len(r.scores[1]), share(r.scores[1]), len(r.scores[0]), share(r.scores[0]), area(r.scores)); err != nil {
			return err
		}
	}
	return nil
}

func share(scores []float64) float64 {
	n := 0
	for _, s := range scores {
		if s > 0 {
			n++
		}
	}
	return 100 * float64(n) / float64(max(1, len(scores)))
}

// area is how often a title scores above another text.
func area(scores [2][]float64) float64 {
	if len(scores[0]) == 0 || len(scores[1]) == 0 {
		return math.NaN()
	}
	slices.Sort(scores[0])
	sum := 0
	for _, s := range scores[1] {
		below, _ := slices.BinarySearch(scores[0], s)
		sum += below
	}
	return float64(sum) / float64(len(scores[0])) / float64(len(scores[1]))
}
