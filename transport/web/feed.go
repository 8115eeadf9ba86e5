package web

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"html"
	"net/http"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// atomFeed is RFC 4287.
type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Links   []atomLink  `xml:"link"`
	Author  string      `xml:"author>name"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr,omitempty"`
	Type string `xml:"type,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Links   []atomLink  `xml:"link"`
	Content atomContent `xml:"content"`
}

type atomContent struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

// feed lists changes for feed readers. Its address contains a token in place of a sign-in.
func (a *App) feed(w http.ResponseWriter, r *http.Request, c *caller) error {
	owner, err := a.s.Preferences.ByFeed(r.Context(), r.PathValue("token"))
	if err != nil {
		if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
			return a.nothing(w, r, c)
		}
		return err
	}
	page, err := a.s.Feed.Changes(r.Context(), owner, track.ChangeFilter{BoardID: r.PathValue("board"), Limit: changesPerPage, Jobs: rolesOfChange})
	if err != nil {
		if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
			return a.nothing(w, r, c)
		}
		return err
	}
	body, err := xml.Marshal(a.atom(page, r.PathValue("board")))
	if err != nil {
		return fmt.Errorf("write feed: %w", err)
	}
	return writeFeed(w, body)
}

// writeFeed sends a feed.
func writeFeed(w http.ResponseWriter, body []byte) error {
	h := w.Header()
	h.Set("Content-Type", "application/atom+xml; charset=utf-8")
	h.Set("Cache-Control", "private, max-age=300")
	_, _ = w.Write(append([]byte(xml.Header), body...)) //nolint:gosec // XML whose texts are escaped; a client that has gone is its own affair
	return nil
}

// feedLink links to the feed of all boards, or of one.
func (a *App) feedLink(r *http.Request, c *caller, boardID string) (*link, error) {
	token, err := a.s.Preferences.FeedToken(r.Context(), c.Account)
	if err != nil {
		return nil, err
	}
	address := "/feeds/" + token
	if boardID != "" {
		address += "/" + boardID
	}
	return &link{"Atom feed", address}, nil
}

func (a *App) atom(page track.ChangePage, boardID string) atomFeed {
	f := atomFeed{
		ID: a.address("/changes"), Title: "Changes on your boards", Updated: atomTime(page.PolledAt), Author: "boardwatch",
		Links: []atomLink{{Rel: "alternate", Type: "text/html", Href: a.address("/changes")}},
	}
	if boardID != "" {
		f.ID, f.Title = a.address("/boards/"+boardID), "Changes on one board"
		f.Links[0].Href = f.ID
	}
	for i, c := range page.Changes {
		if i == 0 {
			f.Updated = atomTime(c.At)
			if boardID != "" {
				f.Title = "Changes at " + changedName(c.Company, c.CareersURL)
			}
		}
		f.Entries = append(f.Entries, a.entry(c))
	}
	return f
}

func (a *App) entry(c track.BoardChange) atomEntry {
	address := a.address("/boards/" + c.BoardID)
	row := changedBoard{}
	row.add(c)
	var text strings.Builder
	text.WriteString("<ul>")
	for _, change := range row.Changes {
		text.WriteString("<li>" + entryLine(change) + "</li>")
	}
	for _, more := range row.More {
		fmt.Fprintf(&text, "<li>%s</li>", html.EscapeString(more.Name))
	}
	text.WriteString("</ul>")
	return atomEntry{
		ID: address + "#" + c.CheckID, Title: changedName(c.Company, c.CareersURL) + ": " + entrySummary(row, c), Updated: atomTime(c.At),
		Links: []atomLink{{Rel: "alternate", Type: "text/html", Href: address}}, Content: atomContent{"html", text.String()},
	}
}

// entrySummary sums up a change in a few words.
func entrySummary(b changedBoard, c track.BoardChange) string {
	text := b.summary()
	if c.Beginning {
		text = strings.TrimSuffix(strings.ToLower(watchingText(c.Open))+", "+text, ", ")
	}
	return text
}

// entryLine is one change of an entry, in HTML.
func entryLine(change changeRow) string {
	title := html.EscapeString(change.Title)
	if change.Role == "" {
		return title
	}
	if change.URL != "" {
		title = `<a href="` + html.EscapeString(change.URL) + `">` + title + "</a>"
	}
	var line strings.Builder
	line.WriteString(strings.TrimSpace(change.Chip.Text + ": " + title + " " + html.EscapeString(change.About)))
	for _, f := range change.Fields {
		line.WriteString("<br>" + html.EscapeString(f.Name+": "+cmp.Or(f.From, "nothing")+" → "+cmp.Or(f.To, "nothing")))
	}
	return line.String()
}

func atomTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }
