package web

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The size of a plot, in the units of its view box. It is stretched to the width of the page.
const (
	plotWidth  = 960
	plotHeight = 160
	flowHeight = 72
	leastBar   = 2 // so that one role is visible beside hundreds
)

// plot is a chart of a whole period, in days or weeks. It begins at zero, and where nothing is known it is empty.
type plot struct {
	Unit  string // day or week
	First string // the name of the first day or week, and of one in the middle
	Mid   string
	Open  panel // lines
	Flow  *panel
	Hits  []hit // what is said of each day or week, oldest first
	Label string

	days    []time.Time // the first day of each day or week
	columns []series
	known   int // how many of the last days have a value of a line
}

// panel is a part of a plot with an axis of its own.
type panel struct {
	Width, Height int
	Marks         []axisMark // highest first
	Lines         []plotLine
	Bars          []bar
	Zero          string // where the zero line is
}

// axisMark is a value at the vertical axis; an empty text keeps the place of one.
type axisMark struct{ Text, Y string }

// plotLine is a line of a plot. It begins where its first value is known.
type plotLine struct{ Name, Class, Points, Area, EndX, EndY string }

// bar is one bar of a plot.
type bar struct{ Class, X, Y, Width, Height string }

// hit is a day or a week, as it is described under the pointer.
type hit struct{ Name, Text string }

// series is a row of values, one for each day or week; it may be shorter than others if its first values are not known.
type series struct {
	Name   string
	Values []int
}

// newPlot draws lines over days or weeks.
func newPlot(unit string, days []time.Time, lines ...series) *plot {
	p := &plot{Unit: unit, First: days[0].Format("2 Jan"), Mid: days[len(days)/2].Format("2 Jan"), days: days, columns: lines}
	peak := 0
	for _, l := range lines {
		peak = max(peak, slices.Max(append([]int{0}, l.Values...)))
		p.known = max(p.known, len(l.Values))
	}
	top := roundTop(peak)
	p.Open = panel{Width: plotWidth, Height: plotHeight, Zero: strconv.Itoa(plotHeight)}
	for _, v := range []int{top, top / 2, 0} {
		p.Open.Marks = append(p.Open.Marks, axisMark{number(v), coordinate(plotHeight - float64(v)/float64(top)*plotHeight)})
	}
	for i, l := range lines {
		p.Open.Lines = append(p.Open.Lines, drawLine(l, len(days), top, "s"+strconv.Itoa(i+1)))
	}
	for i, day := range days {
		var said []string
		for _, l := range lines {
			if at := i - len(days) + len(l.Values); at >= 0 {
				said = append(said, spoken(l.Name, l.Values[at], len(lines) > 1))
			}
		}
		p.Hits = append(p.Hits, hit{day.Format("2 Jan 2006"), strings.Join(said, ", ")})
	}
	p.Label = fmt.Sprintf("open roles over %d %ss, at most %d", len(days), unit, peak)
	return p
}

// withFlow adds bars for what opened, upwards, and for what closed, downwards.
func (p *plot) withFlow(found, closed []int) {
	p.columns = append(p.columns, series{"opened", found}, series{"closed", closed})
	up, down := slices.Max(found), slices.Max(closed)
	if up+down == 0 {
		return
	}
	scale := float64(flowHeight) / float64(up+down)
	zero := float64(up) * scale
	pitch := float64(plotWidth) / float64(len(found))
	f := &panel{Width: plotWidth, Height: flowHeight, Zero: coordinate(zero)}
	f.Marks = []axisMark{{Y: "0"}, {Y: strconv.Itoa(flowHeight)}}
	if up > 0 {
		f.Marks[0].Text = "+" + number(up)
	}
	if down > 0 {
		f.Marks[1].Text = "−" + number(down)
	}
	draw := func(i, n int, class string) {
		if n == 0 {
			return
		}
		height := max(leastBar, float64(n)*scale)
		top := zero
		if class == "up" {
			top = max(0, zero-height)
		} else if top+height > flowHeight {
			top = flowHeight - height
		}
		f.Bars = append(f.Bars, bar{class, coordinate((float64(i) + .15) * pitch), coordinate(top), coordinate(pitch * .7), coordinate(height)})
	}
	for i := range found {
		draw(i, found[i], "up")
		draw(i, closed[i], "down")
		if text := countsText(found[i], 0, closed[i], 0); text != "" {
			p.Hits[i].Text = strings.TrimPrefix(p.Hits[i].Text+", "+text, ", ")
		}
	}
	p.Flow = f
}

// drawLine draws the last of that many values, each in the middle of its day.
func drawLine(l series, days, top int, class string) plotLine {
	line := plotLine{Name: l.Name, Class: class}
	points := make([]string, len(l.Values))
	for i, v := range l.Values {
		line.EndX = coordinate((float64(days-len(l.Values)+i) + .5) * plotWidth / float64(days))
		line.EndY = coordinate(plotHeight - float64(v)/float64(top)*plotHeight)
		points[i] = line.EndX + "," + line.EndY
	}
	if len(points) > 0 {
		line.Points = strings.Join(points, " ")
		first, _, _ := strings.Cut(points[0], ",")
		line.Area = fmt.Sprintf("%s,%d %s %s,%d", first, plotHeight, line.Points, line.EndX, plotHeight)
	}
	return line
}

// roundTop returns an even round number that is not lower, for the upper end of an axis.
func roundTop(n int) int {
	for _, top := range []int{2, 4, 6, 8, 10} {
		if n <= top {
			return top
		}
	}
	for power := 10; ; power *= 10 {
		for _, m := range []int{2, 3, 4, 5, 6, 8, 10} {
			if n <= m*power {
				return m * power
			}
		}
	}
}

// Figures are the numbers of a plot from the first day on that has one.
func (p *plot) Figures() figures {
	var names []string
	for _, d := range p.days[len(p.days)-p.known:] {
		names = append(names, d.Format("2 Jan 2006"))
	}
	columns := make([]counts, len(p.columns))
	for i, c := range p.columns {
		columns[i] = counts{capital(c.Name), c.Values[max(0, len(c.Values)-p.known):]}
	}
	return newFigures(p.Unit, names, columns...)
}

// spoken says a value of a line. Lines with names of companies say the name first.
func spoken(name string, n int, named bool) string {
	if named {
		return name + " " + number(n)
	}
	return number(n) + " " + name
}
