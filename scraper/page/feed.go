package page

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"net/url"
	"strings"

	"github.com/mmcdole/gofeed"
	ext "github.com/mmcdole/gofeed/extensions"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/foreign"
)

// maxFeed bounds the feeds that are read; a feed of jobs is a few hundred kB.
const maxFeed = 10 << 20

// Kinds of answers that are data rather than pages.
const (
	NotData     = ""
	FeedData    = "feed"
	SitemapData = "sitemap"
	JSONData    = "json"
	otherXML    = "xml"
)

// DataKind tells what kind of data an answer is, by its beginning; notData when it is a page.
func DataKind(text []byte) string {
	start := bytes.TrimPrefix(bytes.TrimSpace(text[:min(len(text), 4096)]), []byte("\ufeff"))
	switch {
	case len(start) == 0:
		return NotData
	case start[0] == '{' || start[0] == '[':
		return JSONData
	case start[0] != '<':
		return NotData
	}
	d := xml.NewDecoder(bytes.NewReader(foreign.XML(start)))
	d.Strict = false
	for range 20 {
		token, err := d.RawToken()
		if err != nil {
			break
		}
		if e, ok := token.(xml.StartElement); ok {
			if kind := rootKind(e); kind != otherXML || bytes.HasPrefix(start, []byte("<?xml")) {
				return kind
			}
			return NotData // a piece of a page
		}
	}
	return NotData
}

func rootKind(e xml.StartElement) string {
	switch strings.ToLower(e.Name.Local) {
	case "rss", "feed", "rdf":
		return FeedData
	case "urlset", "sitemapindex":
		return SitemapData
	case "html":
		return NotData
	}
	return otherXML
}

// ReadFeed reads the roles of an RSS, Atom or JSON feed. A feed holds the latest entries, so what is not in it may still
// be open: the reading is never more than partial.
func ReadFeed(text []byte, address *url.URL) boardwatch.Reading {
	if len(text) > maxFeed {
		return boardwatch.Failed(cause.TooLarge, "the feed is too large to be read")
	}
	feed, err := gofeed.NewParser().Parse(bytes.NewReader(foreign.XML(text)))
	if err != nil {
		return boardwatch.Failed(cause.SiteError, "the feed cannot be read: it is broken or was cut off")
	}
	var roles []boardwatch.Posting
	names, paths := 0, 0
	stated := feedStatements(text)
	for i, item := range feed.Items {
		p, ok := feedPosting(item, address)
		if i < len(stated) {
			p = enrich(p, stated[i])
		}
		if !ok || len(roles) >= MaxPostings {
			continue
		}
		if u := Resolve(address, p.URL); u != nil && JobLike(u, address) {
			paths++
		}
		countIf(&names, namesRole(p.Title))
		roles = append(roles, p)
	}
	about := isJobWord(address) || openings.MatchString(Fold(feed.Title))
	if sure := about && names*3 >= len(roles) || paths*2 >= len(roles) && names*4 >= len(roles); len(roles) == 0 || !sure {
		return boardwatch.Failed(cause.NoList, "the feed contains no roles")
	}
	return boardwatch.Reading{
		Claimed: -1, Postings: roles, Health: boardwatch.HealthPartial,
		Cause: cause.LatestOnly, Reason: "a feed lists only the latest entries",
	}
}

// feedStatements are what the entries of a JSON feed say of their roles under "_jobposting", entry by entry.
func feedStatements(text []byte) []boardwatch.Posting {
	v, err := DecodeJSON(text)
	if err != nil {
		return nil // XML
	}
	feed, _ := v.(map[string]any)
	items, _ := feed["items"].([]any)
	stated := make([]boardwatch.Posting, len(items))
	var texts reader
	for i, item := range items {
		entry, _ := item.(map[string]any)
		if posting, ok := entry["_jobposting"].(map[string]any); ok {
			stated[i] = boardwatch.Posting{Location: texts.places(posting), Department: texts.departmentOf(posting)}
			stated[i].Facts, _ = fact.Linked(posting)
		}
	}
	return stated
}

// feedPosting is an entry of a feed as a role.
func feedPosting(item *gofeed.Item, address *url.URL) (boardwatch.Posting, bool) {
	var texts reader
	title := trimTitle(texts.text(item.Title))
	if !plausible(title) {
		return boardwatch.Posting{}, false
	}
	p := boardwatch.Posting{Title: title, Key: item.GUID}
	if u := Resolve(address, item.Link); u != nil {
		SetAddress(&p, u)
	}
	p.Location = texts.text(extended(item, "location", "city", "locations", "joblocation", "region", "country"))
	p.Department = texts.text(extended(item, "department", "team", "jobfamily", "function"))
	for _, c := range item.Categories {
		if p.Department == "" && namesDepartment(Fold(c)) {
			p.Department = texts.text(c)
		}
	}
	p.Facts = boardwatch.Facts{
		PostedAt: fact.Date(item.Published), UpdatedAt: fact.Date(item.Updated), Mode: fact.Mode(extended(item, "remotestatus", "workplacetype", "workmode")),
		Pay: fact.Pay("", "", "", "", extended(item, "salary", "compensation")),
	}
	fact.Employment(&p.Facts, extended(item, "employmenttype", "jobtype", "contracttype"))
	describe(&p, cmp.Or(item.Content, item.Description), address)
	return p, true
}

// extended is the text of an element that the feed adds to its entries, whatever its name space.
func extended(item *gofeed.Item, names ...string) string {
	for _, name := range names {
		for key, value := range item.Custom {
			if Letters(key) == name && strings.TrimSpace(value) != "" {
				return value
			}
		}
		for _, space := range item.Extensions {
			for key, list := range space {
				if Letters(key) == name && len(list) > 0 {
					return extensionText(list[0], 0)
				}
			}
		}
	}
	return ""
}

func extensionText(e ext.Extension, depth int) string {
	if text := strings.TrimSpace(e.Value); text != "" || depth > 3 {
		return text
	}
	for _, name := range [...]string{"name", "city", "location", "title"} {
		if list := e.Children[name]; len(list) > 0 {
			return extensionText(list[0], depth+1)
		}
	}
	return ""
}
