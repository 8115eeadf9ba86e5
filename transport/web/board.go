package web

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

const (
	chartDays   = 90 // the default period
	checksShown = 30
)

// boardPage is one board with its roles and its past.
type boardPage struct {
	ID, Name, Domain, Hosted, URL string
	Chip                          chip
	Reason, Tone                  string
	Missing                       int       // roles on the page that the board does not show
	ClosesAt                      time.Time // when the first of them closes at the earliest
	Advice                        string    // what the operator can do about it
	Locked, Busy                  bool
	First                         bool // the first reading is under way
	Teaches                       bool // the viewer may choose where the roles are
	Reports                       []answeredRow
	Known                         bool // it has been read
	Open, Closed                  int
	Tags                          string   // separated by commas
	AllTags                       []string // to choose from, each after the tags that the board has

	Due   bool   // a check is due at once or under way
	Asked *flash // the result of the check that the viewer asked for

	Hiring  *hiring
	Spreads []*spread
	Grid    *grid

	SuccessAt, CheckedAt, NextAt, AddedAt time.Time

	Show    string // what is shown below the numbers: showPlaces, showChecks, or else roles
	Tabs    []tab
	Columns []column
	Roles   []roleRow
	Pager   pager
	Checks  []checkRow

	EmptyTitle, EmptyText string
}

// What the page of a board shows in the place of its roles.
const (
	showPlaces = "places"
	showChecks = "checks"
)

// checkRow is a check, and how many followed that changed nothing.
type checkRow struct {
	At, LastAt      time.Time
	Repeats, Open   int
	Chip            chip
	Changes, Reason string
}

func (a *App) showBoard(w http.ResponseWriter, r *http.Request, c *caller) error {
	now := a.o.Now()
	s, err := a.s.Tracker.TrackedBoard(r.Context(), c.Account, r.PathValue("id"))
	if err != nil {
		return err
	}
	b := s.Board
	if b.ID != r.PathValue("id") { // it has merged into another one
		http.Redirect(w, r, "/boards/"+b.ID, http.StatusSeeOther)
		return nil
	}
	q := r.URL.Query()
	f := track.JobFilter{
		BoardID: b.ID, Status: statusOf(q.Get("status")), Order: roleOrder(q), Limit: rolesPerPage, Skip: int64(pageNumber(q)-1) * rolesPerPage,
	}
	found, err := a.s.Tracker.Jobs(r.Context(), c.Account, f)
	if err != nil {
		return err
	}
	history, err := a.s.Tracker.History(r.Context(), b.ID, checksShown)
	if err != nil {
		return err
	}
	shown := periodOf(q, "/boards/"+b.ID, chartDays)
	series, err := a.s.Feed.Series(r.Context(), c.Account, b.ID, shown.Days, c.Zone)
	if err != nil {
		return err
	}
	flow, err := a.s.Feed.FlowPerDay(r.Context(), c.Account, []string{b.ID}, shown.Days, c.Zone)
	if err != nil {
		return err
	}
	feed, err := a.feedLink(r, c, b.ID)
	if err != nil {
		return err
	}
	rows, err := a.markedRows(r, c, found.Jobs, false)
	if err != nil {
		return err
	}
	p := boardPage{
		ID: b.ID, Name: nameOf(s), Domain: b.Domain, Hosted: hostedBy(b), URL: b.URL,
		Chip: chipOf(s), Locked: s.Subscription.Locked, Teaches: c.Account.Admin,
		Known: !b.State.LastSuccessAt.IsZero(), Open: b.OpenJobs, Closed: b.ClosedJobs,
		SuccessAt: b.State.LastSuccessAt, CheckedAt: b.State.LastCheckedAt, NextAt: b.NextCheckAt, AddedAt: s.Subscription.AddedAt,
		Tags:    strings.Join(s.Subscription.Tags, ", "),
		Show:    q.Get("show"),
		Columns: roleColumns(q, "/boards/"+b.ID), Roles: rows, Checks: checkRows(history),
		Pager: newPager(q, "/boards/"+b.ID, pageNumber(q), rolesPerPage, int(found.Total)),
	}
	if p.AllTags, err = a.moreTags(r, c, p.Tags); err != nil {
		return err
	}
	if p.Reports, err = a.answeredRows(r, c, map[string]string{b.ID: p.Name}); err != nil {
		return err
	}
	p.Due = !p.Locked && !b.NextCheckAt.IsZero() && !b.NextCheckAt.After(now)
	p.First = !p.Locked && (b.Status == boardwatch.BoardPending || b.Status == boardwatch.BoardScraping)
	p.Busy = p.First || p.Due
	p.Asked = askedCheck(q.Get("checked"), b, history)
	p.Reason, p.Tone = reasonOf(s, now, c.Zone)
	if p.Reason != "" && c.Account.Admin {
		p.Advice = b.State.Cause.Advice()
	}
	for _, row := range rows {
		if row.ClosesAt.IsZero() {
			continue
		}
		p.Missing += 1 + len(row.Others)
		if p.ClosesAt.IsZero() || row.ClosesAt.Before(p.ClosesAt) {
			p.ClosesAt = row.ClosesAt
		}
	}
	if p.Known {
		p.Hiring = newHiring(openOf(series[b.ID]), flow, shown, s.Subscription.AddedAt).at(r)
	}
	if as := q.Get("as"); as != "" {
		return sendChart(w, as, "Open roles of "+p.Name, p.Hiring.plot())
	}
	if p.Show == showPlaces {
		if p.Spreads, p.Grid, err = a.spreads(r.Context(), c, []string{b.ID}, url.Values{"board": {b.ID}}, true); err != nil {
			return err
		}
	}
	p.Pager.Undated = f.Order != ""
	p.tabs(f.Status, q.Get("days"))
	p.nothing(f.Status)
	return a.show(w, r, c, http.StatusOK, "board", view{Title: p.Name, Section: "Boards", Feed: feed, Reload: p.Busy, Page: p})
}

// moreTags returns the tags of a board followed by one that it does not have, for each of those that the account uses.
func (a *App) moreTags(r *http.Request, c *caller, has string) ([]string, error) {
	tracked, err := a.s.Tracker.Tracked(r.Context(), c.Account)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, t := range tagChoices(tracked, "") {
		if !strings.Contains(", "+has+", ", ", "+t.ID+", ") {
			out = append(out, strings.TrimPrefix(has+", "+t.ID, ", "))
		}
	}
	return out, nil
}

// checkMark stands for the last check of a board in an address, so that the page can tell when another check has ended.
func checkMark(last time.Time) string {
	if last.IsZero() {
		return "0"
	}
	return strconv.FormatInt(last.UnixMilli(), 10)
}

// askedCheck reports on the check that the viewer asked for after the one of the mark; nil if there is none.
func askedCheck(mark string, b boardwatch.Board, history []boardwatch.Check) *flash {
	ms, err := strconv.ParseInt(mark, 10, 64)
	if err != nil {
		return nil
	}
	before := time.UnixMilli(ms)
	switch {
	case !b.State.LastCheckedAt.After(before):
		return &flash{"", "This board is being checked. The result appears here."}
	case b.Status == boardwatch.BoardFailed:
		return &flash{"bad", "The check is done: the board could not be read."}
	}
	for _, h := range history {
		if h.At.After(before) && h.Found+h.Closed+h.Updated > 0 {
			return &flash{"good", "The check is done: " + changesOf(h) + "."}
		}
	}
	return &flash{"good", "The check is done: nothing has changed."}
}

// tabs links the parts of the page, which keep the period of its chart.
func (p *boardPage) tabs(shown boardwatch.JobStatus, days string) {
	roles := p.Show != showPlaces && p.Show != showChecks
	add := func(name, key, value string, count int, here bool) {
		if !p.Known {
			count = uncounted
		}
		address := with(url.Values{"days": {days}}, "/boards/"+p.ID, key, value) + "#parts"
		p.Tabs = append(p.Tabs, tab{name, address, count, here})
	}
	add("open", "", "", p.Open, roles && shown == boardwatch.JobOpen)
	add("closed", "status", "closed", p.Closed, roles && shown == boardwatch.JobClosed)
	add("all", "status", "all", p.Open+p.Closed, roles && shown == "")
	add("departments and places", "show", showPlaces, uncounted, p.Show == showPlaces)
	add("checks", "show", showChecks, uncounted, p.Show == showChecks)
}

// nothing fills in the text shown in place of roles.
func (p *boardPage) nothing(shown boardwatch.JobStatus) {
	switch {
	case p.First:
		p.EmptyTitle, p.EmptyText = "The first reading is under way", "Roles appear here within about a minute."
	case p.Locked:
		p.EmptyTitle, p.EmptyText = "Not read", "Roles are shown again as soon as there is room for this board."
	case p.SuccessAt.IsZero():
		p.EmptyTitle, p.EmptyText = "Not read yet", "This board could not be read so far. It is tried again."
	case shown == boardwatch.JobClosed:
		p.EmptyTitle, p.EmptyText = "Nothing has closed", "A role that is absent from several healthy checks in a row is listed here."
	default:
		p.EmptyTitle, p.EmptyText = "No open roles", "The page says that there are no open roles. New ones appear here."
	}
}

func checkRows(history []boardwatch.Check) []checkRow {
	out := make([]checkRow, len(history))
	for i, h := range history {
		out[i] = checkRow{
			At: h.At, LastAt: h.LastAt, Repeats: h.Repeats, Open: h.OpenJobs, Chip: verdictChip(h.Health),
			Changes: changesOf(h), Reason: sentence(h.Reason),
		}
	}
	return out
}

func verdictChip(h boardwatch.Health) chip {
	switch h {
	case boardwatch.HealthOK:
		return chip{"ok", "ok"}
	case boardwatch.HealthSuspect, boardwatch.HealthPartial:
		return chip{"warn", string(h)}
	case "":
		return chip{"", "not read yet"}
	default:
		return chip{"bad", string(h)}
	}
}

// changesOf says what a check changed.
func changesOf(c boardwatch.Check) string {
	news := c.Found - c.Reopened
	if c.First {
		news = 0
	}
	text := countsText(news, c.Reopened, c.Closed, c.Updated)
	if c.Missed > c.Closed {
		text = strings.TrimPrefix(text+", "+strconv.Itoa(c.Missed-c.Closed)+" missing", ", ")
	}
	if c.First {
		text = strings.TrimSuffix("first reading, "+text, ", ")
	}
	return cmp.Or(text, "—")
}

// countsText says what changed, in numbers; empty if nothing did.
func countsText(news, reopened, closed, updated int) string {
	var parts []string
	for _, part := range []struct {
		n    int
		text string
	}{{news, "new"}, {reopened, "reopened"}, {closed, "closed"}, {updated, "updated"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.text))
		}
	}
	return strings.Join(parts, ", ")
}
