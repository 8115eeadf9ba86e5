package web

import (
	"html/template"
	"net/http"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// rolePage shows one role and its history.
type rolePage struct {
	ID, Title, Location, Department, URL string
	BoardID, Board                       string
	Chip                                 chip
	FirstSeenAt, LastSeenAt, ClosedAt    time.Time
	MissedSince, ClosesAt                time.Time   // of an open role that healthy checks do not show; it closes no earlier
	PageSays                             string      // what its own page said
	MissedBy                             []time.Time // of a closed role: the checks, oldest first
	Unrecorded                           bool        // it closed before the missing checks were recorded
	Events                               []eventRow  // newest first

	Facts         []factRow
	Posting       template.HTML // its text
	Evidence      []string      // of its age
	Earlier       string        // the id of a role that closed before, with the same title and text
	EarlierClosed time.Time

	Mark   track.Mark // the viewer's mark
	Stages []choice   // of their application
}

// eventRow is an entry in the history of a role.
type eventRow struct {
	Chip   chip
	Text   string
	Fields []fieldRow
	At     time.Time
	Diff   []track.DiffLine // of its text
}

func rolePath(id string) string { return "/roles/" + id }

// showRole shows a role of a board that the account actively tracks. Anybody else gets "not found".
func (a *App) showRole(w http.ResponseWriter, r *http.Request, c *caller) error {
	j, err := a.s.Tracker.Role(r.Context(), c.Account, r.PathValue("id"))
	if err != nil {
		return err
	}
	board, err := a.s.Tracker.TrackedBoard(r.Context(), c.Account, j.BoardID)
	if err != nil {
		return err
	}
	events, err := a.s.Tracker.RoleHistory(r.Context(), j)
	if err != nil {
		return err
	}
	p := rolePage{
		ID: j.ID, Title: j.Title, Location: j.Location, Department: j.Department, URL: webAddress(j.URL), BoardID: j.BoardID,
		Board: nameOf(board), Chip: jobChip(j), FirstSeenAt: j.FirstSeenAt, LastSeenAt: j.LastSeenAt, ClosedAt: j.ClosedAt,
		Events: eventRows(events, j),
	}
	if at := a.o.Rules.ClosesAt(board.Board, j); !at.IsZero() {
		p.MissedSince, p.ClosesAt, p.PageSays = j.MissedSince, at, sentence(j.Testimony.Says())
	}
	p.whyClosed(events, j)
	if err := a.postingOf(r.Context(), &p, j, events); err != nil {
		return err
	}
	marks, err := a.s.Tracker.Marks(r.Context(), c.Account, j.ID)
	if err != nil {
		return err
	}
	p.Mark = marks[j.ID]
	p.Stages = stageChoices(p.Mark)
	return a.show(w, r, c, http.StatusOK, "role", view{Title: j.Title, Section: "Roles", Page: p})
}

func jobChip(j boardwatch.Job) chip {
	if j.Status == boardwatch.JobClosed {
		return chip{"", "closed"}
	}
	if !j.MissedSince.IsZero() {
		return chip{"warn", "missing"}
	}
	return chip{"ok", "open"}
}

// whyClosed finds the checks that missed a role before it last closed.
func (p *rolePage) whyClosed(events []boardwatch.RoleEvent, j boardwatch.Job) {
	if j.Status != boardwatch.JobClosed {
		return
	}
	for _, e := range slices.Backward(events) {
		if e.Kind != boardwatch.ChangeClosed {
			continue
		}
		p.PageSays = sentence(e.Testimony.Says())
		for _, absence := range e.Absences {
			p.MissedBy = append(p.MissedBy, absence.At)
		}
		break
	}
	p.Unrecorded = len(p.MissedBy) == 0
}

// eventRows returns the entries of a history, newest first.
func eventRows(events []boardwatch.RoleEvent, j boardwatch.Job) []eventRow {
	rows := make([]eventRow, len(events))
	for i, e := range events {
		row := eventRow{Text: eventText(e), Chip: eventChip(e.Kind), Fields: fieldRows(e.Changes), At: e.At}
		if e.Kind == boardwatch.ChangeMissing && cameBack(events[i+1:], j) {
			row.Text = "A healthy check did not show it. It was back before it counted as closed."
		}
		rows[len(events)-1-i] = row
	}
	return rows
}

// cameBack reports whether a missing role was seen again before it closed. Being seen again is not an entry of its own.
func cameBack(later []boardwatch.RoleEvent, j boardwatch.Job) bool {
	if len(later) > 0 {
		return later[0].Kind != boardwatch.ChangeClosed
	}
	return j.Status == boardwatch.JobOpen && j.MissedSince.IsZero()
}

func eventChip(kind boardwatch.ChangeKind) chip {
	switch kind {
	case boardwatch.ChangeFound, boardwatch.ChangeReopened:
		return chip{"busy", string(kind)}
	case boardwatch.ChangeUpdated:
		return chip{"edit", string(kind)}
	case boardwatch.ChangeMissing:
		return chip{"warn", string(kind)}
	default:
		return chip{"", string(kind)}
	}
}

// eventText says in a sentence what happened. For a closed role it leaves out the checks that missed it, which are
// listed separately.
func eventText(e boardwatch.RoleEvent) string {
	switch e.Kind {
	case boardwatch.ChangeFound:
		if e.Origin == boardwatch.OriginCheck {
			return "It appeared on the board."
		}
	case boardwatch.ChangeUpdated:
		if len(e.Changes) > 0 {
			return ""
		}
	case boardwatch.ChangeClosed:
		if n := len(e.Absences); n > 0 {
			return number(n) + " healthy " + noun(n, "check", "checks in a row") + " did not show it."
		}
	case boardwatch.ChangeReopened:
		return "A check showed it again."
	case boardwatch.ChangeMissing:
	}
	return sentence(e.Reason())
}
