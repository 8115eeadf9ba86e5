package page

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// maxBeside is how many addresses beside a page are asked for its roles.
const maxBeside = 2

// payload is the address of a page's data in Nuxt's static sites, and in Gatsby's.
var payload = lazyregexp.New(`/(payload|state)\.js$|/_payload\.json$|/page-data\.json$|/__data\.json$`)

// DataLinks lists the addresses on the same site that the page names as its data, the surest first.
func (d *Document) DataLinks() []*url.URL {
	var found []*url.URL
	note := func(u *url.URL) {
		if u == nil || Site(u.Hostname()) != Site(d.Base.Hostname()) || Canonical(u) == Canonical(d.Base) || len(found) >= maxBeside {
			return
		}
		for _, f := range found {
			if f.String() == u.String() {
				return
			}
		}
		found = append(found, u)
	}
	for _, e := range d.all() {
		switch {
		case e.tag == atom.Script:
			if u := Resolve(d.Base, attr(e.node, "src")); u != nil && payload.MatchString(u.Path) {
				note(u)
			}
			if c := e.node.FirstChild; c != nil && strings.Contains(c.Data, "__sveltekit") {
				note(Resolve(d.Base, strings.TrimSuffix(d.Base.Path, "/")+"/__data.json"))
			}
		case e.tag == atom.Link:
			note(d.dataLink(e))
		case attr(e.node, "id") == "___gatsby":
			note(Resolve(d.Base, path.Join("/page-data", strings.Trim(d.Base.Path, "/")+"/page-data.json")))
		}
	}
	return found
}

// dataLink is where a <link> leads to data: the page's own state, or a feed of roles.
func (d *Document) dataLink(e *element) *url.URL {
	u := Resolve(d.Base, attr(e.node, "href"))
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
		title := Fold(attr(e.node, "title"))
		if strings.Contains(title, "comment") || strings.Contains(kind, "oembed") || strings.Contains(u.Path, "/wp-json/") {
			return nil
		}
		about := u.Path == strings.TrimSuffix(d.Base.Path, "/")+"/index.xml" && isJobWord(u)
		for segment := range strings.SplitSeq(strings.ToLower(u.Path), "/") {
			about = about || isJobSegment(strings.TrimSuffix(segment, path.Ext(segment)))
		}
		if about || openings.MatchString(title) || strings.Contains(title, "job") {
			return u
		}
	}
	return nil
}

// maxFrames is how many frames of a page are looked at.
const maxFrames = 3

// Frames are the pages of the same site that the page shows in frames of its own matter, in order.
func (d *Document) Frames() []*url.URL {
	var frames []*url.URL
	for _, e := range d.all() {
		if e.tag != atom.Iframe && e.tag != atom.Frame || e.chrome || e.parent != nil && e.parent.hidden || len(frames) >= maxFrames {
			continue
		}
		u := Resolve(d.Base, cmp.Or(attr(e.node, "src"), attr(e.node, "data-src")))
		if u != nil && u.Host == d.Base.Host && Canonical(u) != Canonical(d.Base) && !slices.ContainsFunc(frames, func(o *url.URL) bool { return Canonical(o) == Canonical(u) }) {
			frames = append(frames, u)
		}
	}
	return frames
}
