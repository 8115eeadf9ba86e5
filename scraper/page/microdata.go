package page

import (
	"slices"
	"strings"

	nethtml "golang.org/x/net/html"

	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// microdata adds the postings that the page marks up with itemprop.
func (d *Document) microdata(s *Statement) {
	for _, e := range d.typed {
		if len(s.Postings) >= MaxPostings || !marksPosting(e) {
			continue
		}
		p := boardwatch.Posting{Title: d.property(e, "title")}
		if p.Title == "" {
			p.Title = d.property(e, "name")
		}
		if p.Title == "" {
			continue
		}
		var parts []string
		for _, key := range [...]string{"addressLocality", "addressRegion", "addressCountry"} {
			if text := d.property(e, key); text != "" && !slices.Contains(parts, text) {
				parts = append(parts, text)
			}
		}
		p.Location = strings.Join(parts, ", ")
		if p.Location == "" {
			p.Location = d.property(e, "jobLocation")
		}
		u := Resolve(d.Base, d.property(e, "url"))
		if a := e.below(atom.A); u == nil && a != nil {
			u = d.link(a)
		}
		if u != nil {
			SetAddress(&p, u)
		}
		s.Postings = append(s.Postings, p)
	}
}

// marksPosting reports whether an element is marked up as a posting, in microdata or in RDFa.
func marksPosting(e *element) bool {
	for _, a := range e.node.Attr {
		if a.Key == "itemtype" && strings.HasSuffix(a.Val, "schema.org/JobPosting") ||
			a.Key == "typeof" && (a.Val == "JobPosting" || strings.HasSuffix(a.Val, ":JobPosting") || strings.HasSuffix(a.Val, "/JobPosting")) {
			return true
		}
	}
	return false
}

// property is the value of an itemprop inside e, or "".
func (d *Document) property(e *element, name string) string {
	for _, k := range d.within(e) {
		if p := attr(k.node, "property"); attr(k.node, "itemprop") != name && p != name && !strings.HasSuffix(p, ":"+name) {
			continue
		}
		for _, key := range [...]string{"content", "href"} {
			if v := attr(k.node, key); v != "" {
				return squeeze(v)
			}
		}
		if text := squeeze(textOf(k.node)); text != "" {
			return text
		}
	}
	return ""
}

// textOf is the text of a node that is for people or machines: what hides it does not matter, scripts do not count.
func textOf(n *nethtml.Node) string {
	if n.DataAtom == atom.Script || n.DataAtom == atom.Style {
		return ""
	}
	return rawText(n)
}

// meta is the content of the page's <meta> of that name or property, or "".
func (d *Document) meta(name string) string {
	for _, e := range d.all() {
		if e.tag == atom.Meta && (strings.EqualFold(attr(e.node, "property"), name) || strings.EqualFold(attr(e.node, "name"), name)) {
			if v := squeeze(attr(e.node, "content")); v != "" {
				return v
			}
		}
		if e.tag == atom.Body {
			return ""
		}
	}
	return ""
}
