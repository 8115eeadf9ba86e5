package web

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// searchPage is a saved search with the open roles that it finds.
type searchPage struct {
	ID, Name, About, Summary string
	Saved                    []tab
	Columns                  []column
	Roles                    []roleRow
	Pager                    pager
	Hits                     []hitRow // the last changes
	Told                     string   // how its owner is told about it
	Form                     searchForm
	Shared                   sharing
}

func searchPath(id string) string { return "/searches/" + id }

// showSearch shows the current results of a saved search.
func (a *App) showSearch(w http.ResponseWriter, r *http.Request, c *caller) error {
	return a.searchView(w, r, c, http.StatusOK, nil)
}

func (a *App) searchView(w http.ResponseWriter, r *http.Request, c *caller, status int, wrong []string) error {
	search, err := a.s.Tracker.Search(r.Context(), c.Account, r.PathValue("id"))
	if err != nil {
		return err
	}
	searches, err := a.s.Tracker.Searches(r.Context(), c.Account)
	if err != nil {
		return err
	}
	tracked, err := a.s.Tracker.Tracked(r.Context(), c.Account)
	if err != nil {
		return err
	}
	q := r.URL.Query()
	found, err := a.s.Tracker.Jobs(r.Context(), c.Account, track.JobFilter{
		Status: boardwatch.JobOpen, Only: search.Criteria, Marked: track.MarkedVisible, Order: roleOrder(q), Limit: rolesPerPage, Skip: int64(pageNumber(q)-1) * rolesPerPage,
	})
	if err != nil {
		return err
	}
	changes, err := a.s.Feed.Hits(r.Context(), c.Account, search, hitsOnPage)
	if err != nil {
		return err
	}
	feed, err := a.feedLink(r, c, "")
	if err != nil {
		return err
	}
	feed.Address += searchPath(search.ID)
	rows, err := a.markedRows(r, c, found.Jobs, true)
	if err != nil {
		return err
	}
	path := searchPath(search.ID)
	p := searchPage{
		ID: search.ID, Name: search.Name, About: aboutSearch(search, tracked), Saved: searchTabs(searches, search.ID),
		Summary: fmt.Sprintf("%s open %s", number(int(found.Total)), noun(int(found.Total), "role", "roles")),
		Columns: roleColumns(q, path), Roles: rows, Pager: newPager(q, path, pageNumber(q), rolesPerPage, int(found.Total)),
		Hits: hitRows(changes.Hits),
	}
	p.Pager.Undated = roleOrder(q) != ""
	tokens, err := a.s.Tracker.Published(r.Context(), c.Account)
	if err != nil {
		return err
	}
	p.Shared = a.sharing(tokens[search.ID])
	ways, err := a.toldBy(r.Context(), c, search)
	if err != nil {
		return err
	}
	p.Told = toldText(search, ways)
	if len(wrong) > 0 { // what was typed stays in the form
		typed := searchOf(r)
		typed.ID = search.ID
		search = typed
	}
	if p.Form, err = a.newSearchForm(r, c, search, tracked); err != nil {
		return err
	}
	p.Form.Wrong = wrong
	return a.show(w, r, c, status, "search", view{Title: search.Name, Section: "Roles", Feed: feed, Page: p})
}

// saveSearch saves the filter of the list of roles under a name.
func (a *App) saveSearch(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := r.ParseForm(); err != nil {
		return boardwatch.Invalid("form", "cannot be read")
	}
	search := searchOf(r)
	saved, err := a.s.Tracker.SaveSearch(r.Context(), c.Account, search)
	if boardwatch.CodeOf(err) == boardwatch.CodeInvalidRequest {
		return a.showRoles(w, r, c, rolesPage{Name: search.Name, Wrong: searchFaults(err)})
	}
	if err != nil {
		return err
	}
	return a.searchSaved(w, r, c, saved)
}

// searchFaults says what is wrong with a search, in sentences.
func searchFaults(err error) []string {
	return fieldFaults(err, map[string]string{
		"name": "The name", "text": "The text of the title", "location": "The location", "department": "The department", "boards": "The boards", "mode": "The mode of work", "type": "The kind of employment",
		"payFrom": "The pay", "currency": "The currency", "words": "The words of the text",
		"tags": "The tags", "kinds": "The kinds of changes", "search": "The text of the title", "boardId": "The board", "status": "The status",
		"limit": "The page", "skip": "The page",
	})
}

// fieldFaults says what is wrong with the fields of a form, in sentences that begin with the form's names for them.
func fieldFaults(err error, names map[string]string) []string {
	e, ok := errors.AsType[*boardwatch.Error](err)
	if !ok {
		return sentences(err)
	}
	fields, ok := e.Details.([]boardwatch.FieldError)
	if !ok {
		return sentences(err)
	}
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = sentence(names[f.Field] + " " + f.Message)
	}
	return out
}

func (a *App) askSearchRemoval(w http.ResponseWriter, r *http.Request, c *caller) error {
	search, err := a.s.Tracker.Search(r.Context(), c.Account, r.PathValue("id"))
	if err != nil {
		return err
	}
	return a.askDeletion(w, r, c, confirmPage{
		Heading: "Delete the search “" + search.Name + "”?", Lead: "Its feed and, if you share it, its public page stop working.",
		Button: "Delete the search", Cancel: "/searches/" + search.ID,
	})
}

func (a *App) removeSearch(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := a.s.Tracker.RemoveSearch(r.Context(), c.Account, r.PathValue("id")); err != nil {
		return err
	}
	a.back(w, r, "/roles", flash{"good", "The search is deleted."})
	return nil
}

// searchTabs link to all roles and to those of each search.
func searchTabs(searches []boardwatch.Search, here string) []tab {
	if len(searches) == 0 {
		return nil
	}
	tabs := []tab{{Name: "All roles", Address: "/roles", Here: here == ""}}
	for _, q := range searches {
		tabs = append(tabs, tab{Name: q.Name, Address: searchPath(q.ID), Here: q.ID == here})
	}
	return tabs
}

// searchKinds lists the kinds of changes that a search can select; without a choice, all are selected.
func searchKinds(chosen []string) []choice {
	names := map[boardwatch.ChangeKind]string{
		boardwatch.ChangeFound: "new", boardwatch.ChangeUpdated: "changed", boardwatch.ChangeClosed: "closed", boardwatch.ChangeReopened: "open again",
	}
	var out []choice
	for _, kind := range boardwatch.ChangeKinds() {
		out = append(out, choice{string(kind), names[kind], len(chosen) == 0 || slices.Contains(chosen, string(kind))})
	}
	return out
}

// tagChoices lists the tags of the account's boards.
func tagChoices(tracked []track.TrackedBoard, chosen string) []choice {
	var out []choice
	for _, b := range tracked {
		for _, tag := range b.Subscription.Tags {
			if !slices.ContainsFunc(out, func(c choice) bool { return strings.EqualFold(c.ID, tag) }) {
				out = append(out, choice{tag, tag, strings.EqualFold(tag, chosen)})
			}
		}
	}
	slices.SortFunc(out, func(a, b choice) int { return strings.Compare(strings.ToLower(a.ID), strings.ToLower(b.ID)) })
	return out
}

// aboutSearch puts a search in words.
func aboutSearch(q boardwatch.Search, tracked []track.TrackedBoard) string {
	var parts []string
	say := func(what, text string) {
		if text != "" {
			parts = append(parts, what+" “"+text+"”")
		}
	}
	say("title with", q.Text)
	say("location with", q.Location)
	say("department with", q.Department)
	if line := (boardwatch.Facts{Mode: q.Mode, Type: q.Type}).Line(); line != "" {
		parts = append(parts, line)
	}
	if pay := (boardwatch.Pay{Min: float64(q.PayFrom), Currency: q.Currency, Period: boardwatch.PerYear}); q.PayFrom > 0 {
		parts = append(parts, "pays "+pay.String())
	} else if q.Currency != "" {
		parts = append(parts, "pays in "+q.Currency)
	}
	if q.Words != "" {
		parts = append(parts, "text with the words “"+q.Words+"”")
	}
	for _, b := range tracked {
		if slices.Contains(q.Boards, b.Board.ID) {
			parts = append(parts, "at "+nameOf(b))
		}
	}
	if len(q.Tags) > 0 {
		parts = append(parts, "boards tagged "+strings.Join(q.Tags, ", "))
	}
	if len(parts) == 0 {
		return "every role on your boards"
	}
	return strings.Join(parts, " · ")
}
