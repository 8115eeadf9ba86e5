package web

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// lessonPage shows an operator the lists on a board's page, to choose where its roles are.
type lessonPage struct {
	ID, Name, URL string
	Hosted        string // the system whose boards need no recipe; empty for a page
	Current       string // the board's recipe, indented
	Waiting       bool

	Reports []misreadRow
	Reason  string // why the board cannot be read, or not well

	Asked           string // when the answer was asked for, as the form sends it back
	Lists           []listRow
	Like, Not       string
	Wrong           []string
	Failure, Remark string // why no recipe was made, and what is wrong with its result
	Recipe          string
	Roles           []boardwatch.Posting
	Count, Left     int // roles, and how many of them are not shown
}

// listRow is one of the lists of the page.
type listRow struct {
	Number, Count int
	First         []string
}

// lessonBoard returns the board that an operator asks about, or the board that it was merged into.
func (a *App) lessonBoard(r *http.Request, c *caller) (boardwatch.Board, error) {
	return a.s.Operator.Board(r.Context(), c.Account, r.PathValue("id"))
}

func (a *App) showLesson(w http.ResponseWriter, r *http.Request, c *caller) error {
	b, err := a.lessonBoard(r, c)
	if err != nil {
		return err
	}
	l, err := a.s.Operator.Lesson(r.Context(), c.Account, b.ID)
	if err != nil && boardwatch.CodeOf(err) != boardwatch.CodeNotFound {
		return err
	}
	return a.lessonView(w, r, c, http.StatusOK, newLessonPage(b, l))
}

func (a *App) lessonView(w http.ResponseWriter, r *http.Request, c *caller, status int, p lessonPage) error {
	reports, err := a.s.Operator.Misreads(r.Context(), c.Account)
	if err != nil {
		return err
	}
	p.Reports = slices.DeleteFunc(misreadRows(reports), func(m misreadRow) bool { return m.BoardID != p.ID })
	return a.show(w, r, c, status, "lesson", view{Title: "Wrong roles? " + p.Name, Section: "Boards", Page: p})
}

func newLessonPage(b boardwatch.Board, l boardwatch.Lesson) lessonPage {
	p := lessonPage{
		ID: b.ID, Name: nameOf(track.TrackedBoard{Board: b}), URL: webAddress(b.URL), Current: indented(b.Recipe),
		Reason:  strings.TrimSpace(sentence(b.State.Reason) + " " + b.State.Cause.Advice()),
		Waiting: l.BoardID != "" && !l.Done, Asked: l.AskedAt.UTC().Format(time.RFC3339Nano),
		Like: strings.Join(l.Like, "\n"), Not: strings.Join(l.Not, "\n"),
		Recipe: indented(l.Recipe), Roles: l.Postings, Count: l.Roles, Left: l.Roles - len(l.Postings),
	}
	if b.Source != "" && b.System() != boardwatch.PageSystem {
		p.Hosted = systemName(b)
	}
	for i, list := range l.Lists {
		p.Lists = append(p.Lists, listRow{i, list.Count, list.First})
	}
	switch {
	case l.Recipe == "":
		p.Failure = sentence(l.Reason)
	case l.Health != boardwatch.HealthOK:
		p.Remark = sentence(l.Reason)
	}
	return p
}

// indented formats a recipe for people.
func indented(recipe string) string {
	var b bytes.Buffer
	if recipe == "" || json.Indent(&b, []byte(recipe), "", "  ") != nil {
		return recipe
	}
	return b.String()
}

// askLesson asks for the lists of the page, or for what the examples in the form would read.
func (a *App) askLesson(w http.ResponseWriter, r *http.Request, c *caller) error {
	b, err := a.lessonBoard(r, c)
	if err != nil {
		return err
	}
	ask := boardwatch.Lesson{
		BoardID: b.ID, Like: account.TitlesIn(r.PostFormValue("like")), Not: account.TitlesIn(r.PostFormValue("not")),
	}
	last, err := a.s.Operator.Lesson(r.Context(), c.Account, b.ID)
	if err != nil && boardwatch.CodeOf(err) != boardwatch.CodeNotFound {
		return err
	}
	if pick, err := strconv.Atoi(r.PostFormValue("list")); err == nil && pick >= 0 && pick < len(last.Lists) {
		first := last.Lists[pick].First
		ask.Like = first[:min(2, len(first))] // replaces what was typed, perhaps for the previous page
	}
	if len(ask.Like) == 0 && r.PostFormValue("do") == "try" {
		p := newLessonPage(b, last)
		p.Not, p.Wrong = r.PostFormValue("not"), []string{"Choose a list, or type a title that is on the page."}
		return a.lessonView(w, r, c, http.StatusBadRequest, p)
	}
	if err := a.s.Operator.AskLesson(r.Context(), c.Account, ask); err != nil {
		return err
	}
	http.Redirect(w, r, "/boards/"+b.ID+"/lesson", http.StatusSeeOther)
	return nil
}

// useLesson saves the recipe that was shown, which the board is read by from then on.
func (a *App) useLesson(w http.ResponseWriter, r *http.Request, c *caller) error {
	b, err := a.lessonBoard(r, c)
	if err != nil {
		return err
	}
	to := "/boards/" + b.ID + "/lesson"
	asked, err := time.Parse(time.RFC3339Nano, r.PostFormValue("asked"))
	if err == nil {
		err = a.s.Operator.UseLesson(r.Context(), c.Account, b.ID, asked)
	}
	switch {
	case err == nil:
		a.back(w, r, to, flash{"good", "The board is read by this recipe from now on. Roles that are gone close after several checks."})
	case !asked.IsZero() && boardwatch.CodeOf(err) != boardwatch.CodeInvalidRequest:
		return err
	default:
		a.back(w, r, to, flash{"warn", "The page has been read again since. Check the roles below before you save."})
	}
	return nil
}

func (a *App) askRecipeRemoval(w http.ResponseWriter, r *http.Request, c *caller) error {
	b, err := a.lessonBoard(r, c)
	if err != nil {
		return err
	}
	return a.askDeletion(w, r, c, confirmPage{
		Heading: "Remove the recipe of " + nameOf(track.TrackedBoard{Board: b}) + "?",
		Lead:    "Its roles are found without one again, for everybody who tracks it.",
		Button:  "Remove the recipe", Cancel: "/boards/" + b.ID + "/lesson",
	})
}

func (a *App) clearRecipe(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := a.s.Operator.ClearRecipe(r.Context(), c.Account, r.PathValue("id")); err != nil {
		return err
	}
	a.back(w, r, "/boards/"+r.PathValue("id")+"/lesson", flash{"good", "The recipe is removed. The roles are found without one again."})
	return nil
}
