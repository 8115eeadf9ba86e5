package page

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// seeks is what stands before or after the name of a role in a text that says that somebody is sought: "We are hiring a welder",
// "Welder wanted!".
var seeks = sayings("seeks")

// sought is who a text says is sought, folded; "" when it seeks nobody.
func (p *phrase) sought() string {
	text := strings.TrimRight(p.folded, " !.。！")
	if !seeks.MatchString(text) {
		return ""
	}
	at := seeks.Regexp().FindStringIndex(text)
	if at == nil {
		return ""
	}
	return strings.Trim(text[:at[0]]+text[at[1]:], " :：-–—")
}

// longestSought is the number of words that the name of a role may have in a heading that seeks somebody. Longer ones speak of work in
// general: "We are looking for people who like to build things".
const longestSought = 5

// seeksOne reports whether a text says that somebody is sought, and for which role, in whatever form a language puts its name then.
func (p *phrase) seeksOne() bool {
	who := p.sought()
	if who == "" || strings.Count(who, " ") >= longestSought {
		return false
	}
	for range longestEnding + 1 {
		said := &phrase{text: who, folded: who, model: p.model}
		if said.readsAsRole() {
			return true
		}
		_, size := utf8.DecodeLastRuneInString(who)
		if who = who[:len(who)-size]; who == "" {
			break
		}
	}
	return false
}

// longestEnding is how many letters languages put behind the name of somebody who is sought.
const longestEnding = 2

// advert is the one role that the page seeks, by its first heading or by the only heading that seeks somebody, when nothing else of the
// page explains why it shows no roles; nil when the page is no such advert. Pages of agencies speak the same way of the people they
// place, so it is taken with doubt.
func (d *Document) advert(own *url.URL) []*candidate {
	title := d.firstHeading()
	if title == nil || !title.seeksRole() {
		title = d.onlySeeking()
	}
	if title == nil || d.barren(false).Cause != cause.NoList || d.mayBeFilled() {
		return nil
	}
	d.contested = true
	return []*candidate{{element: title, title: d.withoutSeeking(title.titleAlone()), role: true, url: d.newLead(own), card: span{title.index, title.end}}}
}

// seeksRole reports whether a heading says that somebody is sought for one role.
func (e *element) seeksRole() bool { return !e.chrome && e.said().seeksOne() }

// onlySeeking is the heading of the page that seeks somebody; nil when there is none, or several.
func (d *Document) onlySeeking() *element {
	var only *element
	for _, e := range d.within(d.body) {
		if e.level == 0 || e.hidden || !e.seeksRole() {
			continue
		}
		if only != nil {
			return nil
		}
		only = e
	}
	return only
}

// firstHeading is the first heading of the highest level that the page shows; nil when there is none.
func (d *Document) firstHeading() *element {
	for _, e := range d.within(d.body) {
		if e.level == 1 && !e.hidden {
			return e
		}
	}
	return nil
}

// withoutSeeking is a title without the label before it that says that somebody is sought: "Wanted: welder".
func (d *Document) withoutSeeking(title string) string {
	label, value, found := cutLabel(title)
	if found && value != "" && d.phraseOf(label+": x").sought() == "x" {
		return value
	}
	return title
}

// describesTrades reports whether nothing on the page says that one may apply for what it lists: no heading or title of openings, no page
// of its own for any role, no terms of work, and no address, telephone, form or button to answer to. Guides to careers list trades in
// the same way.
func (d *Document) describesTrades(lists []*group) bool {
	for _, g := range lists {
		if slices.ContainsFunc(g.items, func(c *candidate) bool {
			return c.url != nil || c.section.about() == open || marksGender(c.title) || d.showsTerms(c)
		}) {
			return false
		}
	}
	return !openings.MatchString(Fold(d.title)) && !slices.ContainsFunc(d.all(), (*element).takesApplications)
}

// takesApplications reports whether e is a way to answer to an advert.
func (e *element) takesApplications() bool {
	switch e.tag {
	case atom.Form, atom.Input, atom.Textarea, atom.Iframe:
		return true
	case atom.A:
		href := strings.ToLower(strings.TrimSpace(attr(e.node, "href")))
		if strings.HasPrefix(href, "mailto:") || strings.HasPrefix(href, "tel:") {
			return true
		}
	}
	if !e.own || e.longer(longestAnswer) {
		return false
	}
	said := e.said()
	return strings.Contains(said.text, "@") || !e.chrome && said.about() == open || said.sought() != "" || applyButton.MatchString(said.folded) || said.invites()
}

// longestAnswer is the length of the longest text that is searched for a way to answer to an advert.
const longestAnswer = 400

// countedRole is the number of openings behind the name of a role, and the sign after which a line goes on to speak of it: "Welder (2 openings).
// Pay …".
var countedRole = lazyregexp.Of(func() string {
	return `^([^\d.:：。!?]{2,80}?)[ ,–-]*(?:[(（［\[] ?\d{1,3} ?[\p{L}.]{0,14} ?[)）］\]]|\d{1,3} ?` + oneOf("counter") + `|` + oneOf("any number") + `)[ ]?(?:[.:：,，、。;；–-]|$)`
})

// beforeNumber is the name of a role at the beginning of a line of text, before the number of its openings, as it stands in another
// line beside it too; "" when the line begins with none.
func (e *element) beforeNumber() string {
	if e.level > 0 || isInline(e.tag) || !e.own {
		return ""
	}
	name := numberedName(e.visibleText())
	if name == "" || !(question{e.parent, "numbered " + e.node.Data, e.class}).ask(func() bool {
		lines := 0
		for _, k := range e.parent.kids {
			countIf(&lines, k.tag == e.tag && k.class == e.class && !k.hidden && numberedName(k.visibleText()) != "")
		}
		return lines > 1
	}) {
		return ""
	}
	return name
}

func numberedName(text string) string {
	if isASCII(text) && !hasDigit(text) {
		return ""
	}
	if m := countedRole.FindStringSubmatch(text[:min(len(text), 400)]); m != nil {
		return strings.Trim(m[1], " ,–-")
	}
	return ""
}
