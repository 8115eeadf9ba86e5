package page

import (
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// seeks is what stands before or after the name of a role in a text that says that somebody is sought: "We are hiring a welder",
// "Welder wanted!".
//
//nolint:gochecknoglobals // a constant pattern
var seeks = sayings("seeks")

// sought is who a text says is sought, folded; "" when it seeks nobody.
func (p *phrase) sought() string {
	text := strings.TrimRight(p.folded, " !.。！")
	at := seeks.Regexp().FindStringIndex(text)
	if at == nil {
		return ""
	}
	return strings.Trim(text[:at[0]]+text[at[1]:], " :：-–—")
}

// longestSought is the number of words that the name of a role may have in a heading that seeks somebody. Longer ones speak of work in
// general: "We are looking for people who like to build things".
const longestSought = 4

// advert is the one role that the page as a whole seeks, by its first heading, when nothing else of it explains why it shows no roles;
// nil when the page is no such advert. Pages of agencies speak the same way of the people they place, so it is taken with doubt.
func (d *Document) advert(own *url.URL) []*candidate {
	title := d.firstHeading()
	if title == nil || title.chrome {
		return nil
	}
	who := title.said().sought()
	if who == "" || strings.Count(who, " ") >= longestSought || !d.phraseOf(who).readsAsRole() || d.barren(false).Cause != boardwatch.CauseNoList {
		return nil
	}
	d.contested = true
	return []*candidate{{element: title, title: d.withoutSeeking(title.titleAlone()), role: true, url: d.newLead(own), card: span{title.index, title.end}}}
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
