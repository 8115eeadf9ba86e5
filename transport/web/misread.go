package web

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// misreadPage takes a report that a board's roles differ from those on its page.
type misreadPage struct {
	ID, Name, URL string
	Action        string
	Text, Titles  string
	Wrong         faults
}

// answeredRow is a report of the viewer's, with the operator's answer once there is one.
type answeredRow struct {
	BoardID, Name, Text, Answer string
	At                          time.Time
	Answered                    bool
}

// answeredRows returns the viewer's reports about boards on their list.
func (a *App) answeredRows(r *http.Request, c *caller, of map[string]string) ([]answeredRow, error) {
	reports, err := a.s.Tracker.Reports(r.Context(), c.Account)
	if err != nil {
		return nil, err
	}
	var rows []answeredRow
	for _, m := range reports {
		if name, ok := of[m.BoardID]; ok {
			text := cmp.Or(m.Text, strings.Join(m.Titles, ", "))
			answer := cmp.Or(m.Answer, "The operator has looked at the board.")
			rows = append(rows, answeredRow{m.BoardID, name, text, answer, m.At, !m.AnsweredAt.IsZero()})
		}
	}
	return rows, nil
}

// dropReport deletes the viewer's report about a board, which they have seen the answer to.
func (a *App) dropReport(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := a.s.Tracker.DropReport(r.Context(), c.Account, r.PathValue("id")); err != nil {
		return err
	}
	a.back(w, r, localPath(r.PostFormValue("back"), "/boards"), flash{"good", "The answer is put away."})
	return nil
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
	err := a.s.Tracker.Report(r.Context(), c.Account, account.Misread{
		BoardID: r.PathValue("id"), Text: text, Titles: account.TitlesIn(titles),
	})
	if err != nil {
		status, told := refusal(w, err)
		if !told {
			return err
		}
		return a.misreadView(w, r, c, status, misreadPage{Text: text, Titles: titles, Wrong: faultsOf(r.URL.Path, err)})
	}
	a.back(w, r, "/boards/"+r.PathValue("id"), flash{"good", "Thank you. The operator sees your report, and the answer will be here."})
	return nil
}

// answerMisreads answers everybody who reported a board.
func (a *App) answerMisreads(w http.ResponseWriter, r *http.Request, c *caller) error {
	f := flash{"good", "The answer is on the pages of those who reported the board."}
	err := a.s.Operator.AnswerMisreads(r.Context(), c.Account, r.PathValue("id"), r.PostFormValue("answer"))
	if boardwatch.CodeOf(err) == boardwatch.CodeInvalidRequest {
		f, err = flash{"bad", fieldFaults(err, map[string]string{"answer": "The answer"})[0]}, nil
	}
	if err != nil {
		return err
	}
	a.back(w, r, "/admin#misreads", f)
	return nil
}

// misreadRows returns the reports for operators.
func misreadRows(reports []account.MisreadReport) []misreadRow {
	rows := make([]misreadRow, len(reports))
	for i, m := range reports {
		rows[i] = misreadRow{
			BoardID: m.Board.ID, Name: nameOf(track.TrackedBoard{Board: m.Board}), URL: webAddress(m.Board.URL), Email: m.Email,
			Text: strings.TrimSpace(m.Text), Titles: m.Titles, At: m.At,
		}
	}
	return rows
}
