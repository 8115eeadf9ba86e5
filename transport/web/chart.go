package web

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The size of a sparkline, in the units of its view box.
const (
	sparkWidth  = 112
	sparkHeight = 30
	sparkMargin = 3
)

// chart is a line over time, ready to be drawn as SVG.
type chart struct {
	Width, Height int
	Line          string // points of the line
	Area          string // points of the surface below it
	EndX, EndY    string // its last point
	Label         string // what it says, for who cannot see it
}

// sparkline draws how a number changed. Two values at least are needed to draw anything.
func sparkline(values []int) *chart { return newChart(values, sparkWidth, sparkHeight, sparkMargin) }

func newChart(values []int, width, height, margin int) *chart {
	if len(values) < 2 {
		return nil
	}
	low, high := slices.Min(values), slices.Max(values)
	step := float64(width-2*margin) / float64(len(values)-1)
	span := float64(max(high-low, 1))
	var line strings.Builder
	var x, y string
	for i, v := range values {
		x = coordinate(float64(margin) + float64(i)*step)
		y = coordinate(float64(height-margin) - float64(v-low)/span*float64(height-2*margin))
		if high == low {
			y = coordinate(float64(height) / 2)
		}
		fmt.Fprintf(&line, "%s,%s ", x, y)
	}
	points := strings.TrimSpace(line.String())
	return &chart{
		Width: width, Height: height, Line: points, EndX: x, EndY: y,
		Area: fmt.Sprintf("%d,%d %s %s,%d", margin, height, points, x, height),
		Label: fmt.Sprintf("from %d to %d open roles, lowest %d, highest %d",
			values[0], values[len(values)-1], low, high),
	}
}

func coordinate(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") }

// bars are a number per day.
type bars struct {
	Width, Height int
	Bars          []bar
	Peak          int
	First, Last   string // what stands below the first and the last
	Label         string
}

type bar struct {
	X, Y, Width, Height string
	Now                 bool
	Title               string
}

const (
	barPitch   = 22
	barWidth   = 15
	barsHeight = 44
)

// newBars draws counts per unit, a day or a week, the last of which is of today. names says what each bar stands for.
func newBars(counts []int, names []string, noun, unit string) *bars {
	if len(counts) == 0 {
		return nil
	}
	b := &bars{
		Width: len(counts)*barPitch - (barPitch - barWidth), Height: barsHeight, Peak: slices.Max(counts),
		First: names[0], Last: "today",
	}
	total := 0
	for i, n := range counts {
		total += n
		height := 1.0
		if n > 0 {
			height = max(3, float64(n)/float64(b.Peak)*barsHeight)
		}
		b.Bars = append(b.Bars, bar{
			X: strconv.Itoa(i * barPitch), Y: coordinate(barsHeight - height), Width: strconv.Itoa(barWidth),
			Height: coordinate(height), Now: i == len(counts)-1, Title: fmt.Sprintf("%s: %d", names[i], n),
		})
	}
	b.Label = fmt.Sprintf("%s per %s, %d in %d %ss, at most %d a %s", noun, unit, total, len(counts), unit, b.Peak, unit)
	return b
}
