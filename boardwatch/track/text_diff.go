package track

import (
	"slices"
	"strings"
)

// DiffLine is a line of the difference between two texts.
type DiffLine struct {
	Kind DiffKind
	Text string
}

// DiffKind says where a line is.
type DiffKind string

// The kinds of lines. A gap stands for lines that both texts have.
const (
	DiffBoth  DiffKind = ""
	DiffOld   DiffKind = "old"
	DiffNew   DiffKind = "new"
	DiffGap   DiffKind = "gap"
	diffNear           = 1       // lines that both have, before and after a difference
	diffSteps          = 250_000 // comparisons; beyond them, everything between the first and the last difference is one
)

// DiffText returns how one text became another: all lines that only one of them has, and those beside them. Empty lines do not
// count.
func DiffText(from, to string) []DiffLine {
	a, b := textLines(from), textLines(to)
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	var all []DiffLine
	add := func(kind DiffKind, lines ...string) {
		for _, line := range lines {
			all = append(all, DiffLine{kind, line})
		}
	}
	add(DiffBoth, a[:start]...)
	olds, news := a[start:len(a)-end], b[start:len(b)-end]
	if len(olds)*len(news) > diffSteps {
		add(DiffOld, olds...)
		add(DiffNew, news...)
		olds, news = nil, nil
	}
	common := commonLines(olds, news)
	i, j := 0, 0
	for i < len(olds) && j < len(news) {
		switch {
		case olds[i] == news[j]:
			add(DiffBoth, olds[i])
			i, j = i+1, j+1
		case common[i+1][j] >= common[i][j+1]:
			add(DiffOld, olds[i])
			i++
		default:
			add(DiffNew, news[j])
			j++
		}
	}
	add(DiffOld, olds[i:]...)
	add(DiffNew, news[j:]...)
	add(DiffBoth, a[len(a)-end:]...)
	return nearDifferences(all)
}

func textLines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// commonLines returns the lengths of the longest common subsequences of all endings of two lists.
func commonLines(a, b []string) [][]int {
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i, old := range slices.Backward(a) {
		for j, line := range slices.Backward(b) {
			if old == line {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	return common
}

// nearDifferences puts gaps in place of the lines that are beside no difference.
func nearDifferences(all []DiffLine) (lines []DiffLine) {
	near := make([]bool, len(all))
	for i, line := range all {
		if line.Kind == DiffBoth {
			continue
		}
		for n := max(0, i-diffNear); n <= min(len(all)-1, i+diffNear); n++ {
			near[n] = true
		}
	}
	for i, line := range all {
		switch {
		case near[i]:
			lines = append(lines, line)
		case i == 0 || near[i-1]:
			lines = append(lines, DiffLine{Kind: DiffGap})
		}
	}
	return lines
}
