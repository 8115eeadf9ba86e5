package web

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// hiring is a chart of a period: how many roles were open at the end of each day or week, and how many opened and
// closed.
type hiring struct {
	Period        period
	Unit          string // day or week
	First         string // the name of the first day or week
	Now           int    // open
	Low, High     int    // the range of the number of open roles
	Found, Closed int    // in all
	Open          *chart
	Flow          *flowBars
	Figures       figures
}

// newHiring charts the days of the flow. open has the number of open roles for the last of these days, as far as it is
// known.
func newHiring(open []int, flow []boardwatch.DayFlow, p period) *hiring {
	flow = flow[max(0, len(flow)-len(open)):]
	if len(flow) == 0 {
		return nil
	}
	h := &hiring{
		Period: p, Unit: "day", Now: open[len(open)-1], Low: slices.Min(open), High: slices.Max(open),
		Open: newChart(open, chartWidth, chartHeight, 4),
	}
	if len(flow) >= weeksFrom {
		h.Unit, flow, open = "week", weekly(flow), weekEnds(open)
	}
	names := make([]string, len(flow))
	found, closed := make([]int, len(flow)), make([]int, len(flow))
	for i, d := range flow {
		names[i], found[i], closed[i] = d.Day.Format("2 Jan 2006"), d.Found, d.Closed
		h.Found += d.Found
		h.Closed += d.Closed
	}
	h.First = flow[0].Day.Format("2 Jan")
	h.Flow = newFlowBars(names, found, closed, h.Unit)
	h.Figures = newFigures(h.Unit, names, counts{"Opened", found}, counts{"Closed", closed}, counts{"Open", open})
	return h
}

// weekly adds up the days of each week. The last week ends today, and a week is named after its first day.
func weekly(days []boardwatch.DayFlow) []boardwatch.DayFlow {
	var weeks []boardwatch.DayFlow
	for i, d := range days {
		if i == 0 || (len(days)-i)%7 == 0 {
			weeks = append(weeks, boardwatch.DayFlow{Day: d.Day})
		}
		week := &weeks[len(weeks)-1]
		week.Found += d.Found
		week.Closed += d.Closed
	}
	return weeks
}

// weekEnds returns the numbers at the end of each of these weeks.
func weekEnds(days []int) []int {
	var ends []int
	for i := len(days) - 1; i >= 0; i -= 7 {
		ends = append(ends, days[i])
	}
	slices.Reverse(ends)
	return ends
}

// flowBars are two numbers per day or week: one grows upwards from the zero line, the other downwards.
type flowBars struct {
	Width, Height int
	Zero          string
	Up, Down      []bar
	Label         string
}

const (
	barPitch   = 22
	barWidth   = 15
	flowHeight = 64
	leastBar   = 2 // so that one role is visible beside hundreds
)

func newFlowBars(names []string, found, closed []int, unit string) *flowBars {
	up, down := slices.Max(found), slices.Max(closed)
	if up+down == 0 {
		return nil
	}
	scale := float64(flowHeight) / float64(up+down)
	zero := float64(up) * scale
	f := &flowBars{Width: len(names)*barPitch - (barPitch - barWidth), Height: flowHeight, Zero: coordinate(zero)}
	draw := func(i, n int, what string, upwards bool) bar {
		height := max(leastBar, float64(n)*scale)
		top := zero
		if upwards {
			top = max(0, zero-height)
		} else if top+height > flowHeight {
			top = flowHeight - height
		}
		return bar{
			X: strconv.Itoa(i * barPitch), Y: coordinate(top), Width: strconv.Itoa(barWidth), Height: coordinate(height),
			Title: fmt.Sprintf("%s: %d %s", names[i], n, what),
		}
	}
	for i, n := range found {
		if n > 0 {
			f.Up = append(f.Up, draw(i, n, "opened", true))
		}
	}
	for i, n := range closed {
		if n > 0 {
			f.Down = append(f.Down, draw(i, n, "closed", false))
		}
	}
	f.Label = fmt.Sprintf("roles that opened and closed by %s, at most %d and %d a %s", unit, up, down, unit)
	return f
}

// bar is one bar of a chart.
type bar struct{ X, Y, Width, Height, Title string }

// spread is the distribution of open roles over departments or places.
type spread struct {
	Title string
	Rows  []spreadRow
}

type spreadRow struct {
	Name, Address string
	Open          int
	Share         int // percent of the largest
}

// spreadShown is the most rows that a spread has; the last of them may stand for all the rest.
const spreadShown = 7

// newSpread shows the largest parts; link returns the address of the roles of one. If no board gives departments or
// places, there is nothing to show.
func newSpread(title string, parts []track.Part, link func(name string) string) *spread {
	if len(parts) == 0 || len(parts) == 1 && parts[0].Name == "" {
		return nil
	}
	s := &spread{Title: title}
	largest := parts[0].Open
	for i, p := range parts {
		if i == spreadShown-1 && len(parts) > spreadShown {
			s.Rows = append(s.Rows, restOf(parts[i:]))
			break
		}
		row := spreadRow{Name: p.Name, Open: p.Open, Share: share(p.Open, largest)}
		if row.Name == "" {
			row.Name = "Not said"
		} else {
			row.Address = link(p.Name)
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

// restOf has no bar, because it is not a single part and could be larger than the largest.
func restOf(parts []track.Part) spreadRow {
	row := spreadRow{Name: strconv.Itoa(len(parts)) + " others"}
	for _, p := range parts {
		row.Open += p.Open
	}
	return row
}

func share(n, largest int) int { return min(100, 100*n/max(largest, 1)) }

// totalOpen adds up the days of many boards. Before its first day a board counts with its first number, because adding
// a board is not hiring.
func totalOpen(series map[string][]boardwatch.Point) []int {
	days := 0
	for _, points := range series {
		days = max(days, len(points))
	}
	total := make([]int, days)
	for _, points := range series {
		if len(points) == 0 {
			continue
		}
		for i := range total {
			total[i] += points[max(0, i-(days-len(points)))].Open
		}
	}
	return total
}
