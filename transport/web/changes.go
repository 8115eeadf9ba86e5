package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

const (
	changesPerPage = 40
	rolesPerChange = 8
)

// changesPage is what has changed, by day and board.
type changesPage struct {
	Boards []choice
	Kinds  []choice
	Days   []changeDay
	Pager  pager
}

type changeDay struct {
	Name   string
	Boards []changedBoard
}

type changedBoard struct {
	ID, Name, Summary string
	Changes           []changeRow
	More              []link

	found, closed, updated int
}

type changeRow struct {
	Chip              chip
	Title, About, URL string
	At                time.Time
}

func (a *App) listChanges(w http.ResponseWriter, r *http.Request, c *caller) error {
	q := r.URL.Query()
	tracked, err := a.s.Tracker.Boards(r.Context(), c.Account, "")
	if err != nil {
		return err
	}
	f := boardwatch.ChangeFilter{
		BoardID: q.Get("board"), Kind: boardwatch.ListKind(q.Get("kind")), Limit: changesPerPage, Jobs: rolesPerChange,
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
	now := a.o.Now()
	p := changesPage{
		Boards: boardChoices(tracked, f.BoardID), Kinds: kindChoices(f.Kind),
		Days: changeDays(found.Changes, now),
	}
	if found.More {
		p.Pager.After = with(q, "/changes", "before", strconv.FormatInt(found.Next.UnixMilli(), 10))
	}
	if q.Get("before") != "" {
		p.Pager.Before = with(q, "/changes", "before", "")
	}
	return a.show(w, r, c, http.StatusOK, "changes", view{Title: "Changes", Section: "Changes", Feed: feed, Page: p})
}

func kindChoices(chosen boardwatch.ListKind) []choice {
	return []choice{
		{"", "All changes", chosen == ""},
		{string(boardwatch.ListFound), "New roles", chosen == boardwatch.ListFound},
		{string(boardwatch.ListClosed), "Closed roles", chosen == boardwatch.ListClosed},
		{string(boardwatch.ListUpdated), "Updated roles", chosen == boardwatch.ListUpdated},
	}
}

// changeDays are the days with changes, and on them the boards that had some.
func changeDays(changes []boardwatch.BoardChange, now time.Time) []changeDay {
	var days []changeDay
	for _, d := range track.Days(changes, time.UTC) {
		day := changeDay{Name: dayName(d.Date, now)}
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
	return nameOf(boardwatch.TrackedBoard{Board: boardwatch.Board{Company: company, URL: careersURL}})
}

func (b *changedBoard) add(c boardwatch.BoardChange) {
	for _, part := range []struct {
		list   boardwatch.JobList
		chip   chip
		count  *int
		status string
	}{
		{c.Found, chip{"busy", "new"}, &b.found, ""},
		{c.Closed, chip{"", "closed"}, &b.closed, "closed"},
		{c.Updated, chip{"warn", "updated"}, &b.updated, ""},
	} {
		*part.count += part.list.Total
		for _, j := range part.list.Jobs {
			b.Changes = append(b.Changes, changeRow{part.chip, j.Title, aboutJob(j), webAddress(j.URL), c.At})
		}
		if more := part.list.More(); more > 0 {
			q := url.Values{"board": {c.BoardID}}
			if part.status != "" {
				q.Set("status", part.status)
			}
			b.More = append(b.More, link{strconv.Itoa(more) + " more " + part.chip.Text, "/roles?" + q.Encode()})
		}
	}
}

func (b *changedBoard) summary() string {
	return changesOf(boardwatch.Check{Found: b.found, Closed: b.closed, Updated: b.updated})
}

func aboutJob(j boardwatch.Job) string {
	var parts []string
	for _, s := range []string{j.Location, j.Department} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, " · ")
}

// dayName is a day as people call it.
func dayName(t, now time.Time) string {
	day := t.UTC().Truncate(24 * time.Hour)
	switch today := now.UTC().Truncate(24 * time.Hour); {
	case day.Equal(today):
		return "Today"
	case day.Equal(today.AddDate(0, 0, -1)):
		return "Yesterday"
	case day.Year() == today.Year():
		return day.Format("Monday, 2 January")
	default:
		return day.Format("Monday, 2 January 2006")
	}
}
