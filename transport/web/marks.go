package web

import (
	"fmt"
	"net/http"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// markedRows returns the rows of roles with the viewer's marks. Roles that look alike and are told once are one row.
func (a *App) markedRows(r *http.Request, c *caller, jobs []boardwatch.Job, withBoard bool) ([]roleRow, error) {
	if len(jobs) == 0 {
		return nil, nil
	}
	ids := make([]string, len(jobs))
	for i, j := range jobs {
		ids[i] = j.ID
	}
	marks, err := a.s.Tracker.Marks(r.Context(), c.Account, ids...)
	if err != nil {
		return nil, err
	}
	fresh := map[string]bool{}
	if mark := c.Prefs.Visits.Mark(a.o.Now()); !mark.IsZero() {
		if fresh, err = a.s.Feed.News(r.Context(), c.Account, mark, ids); err != nil {
			return nil, err
		}
	}
	jobs, others := boardwatch.Once(jobs, func(j *boardwatch.Job) *boardwatch.Job { return j }, func(j boardwatch.Job) string {
		m := marks[j.ID]
		m.JobID = ""
		return fmt.Sprint(m, fresh[j.ID], j.Status, j.MissedSince)
	})
	rows := roleRows(jobs, withBoard)
	if err := a.doubt(r, c, jobs, rows); err != nil {
		return nil, err
	}
	back := "/roles"
	if r.Method == http.MethodGet {
		back = r.URL.RequestURI()
	}
	for i, j := range jobs {
		rows[i].ID, rows[i].Mark, rows[i].New, rows[i].Back = j.ID, marks[j.ID], fresh[j.ID], back
		for _, o := range others[i] {
			rows[i].Others = append(rows[i].Others, o.ID)
		}
	}
	return rows, nil
}

// doubt adds to roles that are missing from their boards since when they are, and when they close at the earliest.
func (a *App) doubt(r *http.Request, c *caller, jobs []boardwatch.Job, rows []roleRow) error {
	boards := map[string]boardwatch.Board{}
	for i, j := range jobs {
		if j.Status != boardwatch.JobOpen || j.MissedSince.IsZero() {
			continue
		}
		if len(boards) == 0 {
			tracked, err := a.s.Tracker.Tracked(r.Context(), c.Account)
			if err != nil {
				return err
			}
			for _, t := range tracked {
				boards[t.Board.ID] = t.Board
			}
		}
		rows[i].MissedSince, rows[i].ClosesAt = j.MissedSince, a.o.Rules.ClosesAt(boards[j.BoardID], j)
	}
	return nil
}

// saveMark saves a mark on a role: one button of a list, which may stand for several roles, or the whole form.
func (a *App) saveMark(w http.ResponseWriter, r *http.Request, c *caller) error {
	id := r.PathValue("id")
	ids := []string{id}
	if r.PostFormValue("do") != "" {
		ids = append(ids, r.PostForm["other"]...)
		ids = ids[:min(len(ids), rolesPerPage)]
	}
	marks, err := a.s.Tracker.Marks(r.Context(), c.Account, ids...)
	if err != nil {
		return err
	}
	f := flash{"good", "Saved."}
	for _, id := range ids {
		m := marks[id]
		m.JobID = id
		switch r.PostFormValue("do") {
		case "star":
			m.Starred, f.Text = true, "The role is starred."
		case "unstar":
			m.Starred, f.Text = false, "The role is no longer starred."
		case "hide":
			m.Hidden, f.Text = true, "The role is hidden. You find it under “Hidden”."
		case "show":
			m.Hidden, f.Text = false, "The role is shown again."
		default:
			m.Starred, m.Hidden = r.PostFormValue("starred") == "on", r.PostFormValue("hidden") == "on"
			m.AppliedOn, m.Note = r.PostFormValue("applied"), r.PostFormValue("note")
		}
		err := a.s.Tracker.Mark(r.Context(), c.Account, m)
		if boardwatch.CodeOf(err) == boardwatch.CodeInvalidRequest {
			f = flash{"bad", markFault(err)}
			break
		}
		if err != nil {
			return err
		}
	}
	to := localPath(r.PostFormValue("back"), "/roles")
	if r.PostFormValue("do") != "" {
		to += "#role-" + id // the row, for browsers that load the list again
	}
	a.back(w, r, to, f)
	return nil
}

func markFault(err error) string {
	return fieldFaults(err, map[string]string{
		"appliedOn": "The day on which you applied", "note": "The note", "mark": "This role cannot be marked:",
	})[0]
}

// markedOf returns the choice of roles by their marks; by default, hidden ones are left out.
func markedOf(s string) boardwatch.Marked {
	switch m := boardwatch.Marked(s); m {
	case boardwatch.MarkedStarred, boardwatch.MarkedApplied, boardwatch.MarkedHidden:
		return m
	default:
		return boardwatch.MarkedVisible
	}
}

func markedChoices(chosen boardwatch.Marked) []choice {
	return []choice{
		{"", "All except hidden", chosen == boardwatch.MarkedVisible},
		{string(boardwatch.MarkedStarred), "Starred", chosen == boardwatch.MarkedStarred},
		{string(boardwatch.MarkedApplied), "Applied", chosen == boardwatch.MarkedApplied},
		{string(boardwatch.MarkedHidden), "Hidden", chosen == boardwatch.MarkedHidden},
	}
}
