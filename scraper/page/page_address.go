package page

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// relation is how an address stands to that of the page.
type relation int8

const (
	elsewhere relation = iota // nothing in it speaks of pages of a list
	itself                    // the page's own address, or a part of it
	numbered                  // another address, of some page of a list
	requeried                 // the page's own path, asked otherwise
	suffixed                  // the page's own path with a number behind it, which may be that of an entry
	turned                    // the page's own path with another page of the list
)

// pageTurn is an address as one of the pages of a list.
type pageTurn struct {
	relation

	way      string // what the addresses of all pages of the list have in common
	number   int    // of the page or of its first entry; cursor when the address names it otherwise
	own      int    // the same of the page that is read
	implicit bool   // the page's own address does not say it
}

// isForward reports whether the page comes after the one that is read. Where the page's own address is silent, the first number that
// others have may be that of the second page, if something speaks for it.
func (t pageTurn) isForward(speaks bool) bool {
	return t.number == cursor || t.number > t.own || speaks && t.implicit && t.number == t.own && t.number > 0
}

// cursor stands for the number of a page that is named otherwise, or by a number that says nothing about its order.
const cursor = -1

// longestPageNumber is the length of the largest number of a page, or of an entry, in an address.
const longestPageNumber = 6

// turnTo is how an address stands to that of the page.
func (d *Document) turnTo(u *url.URL) pageTurn {
	own := d.ownPlace()
	if u == nil || !sameHost(u, own.url) {
		return pageTurn{}
	}
	at := pathPlace(u.Path)
	if at.whole == own.whole && u.Path == own.url.Path || at.whole == own.whole && at.number == own.number {
		return own.requeried(u)
	}
	if at.number > 0 && (at.stem == own.whole || own.number > 0 && at.stem == own.stem) {
		t := pageTurn{relation: turned, way: at.stem + "/*", number: at.number, own: max(own.number, at.first()), implicit: own.number == 0}
		if at.stem == own.whole && own.number > 0 && !own.worded {
			t.own, t.implicit = at.first(), true // the number at the end of the page's own path is no page's
		}
		if !at.worded {
			t.relation = suffixed
		}
		return t
	}
	if u.RawQuery != "" {
		for name, value := range parametersOf(u.RawQuery) {
			if n, ok := pageNumberIn(name, value); ok && (n == cursor || n > 0) {
				return pageTurn{relation: numbered, way: at.whole + "?" + name, number: n, own: firstOf(name), implicit: true}
			}
		}
	}
	if at.number > 0 {
		return pageTurn{relation: numbered, way: at.stem + "/*", number: at.number, own: at.first(), implicit: true}
	}
	return pageTurn{}
}

func (d *Document) takeApart() *ownPlace {
	return &ownPlace{place: pathPlace(d.pageAt.Path), url: d.pageAt, query: parametersOf(d.pageAt.RawQuery)}
}

// ownPlace is the page's own address.
type ownPlace struct {
	place

	url   *url.URL
	query map[string]string
}

// isLater reports whether the address is that of a page after the first.
func (o *ownPlace) isLater() bool {
	for name, value := range o.query {
		if n, ok := pageNumberIn(name, value); ok && (n == cursor || n > firstOf(name)) {
			return true
		}
	}
	return o.worded && o.number > o.first()
}

// requeried is how an address of the page's own path stands to it.
func (o *ownPlace) requeried(u *url.URL) pageTurn {
	query := parametersOf(u.RawQuery)
	var differ []string
	best := pageTurn{}
	for name, value := range query {
		if o.query[name] == value {
			continue
		}
		differ = append(differ, name)
		n, ok := pageNumberIn(name, value)
		if !ok {
			continue
		}
		t := pageTurn{relation: turned, way: o.whole + "?" + name, number: n, own: firstOf(name), implicit: true}
		if at, ok := pageNumberIn(name, o.query[name]); ok {
			t.own, t.implicit = at, false
		}
		if best.relation == elsewhere || t.number > best.number || t.number == best.number && t.way < best.way {
			best = t
		}
	}
	switch {
	case len(differ) == 0:
		return pageTurn{relation: itself}
	case best.relation == turned:
		return best
	}
	slices.Sort(differ)
	return pageTurn{relation: requeried, way: o.whole + "?" + strings.Join(differ, "&"), number: cursor, own: cursor}
}

// place is a path, and what it says of pages.
type place struct {
	whole  string // the path without what servers add to it
	stem   string // what stands before the number
	number int    // 0 when there is none
	worded bool   // a word says that it is a page's
	offset bool   // it counts entries
}

func (p place) first() int {
	if p.offset {
		return 0
	}
	return 1
}

// pathPlace takes the path of an address apart: "/jobs/page/2/", "/jobs/p2", "/jobs-2.html".
func pathPlace(at string) place {
	at = strings.ToLower(strings.TrimRight(at, "/"))
	if ext := path.Ext(at); len(ext) > 2 && len(ext) <= 6 && !hasDigit(ext) {
		at = strings.TrimSuffix(at, ext)
	}
	p := place{whole: withoutIndex(at)}
	digits := len(at)
	for digits > 0 && isDigit(at[digits-1]) {
		digits--
	}
	if digits == len(at) || len(at)-digits > longestPageNumber {
		return p
	}
	n := number(at[digits:])
	rest := strings.TrimRight(at[:digits], pathMarks)
	word := len(rest)
	for word > 0 && rest[word-1] != '/' && !strings.ContainsRune(pathMarks, rune(rest[word-1])) {
		word--
	}
	switch name := rest[word:]; {
	case pagePathWords[name] || startPathWords[name]:
		p.stem, p.number, p.worded, p.offset = rest[:word], n, true, startPathWords[name]
	case n < 1000:
		p.stem, p.number = rest, n
	default:
		return p
	}
	p.stem = withoutIndex(strings.TrimRight(p.stem, pathMarks))
	return p
}

const pathMarks = "/-_.,;:=~+()|&"

// withoutIndex is a path without the name that servers give to the page of a folder.
func withoutIndex(at string) string {
	for _, name := range [...]string{"/index", "/default", "/home"} {
		if cut, ok := strings.CutSuffix(at, name); ok {
			return cut
		}
	}
	return at
}

// parametersOf are the parameters of a query that have a value, without those that only serve the server.
func parametersOf(query string) map[string]string {
	if query == "" {
		return nil
	}
	all := make(map[string]string)
	for part := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' }) {
		name, value, hasValue := strings.Cut(part, "=")
		if !hasValue {
			value = name
		}
		name, value = unescaped(name), strings.TrimSpace(unescaped(value))
		if value != "" && !strings.EqualFold(name, "cHash") {
			all[name] = value
		}
	}
	return all
}

func unescaped(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// pageNumberIn is the number in a parameter that says which page of a list is meant; cursor when it says so otherwise.
func pageNumberIn(name, value string) (n int, ok bool) {
	kind := parameterKind(name)
	if kind == noPage || value == "" {
		return 0, false
	}
	if isNumeric(value) {
		return number(value), true
	}
	allDigits := strings.Trim(value, "0123456789") == ""
	return cursor, allDigits || kind == cursorName && !strings.ContainsAny(value, "/ <>{}")
}

// firstOf is the number of the first page, or of its first entry, where an address says none.
func firstOf(name string) int {
	if parameterKind(name) == pageName {
		return 1
	}
	return 0
}

type parameter int8

const (
	noPage     parameter = iota
	pageName             // counts pages
	startName            // counts entries
	cursorName           // names the place from which the list goes on
)

// parameterKind says what a parameter is that an address asks for a page with, by the words of its name.
func parameterKind(name string) parameter {
	kind := noPage
	other := eachWord(strings.ReplaceAll(name, "[]", ""), func(word string) bool {
		switch {
		case cursorWords[word]:
			kind = max(kind, cursorName)
		case startWords[word]:
			kind = max(kind, startName)
		case pageWords[word]:
			kind = max(kind, pageName)
		}
		return sizeWords[word]
	})
	if other {
		return noPage
	}
	return kind
}

func sameHost(u, v *url.URL) bool {
	return u.Host == v.Host || strings.TrimPrefix(strings.ToLower(u.Host), "www.") == strings.TrimPrefix(strings.ToLower(v.Host), "www.")
}

// What addresses call a page of a list, in lower case.
var (
	pageWords = set(`page p pg pn pag pagina pagination paginate paginator paging pager pagen paged pageno pagenum pagenumber pagenr pageindex pageidx currentpage curpage nowpage
		cur seite sida side sivu strana stranka strona stran stranica oldal sayfa trang lapa puslapis halaman lehekulg resultpage resultspage listpage pagenow gotopage targetpage jobpage jobspage`)
	startWords = set(`start startrow startat startindex startfrom startrecord offset skip from first firstrow firstresult firstrecord limitstart rowstart recordstart bstart pagefirstrow
		begin itemoffset`)
	cursorWords = set(`cursor after before continuation continuationtoken pagetoken nexttoken nextcursor endcursor startcursor startafter marker bookmark lastid lastkey`)
	// sizeWords are in names of parameters that say something else about pages.
	sizeWords = set(`id ids uid size sizes pagesize limit per perpage count counts type title name url uri lang language max length layout template ref referrer
		source date day month year sort order orderby view mode tab`)
	pagePathWords  = set(`page p pg pagina seite sida side sivu strana stranka strona stran stranica oldal sayfa trang lapa halaman currentpage pagenumber previous older more`)
	startPathWords = set(`start offset from skip`)
)
