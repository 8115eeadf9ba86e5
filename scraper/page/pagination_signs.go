package page

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"iter"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// label is what the words or the arrow on something that is pressed say.
type label int8

const (
	noLabel      label = iota
	otherLabel         // other words
	arrowLabel         // an arrow, or a word that may be about pictures too
	furtherLabel       // more, which says not of what
	nextLabel          // the next page
	moreLabel          // more
	jobsLabel          // more roles
	allLabel           // all roles
	wholeLabel         // all
)

const (
	longestWords = 100
	fewElements  = 60 // what is pressed, or stands for more, holds no more than that
	labelMarks   = " \u00a0+><›»→➔➜➝⟩⟶▶►▸❯〉…↓▼⌄⇒⮞.:|()[]{}-–—_*•·‹«←◄◀❮"
	rightArrows  = ">›»→➔➜➝⟩⟶▶►▸❯〉⇒⮞"
	leftArrows   = "<‹«←◄◀❮〈⇐⮜"
)

// leadsBy is what e says: in its text, in what it says to those who do not see it, and by its picture.
func (e *element) leadsBy() label {
	if e.to-e.from > longestWords*4 || e.end-e.index > fewElements {
		return noLabel
	}
	best := noLabel
	if text := e.visibleText(); text != "" {
		if best = labelOf(text); best > arrowLabel {
			return best
		}
		if h := e.heading(); h != nil {
			return max(best, labelOf(h.visibleText()))
		}
	}
	said := best == otherLabel
	for _, key := range [...]string{"aria-label", "title", "value", "alt"} {
		if text := attr(e.node, key); text != "" {
			best = max(best, labelOf(text))
		}
	}
	if said || best > arrowLabel {
		return best
	}
	for _, k := range e.page.within(e) {
		for _, key := range [...]string{"alt", "aria-label", "title"} {
			if text := attr(k.node, key); text != "" {
				best = max(best, labelOf(text))
			}
		}
		if best < arrowLabel && pointsRight(attr(k.node, "class")) {
			best = arrowLabel
		}
	}
	if p := e.parent; best < arrowLabel && p != nil && len(p.kids) == 1 && !p.own {
		if best = max(best, labelOf(attr(p.node, "title"))); best < arrowLabel && pointsRight(attr(p.node, "class")) {
			best = arrowLabel
		}
	}
	if best < arrowLabel {
		if text := squeeze(rawText(e.node)); text != "" {
			best = max(best, labelOf(strings.ReplaceAll(text, "_", " ")))
		} else if pointsRight(attr(e.node, "class")) {
			best = arrowLabel
		}
	}
	return best
}

// saysNextItself reports whether the words for the next page are shown, or name pages. What is only said to those who do not see
// may be about the next picture.
func (e *element) saysNextItself() bool {
	if labelOf(e.visibleText()) == nextLabel {
		return true
	}
	for _, key := range [...]string{"aria-label", "title", "value", "alt"} {
		if text := attr(e.node, key); labelOf(text) == nextLabel && (saysPage(Fold(text)) || key == "value" || e.tag == atom.Input) {
			return true
		}
	}
	return false
}

// labelOf is what a text on something that is pressed says.
func labelOf(text string) label {
	if len(text) > longestWords*4 || text == "" {
		return noLabel
	}
	plain := strings.Trim(text, labelMarks)
	if plain == "" {
		if strings.ContainsAny(text, rightArrows) && !strings.ContainsAny(text, leftArrows) {
			return arrowLabel
		}
		return noLabel
	}
	folded := Fold(plain)
	said := wordsSay(wordsOf(folded))
	if said == otherLabel { // "Load more (16 remaining)"
		if cut := strings.IndexFunc(folded, func(r rune) bool { return r == '(' || '0' <= r && r <= '9' }); cut > 0 {
			said = wordsSay(wordsOf(folded[:cut]))
		}
	}
	return said
}

// wordsOf is a folded text without numbers, arrows and other marks.
func wordsOf(folded string) string {
	if !hasDigit(folded) && !strings.ContainsAny(folded, labelMarks[1:]) {
		return strings.TrimSpace(folded)
	}
	return strings.Join(strings.FieldsFunc(folded, func(r rune) bool {
		return r == ' ' || '0' <= r && r <= '9' || strings.ContainsRune(labelMarks, r)
	}), " ")
}

// wordsSay is what folded words on something that is pressed say.
func wordsSay(words string) label {
	switch {
	case len(words) > longestWords:
		return otherLabel
	case nextText.MatchString(words):
		return nextLabel
	case loadMore.MatchString(words):
		if jobNouns.MatchString(words) {
			return jobsLabel
		}
		return moreLabel
	case allRoles.MatchString(words):
		return allLabel
	case allOfThem.MatchString(words):
		return wholeLabel
	case furtherText.MatchString(words):
		return furtherLabel
	case arrowNames.MatchString(words):
		return arrowLabel
	}
	return otherLabel
}

// numberedText is the number in a text that is nothing but the number of a page: "2", "[2]", "Page 2"; 0 for any other text.
func numberedText(folded string) int {
	m := pageNumbers.FindStringSubmatch(folded)
	if m == nil {
		return 0
	}
	return number(m[1] + m[2])
}

var (
	pageWord    = lazyregexp.Of(func() string { return `(?:^|[^\p{L}])` + oneOf("page") + `(?:$|[^\p{L}])` })
	pageNumbers = lazyregexp.Of(func() string {
		return `^(?:[\[(|·-]\s*)?(?:(\d{1,3})|` + oneOf("page") + `\s*(\d{1,3}))(?:\s*` + oneOf("page") + `)?(?:\s*[\])|·.-])?$`
	})
	slashed = lazyregexp.Of(func() string {
		return `^\D{0,3}(\d{1,4})\s*(?:[/／]|` + oneOf("of", "of a range") + `)\s*(\d{1,4})\D{0,3}$`
	})
	arrowNames = lazyregexp.New(`^(?:icon )?(?:(?:chevron|arrow|angle|caret|keyboard arrow|navigate|triangle|double arrow)[ -](?:circle )?(?:right|next|forward)|(?:right|next|forward)[ -](?:arrow|chevron|icon))(?: icon)?$`)
)

func saysPage(folded string) bool { return pageWord.MatchString(folded) }

// pointsRight reports whether a class is that of an arrow to the right, or of what leads to the next.
func pointsRight(class string) bool {
	right, arrow := false, false
	eachWord(class, func(word string) bool {
		switch word {
		case "right", "forward":
			right = true
		case "next":
			right, arrow = true, true
		case "chevron", "arrow", "angle", "caret", "arrows", "triangle":
			arrow = true
		}
		return false
	})
	return right && arrow
}

// namesMore reports whether a name, or what a script does, is about loading more, or the next page.
func namesMore(name string) bool {
	if len(name) < 7 || len(name) > longestHandler {
		return false
	}
	var room [longestHandler]byte
	text := room[:0]
	for i := range len(name) {
		switch c := name[i]; {
		case c == '-' || c == '_' || c == ' ' || c == ':':
		case isUpper(c):
			text = append(text, c|0x20)
		default:
			text = append(text, c)
		}
	}
	return slices.ContainsFunc(moreNamed, func(part string) bool { return bytes.Contains(text, []byte(part)) })
}

var moreNamed = strings.Fields(`
	loadmore nextpage infinitescroll infiniteload infinitelist morejobs moreresults moreposts moreitems fetchmore getmore gotopage loadnext
	iastrigger iasnext jscrollnext sentinel intersectionobserver pagenext onreachend endlessscroll endlesspag page$`)

// isNumeric reports whether a text is a number, not too large a one.
func isNumeric(text string) bool {
	for i := range len(text) {
		if !isDigit(text[i]) {
			return false
		}
	}
	return text != "" && len(text) <= longestPageNumber
}

// isHandler reports whether an attribute says what a script does.
func isHandler(key string) bool {
	for _, prefix := range [...]string{"on", "href", "@", "x-on", "x-intersect", "x-init", "v-on", "wire:", "ng-click", "data-ng-click", "(", "phx-", "data-action", "jsaction", "up-", "unicorn:", "infinite-scroll", "v-infinite", "dusk"} {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

// loadsWhenSeen reports whether an attribute has an element load something by itself, once it is scrolled to.
func loadsWhenSeen(key, value string) bool {
	if strings.Contains(key, "-trigger") || key == "up-defer" {
		return strings.Contains(value, "reveal") || strings.Contains(value, "intersect") || strings.Contains(value, "view") || strings.HasPrefix(value, "load")
	}
	return strings.HasPrefix(key, "x-intersect") || strings.HasPrefix(key, "data-on-intersect")
}

// loadsByItself reports whether something says that e loads more once it is seen.
func (e *element) loadsByItself() bool {
	return slices.ContainsFunc(e.node.Attr, func(a html.Attribute) bool {
		return loadsWhenSeen(a.Key, a.Val) || strings.HasPrefix(a.Key, "data-next")
	})
}

// loadsFrame reports whether an element shows what another address answers.
func loadsFrame(e *element) bool {
	return e.tag == atom.Iframe || e.tag == atom.Frame || strings.HasSuffix(e.node.Data, "-frame") || strings.HasSuffix(e.node.Data, "-fragment")
}

// quotedAddress is an address between quotation marks, as scripts and markup have it.
var quotedAddress = lazyregexp.New(`["'` + "`" + `]((?:https?:/)?/?[^"'` + "`" + `\s<>{}]*[/?][^"'` + "`" + `\s<>{}]*)["'` + "`" + `]`)

// quotedAddresses are the addresses in the value of an attribute: the value itself, or what stands in quotation marks in it.
func quotedAddresses(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if strings.HasPrefix(text, "Wy") || strings.HasPrefix(text, "ey") { // JSON that is written so begins like this
			if plain, err := base64.StdEncoding.DecodeString(text); err == nil {
				text = string(plain)
			}
		}
		if !strings.ContainsAny(text, "\"'`<{( ") {
			yield(text)
			return
		}
		if len(text) > 4*longestHandler || !strings.ContainsAny(text, "\"'`") {
			return
		}
		for _, m := range quotedAddress.FindAllStringSubmatch(text, 20) {
			if !yield(strings.TrimSuffix(strings.ReplaceAll(strings.ReplaceAll(m[1], "&amp;", "&"), `\/`, "/"), `\`)) {
				return
			}
		}
	}
}

// isPressed reports whether e is a link or a button, or a script waits for it to be pressed.
func (e *element) isPressed() bool {
	switch e.tag {
	case atom.A, atom.Button, atom.Area:
		return true
	case 0:
		if strings.HasSuffix(e.node.Data, "-button") {
			return true
		}
	case atom.Input:
		switch strings.ToLower(attr(e.node, "type")) {
		case "submit", "button", "image":
			return true
		case "radio":
			return e.named&pressedName != 0
		}
		return false
	}
	if e.with&roleAttribute != 0 {
		if role := attr(e.node, "role"); role == "button" || role == "link" {
			return true
		}
	}
	if e.with == 0 {
		return false
	}
	for i := range e.node.Attr {
		switch key := e.node.Attr[i].Key; key {
		case "onclick", "@click", "x-on:click", "v-on:click", "ng-click", "(click)", "wire:click", "phx-click":
			return true
		default:
			if strings.HasPrefix(key, "@click") || strings.HasPrefix(key, "wire:click") || strings.HasPrefix(key, "x-on:click") {
				return true
			}
		}
	}
	return false
}

// looksPressed reports whether an element that only its class calls a button, or that keys reach, says that there is more.
func (e *element) looksPressed() bool {
	if e.named&pressedName == 0 && (e.with == 0 || !hasAttr(e.node, "tabindex")) || e.tag != atom.Div && e.tag != atom.Span && e.tag != atom.Li || e.longer(40) || e.end-e.index > 5 || e.heading() != nil {
		return false
	}
	said := labelOf(e.visibleText())
	return (said == moreLabel || said == jobsLabel) && e.below(atom.A) == nil && e.below(atom.Button) == nil
}

// saysLoading reports whether e is a line that says that more is being loaded, or will be.
func (e *element) saysLoading() bool {
	return e.own && e.level == 0 && e.longer(5) && !e.longer(60) && loadingMore.MatchString(strings.Trim(e.folded(), labelMarks))
}

// isNextRange reports whether e names the entries of a further page by their numbers, such as "9-16" where a page has eight.
func (r *wayfinder) isNextRange(e *element) bool {
	if len(r.found) < 2 || e.longer(15) {
		return false
	}
	m := entryRange.FindStringSubmatch(e.visibleText())
	return m != nil && number(m[1])%len(r.found) == 1 && number(m[2]) > number(m[1]) && number(m[2])-number(m[1]) < len(r.found)
}

var entryRange = lazyregexp.New(`^(\d{1,5})\s*[-–—]\s*(\d{1,5})$`)

// isOfMore reports whether an element says to those who do not see it that its list is longer than what is shown. The head of a table
// counts as a row.
func (r *wayfinder) isOfMore(e *element) bool {
	for i := range e.node.Attr {
		switch a := &e.node.Attr[i]; a.Key {
		case "aria-setsize":
			return isNumeric(a.Val) && number(a.Val) > len(r.found)
		case "aria-rowcount":
			return isNumeric(a.Val) && number(a.Val) > len(r.found)+1
		}
	}
	return false
}

// lookAtScript takes in what a script is told of the pages of a list that are as long as this one.
func (r *wayfinder) lookAtScript(e *element) {
	c := e.node.FirstChild
	if c == nil || len(c.Data) > longestTold {
		return
	}
	if strings.Contains(c.Data, "extPage") || strings.Contains(c.Data, "ext_page") {
		for _, m := range toldNext.FindAllStringSubmatch(c.Data, 5) {
			u := Resolve(r.Base, strings.ReplaceAll(m[1], `\/`, "/"))
			r.script = r.script || r.turnTo(u).relation == turned
		}
	}
	r.told(c.Data)
}

// told takes in what a script or an attribute is told of the pages of a list that are as long as this one.
func (r *wayfinder) told(text string) {
	if len(text) < shortestTold || len(text) > longestTold || !strings.Contains(text, "er_page") && !strings.Contains(text, "erPage") &&
		!strings.Contains(text, "ageSize") && !strings.Contains(text, `limit":`) {
		return
	}
	said := paging{}
	for _, m := range toldNumber.FindAllStringSubmatch(text, 500) {
		said.note(Letters(m[1]), number(m[2]))
	}
	r.script = r.script || said.size > 1 && said.size == len(r.found) && said.in(r.ownPlace().isLater()) > 1
}

const shortestTold, longestTold = 20, 100_000

var (
	// sendsForm is what a script does to ask the server for another state of the page.
	sendsForm  = lazyregexp.New(`__doPostBack|submit\(|Submit\(`)
	toldNumber = lazyregexp.New(`\b([A-Za-z_]{4,20})\\?["']?\s*:\s*["']?(\d{1,6})\b`)
	toldNext   = lazyregexp.New(`\bnext_?[Pp]age[A-Za-z_]{0,10}["']?\s*[:=]\s*["']([^"'\s]{2,300})["']`)
)

// sends reports whether what an attribute does changes something: what it asks for cannot be followed.
func sends(a html.Attribute) bool {
	return strings.HasSuffix(a.Key, "-post") || strings.HasSuffix(a.Key, "-put") || strings.Contains(a.Val, "@post(") || strings.Contains(a.Val, "@put(")
}

// isNextLink reports whether a link says to machines that it leads to the next page.
func isNextLink(e *element) bool { return hasWord(attr(e.node, "rel"), nextRelation) }

// disabled reports whether a link or button is switched off, as the one for the next page is on the last. Some themes call the links to
// all other pages inactive.
func (e *element) disabled() bool {
	if attr(e.node, "aria-disabled") == "true" || hasAttr(e.node, "disabled") {
		return true
	}
	if e.named&disabledName != 0 && (e.tag != atom.A || e.lead() == nil || strings.Contains(attr(e.node, "class"), "disabled")) {
		return true
	}
	p := e.parent
	return p != nil && (p.named&disabledName != 0 || p.tag == atom.Li && attr(p.node, "aria-disabled") == "true")
}

// isToggle reports whether e shows or hides something that the page has already.
func (e *element) isToggle() bool {
	for i := range e.node.Attr {
		switch a := &e.node.Attr[i]; a.Key {
		case "aria-expanded", "aria-haspopup", "data-dismiss", "data-bs-dismiss":
			return true
		case "data-toggle", "data-bs-toggle":
			return a.Val == "collapse" || a.Val == "modal" || a.Val == "dropdown"
		}
	}
	return false
}

// inSiteFooter reports whether e stands below the whole page, and not only below a part of it.
func (e *element) inSiteFooter() bool {
	for p := e; p != nil; p = p.parent {
		switch {
		case p.tag == atom.Main || p.tag == atom.Section || p.tag == atom.Article:
			return false
		case p.tag == atom.Footer || p.with&roleAttribute != 0 && attr(p.node, "role") == "contentinfo" || attr(p.node, "id") == "footer":
			return p.closest(atom.Main) == nil && p.closest(atom.Section) == nil && p.closest(atom.Article) == nil
		}
	}
	return false
}

// isOfWizard reports whether e belongs to a form that somebody fills in, and that holds no roles.
func (r *wayfinder) isOfWizard(e *element) bool {
	form := e.closest(atom.Form)
	if form == nil || len(r.found) > 0 && form.contains(r.found[0].element) {
		return false
	}
	return question{about: form, what: "asks"}.ask(func() bool {
		return slices.ContainsFunc(r.within(form), func(o *element) bool {
			switch o.tag {
			case atom.Textarea:
				return true
			case atom.Input:
				switch strings.ToLower(attr(o.node, "type")) {
				case "", "text", "email", "tel", "file", "date", "radio", "checkbox", "password":
					return true
				}
			}
			return false
		})
	})
}

// isAmongSlides reports whether e is part of pictures that are turned, of a calendar, or of what lies over the page.
func (e *element) isAmongSlides() bool {
	for i := 0; e != nil && i < 8 && e.tag != atom.Body; i, e = i+1, e.parent {
		if e.has(slidesName) || e.tag == atom.Dialog {
			return true
		}
	}
	return false
}

// asksForDate reports whether an address asks for another day, month or year.
func asksForDate(way string) bool {
	_, query, _ := strings.Cut(way, "?")
	return hasWord(query, dateWords)
}

// inPager reports whether e stands among the links to the pages of a list.
func inPager(e *element) bool {
	for i := 0; e != nil && i < 6; i, e = i+1, e.parent {
		if e.has(pagerName) || e.with != 0 && (hasWord(attr(e.node, "aria-label"), pagers) || e.tag == atom.Nav && hasWord(attr(e.node, "aria-label"), pageWords)) {
			return true
		}
	}
	return false
}

// pageNumber is the number of a page, if that is all that e shows; 0 otherwise.
func (e *element) pageNumber() int {
	text := ""
	switch e.tag {
	case atom.A, atom.Button, atom.Span, atom.Li, atom.Strong, atom.Em, atom.B, atom.Td, atom.Div, atom.Label:
		if e.icon || e.longer(12) || !e.own && !e.isPressed() {
			return 0
		}
		if text = e.visibleText(); text == "" && e.isPressed() && len(e.kids) > 0 {
			text = squeeze(rawText(e.kids[0].node)) // a picture, or shown to some only
		}
	case atom.Input:
		if e.isPressed() {
			text = cmp.Or(attr(e.node, "value"), attr(e.node, "aria-label"))
		}
	}
	if text == "" || len(text) > 40 || !hasDigit(text) {
		return 0
	}
	return max(numberedText(Fold(text)), 0)
}

// pageNumbersIn are the numbers in a text, in their order, as far as they may be those of pages.
func pageNumbersIn(text string) (all []int) {
	for _, word := range numbersIn(text) {
		if len(word) <= 3 && len(all) < 2*maxNumbers {
			all = append(all, number(word))
		}
	}
	return all
}

var (
	pagers        = set(`pagination pager paging paginator paginate pages pagenav pagenavi pagingnav seiten paginacion paginacao paginazione paginering paginierung stronicowanie seitennavigation seitennummerierung`)
	nextRelation  = set(`next`)
	loadedAhead   = set(`prefetch prerender`) // what a browser loads because readers will want it next
	currentPage   = set(`active current selected highlight here cur thispage currentpage`)
	pressedWords  = set(`btn button more loadmore showmore viewmore`)
	disabledWords = set(`disabled inactive`)
	slidesWords   = set(`cookie cookies consent modal popup chat chatbot carousel slider slideshow swiper slick splide glide flickity embla keen owl gallery lightbox calendar datepicker testimonial testimonials quotes rotator marquee video player`)
	dateWords     = set(`date day month year week yr mo ym monat jahr tag mois annee fecha mes ano datum`)
)
