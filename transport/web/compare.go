package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

const (
	comparedBoards = 5 // at most
	comparedUsual  = 3 // if nobody has chosen
)

// comparePage shows boards side by side.
type comparePage struct {
	Most    int
	TooMany bool
	Choices []compareChoice

	Period        period
	Lines         []compareLine
	Width, Height int
	Peak          int
	First         string
	Figures       figures

	Spans []string
	Rows  []compareRow
}

type compareChoice struct {
	ID, Name string
	Chosen   bool
}

// compareLine shows how many roles were open on one board.
type compareLine struct{ Name, Class, Points string }

// compareRow is one board in numbers.
type compareRow struct {
	ID, Name string
	Open     int
	Moves    []compareMove
	Stay     string // the median time that closed roles were open
	Of       int    // the number of these roles
}

type compareMove struct {
	Span string
	boardwatch.Activity
}

// compareSpans are the periods for which the table counts roles that opened and closed.
func compareSpans() []period { return []period{{Days: 30}, {Days: 90}, {Days: 365}} }

// compareBoards shows up to five boards of the account side by side.
func (a *App) compareBoards(w http.ResponseWriter, r *http.Request, c *caller) error {
	tracked, err := a.s.Tracker.Tracked(r.Context(), c.Account)
	if err != nil {
		return err
	}
	tracked = slices.DeleteFunc(tracked, func(t boardwatch.TrackedBoard) bool { return t.Subscription.Locked })
	q := r.URL.Query()
	p := comparePage{Most: comparedBoards, Period: periodOf(q, "/compare", chartDays)}
	chosen := p.choose(tracked, q["board"])
	if err := a.compareNumbers(r.Context(), c, &p, chosen); err != nil {
		return err
	}
	if err := a.compareLines(r.Context(), c, &p, chosen); err != nil {
		return err
	}
	return a.show(w, r, c, http.StatusOK, "compare", view{Title: "Compare boards", Section: "Boards", Page: p})
}

// choose returns the requested boards, or those with the most open roles, and a list of all boards by name.
func (p *comparePage) choose(tracked []boardwatch.TrackedBoard, ids []string) []boardwatch.TrackedBoard {
	slices.SortStableFunc(tracked, func(a, b boardwatch.TrackedBoard) int { return cmp.Compare(b.Board.OpenJobs, a.Board.OpenJobs) })
	var chosen []boardwatch.TrackedBoard
	for _, t := range tracked {
		if slices.Contains(ids, t.Board.ID) {
			chosen = append(chosen, t)
		}
	}
	if len(chosen) == 0 {
		chosen = tracked[:min(len(tracked), comparedUsual)]
	}
	p.TooMany = len(chosen) > comparedBoards
	chosen = slices.Clone(chosen[:min(len(chosen), comparedBoards)])
	for _, t := range tracked {
		picked := slices.ContainsFunc(chosen, func(o boardwatch.TrackedBoard) bool { return o.Board.ID == t.Board.ID })
		p.Choices = append(p.Choices, compareChoice{t.Board.ID, nameOf(t), picked})
	}
	slices.SortStableFunc(p.Choices, func(a, b compareChoice) int {
		return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return chosen
}

func (a *App) compareNumbers(ctx context.Context, c *caller, p *comparePage, boards []boardwatch.TrackedBoard) error {
	p.Rows = make([]compareRow, len(boards))
	for i, t := range boards {
		stay, closed, err := a.s.Feed.MedianStay(ctx, c.Account, t.Board.ID)
		if err != nil {
			return err
		}
		p.Rows[i] = compareRow{ID: t.Board.ID, Name: nameOf(t), Open: t.Board.OpenJobs, Stay: stayText(stay, closed), Of: closed}
	}
	for _, span := range compareSpans() {
		activity, err := a.s.Feed.Activity(ctx, c.Account, span.Days)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("%d days", span.Days)
		p.Spans = append(p.Spans, name)
		for i := range p.Rows {
			p.Rows[i].Moves = append(p.Rows[i].Moves, compareMove{name, activity[p.Rows[i].ID]})
		}
	}
	return nil
}

// stayText says how long roles were open.
func stayText(stay time.Duration, closed int) string {
	days := int(stay.Hours()/24 + 0.5)
	switch {
	case closed == 0:
		return "—"
	case days == 0:
		return "under a day"
	default:
		return number(days) + " " + noun(days, "day", "days")
	}
}

func (a *App) compareLines(ctx context.Context, c *caller, p *comparePage, boards []boardwatch.TrackedBoard) error {
	var names []string
	var columns []counts
	for _, t := range boards {
		series, err := a.s.Feed.Series(ctx, c.Account, t.Board.ID, p.Period.Days, c.Zone)
		if err != nil {
			return err
		}
		points := series[t.Board.ID]
		if len(points) > len(names) {
			names = make([]string, len(points))
			for i, at := range points {
				names[i] = at.Day.Format("2 Jan 2006")
			}
			p.First = points[0].Day.Format("2 Jan")
		}
		columns = append(columns, counts{nameOf(t), openOf(points)})
		p.Peak = max(p.Peak, slices.Max(append([]int{0}, openOf(points)...)))
	}
	if len(names) < 2 {
		return nil // a line needs two days
	}
	p.Width, p.Height = chartWidth, chartHeight
	for i, column := range columns {
		p.Lines = append(p.Lines, compareLine{column.Name, fmt.Sprintf("s%d", i+1), linePoints(column.Values, len(names), p.Peak)})
	}
	p.Figures = newFigures("day", names, columns...)
	return nil
}

// linePoints draws the last of that many days, from zero to the peak.
func linePoints(values []int, days, peak int) string {
	const margin = 4
	points := make([]string, len(values))
	for i, v := range values {
		x := margin + float64(days-len(values)+i)/float64(days-1)*(chartWidth-2*margin)
		y := chartHeight - margin - float64(v)/float64(max(peak, 1))*(chartHeight-2*margin)
		points[i] = coordinate(x) + "," + coordinate(y)
	}
	return strings.Join(points, " ")
}
