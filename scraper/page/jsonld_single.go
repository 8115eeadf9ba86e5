package page

import (
	"path"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/internal/match"
)

// fits reports whether the page's one statement about a role is about a role, and not an advertisement for the page as
// a whole. What the role is called need not be known: any name will do that can be a title and does not say what the
// company, the page or a template says. It counts when the page shows it, when it has an address or a number of its
// own, and else unless the page says that there are no roles.
func (s Statement) fits(d *Document) bool {
	p := s.Postings[0]
	if d.namesRole(p.Title) {
		return !unsolicited.MatchString(Fold(p.Title))
	}
	own := p.Key != "" && p.Key != roleKey(d.Base)
	if !d.plausible(p.Title) || s.advertises(p.Title, d) || d.headsPart(p.Title, own) {
		return false
	}
	return own || !d.SaysNone() || strings.Contains(Fold(d.title+" "+d.body.visibleText()), Fold(p.Title))
}

// advertises reports whether a title without a known word is the page's or the company's own name, a call to readers, or
// left over from a template.
func (s Statement) advertises(title string, d *Document) bool {
	name := bareName(title)
	for _, own := range [...]string{s.company, d.meta("og:site_name"), d.organization()} {
		if own != "" && bareName(own) == name {
			return true
		}
	}
	return callsReaders.MatchString(Fold(strings.ReplaceAll(title, "US", ""))) || leftOver.MatchString(Fold(title))
}

// headsPart reports whether a title is the heading of a part of a careers page. A role may be called a little like one:
// "Bell Founder" ends so, and a posting with an address or a number of its own may begin so.
func (d *Document) headsPart(title string, own bool) bool {
	switch d.kindOf(title) {
	case plain:
		return false
	case aside:
		at := asides.Regexp().FindStringIndex(Fold(title))
		return !own && (at == nil || at[0] == 0)
	default:
		return true
	}
}

// bareName is a name without "careers at" before it.
func bareName(name string) string { return careersAt.Regexp().ReplaceAllString(Fold(name), "") }

// isCareersAt reports whether a text speaks of working at the company whose page it is.
func (d *Document) isCareersAt(p *phrase) bool {
	if longer(p.text, longText) || !careersAt.MatchString(p.folded) {
		return false
	}
	name := bareName(p.text)
	if name == p.folded || utf8.RuneCountInString(name) < 3 {
		return false
	}
	host := strings.ReplaceAll(d.Base.Hostname(), "-", "")
	return strings.Contains(Fold(d.title), name) || strings.Contains(host, strings.ReplaceAll(name, " ", "")) || Fold(d.meta("og:site_name")) == name
}

// goesBeyond reports whether the page leads to more pages like those of its roles, which were told by data for machines:
// they are then not all.
func (s Statement) goesBeyond(d *Document) bool {
	known := make(map[string]bool, len(s.Postings))
	folders := make(map[string]bool, len(s.Postings))
	for _, p := range s.Postings {
		u := Resolve(d.Base, p.URL)
		if p.URL == "" || u == nil {
			return false
		}
		known[p.Key] = true
		folders[folderOf(u.Hostname(), u.Path)] = true
	}
	for _, e := range d.within(d.body) {
		if e.tag != atom.A || e.hidden || e.chrome {
			continue
		}
		l := e.lead()
		if l != nil && l.job && !l.other && !known[l.key] && l.key != roleKey(d.Base) && folders[folderOf(l.url.Hostname(), l.url.Path)] {
			return true
		}
	}
	return false
}

// folderOf is where a page lies, and whether its name holds a number: pages of roles are alike in both.
func folderOf(host, name string) string {
	folder, last := path.Split(strings.TrimSuffix(name, "/"))
	if strings.ContainsAny(last, "0123456789") {
		last = "0"
	} else {
		last = ""
	}
	return host + folder + last
}

var (
	// callsReaders is what companies say of themselves and to their readers, where a role's name would say neither.
	callsReaders = sayings("speaks to readers")

	// leftOver is what templates hold where a title is to come.
	leftOver = match.New(`[{}]|%[a-z_]+%|\[[a-z_ ]+\]|lorem ipsum|^(your )?(job|position|role|vacancy|post)[ _-]?(title|name)$|^(sample|example|test|dummy|demo|untitled)( (job|role|position|posting|title|vacancy))?$`)
)
