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

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

const (
	boardsPerPage = 100
	sparkDays     = 30
)

// boardsPage is the list of boards.
type boardsPage struct {
	Summary string
	Any     bool // whether there is a board on the list
	Refused *refusedBoard

	Back      string   // the address of the page
	Tags      []string // all that the account uses
	Which     string   // the boards that the page is about
	Filtered  bool     // not all boards
	Open, New int
	Hiring    *hiring
	Spreads   []*spread
	Steps     *firstSteps   // nil once they are done or put away
	Reports   []answeredRow // the viewer's reports of misread boards that an operator has answered

	Query, Status, Sort string
	Days                int // of the charts; 0: as usual
	Tag                 string
	Tabs                []tab
	Columns             []column
	Sorts               []choice
	LockNote            *lockNote
	Rows                []boardRow
	Pager               pager
}

// title names the page for a tab of a browser.
func (p boardsPage) title() string {
	if p.Tag != "" {
		return "Boards tagged " + p.Tag
	}
	return "Boards"
}

// Compare is the comparison of the boards with the tag.
func (p boardsPage) Compare() string { return with(nil, "/compare", "tag", p.Tag) }

// tab leads to a part of a list.
type tab struct {
	Name    string
	Address string
	Count   int // uncounted: none is shown
	Here    bool
}

const uncounted = -1

type lockNote struct{ Count, Limit int }

// boardRow is a board on the list.
type boardRow struct {
	ID, Name, About, URL string
	Reason, Tone         string
	Chip                 chip
	Locked, Busy, Known  bool
	Collects             bool // there are not enough numbers for a line yet
	Open, New, Gone      int
	Spark                *chart
	CheckedAt            time.Time
	Tags                 []link

	Mistaken bool // it was added just now, and cannot be read: perhaps another address was meant

	rank int // failed boards first, then doubtful ones, locked ones last
}

// Changed reports whether anything was found or closed recently.
func (r boardRow) Changed() bool { return r.New > 0 || r.Gone > 0 }

// listBoards shows the account's list.
func (a *App) listBoards(w http.ResponseWriter, r *http.Request, c *caller) error {
	return a.showBoards(w, r, c, http.StatusOK, &refusedBoard{})
}

func (a *App) showBoards(w http.ResponseWriter, r *http.Request, c *caller, status int, refused *refusedBoard) error {
	now, q := a.o.Now(), r.URL.Query()
	shown := periodOf(q, "/boards", sparkDays)
	summaries, days, err := a.summaries(r.Context(), c, shown.Days)
	if err != nil {
		return err
	}
	p, of := newBoardsPage(summaries, a.s.Plans[c.Account.Plan], q, now, c.Zone)
	p.Back = with(q, "/boards", "", "")
	if shown.Days != sparkDays {
		p.Days = shown.Days
	}
	names := make(map[string]string, len(summaries))
	for _, s := range summaries {
		p.Tags = append(p.Tags, s.Subscription.Tags...)
		names[s.Board.ID] = nameOf(s.TrackedBoard)
	}
	if p.Reports, err = a.answeredRows(r, c, names); err != nil {
		return err
	}
	p.Reports = slices.DeleteFunc(p.Reports, func(o answeredRow) bool { return !o.Answered })
	slices.Sort(p.Tags)
	p.Tags = slices.Compact(p.Tags)
	p.Refused = refused
	if p.Hiring, p.Spreads, err = a.boardCharts(r, c, p, of, days, shown); err != nil {
		return err
	}
	if as := q.Get("as"); as != "" {
		return sendChart(w, as, "Open roles of "+p.Which, p.Hiring.plot())
	}
	if !p.Filtered {
		if p.Steps, err = a.firstSteps(r, c, len(summaries)); err != nil {
			return err
		}
	}
	feed, err := a.feedLink(r, c, "")
	if err != nil {
		return err
	}
	return a.show(w, r, c, status, "boards", view{Title: p.title(), Section: "Boards", Feed: feed, Page: p})
}

// boardCharts charts the boards that the page is about, and no others.
func (a *App) boardCharts(
	r *http.Request, c *caller, p boardsPage, of []summary, days map[string][]track.Point, shown period,
) (*hiring, []*spread, error) {
	of = slices.DeleteFunc(of, func(s summary) bool { return s.Subscription.Locked })
	if len(of) == 0 {
		return nil, nil, nil
	}
	var ids []string // none: all
	since := of[0].Subscription.AddedAt
	chosen := map[string][]track.Point{}
	for _, s := range of {
		if chosen[s.Board.ID] = days[s.Board.ID]; s.Subscription.AddedAt.Before(since) {
			since = s.Subscription.AddedAt
		}
		if p.Filtered {
			ids = append(ids, s.Board.ID)
		}
	}
	flow, err := a.s.Feed.FlowPerDay(r.Context(), c.Account, ids, shown.Days, c.Zone)
	if err != nil {
		return nil, nil, err
	}
	roles := url.Values{"tag": {p.Tag}}
	if len(ids) == 1 {
		roles = url.Values{"board": ids}
	}
	links := len(ids) <= 1 || p.Query == "" && p.Status == "" // the list of roles knows no other filter of boards
	spreads, _, err := a.spreads(r.Context(), c, ids, roles, links)
	if err != nil {
		return nil, nil, err
	}
	return newHiring(totalOpen(chosen), flow, shown, since).at(r), spreads, nil
}

// mistakenFor is how long after it was added the page offers to take a board back that cannot be read.
const mistakenFor = time.Hour

// summary is a board of the list with its recent past.
type summary struct {
	track.TrackedBoard

	points []track.Point
	recent track.Activity
}

// summaries returns the boards of the list, and how many roles were open on each of them on each of the last days.
func (a *App) summaries(ctx context.Context, c *caller, days int) (list []summary, series map[string][]track.Point, err error) {
	tracked, err := a.s.Tracker.Tracked(ctx, c.Account)
	if err != nil {
		return nil, nil, err
	}
	if series, err = a.s.Feed.Series(ctx, c.Account, "", max(days, sparkDays), c.Zone); err != nil {
		return nil, nil, err
	}
	activity, err := a.s.Feed.Activity(ctx, c.Account, 1)
	if err != nil {
		return nil, nil, err
	}
	list = make([]summary, len(tracked))
	for i, t := range tracked {
		points := series[t.Board.ID]
		list[i] = summary{t, points[max(0, len(points)-sparkDays):], activity[t.Board.ID]}
	}
	return list, series, nil
}

// spreads charts the open roles of boards, or of all active ones, by department and place. Its links lead to the roles
// with these fields, if there is such a list.
func (a *App) spreads(ctx context.Context, c *caller, boardIDs []string, roles url.Values, links bool) ([]*spread, *grid, error) {
	of, err := a.s.Feed.Spread(ctx, c.Account, boardIDs)
	if err != nil {
		return nil, nil, err
	}
	to := func(fields ...string) string {
		if !links {
			return ""
		}
		return rolesOf(roles, fields...)
	}
	spreads := slices.DeleteFunc([]*spread{
		newSpread("Open roles by department", of.Departments, func(name string) string { return to("department", name) }),
		newSpread("Open roles by place", of.Places, func(name string) string { return to("location", name) }),
	}, func(s *spread) bool { return s == nil })
	return spreads, newGrid(of, func(department, place string) string { return to("department", department, "location", place) }), nil
}

// newBoardsPage returns the page, and the boards that its filters leave.
func newBoardsPage(summaries []summary, plan account.Plan, q url.Values, now time.Time, zone *time.Location) (boardsPage, []summary) {
	p := boardsPage{
		Any: len(summaries) > 0, Query: strings.TrimSpace(q.Get("q")), Status: q.Get("status"), Sort: q.Get("sort"),
		Tag: q.Get("tag"),
	}
	locked := 0
	for _, s := range summaries {
		if s.Subscription.Locked {
			locked++
		}
	}
	p.Summary = fmt.Sprintf("%d of %d %s", len(summaries)-locked, plan.Boards, noun(plan.Boards, "board", "boards"))
	if locked > 0 {
		p.Summary += fmt.Sprintf(", %d locked", locked)
	}
	p.Summary += " · checked " + every(plan.Cadence)
	p.Columns, p.Sorts = boardColumns(q), boardSorts(p.Sort)

	query := strings.ToLower(p.Query)
	found := slices.DeleteFunc(slices.Clone(summaries), func(s summary) bool {
		return p.Tag != "" && !s.Subscription.Tagged(p.Tag) || !strings.Contains(searchedText(s), query)
	})
	p.Tabs = boardTabs(found, q)
	found = slices.DeleteFunc(found, func(s summary) bool { return p.Status != "" && chipOf(s.TrackedBoard).Text != p.Status })
	p.Filtered = len(found) < len(summaries)
	p.Which = "all boards"
	if p.Filtered {
		p.Which = fmt.Sprintf("%d of %d boards", len(found), len(summaries))
		p.Summary = p.Which
		for _, part := range []struct{ format, value string }{{", tagged %s", p.Tag}, {", %s", p.Status}, {" with “%s”", p.Query}} {
			if part.value != "" {
				p.Summary += fmt.Sprintf(part.format, part.value)
			}
		}
	}
	rows := make([]boardRow, len(found))
	for i, s := range found {
		rows[i] = newBoardRow(s, now, zone)
		if !rows[i].Locked {
			p.Open += rows[i].Open
			p.New += rows[i].New
		}
	}
	if slices.ContainsFunc(rows, func(row boardRow) bool { return row.Locked }) {
		p.LockNote = &lockNote{locked, plan.Boards}
	}
	sortBoards(rows, p.Sort)
	p.Rows, p.Pager = cut(rows, q, boardsPerPage, "/boards")
	p.Pager.Undated = true
	return p, found
}

// searchedText is what the search of the page looks through.
func searchedText(s summary) string {
	return strings.ToLower(strings.Join([]string{nameOf(s.TrackedBoard), s.Board.Domain, s.Board.URL, s.Board.Source}, " "))
}

func newBoardRow(s summary, now time.Time, zone *time.Location) boardRow {
	b := s.Board
	row := boardRow{
		ID: b.ID, Name: nameOf(s.TrackedBoard), URL: b.URL, Locked: s.Subscription.Locked,
		Known: !b.State.LastSuccessAt.IsZero(), Open: b.OpenJobs, New: s.recent.Found, Gone: s.recent.Closed,
		CheckedAt: b.State.LastCheckedAt, Chip: chipOf(s.TrackedBoard), Spark: sparkline(openOf(s.points)),
	}
	row.About = aboutBoard(b, row.Name)
	row.Busy = !row.Locked && (b.Status == boardwatch.BoardPending || b.Status == boardwatch.BoardScraping)
	row.Collects = !row.Locked && b.Status != boardwatch.BoardFailed
	row.Reason, row.Tone = reasonOf(s.TrackedBoard, now, zone)
	row.Mistaken = !row.Known && !row.Locked && b.Status == boardwatch.BoardFailed && now.Sub(s.Subscription.AddedAt) < mistakenFor
	for _, tag := range s.Subscription.Tags {
		row.Tags = append(row.Tags, link{tag, with(nil, "/boards", "tag", tag)})
	}
	switch {
	case row.Locked:
		row.rank = 3
	case b.Status == boardwatch.BoardFailed:
	case row.Tone == "warn":
		row.rank = 1
	default:
		row.rank = 2
	}
	return row
}

// nameOf returns the company's name or, while that is not known, the place its roles are read from.
func nameOf(t track.TrackedBoard) string {
	if company := t.Subscription.CompanyOf(t.Board); company != "" {
		return company
	}
	if t.Board.Domain != "" {
		return t.Board.Domain
	}
	if u, err := url.Parse(t.Board.URL); err == nil && u.Host != "" {
		return strings.TrimPrefix(u.Host, "www.") + strings.TrimSuffix(u.EscapedPath(), "/")
	}
	return t.Board.URL
}

// aboutBoard returns the line below the name.
func aboutBoard(b boardwatch.Board, name string) string {
	var parts []string
	if b.Domain != "" && b.Domain != name {
		parts = append(parts, b.Domain)
	}
	if system := systemName(b); system != "" {
		parts = append(parts, system)
	}
	return strings.Join(parts, " · ")
}

func chipOf(t track.TrackedBoard) chip {
	if t.Subscription.Locked {
		return chip{"", "locked"}
	}
	switch t.Board.Status {
	case boardwatch.BoardReady:
		if h := t.Board.State.Health; h == boardwatch.HealthSuspect || h == boardwatch.HealthPartial {
			return chip{"warn", string(h)}
		}
		return chip{"ok", "ready"}
	case boardwatch.BoardFailed:
		return chip{"bad", "failed"}
	case boardwatch.BoardScraping:
		return chip{"busy", "scraping"}
	default:
		return chip{"warn", "pending"}
	}
}

// reasonOf says what is wrong with a board in plain words, and how prominently to show it.
func reasonOf(t track.TrackedBoard, now time.Time, zone *time.Location) (text, tone string) {
	s := t.Board.State
	if s.Reason == "" || t.Subscription.Locked {
		return "", ""
	}
	text = sentence(s.Reason)
	if t.Board.Status != boardwatch.BoardFailed {
		return text, "warn"
	}
	if s.LastSuccessAt.IsZero() {
		return text, "bad"
	}
	return text + " Last good check " + ago(now, s.LastSuccessAt, zone) + ".", "bad"
}

// sentence turns a reason into a sentence.
func sentence(s string) string {
	s = capital(strings.TrimSpace(s))
	if s != "" && !strings.ContainsAny(s[len(s)-1:], ".!?") {
		s += "."
	}
	return s
}

// openOf returns the numbers of a line of points.
func openOf(points []track.Point) []int {
	out := make([]int, len(points))
	for i, p := range points {
		out[i] = p.Open
	}
	return out
}

// boardTabs link to the boards of each status, among those that match the search.
func boardTabs(found []summary, q url.Values) []tab {
	counts := map[string]int{}
	for _, s := range found {
		counts[chipOf(s.TrackedBoard).Text]++
	}
	tabs := []tab{{Name: "all", Address: with(q, "/boards", "status", ""), Count: len(found), Here: q.Get("status") == ""}}
	for _, status := range []string{"ready", "suspect", "partial", "scraping", "pending", "failed", "locked"} {
		if counts[status] == 0 && q.Get("status") != status {
			continue
		}
		tabs = append(tabs, tab{
			Name: status, Address: with(q, "/boards", "status", status), Count: counts[status], Here: q.Get("status") == status,
		})
	}
	return tabs
}

// The orders in which boards can be listed.
const (
	byName    = "company"
	byStatus  = "status"
	byOpen    = "open"
	byChange  = "changes"
	byChecked = "checked"
)

// boardOrders are the orders with the words for each, and for its reverse.
func boardOrders() [][3]string {
	return [][3]string{
		{byName, "Company, A to Z", "Company, Z to A"},
		{byStatus, "Status", "Status, reversed"},
		{byOpen, "Most open roles", "Fewest open roles"},
		{byChange, "Most changes", "Fewest changes"},
		{byChecked, "Checked last", "Checked first"},
	}
}

// boardSorts are the choices of an order, for phones, which show no heads of columns.
func boardSorts(chosen string) []choice {
	choices := []choice{{"", "To look at first", chosen == ""}}
	for _, o := range boardOrders() {
		choices = append(choices, choice{o[0], o[1], chosen == o[0]}, choice{reversed + o[0], o[2], chosen == reversed+o[0]})
	}
	return choices
}

func boardColumns(q url.Values) []column {
	head := func(name, order string, rises bool) column { return sortable(q, "/boards", "", name, order, rises) }
	open := head("Open", byOpen, false)
	open.Number = true
	return []column{
		head("Company", byName, true), head("Status", byStatus, true), open,
		{Name: fmt.Sprintf("%d days", sparkDays)},
		head("24 h", byChange, false), head("Checked", byChecked, false),
	}
}

// sortBoards orders rows, which are in the order they were added. By default the list begins with failing boards, then
// doubtful ones, and ends with locked ones.
func sortBoards(rows []boardRow, order string) {
	order, back := strings.CutPrefix(order, reversed)
	slices.SortStableFunc(rows, func(a, b boardRow) int {
		if back {
			a, b = b, a
		}
		switch order {
		case byName:
			return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
		case byStatus:
			return strings.Compare(a.Chip.Text, b.Chip.Text)
		case byOpen:
			return cmp.Compare(b.Open, a.Open)
		case byChange:
			return cmp.Compare(b.New+b.Gone, a.New+a.Gone)
		case byChecked:
			return b.CheckedAt.Compare(a.CheckedAt)
		default:
			return cmp.Compare(a.rank, b.rank)
		}
	})
}

// every puts a cadence in words.
func every(d time.Duration) string {
	switch {
	case d == time.Second:
		return "every second"
	case d == time.Minute:
		return "every minute"
	case d == time.Hour:
		return "every hour"
	case d == 24*time.Hour:
		return "every day"
	case d > 0 && d%(24*time.Hour) == 0:
		return fmt.Sprintf("every %d days", d/(24*time.Hour))
	case d > 0 && d%time.Hour == 0:
		return fmt.Sprintf("every %d hours", d/time.Hour)
	case d > 0 && d%time.Minute == 0:
		return fmt.Sprintf("every %d minutes", d/time.Minute)
	case d > 0 && d%time.Second == 0:
		return fmt.Sprintf("every %d seconds", d/time.Second)
	default:
		return "every " + d.String()
	}
}
