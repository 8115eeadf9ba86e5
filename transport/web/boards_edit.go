package web

import (
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

func (a *App) addBoard(w http.ResponseWriter, r *http.Request, c *caller) error {
	address := strings.TrimSpace(r.PostFormValue("url"))
	if host := typedHost(address); host != "" && r.PostFormValue("anyway") == "" && a.o.Exists != nil && !a.o.Exists(r.Context(), host) {
		return a.showBoards(w, r, c, http.StatusBadRequest, &refusedBoard{
			Tried: address, Reason: "There is no site " + host + ", so nothing was added. Check the spelling.", Anyway: true,
		})
	}
	added, err := a.s.Tracker.Add(r.Context(), c.Account, track.NewBoard{URL: address})
	if err != nil {
		status, told := refusal(w, err)
		if !told {
			return err
		}
		if id := trackedAlready(err); id != "" {
			a.backAbout(w, r, "/boards", flash{"warn", "That board is already on your list."}, link{"Show it", "/boards/" + id})
			return nil
		}
		refused := &refusedBoard{Tried: address, Reason: strings.Join(sentences(err), " ")}
		named, err := a.s.Tracker.Named(r.Context(), address)
		if err != nil {
			return err
		}
		tracked, err := a.s.Tracker.Tracked(r.Context(), c.Account)
		if err != nil {
			return err
		}
		refused.Known = suggestions(named, tracked)
		return a.showBoards(w, r, c, status, refused)
	}
	name := nameOfView(added.Board)
	u := undo{"/boards/" + added.Board.ID + "/remove", nil}
	f := flash{"good", name + " is on your list. Its roles are here within about a minute."}
	switch {
	case added.Locked:
		f = flash{"warn", name + " is on your list, but locked: it is past your plan’s limit and is not read until there is room."}
	case added.Fresh:
		f.Text = name + " is on your list."
	}
	a.backUndo(w, r, "/boards", f, u)
	return nil
}

// refusedBoard describes an address that could not be added.
type refusedBoard struct {
	Tried, Reason string
	Known         []suggestion // boards of companies with the name that was typed
	Anyway        bool         // it can be added nevertheless
}

// typedHost returns the host of an address as people type it; empty if it has none that could be looked up.
func typedHost(address string) string {
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	u, err := url.Parse(address)
	if err != nil || !boardwatch.PublicHost(u.Hostname()) {
		return ""
	}
	if _, err := netip.ParseAddr(u.Hostname()); err == nil {
		return ""
	}
	return u.Hostname()
}

// suggestion is a board that could be added instead.
type suggestion struct {
	Name, About, URL string
	Listed           string // its id, if it is on the list already
}

func suggestions(boards []boardwatch.Board, tracked []track.TrackedBoard) []suggestion {
	out := make([]suggestion, len(boards))
	for i, b := range boards {
		out[i] = suggestion{Name: b.Company, About: aboutBoard(b, b.Company), URL: b.URL}
		if slices.ContainsFunc(tracked, func(t track.TrackedBoard) bool { return t.Board.ID == b.ID }) {
			out[i].Listed = b.ID
		}
	}
	return out
}

// trackedAlready returns the board from an error that says it is already on the list.
func trackedAlready(err error) (boardID string) {
	e, ok := errors.AsType[*boardwatch.Error](err)
	if !ok {
		return ""
	}
	tracked, _ := e.Details.(boardwatch.AlreadyTracked)
	return tracked.BoardID
}

func (a *App) askRemoval(w http.ResponseWriter, r *http.Request, c *caller) error {
	b, err := a.s.Tracker.Board(r.Context(), c.Account, r.PathValue("id"))
	if err != nil {
		return err
	}
	return a.askDeletion(w, r, c, confirmPage{
		Heading: "Remove " + nameOfView(b) + " from your list?", Lead: "Its history is kept: adding it again brings everything back.",
		Button: "Remove", Cancel: "/boards/" + b.ID,
	})
}

func (a *App) removeBoard(w http.ResponseWriter, r *http.Request, c *caller) error {
	b, err := a.s.Tracker.Board(r.Context(), c.Account, r.PathValue("id"))
	if err == nil {
		err = a.s.Tracker.Remove(r.Context(), c.Account, b.ID)
	}
	if err != nil {
		return err
	}
	a.backUndo(w, r, "/boards", flash{"good", nameOfView(b) + " is off your list. Adding it again brings its history back."},
		undo{"/boards", url.Values{"url": {b.CareersURL}, "anyway": {"yes"}}})
	return nil
}

// tagBoard replaces a board's tags with those in the field.
func (a *App) tagBoard(w http.ResponseWriter, r *http.Request, c *caller) error {
	b, err := a.s.Tracker.TrackedBoard(r.Context(), c.Account, r.PathValue("id"))
	if err != nil {
		return err
	}
	var add []string
	for tag := range strings.SplitSeq(r.PostFormValue("tags"), ",") {
		if tag = strings.TrimSpace(tag); tag != "" {
			add = append(add, tag)
		}
	}
	remove := slices.DeleteFunc(slices.Clone(b.Subscription.Tags), func(tag string) bool {
		return slices.ContainsFunc(add, func(kept string) bool { return strings.EqualFold(kept, tag) })
	})
	f, u := flash{"good", "The tags are saved."}, undo{r.URL.Path, url.Values{"tags": {strings.Join(b.Subscription.Tags, ", ")}}}
	if _, err := a.s.Tracker.Tag(r.Context(), c.Account, b.Board.ID, add, remove); boardwatch.CodeOf(err) == boardwatch.CodeInvalidRequest {
		f, u = flash{"bad", searchFaults(err)[0]}, undo{}
	} else if err != nil {
		return err
	}
	a.backUndo(w, r, "/boards/"+b.Board.ID, f, u)
	return nil
}

// checkBoard queues a check of a board that the account actively tracks. The board's page shows its progress.
func (a *App) checkBoard(w http.ResponseWriter, r *http.Request, c *caller) error {
	b, err := a.s.Tracker.Board(r.Context(), c.Account, r.PathValue("id"))
	if err != nil {
		return err
	}
	to := "/boards/" + b.ID
	if b.Tracking == boardwatch.TrackingLocked {
		a.back(w, r, to, flash{"warn", nameOfView(b) + " is locked, and is not read until there is room for it."})
		return nil
	}
	refused, err := a.s.Tracker.RequestCheck(r.Context(), c.Account.ID, b.ID)
	if err != nil {
		return err
	}
	if refused != "" {
		a.back(w, r, to, flash{"warn", spokenReason(refused, a.o.Now(), c.Zone)})
		return nil
	}
	if list := localPath(r.PostFormValue("back"), ""); list != "" {
		a.back(w, r, list, flash{"good", nameOfView(b) + " is being checked."})
		return nil
	}
	shown := url.Values{"checked": {checkMark(b.LastCheckedAt)}}
	http.Redirect(w, r, with(shown, to, "show", r.PostFormValue("show")), http.StatusSeeOther)
	return nil
}
