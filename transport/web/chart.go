package web

import (
	"fmt"
	"slices"
	"strings"
)

// The size of a sparkline, in the units of its view box.
const (
	sparkWidth  = 112
	sparkHeight = 30
	sparkMargin = 3
)

// chart is a small line over time, from zero, ready to be drawn as SVG.
type chart struct {
	Width, Height int
	Line          string // points of the line
	Area          string // points of the area below it
	EndX, EndY    string // its last point
	Label         string // a description for people who cannot see it
}

// sparkline draws how a number changed. It needs at least two values.
func sparkline(values []int) *chart {
	if len(values) < 2 {
		return nil
	}
	low, high := slices.Min(values), slices.Max(values)
	step := float64(sparkWidth-2*sparkMargin) / float64(len(values)-1)
	var line strings.Builder
	var x, y string
	for i, v := range values {
		x = coordinate(sparkMargin + float64(i)*step)
		y = coordinate(sparkHeight - sparkMargin - float64(v)/float64(max(high, 1))*(sparkHeight-2*sparkMargin))
		fmt.Fprintf(&line, "%s,%s ", x, y)
	}
	points := strings.TrimSpace(line.String())
	return &chart{
		Width: sparkWidth, Height: sparkHeight, Line: points, EndX: x, EndY: y,
		Area: fmt.Sprintf("%d,%d %s %s,%d", sparkMargin, sparkHeight, points, x, sparkHeight),
		Label: fmt.Sprintf("from %d to %d open roles, lowest %d, highest %d",
			values[0], values[len(values)-1], low, high),
	}
}

func coordinate(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") }
