package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

const (
	changesPerPage = 40
	rolesPerChange = 8  // lines
	rolesOfChange  = 50 // that are read for them
)

// changesPage is what has changed, by day and board.
type changesPage struct {
	Boards    []choice
	Kinds     []choice
	New, Seen []changeDay // since the mark of the last visit, and before it
	Mark      time.Time   // zero: there is none
	Count     int         // what is new on all pages
	Until     time.Time   // the page shows everything until then
	Back      string
	Pager     pager

	Filtered bool // not all changes are asked for
}

type changeDay struct {
	Name   string
	Boards []changedBoard
}

type changedBoard struct {
	ID, Name, Summary string
	Changes           []changeRow
	More              []link

	news, reopened, closed, updated int
}

// changeRow is a change of one role, or says that the account began to watch a board.
type changeRow struct {
	Chip         chip
	Title, About string
	Role         string // its page; empty if there is none
	URL          string // at the employer's
	Fields       []fieldRow
	At           time.Time
}

// fieldRow is the content of a role's field before and after.
type fieldRow struct{ Name, From, To string }

func (a *App) listChanges(w http.ResponseWriter, r *http.Request, c *caller) error {
	q := r.URL.Query()
	tracked, err := a.s.Tracker.Boards(r.Context(), c.Account, "")
	if err != nil {
		return err
	}
	f := track.ChangeFilter{
		BoardID: q.Get("board"), Kind: boardwatch.ChangeKind(q.Get("kind")), Limit: changesPerPage, Jobs: rolesOfChange,
	}
	if before, err := strconv.ParseInt(q.Get("before"), 10, 64); err == nil {
		f.Before = time.UnixMilli(before).UTC()
	}
	found, err := a.s.Feed.Changes(r.Context(), c.Account, f)
	if err != nil {
		return err
	}
	feed, err := a.feedLink(r, c, f.BoardID)
	if err != nil {
		return err
	}
	if err := a.look(r, c); err != nil {
		return err
	}
	n, err := a.news(r, c)
	if err != nil {
		return err
	}
	seen := slices.IndexFunc(found.Changes, func(c track.BoardChange) bool { return !c.At.After(n.Mark) })
	if seen < 0 {
		seen = len(found.Changes)
	}
	until := found.PolledAt
	if len(found.Changes) > 0 && found.Changes[0].At.After(until) {
		until = found.Changes[0].At
	}
	now := a.o.Now()
	p := changesPage{
		Boards: boardChoices(tracked, f.BoardID), Kinds: kindChoices(f.Kind),
		New: changeDays(found.Changes[:seen], now, c.Zone), Seen: changeDays(found.Changes[seen:], now, c.Zone),
		Mark: n.Mark, Count: n.Changes, Until: until, Back: r.URL.RequestURI(),
		Filtered: f.BoardID != "" || f.Kind != "" || !f.Before.IsZero(),
	}
	if found.More {
		p.Pager.After = with(q, "/changes", "before", strconv.FormatInt(found.Next.UnixMilli(), 10))
	}
	if q.Get("before") != "" {
		p.Pager.Before = with(q, "/changes", "before", "")
	}
	return a.show(w, r, c, http.StatusOK, "changes", view{Title: "Changes", Section: "Changes", Feed: feed, Page: p})
}

func kindChoices(chosen boardwatch.ChangeKind) []choice {
	return []choice{
		{"", "All changes", chosen == ""},
		{string(boardwatch.ChangeFound), "New roles", chosen == boardwatch.ChangeFound},
		{string(boardwatch.ChangeReopened), "Reopened roles", chosen == boardwatch.ChangeReopened},
		{string(boardwatch.ChangeClosed), "Closed roles", chosen == boardwatch.ChangeClosed},
		{string(boardwatch.ChangeUpdated), "Updated roles", chosen == boardwatch.ChangeUpdated},
	}
}

// changeDays returns the days with changes, each with the boards that had some.
func changeDays(changes []track.BoardChange, now time.Time, zone *time.Location) []changeDay {
	var days []changeDay
	for _, d := range track.Days(changes, zone) {
		day := changeDay{Name: dayName(d.Date, track.Date(now, zone))}
		for _, b := range d.Boards {
			board := changedBoard{ID: b.BoardID, Name: changedName(b.Company, b.CareersURL)}
			for _, c := range b.Changes {
				board.add(c)
			}
			board.Summary = board.summary()
			day.Boards = append(day.Boards, board)
		}
		days = append(days, day)
	}
	return days
}

func changedName(company, careersURL string) string {
	return nameOf(track.TrackedBoard{Board: boardwatch.Board{Company: company, URL: careersURL}})
}

func (b *changedBoard) add(c track.BoardChange) {
	if c.Beginning {
		b.Changes = append(b.Changes, changeRow{Chip: chip{"", "watching"}, Title: watchingText(c.Open), At: c.At})
	}
	for _, part := range []struct {
		list   track.JobList
		chip   chip
		count  *int
		status string
	}{
		{newsOf(c), chip{"busy", "new"}, &b.news, ""},
		{c.Reopened, chip{"busy", "reopened"}, &b.reopened, ""},
		{c.Closed, chip{"", "closed"}, &b.closed, "closed"},
		{c.Updated, chip{"edit", "updated"}, &b.updated, ""},
	} {
		*part.count += part.list.Total
		list := part.list.Once(rolesPerChange, c.Fields)
		for _, j := range list.Jobs {
			b.Changes = append(b.Changes, changeRow{
				part.chip, j.Title, aboutJob(j), rolePath(j.ID), webAddress(j.URL), fieldRows(c.Fields[j.ID]), c.At,
			})
		}
		if more := list.More(); more > 0 {
			q := url.Values{"board": {c.BoardID}}
			if part.status != "" {
				q.Set("status", part.status)
			}
			b.More = append(b.More, link{strconv.Itoa(more) + " more " + part.chip.Text, "/roles?" + q.Encode()})
		}
	}
}

// newsOf returns the roles that a change reports as new.
func newsOf(c track.BoardChange) track.JobList {
	if c.Beginning {
		return track.JobList{}
	}
	return c.Found
}

// watchingText says in one line what is on a board that was not watched before.
func watchingText(open int) string {
	return "Watching " + number(open) + " open " + noun(open, "role", "roles")
}

func fieldRows(changes []boardwatch.FieldChange) []fieldRow {
	out := make([]fieldRow, len(changes))
	for i, f := range changes {
		switch f.Field {
		case boardwatch.FieldURL:
			f.From, f.To = webAddress(f.From), webAddress(f.To)
		case boardwatch.FieldText:
			f.From, f.To = "an earlier one", "a new one"
		default:
		}
		out[i] = fieldRow{fieldName(f.Field), f.From, f.To}
	}
	return out
}

func fieldName(f boardwatch.JobField) string {
	switch f {
	case boardwatch.FieldTitle:
		return "Title"
	case boardwatch.FieldLocation:
		return "Location"
	case boardwatch.FieldDepartment:
		return "Department"
	case boardwatch.FieldURL:
		return "Address"
	case boardwatch.FieldMode:
		return "Work"
	case boardwatch.FieldType:
		return "Employment"
	case boardwatch.FieldValidThrough:
		return "Apply until"
	case boardwatch.FieldRequisition:
		return "Reference"
	default: // pay, places and text
		return strings.ToUpper(string(f[:1])) + string(f[1:])
	}
}

func (b *changedBoard) summary() string {
	return countsText(b.news, b.reopened, b.closed, b.updated)
}

func aboutJob(j boardwatch.Job) string {
	var parts []string
	for _, s := range []string{j.Location, j.Department, j.FactsLine()} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, " · ")
}

// dayName returns what people call a day. Both arguments are Dates.
func dayName(day, today time.Time) string {
	switch {
	case day.Equal(today):
		return "Today"
	case day.Equal(today.AddDate(0, 0, -1)):
		return "Yesterday"
	case day.Equal(today.AddDate(0, 0, 1)):
		return "Tomorrow"
	case day.Year() == today.Year():
		return day.Format("Monday, 2 January")
	default:
		return day.Format("Monday, 2 January 2006")
	}
}
