package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// changeBoards does the same to many boards: it tags them, takes a tag away, checks them, or saves a search for their roles.
func (a *App) changeBoards(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := r.ParseForm(); err != nil {
		return boardwatch.Invalid("form", "cannot be read")
	}
	ids, do, tag := r.PostForm["board"], r.PostFormValue("do"), strings.TrimSpace(r.PostFormValue("tag"))
	back := localPath(r.PostFormValue("back"), "/boards")
	say := func(kind, text string) error {
		a.back(w, r, back, flash{kind, text})
		return nil
	}
	boards := number(len(ids)) + " " + noun(len(ids), "board", "boards")
	switch {
	case len(ids) == 0:
		return say("warn", "No board was selected.")
	case do == "search":
		return a.searchBoards(w, r, c, ids, back)
	case do != "check" && tag == "":
		return say("warn", "No tag was given.")
	}
	tracked, err := a.s.Tracker.Tracked(r.Context(), c.Account)
	if err != nil {
		return err
	}
	had := func(id string) bool {
		return slices.ContainsFunc(tracked, func(t track.TrackedBoard) bool { return t.Board.ID == id && t.Subscription.Tagged(tag) })
	}
	done, changed := 0, []string(nil)
	for _, id := range ids {
		var err error
		switch do {
		case "check":
			var b boardwatch.BoardView
			if b, err = a.s.Tracker.Board(r.Context(), c.Account, id); err != nil {
				break
			}
			refused := "it is locked"
			if b.Tracking != boardwatch.TrackingLocked {
				refused, err = a.s.Tracker.RequestCheck(r.Context(), c.Account.ID, b.ID)
			}
			if refused != "" {
				continue
			}
		case "untag":
			_, err = a.s.Tracker.Tag(r.Context(), c.Account, id, nil, []string{tag})
		default:
			_, err = a.s.Tracker.Tag(r.Context(), c.Account, id, []string{tag}, nil)
		}
		switch code := boardwatch.CodeOf(err); {
		case err == nil:
			done++
			if had(id) == (do == "untag") {
				changed = append(changed, id)
			}
		case code == boardwatch.CodeInvalidRequest:
			return say("bad", searchFaults(err)[0])
		case code != boardwatch.CodeNotFound: // else it was removed meanwhile
			return err
		}
	}
	if do == "check" {
		return say("good", number(done)+" of "+boards+" "+noun(done, "is", "are")+" being checked.")
	}
	text, reverse := boards+" "+noun(len(ids), "has", "have")+" the tag “"+tag+"” now.", "untag"
	if do == "untag" {
		text, reverse = "The tag “"+tag+"” is taken from "+boards+".", "tag"
	}
	u := undo{r.URL.Path, url.Values{"do": {reverse}, "tag": {tag}, "board": changed, "back": {back}}}
	if len(changed) == 0 {
		u = undo{}
	}
	a.backUndo(w, r, back, flash{"good", text}, u)
	return nil
}

// searchBoards saves a search for all roles of some boards under their names, to be followed or shared.
func (a *App) searchBoards(w http.ResponseWriter, r *http.Request, c *caller, ids []string, back string) error {
	tracked, err := a.s.Tracker.Tracked(r.Context(), c.Account)
	if err != nil {
		return err
	}
	var names []string
	for _, t := range tracked {
		if slices.Contains(ids, t.Board.ID) {
			names = append(names, nameOf(t))
		}
	}
	q := boardwatch.Search{Name: shortened(listed(names, "and"), boardwatch.MaxSearchName), Criteria: boardwatch.Criteria{Boards: ids}}
	saved, err := a.s.Tracker.SaveSearch(r.Context(), c.Account, q)
	if boardwatch.CodeOf(err) == boardwatch.CodeInvalidRequest {
		a.back(w, r, back, flash{"bad", searchFaults(err)[0]})
		return nil
	}
	if err != nil {
		return err
	}
	a.back(w, r, searchPath(saved.ID), flash{"good", "The roles of these boards are saved as a search. Rename it, follow it or share it here."})
	return nil
}

// shortened returns a text of at most that many characters.
func shortened(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
