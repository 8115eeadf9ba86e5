package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/track"
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

	Tag    string // the boards were chosen by it
	Tags   []tab
	Title  string
	Period period
	Plot   *plot // nil while there are less than two days to show
	Files  chartFiles
	Grid   *grid

	Spans []string
	Rows  []compareRow
}

type compareChoice struct {
	ID, Name string
	Chosen   bool
}

// compareRow is one board in numbers.
type compareRow struct {
	ID, Name string
	Class    string // of its line
	Chip     *chip  // of a board that is not read well
	Known    bool   // it has been read
	Open     int
	Moves    []compareMove
	Stay     string // the median time that closed roles were open
	Of       int    // the number of these roles
}

type compareMove struct {
	Span string
	track.Activity
}

// compareSpans are the periods for which the table counts roles that opened and closed.
func compareSpans() []period { return []period{{Days: 30}, {Days: 90}, {Days: 365}} }

// compareBoards shows up to five boards of the account side by side.
func (a *App) compareBoards(w http.ResponseWriter, r *http.Request, c *caller) error {
	tracked, err := a.s.Tracker.Tracked(r.Context(), c.Account)
	if err != nil {
		return err
	}
	tracked = slices.DeleteFunc(tracked, func(t track.TrackedBoard) bool { return t.Subscription.Locked })
	q := r.URL.Query()
	p := comparePage{Most: comparedBoards, Period: periodOf(q, "/compare", chartDays), Tag: q.Get("tag"), Files: filesAt(r)}
	p.Tags = tagTabs(tracked, p.Tag)
	chosen := p.choose(tracked, q["board"])
	if err := a.compareLines(r.Context(), c, &p, chosen); err != nil {
		return err
	}
	if as := q.Get("as"); as != "" {
		return sendChart(w, as, p.Title, p.Plot)
	}
	if err := a.compareNumbers(r.Context(), c, &p, chosen); err != nil {
		return err
	}
	if len(chosen) > 0 {
		ids := make([]string, len(chosen))
		for i, t := range chosen {
			ids[i] = t.Board.ID
		}
		roles, links := url.Values{"board": ids}, len(ids) == 1
		if p.Tag != "" && !p.TooMany {
			roles, links = url.Values{"tag": {p.Tag}}, true
		}
		if _, p.Grid, err = a.spreads(r.Context(), c, ids, roles, links); err != nil {
			return err
		}
	}
	return a.show(w, r, c, http.StatusOK, "compare", view{Title: p.Title, Section: "Compare", Page: p})
}

// tagTabs links to the comparisons of the boards with each tag.
func tagTabs(tracked []track.TrackedBoard, chosen string) (tabs []tab) {
	for _, tag := range tagChoices(tracked, chosen) {
		tabs = append(tabs, tab{Name: tag.Name, Address: with(nil, "/compare", "tag", tag.ID), Here: tag.Chosen})
	}
	return tabs
}

// choose returns the requested boards, or those with the most open roles, and a list of all boards by name.
func (p *comparePage) choose(tracked []track.TrackedBoard, ids []string) []track.TrackedBoard {
	slices.SortStableFunc(tracked, func(a, b track.TrackedBoard) int { return cmp.Compare(b.Board.OpenJobs, a.Board.OpenJobs) })
	var chosen []track.TrackedBoard
	for _, t := range tracked {
		if slices.Contains(ids, t.Board.ID) || p.Tag != "" && t.Subscription.Tagged(p.Tag) {
			chosen = append(chosen, t)
		}
	}
	if len(chosen) == 0 {
		chosen = tracked[:min(len(tracked), comparedUsual)]
	}
	p.TooMany = len(chosen) > comparedBoards
	chosen = slices.Clone(chosen[:min(len(chosen), comparedBoards)])
	for _, t := range tracked {
		picked := slices.ContainsFunc(chosen, func(o track.TrackedBoard) bool { return o.Board.ID == t.Board.ID })
		p.Choices = append(p.Choices, compareChoice{t.Board.ID, nameOf(t), picked})
	}
	slices.SortStableFunc(p.Choices, func(a, b compareChoice) int {
		return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return chosen
}

func (a *App) compareNumbers(ctx context.Context, c *caller, p *comparePage, boards []track.TrackedBoard) error {
	p.Rows = make([]compareRow, len(boards))
	for i, t := range boards {
		stay, closed, err := a.s.Feed.MedianStay(ctx, c.Account, t.Board.ID)
		if err != nil {
			return err
		}
		p.Rows[i] = compareRow{
			ID: t.Board.ID, Name: nameOf(t), Class: fmt.Sprintf("s%d", i+1), Open: t.Board.OpenJobs, Stay: stayText(stay, closed), Of: closed,
			Known: !t.Board.State.LastSuccessAt.IsZero(),
		}
		if c := chipOf(t); c.Kind == "bad" || c.Kind == "warn" {
			p.Rows[i].Chip = &c
		}
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

func (a *App) compareLines(ctx context.Context, c *caller, p *comparePage, boards []track.TrackedBoard) error {
	p.Title = "Compare boards"
	if p.Tag != "" {
		p.Title = "Compare boards tagged " + p.Tag
	}
	var lines []series
	known := 0
	for _, t := range boards {
		found, err := a.s.Feed.Series(ctx, c.Account, t.Board.ID, p.Period.Days, c.Zone)
		if err != nil {
			return err
		}
		open := openOf(found[t.Board.ID])
		known = max(known, len(open))
		lines = append(lines, series{nameOf(t), open})
	}
	if known < 2 {
		return nil // a line needs two days
	}
	days := make([]time.Time, p.Period.Days)
	for i := range days {
		days[i] = track.Date(a.o.Now(), c.Zone).AddDate(0, 0, i+1-len(days))
	}
	p.Plot = newPlot("day", days, lines...)
	return nil
}
