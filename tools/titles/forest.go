package main

import (
	"cmp"
	"math"
	"slices"

	"github.com/boardwatch/boardwatch/scraper/page/judge"
)

// How the trees grow.
const (
	trees     = 150
	treeDepth = 3
	shrink    = 0.08
	leafLeast = 6.0 // examples in a leaf, by weight
	ridge     = 2.0
)

// grower grows trees by gradient boosting: each corrects what those before it got wrong.
type grower struct {
	examples []*listExample
	weights  []float64
	odds     []float64
	gradient []float64
	hessian  []float64
	order    [judge.SignCount][]int // of all examples, by each sign
	within   []bool                 // whether an example is of the node that is split
}

func growForest(all []*listExample) *judge.Forest {
	g := &grower{examples: all, weights: listWeights(all), odds: make([]float64, len(all)), gradient: make([]float64, len(all)), hessian: make([]float64, len(all)), within: make([]bool, len(all))}
	f := &judge.Forest{}
	rows := make([]int, len(all))
	for i := range rows {
		rows[i] = i
	}
	for sign := range g.order {
		g.order[sign] = slices.Clone(rows)
		slices.SortStableFunc(g.order[sign], func(a, b int) int { return cmp.Compare(all[a].signs[sign], all[b].signs[sign]) })
	}
	for range trees {
		for i, e := range all {
			p, label := judge.Probability(g.odds[i]), 0.0
			if e.roles {
				label = 1
			}
			g.gradient[i], g.hessian[i] = g.weights[i]*(label-p), g.weights[i]*p*(1-p)
		}
		var t judge.Tree
		g.grow(&t, rows, treeDepth)
		f.Trees = append(f.Trees, t)
		for i, e := range all {
			g.odds[i] += t.Score(&e.signs)
		}
	}
	return f
}

// listWeights make lists of roles count as much as there are few of them, within reason.
func listWeights(all []*listExample) []float64 {
	positives := 0
	for _, e := range all {
		if e.roles {
			positives++
		}
	}
	up := math.Sqrt(float64(len(all)-positives) / float64(max(1, positives)))
	weights := make([]float64, len(all))
	for i, e := range all {
		weights[i] = e.weight
		if e.roles {
			weights[i] *= up
		}
	}
	return weights
}

// grow adds a node for the rows, and those below it, and gives its number.
func (g *grower) grow(t *judge.Tree, rows []int, depth int) int {
	at := len(*t)
	sum, curve := g.sums(rows)
	*t = append(*t, judge.Node{Sign: -1, Value: rounded(shrink * sum / (curve + ridge))})
	if depth == 0 {
		return at
	}
	sign, limit, gain := g.split(rows, sum, curve)
	if gain < 1e-3 {
		return at
	}
	var low, high []int
	for _, r := range rows {
		if g.examples[r].signs[sign] < limit {
			low = append(low, r)
		} else {
			high = append(high, r)
		}
	}
	left := g.grow(t, low, depth-1)
	right := g.grow(t, high, depth-1)
	(*t)[at] = judge.Node{Sign: sign, Limit: limit, Low: left, High: right}
	return at
}

func (g *grower) sums(rows []int) (gradient, hessian float64) {
	for _, r := range rows {
		gradient += g.gradient[r]
		hessian += g.hessian[r]
	}
	return gradient, hessian
}

// split finds the sign and the limit that part the rows best.
func (g *grower) split(rows []int, sum, curve float64) (sign int, limit, gain float64) {
	base := sum * sum / (curve + ridge)
	for _, r := range rows {
		g.within[r] = true
	}
	order := make([]int, 0, len(rows))
	for s := range judge.SignCount {
		order = order[:0]
		for _, r := range g.order[s] {
			if g.within[r] {
				order = append(order, r)
			}
		}
		var gl, hl, wl float64
		for i := range len(order) - 1 {
			r := order[i]
			gl, hl, wl = gl+g.gradient[r], hl+g.hessian[r], wl+g.weights[r]
			x, y := g.examples[r].signs[s], g.examples[order[i+1]].signs[s]
			if x == y || wl < leafLeast || float64(len(order)-i-1) < leafLeast {
				continue
			}
			better := gl*gl/(hl+ridge) + (sum-gl)*(sum-gl)/(curve-hl+ridge) - base
			if better > gain+1e-9 {
				sign, limit, gain = s, rounded((x+y)/2), better
			}
		}
	}
	for _, r := range rows {
		g.within[r] = false
	}
	return sign, limit, gain
}
