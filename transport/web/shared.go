package web

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// sharedPrefix begins the addresses of shared lists. The token follows.
const sharedPrefix = "/lists/"

// sharedPage is what a saved search finds, for everybody who knows the address. Nothing on it says who shares it, or what
// they think of the roles.
type sharedPage struct {
	Name, Summary, Path string
	Roles               []sharedRole
	Pager               pager
}

type sharedRole struct {
	Title, URL, About string
	Missing           bool
	FirstSeenAt       time.Time
}

// sharing is what the owner of a search sees of the list that they share.
type sharing struct {
	Path, Address string // empty: it is not shared
	Frame         string // the HTML that embeds it
}

func (a *App) sharing(token string) sharing {
	if token == "" {
		return sharing{}
	}
	path := sharedPrefix + token
	return sharing{path, a.address(path), `<iframe src="` + template.HTMLEscapeString(a.address(path)) +
		`/widget" title="Open roles" width="100%" height="480" style="border:0"></iframe>`}
}

// shareSearch shows what a search finds to everybody who knows an address, or ends that.
func (a *App) shareSearch(w http.ResponseWriter, r *http.Request, c *caller) error {
	id := r.PathValue("id")
	set, f := a.s.Tracker.Publish, flash{"good", "The list is shared. Its address is below."}
	if r.PostFormValue("do") == "stop" {
		set, f.Text = a.s.Tracker.Unpublish, "The list is no longer shared: its address is gone for good."
	}
	if err := set(r.Context(), c.Account, id); err != nil {
		return err
	}
	a.back(w, r, searchPath(id)+"#share", f)
	return nil
}

// shared answers everybody who knows the token of a shared list, but no network too often.
func (a *App) shared(show func(http.ResponseWriter, *http.Request, boardwatch.Search) error) handler {
	return func(w http.ResponseWriter, r *http.Request, _ *caller) error {
		w.Header().Set("X-Robots-Tag", "noindex, nofollow")
		if err := a.readers.Take(r.RemoteAddr); err != nil {
			return err
		}
		q, err := a.s.Tracker.PublishedSearch(r.Context(), r.PathValue("token"))
		if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
			return a.nothing(w, r, nobody())
		}
		if err != nil {
			return err
		}
		return show(w, r, q)
	}
}

// sharedList reads one page of a shared list.
func (a *App) sharedList(r *http.Request, q boardwatch.Search, size int) (sharedPage, error) {
	n := pageNumber(r.URL.Query())
	found, err := a.s.Tracker.Jobs(r.Context(), account.Account{ID: q.AccountID}, track.JobFilter{
		Status: boardwatch.JobOpen, Only: q.Criteria, Limit: size, Skip: int64(n-1) * int64(size),
	})
	p := sharedPage{Name: q.Name, Path: sharedPrefix + r.PathValue("token")}
	p.Summary = number(int(found.Total)) + " open " + noun(int(found.Total), "role", "roles")
	p.Pager = newPager(r.URL.Query(), p.Path, n, size, int(found.Total))
	for _, j := range found.Jobs {
		about := slices.DeleteFunc([]string{j.Company, aboutJob(j)}, func(s string) bool { return s == "" })
		p.Roles = append(p.Roles, sharedRole{j.Title, webAddress(j.URL), strings.Join(about, " · "), !j.MissedSince.IsZero(), j.FirstSeenAt})
	}
	return p, err
}

func (a *App) showShared(w http.ResponseWriter, r *http.Request, q boardwatch.Search) error {
	p, err := a.sharedList(r, q, rolesPerPage)
	if err != nil {
		return err
	}
	return a.show(w, r, nobody(), http.StatusOK, "shared", view{Title: p.Name, Feed: &link{"Atom feed", p.Path + "/feed"}, Page: p})
}

// The widget of a shared list may stand in any site's frame: it has neither forms nor scripts, and is the same for everybody.
const (
	widgetPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *"
	widgetRoles  = 20
)

func (a *App) showWidget(w http.ResponseWriter, r *http.Request, q boardwatch.Search) error {
	p, err := a.sharedList(r, q, widgetRoles)
	if err != nil {
		return err
	}
	body, err := a.pages.render("widget", time.UTC, view{Title: p.Name, Page: p})
	if err != nil {
		return err
	}
	a.guard(w, widgetPolicy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", sharedFresh)
	_, _ = w.Write(body) // a client that has gone is its own affair
	return nil
}

// sharedFresh is how long what is public may be kept by whoever has fetched it.
const sharedFresh = "public, max-age=300"

// sharedHits returns the last changes of a shared list as a feed.
func (a *App) sharedHits(r *http.Request, q boardwatch.Search) (atomFeed, error) {
	page, err := a.s.Feed.Hits(r.Context(), account.Account{ID: q.AccountID}, q, hitsInFeed)
	return a.searchAtom(q.Name, a.address(sharedPrefix+r.PathValue("token")), page), err
}

func (a *App) sharedAtom(w http.ResponseWriter, r *http.Request, q boardwatch.Search) error {
	f, err := a.sharedHits(r, q)
	if err != nil {
		return err
	}
	body, err := xml.Marshal(f)
	if err != nil {
		return fmt.Errorf("write feed: %w", err)
	}
	return writeFeed(w, body)
}

// jsonFeed is JSON Feed 1.1.
type jsonFeed struct {
	Version string     `json:"version"`
	Title   string     `json:"title"`
	Home    string     `json:"home_page_url"` //nolint:tagliatelle // as published
	Address string     `json:"feed_url"`      //nolint:tagliatelle // as published
	Items   []jsonItem `json:"items"`
}

type jsonItem struct {
	ID       string `json:"id"`
	URL      string `json:"url"`
	Title    string `json:"title"`
	Content  string `json:"content_html"`  //nolint:tagliatelle // as published
	Modified string `json:"date_modified"` //nolint:tagliatelle // as published
}

func (a *App) sharedJSON(w http.ResponseWriter, r *http.Request, q boardwatch.Search) error {
	f, err := a.sharedHits(r, q)
	if err != nil {
		return err
	}
	out := jsonFeed{"https://jsonfeed.org/version/1.1", f.Title, f.ID, f.ID + "/feed.json", make([]jsonItem, len(f.Entries))}
	for i, e := range f.Entries {
		out.Items[i] = jsonItem{e.ID, e.Links[0].Href, e.Title, e.Content.Text, e.Updated}
	}
	body, err := json.Marshal(out)
	if err != nil {
		return fmt.Errorf("write feed: %w", err)
	}
	w.Header().Set("Content-Type", "application/feed+json")
	w.Header().Set("Cache-Control", sharedFresh)
	_, _ = w.Write(body) // as above
	return nil
}
