package recipe

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper/page"
)

// Data says where the roles stand in data: that of a script of the page, or that which the page asks for. A path is the keys
// on the way, parted by dots; "*" stands for every member of a list or an object.
type Data struct {
	// URL is the address of the data. Empty means the data that stands in the page, or the page itself where it is data.
	URL string `json:"url,omitempty"`
	// Entries is the path of the entries, from the top: "props.jobs.*".
	Entries string `json:"entries"`
	// Title, Link, Place and Department are paths from the entry on.
	Title      string `json:"title"`
	ID         string `json:"id,omitempty"` // what tells the entry from the others, where it has no link
	Link       string `json:"link,omitempty"`
	Place      string `json:"place,omitempty"`
	Department string `json:"department,omitempty"`
	// Next is the path, from the top, of the address of the next page.
	Next string `json:"next,omitempty"`
}

func (d Data) validate() error {
	if d.Entries == "" || d.Title == "" {
		return &Error{"json", `needs "entries" and "title"`}
	}
	for name, path := range map[string]string{
		"entries": d.Entries, "title": d.Title, "id": d.ID, "link": d.Link, "place": d.Place, "department": d.Department, "next": d.Next,
	} {
		if len(path) > maxSelector || path != "" && slices.Contains(strings.Split(path, "."), "") {
			return &Error{"json." + name, `is not a path such as "jobs.*"`}
		}
	}
	if strings.Trim(d.Entries, "*.") == "" && strings.Count(d.Entries, "*") > 2 || strings.Trim(d.Title, "*.") == "" && d.Title != "" {
		return &Error{"json", "has a path that matches everything; name a key"}
	}
	if d.URL == "" {
		return nil
	}
	if u, err := url.Parse(d.URL); err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && u.Scheme != "http" {
		return &Error{"json.url", "must be an address that begins with http:// or https://"}
	}
	return nil
}

// readValues reads the data that stands in a page.
func (r Recipe) readValues(d *page.Document, v page.Visit) page.List {
	if page.DataKind(v.Text) == page.JSONData {
		return r.ReadData(v.Text, v.At)
	}
	l := d.Tree().List(nil, r.Not, v)
	if sick := d.Sick(v); !sick.None() {
		return l
	}
	company, domain := l.Reading.Company, l.Reading.Domain
	fault, fits := "the page holds no such data", false
	for _, value := range d.Values() {
		found, why := r.readValue(value, v.At)
		switch {
		case why != "" && !fits:
			fault = why
		case why == "" && (!fits || len(found.Reading.Postings) > len(l.Reading.Postings)):
			l, fits = found, true
		}
	}
	l.Reading.Company, l.Reading.Domain = company, domain
	if !fits && !tells(l.Reading) {
		broken(&l, fault)
	}
	return l
}

// ReadData reads an answer that is data.
func (r Recipe) ReadData(text []byte, at *url.URL) page.List {
	var l page.List
	value, err := page.DecodeJSON(text)
	if err != nil {
		broken(&l, "what its address answers with is not JSON")
		return l
	}
	l, why := r.readValue(value, at)
	if why != "" {
		broken(&l, why)
	}
	return l
}

// readValue reads one value. fault says why the recipe does not fit it.
func (r Recipe) readValue(value any, at *url.URL) (l page.List, fault string) {
	l.Reading = boardwatch.Reading{Claimed: -1, Health: boardwatch.HealthOK}
	postings := &l.Reading.Postings
	found := walk(value, strings.Split(r.Data.Entries, "."))
	not := folds(r.Not)
	for i, o := range found {
		p := boardwatch.Posting{Title: textAt(o, r.Data.Title), Location: textAt(o, r.Data.Place), Department: textAt(o, r.Data.Department)}
		switch {
		case p.Title == "":
			return l, "entry " + strconv.Itoa(i+1) + " of the data has no title"
		case not[keyOf(p.Title)]:
			continue
		case len(*postings) >= page.MaxPostings:
			return l, "the data has more entries than are read"
		}
		p.Key = textAt(o, r.Data.ID)
		if u := page.Resolve(at, textAt(o, r.Data.Link)); u != nil && r.Data.Link != "" {
			page.SetAddress(&p, u)
		}
		*postings = append(*postings, p)
	}
	if len(found) == 0 {
		if !r.isEmpty(value) {
			return l, "nothing lies at " + r.Data.Entries + " in the data"
		}
		l.Reading.Claimed = 0
		return l, ""
	}
	r.extent(value, at, &l)
	return l, ""
}

// isEmpty reports whether the list is there, and has no entry.
func (r Recipe) isEmpty(value any) bool {
	keys := strings.Split(r.Data.Entries, ".")
	last := slices.Index(keys, "*")
	if last < 0 {
		return false
	}
	for _, v := range walk(value, keys[:last]) {
		if list, ok := v.([]any); ok && len(list) == 0 {
			return true
		}
	}
	return false
}

// extent limits a list of which the data says that there is more.
func (r Recipe) extent(value any, at *url.URL, l *page.List) {
	if next := textAt(value, r.Data.Next); next != "" && r.Data.Next != "" {
		if u := page.Resolve(at, next); u != nil {
			l.Next = []page.Onward{{URL: u, Firm: true}}
		}
		return
	}
	x := page.ValueExtent(value)
	if n := len(l.Reading.Postings) + len(r.Not); x.GoesOn(n, 1) {
		page.Trouble{Cause: cause.Truncated, Reason: "the data says that the list continues"}.Limit(&l.Reading)
	}
}

// walk is everything that lies at a path of a value, in order.
func walk(v any, path []string) []any {
	if len(path) == 0 {
		return []any{v}
	}
	var found []any
	switch o := v.(type) {
	case map[string]any:
		if path[0] != "*" {
			child, ok := o[path[0]]
			if !ok {
				return nil
			}
			return walk(child, path[1:])
		}
		for _, key := range slices.Sorted(maps.Keys(o)) {
			found = append(found, walk(o[key], path[1:])...)
		}
	case []any:
		if i, err := strconv.Atoi(path[0]); err == nil && i >= 0 && i < len(o) {
			return walk(o[i], path[1:])
		}
		if path[0] != "*" {
			return nil
		}
		for _, child := range o {
			found = append(found, walk(child, path[1:])...)
		}
	}
	return found
}

// textAt is the text at a path of a value; several are joined.
func textAt(v any, path string) string {
	if path == "" {
		return ""
	}
	var texts []string
	for _, found := range walk(v, strings.Split(path, ".")) {
		if text := page.ScalarText(found); text != "" && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "; ")
}
