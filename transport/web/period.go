package web

import (
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// weeksFrom is the number of days from which a picture has a bar for a week and not for a day.
const weeksFrom = 100

// period is how far back the pictures of a page look.
type period struct {
	Days   int
	Chosen bool // it was asked for
	Tabs   []tab
}

// periodOf reads the period from the address of a page; usual is that of an address without one.
func periodOf(q url.Values, path string, usual int) period {
	p := period{Days: usual}
	names := []struct {
		days int
		name string
	}{{30, "30 days"}, {90, "90 days"}, {365, "a year"}}
	for _, n := range names {
		if q.Get("days") == strconv.Itoa(n.days) {
			p.Days, p.Chosen = n.days, true
		}
	}
	for _, n := range names {
		p.Tabs = append(p.Tabs, tab{Name: n.name, Address: with(q, path, "days", strconv.Itoa(n.days)), Here: n.days == p.Days})
	}
	return p
}

// figures are the numbers behind a picture, for those who cannot see it or want to read them.
type figures struct {
	Unit, What string
	Rows       []figureRow // newest first
}

type figureRow struct {
	Name  string
	Count int
}

func newFigures(unit, what string, names []string, counts []int) figures {
	f := figures{Unit: unit, What: what}
	for i, n := range slices.Backward(counts) {
		f.Rows = append(f.Rows, figureRow{names[i], n})
	}
	return f
}

// weekly adds up the days of each week, the last of which ends today; a week is named after its first day.
func weekly(days []boardwatch.DayCount) []boardwatch.DayCount {
	var weeks []boardwatch.DayCount
	for i, d := range days {
		if i == 0 || (len(days)-i)%7 == 0 {
			weeks = append(weeks, boardwatch.DayCount{Day: d.Day})
		}
		weeks[len(weeks)-1].Count += d.Count
	}
	return weeks
}

// daysUntil are the names of so many days, the last of which is that of now.
func daysUntil(now time.Time, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = now.AddDate(0, 0, 1+i-n).Format("2 Jan 2006")
	}
	return names
}
