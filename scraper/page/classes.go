package page

import (
	"strings"
	"sync"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// facts are what the name of a class or an id says about an element.
type facts uint32

const (
	hidingName facts = 1 << iota // until a script takes the class away
	absentName                   // on every screen
	chromeNamed
	iconName
	sidebarName
	titleName
	badgeName
	otherName
	jobName
	placeName
	groupName
	pagerName
	waitingName
	currentName
	disabledName
	closedName
	struckName
	emptyListName
	listItemName
	slidesName
	furtherName
	pressedName
	skeletonName // stands for what is still to come
)

// attributes are those of an element's that reading asks for often.
type attributes uint16

const (
	anyAttribute    attributes = 1 << iota
	groupAttribute             // names a department
	placeAttribute             // names a place
	typeAttribute              // says what kind of thing the element is about
	scriptAttribute            // lets a script decide whether it is shown
	dataAttribute              // is long enough to carry data
	roleAttribute              // says what the element does
	busyAttribute              // says whether the element is still being filled
	filterAttribute            // says what a script shows or hides, or by what
)

// attributesByName are they, by their names.
var attributesByName = map[string]attributes{
	"data-department": groupAttribute | filterAttribute, "data-team": groupAttribute | filterAttribute,
	"data-dept": filterAttribute, "data-category": filterAttribute, "data-categories": filterAttribute, "data-cat": filterAttribute,
	"data-division": filterAttribute, "data-discipline": filterAttribute, "data-filter": filterAttribute,
	"data-location": placeAttribute, "data-city": placeAttribute, "data-office": placeAttribute,
	"aria-busy": busyAttribute,
	"itemtype":  typeAttribute, "typeof": typeAttribute,
	"v-if": scriptAttribute, "v-else": scriptAttribute, "v-show": scriptAttribute, "v-cloak": scriptAttribute,
	"x-if": scriptAttribute, "x-show": scriptAttribute, "x-cloak": scriptAttribute,
	"ng-if": scriptAttribute, "ng-show": scriptAttribute, "ng-hide": scriptAttribute, "ng-cloak": scriptAttribute,
	"data-ng-if": scriptAttribute, "data-ng-show": scriptAttribute, "*ngif": scriptAttribute,
}

// className is a class attribute, looked at once for all elements that carry it.
type className struct {
	facts  facts
	stable string // the part of it that says how an element is written
}

func (d *Document) className(name string) *className {
	if c, ok := d.classes[name]; ok {
		return c
	}
	c := &className{facts: wordFacts(name)}
	var b strings.Builder
	for token := range strings.FieldsSeq(name) {
		if stableClass(token) {
			b.WriteByte('.')
			b.WriteString(token)
		}
		if isIconClass(token) {
			c.facts |= iconName
		}
		if namesClosed(token) {
			c.facts |= closedName
		}
		switch token {
		case "w-dyn-empty", "view-empty", "elementor-posts-nothing-found": // of Webflow, Drupal and Elementor
			c.facts |= emptyListName
		case "w-dyn-item", "views-row", "elementor-post":
			c.facts |= listItemName
		}
		if token == "placeholder-glow" || token == "placeholder-wave" || token == "animate-pulse" {
			c.facts |= skeletonName
		}
		if token == "line-through" || token == "strikethrough" {
			c.facts |= struckName
		}
	}
	c.stable = b.String()
	switch hides, state := hidingClass(name); {
	case hides && state:
		c.facts |= hidingName
	case hides:
		c.facts |= absentName
	}
	if chromeName(name) {
		c.facts |= chromeNamed
	}
	if strings.Contains(name, "sidebar") {
		c.facts |= sidebarName
	}
	if namesMore(name) {
		c.facts |= furtherName
	}
	d.classes[name] = c
	return c
}

// factsOfWords say which facts a word of a name stands for.
var factsOfWords = sync.OnceValue(func() map[string]facts {
	all := make(map[string]facts)
	for fact, words := range map[facts]map[string]bool{
		titleName: headingWords, badgeName: badgeWords, otherName: otherWords, jobName: jobNames(), placeName: placeNames(),
		groupName: groupNames(), pagerName: pagers, waitingName: waiting, currentName: currentPage, disabledName: disabledWords, slidesName: slidesWords, pressedName: pressedWords, skeletonName: skeletons,
	} {
		for word := range words {
			all[word] |= fact
		}
	}
	return all
})

// wordFacts is what the words of a name say, taken one by one: "job-title", "jobTitle" and "job_title" all hold "title".
func wordFacts(name string) facts {
	var all facts
	eachWord(name, func(word string) bool {
		all |= factsOfWords()[word]
		return false
	})
	return all
}

// has reports whether the element's class or id says so.
func (e *element) has(f facts) bool { return (e.named|e.called)&f != 0 }

// isUnseen reports whether nothing in such an element is shown, or is text of the page.
func isUnseen(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Template:
		return !hasAttr(n, "shadowrootmode") && !hasAttr(n, "shadowroot")
	case atom.Script, atom.Style, atom.Noscript, atom.Svg, atom.Select, atom.Datalist, atom.Iframe,
		atom.Object, atom.Textarea, atom.Canvas, atom.Audio, atom.Video, atom.Head, atom.Math, atom.Title:
		return true
	case atom.Dialog:
		return !hasAttr(n, "open")
	}
	return false
}

func hidesByStyle(style string) bool {
	style = strings.ReplaceAll(strings.ToLower(style), " ", "")
	return strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
}

// isIcon reports whether an element's text is the name of a picture in an icon font, or a mark for the eye only.
func isIcon(e *element) bool {
	n := e.node
	if e.named&iconName != 0 {
		return n.FirstChild == nil || n.FirstChild.Type == html.TextNode && len(n.FirstChild.Data) <= 40 && isInline(n.DataAtom)
	}
	return e.with != 0 && n.FirstChild != nil && n.FirstChild == n.LastChild && n.FirstChild.Type == html.TextNode &&
		len(n.FirstChild.Data) <= 60 && len(strings.TrimSpace(n.FirstChild.Data)) <= 4 && attr(n, "aria-hidden") == "true"
}

func isIconClass(token string) bool {
	switch token {
	case "material-icons", "material-icons-outlined", "material-symbols-outlined", "material-symbols-rounded",
		"material-icons-round", "icon", "icons", "glyphicon", "fa", "fas", "far", "fab", "svg-icon":
		return true
	}
	return false
}

// isChrome reports whether an element starts a part of the page that is not its own matter.
func isChrome(e *element, role string) bool {
	parent := e.parent
	switch e.tag {
	case atom.Nav:
		return !e.isListOfOpenings() && !holdsTabs(e.node)
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return false
	case atom.Header, atom.Footer:
		return !isCaption(e.node) && (parent == nil || parent.closest(atom.Main) == nil && parent.closest(atom.Article) == nil &&
			parent.closest(atom.Section) == nil && parent.closest(atom.Li) == nil)
	case atom.Html, atom.Body, atom.Main, atom.Head:
		return false
	}
	switch role {
	case "navigation", "banner", "contentinfo", "menu", "menubar", "search", "dialog", "alertdialog":
		return true
	}
	return e.has(chromeNamed) && !holdsTabs(e.node)
}

// holdsTabs reports whether an element is, holds or is the label of tabs of the page: they open its parts, and lead nowhere else.
func holdsTabs(n *html.Node) bool {
	if isTab(n) {
		return true
	}
	for d := range firstIn(n) {
		if d.Type == html.ElementNode && isTab(d) {
			return true
		}
	}
	return false
}

func isTab(n *html.Node) bool {
	if attr(n, "role") == "tab" {
		return true
	}
	for _, key := range [...]string{"data-toggle", "data-bs-toggle"} {
		if opens := attr(n, key); opens == "tab" || opens == "pill" {
			return true
		}
	}
	return false
}

// isListOfOpenings reports whether a navigation in the page's own matter is one of openings, by its label or its class.
func (e *element) isListOfOpenings() bool {
	if e.parent == nil || e.parent.chrome || e.parent.closest(atom.Main) == nil && e.parent.closest(atom.Section) == nil && e.parent.closest(atom.Article) == nil {
		return false
	}
	return e.with != 0 && openings.MatchString(Fold(attr(e.node, "aria-label"))) || e.named&(jobName|chromeNamed) == jobName
}

// isCaption reports whether a header holds nothing but the heading of what follows, below the page's first level.
func isCaption(n *html.Node) bool {
	headings := 0
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode && strings.TrimSpace(c.Data) == "", c.Type == html.CommentNode:
		case c.Type == html.ElementNode && headingLevel(c.DataAtom) > 1:
			headings++
		default:
			return false
		}
	}
	return headings > 0
}

// chromeName reports whether an id or class names a part that is not the page's own matter.
func chromeName(name string) bool {
	for token := range strings.FieldsSeq(name) {
		switch token = strings.ToLower(token); token {
		case "header", "site-header", "footer", "site-footer", "page-footer", "main-footer",
			"nav", "navbar", "navigation", "menu", "submenu", "breadcrumb", "breadcrumbs", "cookie", "cookies", "dropdown-menu",
			"mega-menu", "mobile-menu", "main-menu", "sub-menu", "site-nav", "main-nav", "topnav", "cookie-banner",
			"cookie-notice", "cookie-consent", "offcanvas", "language-switcher", "social-links",
			"share", "skip-link", "menu-item", "nav-item", "nav-link", "modal", "popup",
			"elementor-location-header", "elementor-location-footer", "elementor-location-popup":
			return true
		}
		for _, prefix := range [...]string{"cookie", "onetrust", "footer", "navbar-", "nav-", "menu-item", "sharebutton", "share-", "w-nav", "cky-", "gdpr"} {
			if strings.HasPrefix(token, prefix) {
				return true
			}
		}
		if strings.HasSuffix(token, "-footer") && !strings.Contains(token, "card") || strings.HasSuffix(token, "-nav") || strings.HasSuffix(token, "-navigation") {
			return true
		}
	}
	return false
}
