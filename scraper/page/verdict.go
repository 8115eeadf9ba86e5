package page

import (
	"bytes"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/text/language"

	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/internal/match"
)

// Sick says what is wrong with a page as a whole, whatever roles it seems to show.
func (d *Document) Sick(v Visit) Trouble {
	switch {
	case d.cutOff(v.Text):
		return Trouble{cause.Truncated, "the page was cut off in transit"}
	case !Moved(v.Asked, v.At).None():
		return Moved(v.Asked, v.At)
	case d.says(missing):
		return Trouble{cause.Gone, "the page says that it does not exist, although the site answered as if it did"}
	case d.isConsent():
		return Trouble{cause.Consent, "the site asks for consent before it shows the page"}
	}
	return Trouble{}
}

// AsksFirst reports whether the page asks for something, such as a password or patience, in place of what was wanted.
func (d *Document) AsksFirst() bool {
	return d.says(maintenance) || d.hasPassword() || d.says(signIn) && d.hasInput("")
}

// gone reports whether the site says, in one way or another, that the page no longer exists.
func (d *Document) gone(v Visit) bool {
	if d.says(missing) {
		return true
	}
	other := Site(v.Asked.Hostname()) != Site(v.At.Hostname())
	return other || IsHome(v.At.Path) && !IsHome(v.Asked.Path)
}

// isConsent reports whether the page is nothing but a question whether data may be collected.
func (d *Document) isConsent() bool {
	if label, _, _ := strings.Cut(d.Base.Hostname(), "."); label == "consent" {
		return true
	}
	if !consent.MatchString(Fold(d.title)) {
		return false
	}
	return !longer(d.mainText(), 3_000)
}

// barren says why a page without roles is not to be taken for an empty board; nothing when it is one, by its own words.
// archived says that it leads to roles which are closed.
func (d *Document) barren(archived bool) Trouble {
	switch {
	case d.hasPassword() && !d.SaysNone() || d.says(signIn) && d.hasInput(""):
		return Trouble{cause.SignIn, "the page asks to sign in"}
	case d.says(maintenance):
		return Trouble{cause.Maintenance, "the site is down for maintenance"}
	case d.says(relocated):
		return Trouble{cause.Moved, "the page says that it has moved"}
	case d.broken() != nil:
		return Trouble{cause.ListError, "the page says that its list of roles could not be loaded"}
	case d.isShell():
		return Trouble{cause.NeedsBrowser, "the page is rendered by JavaScript: reading it needs a browser"}
	case d.SaysNone() && d.isUnfilled():
		return Trouble{cause.NeedsBrowser, "the list of roles is rendered by JavaScript: reading it needs a browser"}
	case d.SaysNone() && !archived && d.pointsAtRoles():
		return Trouble{cause.Unsure, "the page says that there are no roles, but links to what looks like some"}
	case d.SaysNone():
		return Trouble{}
	case d.hasEmptyList():
		return Trouble{cause.NeedsBrowser, "the list of roles is rendered by JavaScript: reading it needs a browser"}
	}
	return Trouble{cause.NoList, "no roles were found, and the page does not say that there are none"}
}

// cutOff reports whether a page ends before its end: it opens a document, does not close it, and leaves blocks open whose
// end is never left out.
func (d *Document) cutOff(text []byte) bool {
	tail := bytes.ToLower(text[max(0, len(text)-4096):])
	if bytes.Contains(tail, []byte("</html")) || bytes.Contains(tail, []byte("</body")) {
		return false
	}
	if bytes.LastIndexByte(text, '<') > bytes.LastIndexByte(text, '>') {
		return true
	}
	z := html.NewTokenizer(newStepping(d.work, text))
	open, document := 0, false
	for {
		switch z.Next() {
		case html.ErrorToken:
			return document && open > 0
		case html.DoctypeToken:
			document = true
		case html.StartTagToken:
			name, _ := z.TagName()
			document = document || atom.Lookup(name) == atom.Html
			open += blockDepth(name)
		case html.EndTagToken:
			name, _ := z.TagName()
			open -= blockDepth(name)
		default:
		}
	}
}

func blockDepth(name []byte) int {
	switch atom.Lookup(name) {
	case atom.Div, atom.Section, atom.Main, atom.Article, atom.Ul, atom.Table, atom.Script, atom.Style:
		return 1
	}
	return 0
}

// Moved says where the page went when that is not the page that was asked for; nothing when it is.
func Moved(asked, final *url.URL) Trouble {
	if Site(asked.Hostname()) != Site(final.Hostname()) {
		return Trouble{cause.Moved, "the page has moved to another site: " + final.Hostname()}
	}
	for segment := range strings.SplitSeq(strings.ToLower(final.Path), "/") {
		if strings.Contains(strings.ToLower(asked.Path), segment) {
			continue
		}
		switch strings.TrimSuffix(segment, path.Ext(segment)) {
		case "login", "signin", "sign-in", "log-in", "sso", "auth", "anmelden", "connexion":
			return Trouble{cause.SignIn, "the site asks to sign in"}
		case "404", "error", "errors", "not-found", "notfound", "page-not-found", "fehler":
			return Trouble{cause.Gone, "the site redirects to an error page"}
		}
	}
	if IsHome(final.Path) && !IsHome(asked.Path) {
		return Trouble{cause.Moved, "the page now leads to the home page"}
	}
	return Trouble{}
}

// IsHome reports whether a path is a site's first page, in whatever language.
func IsHome(p string) bool {
	p = strings.ToLower(strings.Trim(p, "/"))
	switch p {
	case "", "index.html", "index.php", "home", "index.htm":
		return true
	}
	switch len(p) {
	case 2:
		return isLocale(p)
	case 5:
		return (p[2] == '-' || p[2] == '_') && isLocale(p[:2]) && isLocale(p[3:])
	default:
		return false
	}
}

// isLocale reports whether two letters are the code of a language or a country.
func isLocale(code string) bool {
	if _, err := language.ParseBase(code); err == nil {
		return true
	}
	_, err := language.ParseRegion(code)
	return err == nil
}

var (
	missing = sayings("missing")

	maintenance = sayings("maintenance")

	// signIn is the title of a page that wants to know who is there.
	signIn = sayings("sign in")

	// relocated is the title of a page that sends people elsewhere in words.
	relocated = sayings("relocated")

	// consent is the title of a page that stands before all others.
	consent = sayings("consent")

	// brokenList is what a list says that could not be loaded.
	brokenList = sayings("broken list")
)

// broken is the element that says that the list could not be loaded; nil when none does.
func (d *Document) broken() *element {
	for _, e := range d.within(d.body) {
		if e.own && !e.hidden && !e.chrome && !e.scripted && !e.longer(250) && e.said().saysBroken() && !e.isOfForm(nil) {
			return e
		}
	}
	return nil
}

// hasInput reports whether the page shows a field of a form, of one type or, "", of any.
func (d *Document) hasInput(kind string) bool {
	return slices.ContainsFunc(d.all(), func(e *element) bool {
		return e.tag == atom.Input && !e.hidden && !e.chrome && (kind == "" || strings.EqualFold(attr(e.node, "type"), kind))
	})
}

func (d *Document) hasPassword() bool { return d.hasInput("password") }

// pointsAtRoles reports whether links near the sentence that there are no roles read like roles and lead to what looks like their pages, or
// say that a role is behind them: one part of the list is empty, and another is not.
func (d *Document) pointsAtRoles() bool {
	at := make(map[string]bool)
	sections := d.sections()
	said := sections.at(d.noneSaid())
	for _, e := range d.within(d.body) {
		if e.tag != atom.A || e.hidden || e.chrome || longer(e.visibleText(), 140) {
			continue
		}
		if s := sections.at(e); s != said && s.about() != open {
			continue
		}
		if l := e.lead(); l != nil && (l.job && d.namesRole(e.visibleText()) && d.plausible(e.visibleText()) || !e.leadsWithin() && e.said().showsOpening()) {
			at[l.key] = true
		}
	}
	return len(at) > 1
}

// says reports whether the page's title or first heading matches, or all its text when that is little.
func (d *Document) says(what *match.Pattern) bool {
	if what.MatchString(Fold(d.title)) {
		return true
	}
	if h := d.firstHeading(); h != nil && what.MatchString(h.folded()) {
		return true
	}
	text := d.mainText()
	return utf8.RuneCountInString(text) < littleText && what.MatchString(Fold(text))
}

// littleText is the length under which a page's text as a whole may be a message instead of a page.
const littleText = 300

func (d *Document) findMainText() string {
	return d.body.textWithout(func(e *element) bool { return e.chrome })
}
