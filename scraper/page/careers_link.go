package page

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// CareersLink is a link that leads on to open roles.
type CareersLink struct {
	URL   *url.URL
	Worth int
	text  string
}

// What a link is worth that leads on: its words say that open roles are there, or careers, or only its address does.
const (
	WorthRoles   = 70
	WorthCareers = 60
	WorthAddress = 45
	WorthFeed    = 40
	PerHint      = 4 // each further sign
	maxWays      = 6 // followed from one page
)

var (
	toRoles = sayings("to roles")

	toCareers = sayings("to careers")
)

// CareersLinks are the links that lead on to the list of open roles, the most telling first.
func (d *Document) CareersLinks() []CareersLink {
	var all []CareersLink
	known := map[string]int{Canonical(d.Base): -1} // where in the list an address is
	for _, e := range d.within(d.body) {
		u := d.destination(e)
		if u == nil || u.Scheme != "http" && u.Scheme != "https" || isSocial(u) || isPortal(u) {
			continue
		}
		key := Canonical(u)
		i, again := known[key]
		if i < 0 {
			continue
		}
		w := CareersLink{URL: u, text: linkWords(e)}
		w.Worth = d.promise(w, e)
		if w.Worth == 0 {
			continue
		}
		if again {
			all[i].Worth = max(all[i].Worth, w.Worth)
			continue
		}
		known[key] = len(all)
		all = append(all, w)
	}
	slices.SortStableFunc(all, func(a, b CareersLink) int { return b.Worth - a.Worth })
	return all[:min(len(all), maxWays)]
}

// promise is how much a link promises; 0 for nothing.
func (d *Document) promise(w CareersLink, e *element) int {
	text := strings.TrimRight(Fold(w.text), " !→›»>+.,:0123456789()[]")
	if len(text) > 60 {
		text = ""
	}
	last := strings.ToLower(path.Base(w.URL.Path))
	last = strings.TrimSuffix(last, path.Ext(last))
	byAddress := IsIndexOfJobs(last) || strings.Trim(w.URL.Path, "/") == "" && CareersHost(w.URL)
	var worth int
	switch {
	case toRoles.MatchString(text):
		worth = WorthRoles
	case toCareers.MatchString(text):
		worth = WorthCareers
	case byAddress && !JobLike(w.URL, d.Base):
		worth = WorthAddress
	default:
		return 0
	}
	if byAddress && worth > WorthAddress {
		worth += PerHint
	}
	if !e.chrome {
		worth++
	}
	if otherMatter(w.URL) && !byAddress {
		worth -= 2 * PerHint
	}
	if JobLike(w.URL, d.Base) {
		worth -= 2 * PerHint // one role, rather than all
	}
	if e.chrome && worth < WorthRoles && d.AboutJobs() > 0 {
		return 0 // the way to careers, on a page about careers
	}
	return worth
}

var goesTo = lazyregexp.New(`(?:location(?:\.href)?\s*=|location\.assign\(|window\.open\()\s*['"]([^'"\s]{1,500})['"]`)

// destination is where an element leads who clicks on it: a link, a button or a box with a script to that end, a form that
// asks for nothing. It is nil when it leads nowhere.
func (d *Document) destination(e *element) *url.URL {
	switch e.node.DataAtom {
	case atom.A, atom.Area:
		if u := d.link(e); u != nil && (u.Scheme == "http" || u.Scheme == "https") && attr(e.node, "href") != "#" {
			return u
		}
	case atom.Form:
		if !strings.EqualFold(attr(e.node, "method"), "post") && attr(e.node, "action") != "" {
			return Resolve(d.Base, attr(e.node, "action"))
		}
	}
	if m := goesTo.FindStringSubmatch(attr(e.node, "onclick")); m != nil {
		return Resolve(d.Base, m[1])
	}
	if to := attr(e.node, "data-href"); to != "" {
		return Resolve(d.Base, to)
	}
	return nil
}

// linkWords is what a link says: its text, else what it says to who does not see it.
func linkWords(e *element) string {
	if text := e.visibleText(); text != "" {
		return text
	}
	for _, key := range [...]string{"aria-label", "title"} {
		if text := squeeze(attr(e.node, key)); text != "" {
			return text
		}
	}
	if img := e.below(atom.Img); img != nil {
		if text := squeeze(attr(img.node, "alt")); text != "" {
			return text
		}
	}
	return squeeze(textOf(e.node)) // of a menu that is folded
}

// IsIndexOfJobs reports whether the last part of an address names a list of roles, or careers as a whole.
func IsIndexOfJobs(word string) bool {
	if jobSegments()[word] || indexOfJobs()[word] {
		return true
	}
	return strings.HasPrefix(word, "open-") && isJobSegment(word)
}

// CareersHost reports whether the host itself is about careers: careers.northwind.example.
func CareersHost(u *url.URL) bool {
	label, rest, _ := strings.Cut(u.Hostname(), ".")
	return strings.Contains(rest, ".") && (jobSegments()[label] || careersWords[label] && label != "team" && label != "home")
}

// isPortal reports whether an address leads to a site where many companies' roles are advertised.
func isPortal(u *url.URL) bool {
	domain := Site(u.Hostname())
	if portalSites[domain] {
		return true
	}
	label, _, _ := strings.Cut(domain, ".")
	return portalLabels[label]
}

// Feed is the feed of roles that the page names; nil when there is none. A feed of articles is none.
func (d *Document) Feed() *url.URL {
	for _, e := range d.all() {
		if e.node.DataAtom != atom.Link || !hasWord(attr(e.node, "rel"), alternate) {
			continue
		}
		kind := strings.ToLower(attr(e.node, "type"))
		if !strings.Contains(kind, "rss") && !strings.Contains(kind, "atom") && !strings.Contains(kind, "feed+json") {
			continue
		}
		u := Resolve(d.Base, attr(e.node, "href"))
		if u != nil && (isJobWord(u) || openings.MatchString(Fold(attr(e.node, "title")))) {
			return u
		}
	}
	return nil
}

var (
	alternate   = set(`alternate`)
	indexOfJobs = wordsIn("careers segment")
	portalSites = set(`indeed.com stepstone.de stepstone.at monster.com monster.de ziprecruiter.com dice.com simplyhired.com careerbuilder.com
		wellfound.com angel.co builtin.com hired.com otta.com themuse.com flexjobs.com weworkremotely.com remoteok.com ycombinator.com
		infojobs.net infojobs.it jobteaser.com apec.fr hellowork.com cadremploi.fr naukri.com seek.com.au seek.co.nz reed.co.uk totaljobs.com
		jobs.ch jobup.ch karriere.at finn.no jobindex.dk duunitori.fi pracuj.pl jobs.cz profesia.sk profession.hu ejobs.ro kariyer.net hh.ru
		rikunabi.com mynavi.jp en-japan.com wantedly.com 104.com.tw zhipin.com liepin.com saramin.co.kr jobkorea.co.kr bayt.com
		arbeitsagentur.de francetravail.fr pole-emploi.fr usajobs.gov handshake.com joinhandshake.com`)
	portalLabels = set(`indeed glassdoor stepstone kununu linkedin monster jooble adzuna talent`)
)
