package page

import (
	"net/url"
	"strings"

	"golang.org/x/net/html/atom"
)

// link is the address that an anchor leads to, or nil if it leads to no page.
func (d *Document) link(a *element) *url.URL {
	if l := a.lead(); l != nil {
		return l.url
	}
	return nil
}

// lead is where a link leads, with what its address says.
type lead struct {
	url    *url.URL
	key    string // its canonical form
	job    bool   // it looks like the address of a role
	other  bool   // it looks like the address of other matter
	social bool
}

func (d *Document) newLead(u *url.URL) *lead {
	host := d.hostFacts(u)
	return &lead{url: u, key: roleKey(u), job: host.jobLike(u, d.Base), other: d.isOtherMatter(u), social: host.social(u.Path)}
}

// isOtherMatter reports whether an address looks like that of other matter. Below a page of jobs only what comes after the page's own
// path counts: "about" says nothing in /about/jobs/welder, seen from /about/jobs.
func (d *Document) isOtherMatter(u *url.URL) bool {
	if !otherMatter(u) {
		return false
	}
	own := strings.TrimSuffix(d.Base.Path, "/") + "/"
	rest, below := strings.CutPrefix(u.Path, own)
	return !below || u.Host != d.Base.Host || len(own) == 1 || !isJobWord(d.Base) || otherMatter(&url.URL{Path: rest})
}

// lead is where e leads; nil when it leads to no page.
func (e *element) lead() *lead {
	if e.tag != atom.A {
		return nil
	}
	return e.page.leadAt(attr(e.node, "href"))
}

// leadAt is where a link with this address leads. It is found out once for all links that share the address.
func (d *Document) leadAt(href string) *lead {
	l, known := d.leads[href]
	if !known {
		if u := Resolve(d.Base, href); u != nil && !isMistyped(href) {
			l = d.newLead(u)
		}
		d.leads[href] = l
	}
	return l
}

// isMistyped reports whether an address was written by mistake: a host without its scheme, or the name of a missing value.
func isMistyped(href string) bool {
	switch href = strings.ToLower(strings.TrimSpace(href)); strings.TrimPrefix(href, "/") {
	case "null", "undefined", "nan":
		return true
	}
	return strings.HasPrefix(href, "www.")
}

// hostFacts are found out once for each host: links lead to few.
func (d *Document) hostFacts(u *url.URL) hostFacts {
	h, known := d.hosts[u.Host]
	if !known {
		h = hostFactsOf(u.Hostname())
		d.hosts[u.Host] = h
	}
	return h
}

// Resolve makes a link's address absolute; nil when it leads to no page: a script, a mailbox, a place on this page.
func Resolve(base *url.URL, href string) *url.URL {
	href = strings.TrimSpace(href)
	if href == "" || href[0] == '#' || len(href) > 2000 || strings.Contains(href, "{{") {
		return nil
	}
	u, err := base.Parse(href)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil
	}
	return u
}
