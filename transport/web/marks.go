package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
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
		rows[i].Stage = stageText(rows[i].Mark)
		if i > 0 {
			rows[i].Beside, rows[i-1].Beside = jobs[i-1].ID, j.ID
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

// saveMark saves a mark on a role: one button of a list, which may stand for several roles, or the whole form. What was there
// before can be brought back.
func (a *App) saveMark(w http.ResponseWriter, r *http.Request, c *caller) error {
	id, do := r.PathValue("id"), r.PostFormValue("do")
	ids := []string{id}
	if do != "" {
		ids = append(ids, r.PostForm["other"]...)
		ids = ids[:min(len(ids), rolesPerPage)]
	}
	marks, err := a.s.Tracker.Marks(r.Context(), c.Account, ids...)
	if err != nil {
		return err
	}
	to := localPath(r.PostFormValue("back"), "/roles")
	f, u := flash{"good", "Saved."}, undo{r.URL.Path, markFields(marks[id], ids[1:], to)}
	if do == "restore" {
		f.Text, u = "It is as it was before.", undo{}
	}
	for _, id := range ids {
		m := marks[id]
		m.JobID = id
		switch do {
		case "star":
			m.Starred, f.Text = true, "The role is starred."
		case "unstar":
			m.Starred, f.Text = false, "The role is no longer starred."
		case "hide":
			m.Hidden, f.Text = true, "The role is hidden. “Your status”, under “More filters”, finds it again."
		case "show":
			m.Hidden, f.Text = false, "The role is shown again."
		case "stage":
			f.Text = a.proceed(&m, track.Stage(r.PostFormValue("stage")), c)
		case "restore":
			m.Starred, m.Hidden = r.PostFormValue("starred") != "", r.PostFormValue("hidden") != ""
			m.Stage, m.AppliedOn, m.Note = track.Stage(r.PostFormValue("stage")), r.PostFormValue("applied"), r.PostFormValue("note")
		default:
			m.AppliedOn, m.Note = r.PostFormValue("applied"), r.PostFormValue("note")
			if m.AppliedOn != "" && m.Stage == track.StageNone {
				m.Stage = track.StageApplied
			}
		}
		err := a.s.Tracker.Mark(r.Context(), c.Account, m)
		if boardwatch.CodeOf(err) == boardwatch.CodeInvalidRequest {
			f, u = flash{"bad", markFault(err)}, undo{}
			break
		}
		if err != nil {
			return err
		}
	}
	if do != "" && to != rolePath(id) {
		to += "#role-" + id // the row, for browsers that load the list again
		if beside := r.PostFormValue("beside"); do == "hide" && boardwatch.ValidID(beside) {
			to = strings.TrimSuffix(to, id) + beside
		}
	}
	a.backUndo(w, r, to, f, u)
	return nil
}

// markFields are the fields of the form that brings a mark back, on roles that all have the same.
func markFields(m track.Mark, others []string, back string) url.Values {
	fields := url.Values{"do": {"restore"}, "stage": {string(m.Stage)}, "applied": {m.AppliedOn}, "note": {m.Note}, "back": {back}}
	if m.Starred {
		fields.Set("starred", "on")
	}
	if m.Hidden {
		fields.Set("hidden", "on")
	}
	if len(others) > 0 {
		fields["other"] = others
	}
	return fields
}

// proceed changes how far an application has come, and says so. The stage that it has already is taken back.
func (a *App) proceed(m *track.Mark, to track.Stage, c *caller) (text string) {
	if stageOf(*m) == to {
		m.Stage = track.StageNone
		if to == track.StageApplied {
			m.AppliedOn = ""
		}
		return "Taken back."
	}
	m.Stage = to
	if m.AppliedOn == "" && to != track.StageEnded {
		m.AppliedOn = a.o.Now().In(c.Zone).Format(time.DateOnly)
	}
	return "Your status: " + stageName(to) + "."
}

// stageOf returns the stage of an application. Marks of earlier versions have only the day.
func stageOf(m track.Mark) track.Stage {
	if m.Stage == track.StageNone && m.AppliedOn != "" {
		return track.StageApplied
	}
	return m.Stage
}

func stageName(s track.Stage) string {
	if s == track.StageEnded {
		return "closed by me"
	}
	return string(s)
}

// stageChoices are the stages to choose from on a role's page.
func stageChoices(m track.Mark) []choice {
	var out []choice
	for _, s := range track.Stages() {
		out = append(out, choice{string(s), capital(stageName(s)), stageOf(m) == s})
	}
	if stageOf(m) == track.StageNone {
		out[0].Name = "I applied today"
	}
	return out
}

// stageText says on a list how far an application has come.
func stageText(m track.Mark) string {
	s := stageOf(m)
	if day, err := time.Parse(time.DateOnly, m.AppliedOn); err == nil && s == track.StageApplied {
		return "applied " + day.Format("2 Jan 2006")
	}
	return stageName(s)
}

func markFault(err error) string {
	return fieldFaults(err, map[string]string{
		"appliedOn": "The day on which you applied", "note": "The note", "stage": "Your status", "mark": "This role cannot be marked:",
	})[0]
}

// markedOf returns the choice of roles by their marks; by default, hidden ones are left out.
func markedOf(s string) track.Marked {
	switch m := track.Marked(s); m {
	case track.MarkedStarred, track.MarkedApplied, track.MarkedHidden:
		return m
	default:
		return track.MarkedVisible
	}
}

func markedChoices(chosen track.Marked) []choice {
	return []choice{
		{"", "All except hidden", chosen == track.MarkedVisible},
		{string(track.MarkedStarred), "Starred", chosen == track.MarkedStarred},
		{string(track.MarkedApplied), "Applied", chosen == track.MarkedApplied},
		{string(track.MarkedHidden), "Hidden", chosen == track.MarkedHidden},
	}
}
