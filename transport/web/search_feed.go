package web

import (
	"encoding/xml"
	"fmt"
	"html"
	"net/http"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// The number of changes on a search's page and in its feed.
const (
	hitsOnPage = 20
	hitsInFeed = 60
)

// searchFeed lists the results of a saved search for feed readers: an entry for each change of a role.
func (a *App) searchFeed(w http.ResponseWriter, r *http.Request, c *caller) error {
	owner, err := a.s.Preferences.ByFeed(r.Context(), r.PathValue("token"))
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
		return a.nothing(w, r, c)
	}
	if err != nil {
		return err
	}
	search, err := a.s.Tracker.Search(r.Context(), owner, r.PathValue("id"))
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
		return a.nothing(w, r, c)
	}
	if err != nil {
		return err
	}
	page, err := a.s.Feed.Hits(r.Context(), owner, search, hitsInFeed)
	if err != nil {
		return err
	}
	body, err := xml.Marshal(a.searchAtom(search.Name, a.address(searchPath(search.ID)), page))
	if err != nil {
		return fmt.Errorf("write feed: %w", err)
	}
	return writeFeed(w, body)
}

// searchAtom is the feed of what a search found, whose page is at the address.
func (a *App) searchAtom(name, address string, page track.HitPage) atomFeed {
	f := atomFeed{
		ID: address, Title: name, Updated: atomTime(page.PolledAt), Author: "boardwatch",
		Links: []atomLink{{Rel: "alternate", Type: "text/html", Href: address}},
	}
	hits, _ := track.HitsOnce(page.Hits)
	for i, h := range hits {
		if i == 0 {
			f.Updated = atomTime(h.At)
		}
		link := address
		if to := webAddress(h.Job.URL); to != "" {
			link = to
		}
		var about []string
		for _, text := range []string{h.Job.Company, aboutJob(h.Job)} {
			if text != "" {
				about = append(about, html.EscapeString(text))
			}
		}
		f.Entries = append(f.Entries, atomEntry{
			ID: address + "#" + h.CheckID + "-" + h.Job.ID + "-" + string(h.Kind), Title: hitChip(h.Kind).Text + ": " + h.Job.Title,
			Updated: atomTime(h.At), Links: []atomLink{{Rel: "alternate", Type: "text/html", Href: link}},
			Content: atomContent{"html", strings.Join(about, " · ")},
		})
	}
	return f
}

// hitRows returns the changes found by a search, for its page.
func hitRows(hits []track.Hit) []hitRow {
	hits, _ = track.HitsOnce(hits)
	rows := make([]hitRow, len(hits))
	for i, h := range hits {
		rows[i] = hitRow{Chip: hitChip(h.Kind), Title: h.Job.Title, Page: rolePath(h.Job.ID), Company: h.Job.Company, About: aboutJob(h.Job), Hit: h}
	}
	return rows
}

// hitRow is a change found by a search.
type hitRow struct {
	track.Hit

	Chip                        chip
	Title, Page, Company, About string
}

func hitChip(kind boardwatch.ChangeKind) chip {
	switch kind {
	case boardwatch.ChangeClosed:
		return chip{"", "closed"}
	case boardwatch.ChangeUpdated:
		return chip{"edit", "updated"}
	case boardwatch.ChangeReopened:
		return chip{"busy", "reopened"}
	default:
		return chip{"busy", "new"}
	}
}
