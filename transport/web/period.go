package web

import (
	"net/url"
	"slices"
	"strconv"
)

// weeksFrom is the number of days from which a chart has a bar per week, not per day.
const weeksFrom = 100

// period is how far back the charts of a page go.
type period struct {
	Days int
	Tabs []tab
}

// periodOf reads the period from the address of a page; usual is the default.
func periodOf(q url.Values, path string, usual int) period {
	p := period{Days: usual}
	names := []struct {
		days int
		name string
	}{{30, "30 days"}, {90, "90 days"}, {365, "a year"}}
	for _, n := range names {
		if q.Get("days") == strconv.Itoa(n.days) {
			p.Days = n.days
		}
	}
	for _, n := range names {
		p.Tabs = append(p.Tabs, tab{Name: n.name, Address: with(q, path, "days", strconv.Itoa(n.days)), Here: n.days == p.Days})
	}
	return p
}

// figures are the numbers behind a chart, for people who cannot see it or want to read them.
type figures struct {
	Unit    string // day or week
	Columns []string
	Rows    []figureRow // newest first
}

type figureRow struct {
	Name   string
	Counts []string
}

// counts is a column of figures, the oldest first. It may be shorter than others if its first numbers are not known.
type counts struct {
	Name   string
	Values []int
}

func newFigures(unit string, names []string, columns ...counts) figures {
	f := figures{Unit: unit}
	for _, c := range columns {
		f.Columns = append(f.Columns, c.Name)
	}
	for i, name := range slices.Backward(names) {
		row := figureRow{Name: name}
		for _, c := range columns {
			text := "—"
			if at := i - len(names) + len(c.Values); at >= 0 {
				text = number(c.Values[at])
			}
			row.Counts = append(row.Counts, text)
		}
		f.Rows = append(f.Rows, row)
	}
	return f
}
