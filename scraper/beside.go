package scraper

import (
	"context"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/script"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// maxBeside is how many addresses beside a page are asked for its roles.
const maxBeside = 2

// readBeside reads what a page names as its data, when the page itself shows no roles. It reports false when none of it
// holds any.
func (s *Scraper) readBeside(ctx context.Context, client *outbound.Client, f *fetched) (boardwatch.Reading, bool, error) {
	if f.doc == nil || dataKind(f.text) != notData {
		return boardwatch.Reading{}, false, nil
	}
	for _, u := range f.doc.beside() {
		page, err := client.Get(ctx, u.String(), nil)
		if ctx.Err() != nil {
			return boardwatch.Reading{}, false, context.Cause(ctx)
		}
		if err != nil || page.Status != http.StatusOK || wallOfPage(page) != nil {
			s.step("%s, which the page names as its data, cannot be read", u)
			continue
		}
		data := &fetched{asked: u, page: page, text: page.Text()}
		l, ok := data.besideList(f.page.URL)
		if !ok {
			s.step("%s, which the page names as its data, holds no roles", u)
			continue
		}
		s.step("%s, which the page names as its data, holds %d roles", u, len(l.reading.Postings))
		l.reading.Company, l.reading.Domain = f.doc.identity(f.doc.structured())
		l.reading.Shown.Add(f.doc.shown(nil))
		return l.reading, true, nil
	}
	return boardwatch.Reading{}, false, nil
}

// besideList reads the data of a page: a feed, JSON, or a script that assigns or passes on a value. Addresses in it are
// meant as the page means them.
func (f *fetched) besideList(page *url.URL) (list, bool) {
	kind := dataKind(f.text)
	if kind == notData {
		b := &blocks{page: page}
		b.assigned(string(f.text[:min(len(f.text), script.MaxSize)]))
		return f.statedList(b.result())
	}
	if kind != jsonData {
		l := f.dataList(kind)
		return l, len(l.reading.Postings) > 0
	}
	b := &blocks{page: page}
	b.json("", string(f.text))
	return f.statedList(b.result())
}

func (f *fetched) statedList(s stated) (list, bool) {
	s.extent = s.and(headerExtent(f.page.Header))
	return list{reading: part(s, shortcutAt(f.page.URL))}, len(s.postings) > 0
}

// payload is the address of a page's data in Nuxt's static sites, and in Gatsby's.
var payload = regexp.MustCompile(`/(payload|state)\.js$|/_payload\.json$|/page-data\.json$|/__data\.json$`)

// beside lists the addresses on the same site that the page names as its data, the surest first.
func (d *document) beside() []*url.URL {
	var found []*url.URL
	note := func(u *url.URL) {
		if u == nil || site(u.Hostname()) != site(d.url.Hostname()) || canonical(u) == canonical(d.url) || len(found) >= maxBeside {
			return
		}
		for _, f := range found {
			if f.String() == u.String() {
				return
			}
		}
		found = append(found, u)
	}
	for _, e := range d.elements {
		switch {
		case e.tag == atom.Script:
			if u := resolve(d.url, attr(e.node, "src")); u != nil && payload.MatchString(u.Path) {
				note(u)
			}
			if c := e.node.FirstChild; c != nil && strings.Contains(c.Data, "__sveltekit") {
				note(resolve(d.url, strings.TrimSuffix(d.url.Path, "/")+"/__data.json"))
			}
		case e.tag == atom.Link:
			note(d.dataLink(e))
		case attr(e.node, "id") == "___gatsby":
			note(resolve(d.url, path.Join("/page-data", strings.Trim(d.url.Path, "/")+"/page-data.json")))
		}
	}
	return found
}

// dataLink is where a <link> leads to data: the page's own state, or a feed of roles.
func (d *document) dataLink(e *element) *url.URL {
	u := resolve(d.url, attr(e.node, "href"))
	if u == nil {
		return nil
	}
	kind := strings.ToLower(attr(e.node, "type"))
	switch rel := strings.ToLower(attr(e.node, "rel")); {
	case rel == "preload" || rel == "prefetch" || rel == "modulepreload":
		if payload.MatchString(u.Path) || attr(e.node, "as") == "fetch" && (strings.HasSuffix(u.Path, ".json") || isJobWord(u)) {
			return u
		}
	case strings.Contains(rel, "alternate") && (strings.Contains(kind, "rss") || strings.Contains(kind, "atom") || strings.Contains(kind, "json")):
		title := fold(attr(e.node, "title"))
		if strings.Contains(title, "comment") || strings.Contains(kind, "oembed") || strings.Contains(u.Path, "/wp-json/") {
			return nil
		}
		about := u.Path == strings.TrimSuffix(d.url.Path, "/")+"/index.xml" && isJobWord(u)
		for segment := range strings.SplitSeq(strings.ToLower(u.Path), "/") {
			about = about || isJobSegment(strings.TrimSuffix(segment, path.Ext(segment)))
		}
		if about || openings.MatchString(title) || strings.Contains(title, "job") {
			return u
		}
	}
	return nil
}
