package web

import (
	"net/http"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// misreadPage takes a report that a board's roles differ from those on its page.
type misreadPage struct {
	ID, Name, URL string
	Action        string
	Text, Titles  string
	Wrong         faults
}

// misreadRow is a report on the operator's page.
type misreadRow struct {
	BoardID, Name, URL, Email, Text string
	Titles                          []string
	At                              time.Time
}

func (a *App) showMisread(w http.ResponseWriter, r *http.Request, c *caller) error {
	return a.misreadView(w, r, c, http.StatusOK, misreadPage{})
}

func (a *App) misreadView(w http.ResponseWriter, r *http.Request, c *caller, status int, p misreadPage) error {
	s, err := a.s.Tracker.TrackedBoard(r.Context(), c.Account, r.PathValue("id"))
	if err != nil {
		return err
	}
	p.Action = "/boards/" + r.PathValue("id") + "/misread"
	p.ID, p.Name, p.URL = s.Board.ID, nameOf(s), webAddress(s.Board.URL)
	return a.show(w, r, c, status, "misread", view{Title: "Wrong roles? " + p.Name, Section: "Boards", Narrow: true, Page: p})
}

func (a *App) reportMisread(w http.ResponseWriter, r *http.Request, c *caller) error {
	text, titles := r.PostFormValue("text"), r.PostFormValue("titles")
	err := a.s.Tracker.Report(r.Context(), c.Account, boardwatch.Misread{
		BoardID: r.PathValue("id"), Text: text, Titles: boardwatch.TitlesIn(titles),
	})
	if err != nil {
		status, told := refusal(w, err)
		if !told {
			return err
		}
		return a.misreadView(w, r, c, status, misreadPage{Text: text, Titles: titles, Wrong: faultsOf(r.URL.Path, err)})
	}
	a.back(w, r, "/boards/"+r.PathValue("id"), flash{"good", "Thank you. The operator sees your report."})
	return nil
}

// dropMisreads deletes the reports about a board.
func (a *App) dropMisreads(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := a.s.Operator.DropMisreads(r.Context(), c.Account, r.PathValue("id")); err != nil {
		return err
	}
	a.back(w, r, "/admin", flash{"good", "The reports about this board are deleted."})
	return nil
}

// misreadRows returns the reports for operators.
func misreadRows(reports []boardwatch.MisreadReport) []misreadRow {
	rows := make([]misreadRow, len(reports))
	for i, m := range reports {
		rows[i] = misreadRow{
			BoardID: m.Board.ID, Name: nameOf(boardwatch.TrackedBoard{Board: m.Board}), URL: webAddress(m.Board.URL), Email: m.Email,
			Text: strings.TrimSpace(m.Text), Titles: m.Titles, At: m.At,
		}
	}
	return rows
}
