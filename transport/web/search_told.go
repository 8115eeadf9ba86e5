package web

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// searchForm is what a person decides about a saved search.
type searchForm struct {
	Action                     string
	ID, Name                   string // no id: a new one
	Text, Location, Department string
	Words, PayFrom, Currency   string
	Modes, Types               []choice // with the chosen ones; in the form that saves a list they are hidden
	Tags                       []choice
	Boards                     []choice
	Kinds                      []choice
	Channels                   []channelChoice
	Mail                       bool   // whether mail is sent here
	Daily, DailyAll            bool   // the daily e-mail goes out; and covers more than saved searches
	Hour                       string // of the daily e-mail
	Wrong                      []string
}

// channelChoice is a channel that may report a search.
type channelChoice struct {
	choice

	All bool // it reports all changes anyway
	Off bool
}

// newSearchForm returns the form for a search with the viewer's ways to be told.
func (a *App) newSearchForm(r *http.Request, c *caller, q boardwatch.Search, tracked []track.TrackedBoard) (searchForm, error) {
	channels, err := a.s.Channels.List(r.Context(), c.Account)
	if err != nil {
		return searchForm{}, err
	}
	kinds := make([]string, len(q.Kinds))
	for i, kind := range q.Kinds {
		kinds[i] = string(kind)
	}
	f := searchForm{
		Action: "/searches", ID: q.ID, Name: q.Name, Text: q.Text, Location: q.Location, Department: q.Department, Kinds: searchKinds(kinds),
		Words: q.Words, PayFrom: payText(q.PayFrom), Currency: q.Currency,
		Mail: a.o.Mail, Daily: c.Prefs.Digest, DailyAll: c.Prefs.Digest && !c.Prefs.OnlySaved, Hour: a.digestHour(c.Prefs),
	}
	f.Modes, f.Types = factChoices(q.Criteria)
	if q.ID != "" {
		f.Action = searchPath(q.ID)
	}
	for _, t := range tagChoices(tracked, "") {
		t.Chosen = slices.ContainsFunc(q.Tags, func(tag string) bool { return strings.EqualFold(tag, t.ID) })
		f.Tags = append(f.Tags, t)
	}
	for _, b := range trackedChoices(tracked, "") {
		b.Chosen = slices.Contains(q.Boards, b.ID)
		f.Boards = append(f.Boards, b)
	}
	for _, ch := range channels {
		f.Channels = append(f.Channels, channelChoice{
			choice{ch.ID, channelLabel(ch), ch.All || slices.Contains(ch.Searches, q.ID)}, ch.All, !ch.DisabledAt.IsZero(),
		})
	}
	return f, nil
}

func channelLabel(ch boardwatch.Channel) string {
	if ch.Name != "" {
		return ch.Name + " (" + kindName(ch.Kind) + ")"
	}
	return kindName(ch.Kind) + " at " + ch.Shown
}

// digestHour names the hour of the daily e-mail.
func (a *App) digestHour(p account.Preferences) string {
	hour := p.DigestHour
	if hour == account.DefaultHour {
		hour = a.o.Hour
	}
	return fmt.Sprintf("%02d:00", hour)
}

// searchOf reads a search from its form.
func searchOf(r *http.Request) boardwatch.Search {
	f := roleFilter(r.PostForm)
	q := boardwatch.Search{Name: r.PostFormValue("name"), Criteria: f.Only}
	q.Text, q.Location = f.Search, f.Location
	q.Tags = slices.DeleteFunc(slices.Clone(r.PostForm["tag"]), func(tag string) bool { return tag == "" })
	q.Boards = slices.DeleteFunc(slices.Clone(r.PostForm["board"]), func(id string) bool { return id == "" })
	for _, kind := range r.PostForm["kind"] {
		q.Kinds = append(q.Kinds, boardwatch.ChangeKind(kind))
	}
	return q
}

// changeSearch saves a search and how its owner is told about it.
func (a *App) changeSearch(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := r.ParseForm(); err != nil {
		return boardwatch.Invalid("form", "cannot be read")
	}
	q := searchOf(r)
	q.ID = r.PathValue("id")
	saved, err := a.s.Tracker.ChangeSearch(r.Context(), c.Account, q)
	if boardwatch.CodeOf(err) == boardwatch.CodeInvalidRequest {
		return a.searchView(w, r, c, http.StatusBadRequest, searchFaults(err))
	}
	if err != nil {
		return err
	}
	return a.searchSaved(w, r, c, saved)
}

// searchSaved saves how the owner of a search is told about it, and says what will happen.
func (a *App) searchSaved(w http.ResponseWriter, r *http.Request, c *caller, q boardwatch.Search) error {
	refused, err := a.tell(r.Context(), c, q, r.PostForm["channel"])
	if err != nil {
		return err
	}
	if r.PostFormValue("daily") != "" && !c.Prefs.Digest {
		prefs := c.Prefs
		prefs.Digest, prefs.OnlySaved = true, true
		if err := a.s.Preferences.Save(r.Context(), c.Account, prefs); err != nil {
			return err
		}
		c.Prefs = prefs
	}
	told, err := a.toldBy(r.Context(), c, q)
	if err != nil {
		return err
	}
	f := flash{"good", q.Name + " is saved. " + toldText(q, told)}
	if len(refused) > 0 {
		f = flash{"warn", q.Name + " is saved. " + strings.Join(refused, " and ") + " would have nothing left to tell, so it stays as it is."}
	}
	a.back(w, r, searchPath(q.ID), f)
	return nil
}

// tell makes the chosen channels report a search, and all others not. It names those that cannot do without it.
func (a *App) tell(ctx context.Context, c *caller, q boardwatch.Search, chosen []string) (refused []string, err error) {
	channels, err := a.s.Channels.List(ctx, c.Account)
	if err != nil {
		return nil, err
	}
	for _, ch := range channels {
		has, wanted := slices.Contains(ch.Searches, q.ID), slices.Contains(chosen, ch.ID)
		if ch.All || has == wanted {
			continue
		}
		if wanted {
			ch.Searches = append(ch.Searches, q.ID)
		} else {
			ch.Searches = slices.DeleteFunc(ch.Searches, func(id string) bool { return id == q.ID })
		}
		ch.To = "" // as it is
		if _, err := a.s.Channels.Change(ctx, c.Account, ch.ID, ch); boardwatch.CodeOf(err) == boardwatch.CodeInvalidRequest {
			refused = append(refused, channelLabel(ch))
		} else if err != nil {
			return nil, err
		}
	}
	return refused, nil
}

// toldBy lists the ways in which the owner of a search is told about it.
func (a *App) toldBy(ctx context.Context, c *caller, q boardwatch.Search) (ways []string, err error) {
	channels, err := a.s.Channels.List(ctx, c.Account)
	if err != nil {
		return nil, err
	}
	for _, ch := range channels {
		if ch.DisabledAt.IsZero() && (ch.All || slices.Contains(ch.Searches, q.ID)) {
			ways = append(ways, channelLabel(ch))
		}
	}
	if a.o.Mail && c.Prefs.Digest {
		ways = append(ways, "the daily e-mail at "+a.digestHour(c.Prefs))
	}
	return ways, nil
}

// toldText says what will happen.
func toldText(q boardwatch.Search, ways []string) string {
	if len(ways) == 0 {
		return "Nobody is told about its roles yet, except by its feed. Choose a way under “Change this search”."
	}
	var kinds []string
	for _, k := range searchKinds(nil) {
		if len(q.Kinds) == 0 || slices.Contains(q.Kinds, boardwatch.ChangeKind(k.ID)) {
			kinds = append(kinds, k.Name)
		}
	}
	return "Roles that are " + listed(kinds, "or") + " go to " + listed(ways, "and") + "."
}

// listed joins words as people do.
func listed(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " " + last + " " + words[len(words)-1]
}
