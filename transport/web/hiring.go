package web

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// hiring is a chart of a period: how many roles were open at the end of each day or week, and how many opened and
// closed.
type hiring struct {
	Period        period
	Then          int // open when the first board was added; 0: unknown, because roles have opened or closed since
	Found, Closed int // in all
	Since         time.Time
	Plot          *plot // nil while there are less than two days to show
	Figures       figures
	Files         chartFiles
}

// at says where the files of the chart are: at the address of its page.
func (h *hiring) at(r *http.Request) *hiring {
	if h != nil {
		h.Files = filesAt(r)
	}
	return h
}

// plot returns the plot; nil if there is none.
func (h *hiring) plot() *plot {
	if h == nil {
		return nil
	}
	return h.Plot
}

// newHiring charts the days of the flow. open has the number of open roles for the last of these days, as far as it is
// known; since is when the first board was added.
func newHiring(open []int, flow []track.DayFlow, p period, since time.Time) *hiring {
	if len(flow) == 0 || len(open) == 0 {
		return nil
	}
	h := &hiring{Period: p, Since: since}
	open = open[max(0, len(open)-len(flow)):]
	for _, d := range flow {
		h.Found += d.Found
		h.Closed += d.Closed
	}
	if len(open) < 2 {
		if h.Found+h.Closed == 0 {
			h.Then = open[len(open)-1]
		}
		return h
	}
	unit := "day"
	if len(flow) >= weeksFrom {
		unit, flow, open = "week", weekly(flow), weekEnds(open)
	}
	days := make([]time.Time, len(flow))
	found, closed := make([]int, len(flow)), make([]int, len(flow))
	for i, d := range flow {
		days[i], found[i], closed[i] = d.Day, d.Found, d.Closed
	}
	h.Plot = newPlot(unit, days, series{"open", open})
	h.Plot.withFlow(found, closed)
	h.Figures = h.Plot.Figures()
	return h
}

// weekly adds up the days of each week. The last week ends today, and a week is named after its first day.
func weekly(days []track.DayFlow) []track.DayFlow {
	var weeks []track.DayFlow
	for i, d := range days {
		if i == 0 || (len(days)-i)%7 == 0 {
			weeks = append(weeks, track.DayFlow{Day: d.Day})
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

// spread is the distribution of open roles over departments or places.
type spread struct {
	Title      string
	Rows, Rest []spreadRow // the largest parts, and all others
}

type spreadRow struct {
	Name, Address string
	Open          int
	Share         int // percent of the largest
}

// spreadShown is the most rows that a spread has before the rest of it is opened.
const spreadShown = 7

// newSpread shows parts, the largest first; link returns the address of the roles of one, or nothing if there is none. If no
// board gives departments or places, there is nothing to show.
func newSpread(title string, parts []track.Part, link func(name string) string) *spread {
	if len(parts) == 0 || len(parts) == 1 && parts[0].Name == "" {
		return nil
	}
	s := &spread{Title: title}
	for _, p := range parts {
		row := spreadRow{Name: p.Name, Open: p.Open, Share: share(p.Open, parts[0].Open)}
		if row.Name == "" {
			row.Name = "Not given"
		} else {
			row.Address = link(p.Name)
		}
		if len(s.Rows) < spreadShown {
			s.Rows = append(s.Rows, row)
		} else {
			s.Rest = append(s.Rest, row)
		}
	}
	return s
}

func share(n, largest int) int { return min(100, 100*n/max(largest, 1)) }

// grid is a table of open roles by department and place.
type grid struct {
	Places []string
	Rows   []gridRow
}

type gridRow struct {
	Department string
	Cells      []gridCell
	Sum        int
}

// gridCell is a number of roles. Shade is 0 for none, and grows with the number up to 5.
type gridCell struct {
	Open, Shade int
	Address     string
}

// gridSize is the most departments and the most places of a grid.
const gridSize = 8

// newGrid crosses the largest departments with the largest places; nil if there are not two of each.
func newGrid(s track.Spread, link func(department, place string) string) *grid {
	named := func(parts []track.Part) []track.Part {
		parts = slices.DeleteFunc(slices.Clone(parts), func(p track.Part) bool { return p.Name == "" })
		return parts[:min(len(parts), gridSize)]
	}
	departments, places := named(s.Departments), named(s.Places)
	if len(departments) < 2 || len(places) < 2 {
		return nil
	}
	most := 0
	for _, d := range departments {
		for _, p := range places {
			most = max(most, s.Open(d.Name, p.Name))
		}
	}
	g := &grid{}
	for _, p := range places {
		g.Places = append(g.Places, p.Name)
	}
	for _, d := range departments {
		row := gridRow{Department: d.Name, Sum: d.Open}
		for _, p := range places {
			n := s.Open(d.Name, p.Name)
			cell := gridCell{Open: n, Shade: (5*n + most - 1) / max(most, 1)}
			if n > 0 {
				cell.Address = link(d.Name, p.Name)
			}
			row.Cells = append(row.Cells, cell)
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}

// rolesOf returns the address of the list of roles with these fields, which also has those of base.
func rolesOf(base url.Values, fields ...string) string {
	q := maps.Clone(base)
	for i := 0; i < len(fields); i += 2 {
		q.Set(fields[i], fields[i+1])
	}
	return with(q, "/roles", "", "")
}

// totalOpen adds up the days of many boards. Before its first day a board counts with its first number, because adding
// a board is not hiring.
func totalOpen(series map[string][]track.Point) []int {
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
