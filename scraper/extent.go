package scraper

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// extent is what an answer says about how far its list goes.
type extent struct {
	total int    // how many roles the whole list has; -1 when it does not say
	count int    // how many roles the list has, or only this page of it; -1 when it does not say
	pages int    // how many pages the list has; 0 when it does not say
	size  int    // how many entries a full page has; 0 when it does not say
	at    int    // which page this is; -1 when it does not say
	more  bool   // it says that another page follows
	last  bool   // it says that no page follows
	next  string // the address of the page that follows, as it is written
	token string // what the page that follows is to be asked for with
	forks bool   // several addresses follow, each of another part
}

// silent is the extent of an answer that says nothing.
func silent() extent { return extent{total: -1, count: -1, at: -1} }

// and is what two parts of one answer say together. Where they contradict each other, the longer list counts.
func (x extent) and(y extent) extent {
	x.forks = x.forks || y.forks || x.next != "" && y.next != "" && x.next != y.next
	x.total, x.count, x.pages = max(x.total, y.total), max(x.count, y.count), max(x.pages, y.pages)
	x.size, x.at = max(x.size, y.size), max(x.at, y.at)
	x.more, x.last = x.more || y.more, x.last || y.last
	if x.next == "" {
		x.next = y.next
	}
	if x.token == "" {
		x.token = y.token
	}
	return x
}

// claimed is the largest number of roles that the answer names for its list; -1 when it names none.
func (x extent) claimed() int {
	total := max(x.total, x.count)
	if x.pages > 1 && x.size > 0 {
		total = max(total, (x.pages-1)*x.size+1)
	}
	return total
}

// goesOn reports whether the answer says that its list is longer than what was read: so many roles on so many pages.
// A list that says into how many pages of which size it is cut may hold them all.
func (x extent) goesOn(roles, pages int) bool {
	if x.more || x.next != "" || x.forks || x.claimed() > roles {
		return true
	}
	return x.pages > max(pages, x.at) && x.size == 0
}

// extentOf is what an object says about the list that lies in it: itself, or under a key that speaks of pages.
func extentOf(o map[string]any) extent {
	x := silent()
	x.look(o, false, 0)
	return x
}

// look takes in what the members of an object say. paging tells that the object speaks of nothing but pages.
func (x *extent) look(o map[string]any, paging bool, depth int) {
	for _, key := range slices.Sorted(maps.Keys(o)) {
		v, name := o[key], lettersOf(key)
		if inner, ok := v.(map[string]any); ok && depth < 2 && pagingNames[name] {
			x.look(inner, true, depth+1)
		}
		x.take(name, v, paging)
	}
}

// take takes in one member.
func (x *extent) take(name string, v any, paging bool) {
	n, isNumber := wholeNumber(v)
	switch {
	case totalNames[name]:
		if o, ok := v.(map[string]any); ok { // as Elasticsearch writes it
			n, isNumber = wholeNumber(o["value"])
		}
		if isNumber {
			x.total = max(x.total, n)
		}
	case isNumber && countNames[name]:
		x.count = max(x.count, n)
	case isNumber && pagesNames[name]:
		x.pages = max(x.pages, n)
	case isNumber && sizeNames[name]:
		x.size = max(x.size, n)
	case isNumber && atNames[name]:
		x.at = max(x.at, n)
	case moreNames[name]:
		yes, said := truth(v)
		x.more, x.last = x.more || said && yes, x.last || said && !yes
	case lastNames[name]:
		yes, said := truth(v)
		x.more, x.last = x.more || said && !yes, x.last || said && yes
	case cutNames[name]:
		yes, said := truth(v)
		x.more = x.more || said && yes
	case name == "endcursor":
		x.token, _ = v.(string)
	case nextNames[name]:
		x.follow(v, paging || name != "next")
	}
}

// follow takes in what an answer says of the page that follows: its address, its number, a token to ask for it with, or
// that there is none. A member that is just called "next" may speak of something else.
func (x *extent) follow(v any, sure bool) {
	if n, ok := wholeNumber(v); ok {
		x.more = x.more || n > 0
		return
	}
	switch v := v.(type) {
	case nil:
		x.last = true
	case bool:
		x.more, x.last = x.more || v, x.last || !v
	case string:
		switch {
		case v == "" || v == "null":
			x.last = true
		case isAddress(v) && (sure || furtherPart.MatchString(v)):
			x.next = v
		case sure:
			x.more, x.token = true, v
		}
	case map[string]any:
		for _, key := range [...]string{"href", "url", "link"} {
			if text, ok := v[key].(string); ok && text != "" && (sure || furtherPart.MatchString(text)) {
				x.next = text
				return
			}
		}
		x.more = x.more || sure && len(v) > 0
	}
}

// isAddress reports whether a text may be an address rather than a token.
func isAddress(text string) bool {
	return strings.HasPrefix(text, "http") || strings.HasPrefix(text, "/") || strings.HasPrefix(text, "?")
}

// furtherPart is an address that asks for a further part of a list.
var furtherPart = regexp.MustCompile(`(?i)[?&](?:page|p|pg|offset|cursor|start|skip|after|from|next|token)[a-z_]*(?:\[[a-z]+\]|%5b[a-z]+%5d)?=.|/page[/-]?\d`)

// truth is a boolean, however it is written. said is false when it is none.
func truth(v any) (yes, said bool) {
	switch v := v.(type) {
	case bool:
		return v, true
	case string:
		return v == "true", v == "true" || v == "false"
	}
	return false, false
}

// headerExtent is what the header of an answer says about the list in its body.
func headerExtent(header http.Header) extent {
	x := silent()
	for name, values := range header {
		known := strings.TrimPrefix(lettersOf(name), "x")
		text := strings.TrimSpace(values[0])
		switch n, err := strconv.Atoi(text); {
		case known == "pagination" && strings.HasPrefix(text, "{"):
			if v, err := decodeJSON([]byte(text)); err == nil {
				if o, ok := v.(map[string]any); ok {
					x.look(o, true, 1)
				}
			}
		case known == "contentrange":
			if _, total, ok := strings.Cut(text, "/"); ok {
				x.take("total", total, true)
			}
		case headerTotals[known] && err == nil:
			x.total = max(x.total, n)
		case headerPages[known] && err == nil:
			x.pages = max(x.pages, n)
		case headerSizes[known] && err == nil:
			x.size = max(x.size, n)
		case known == "nextpage" || known == "hasmore" || known == "hasnext" || known == "hasnextpage":
			x.take(known, text, true)
		}
	}
	return x.and(linkExtent(header.Values("Link")))
}

var linkHeader = regexp.MustCompile(`<([^<>]*)>([^<>]*)`)

// linkExtent is what a Link header says. One that names other pages of the list, and none that follows, is that of the last.
func linkExtent(values []string) extent {
	x := silent()
	paged := false
	for _, m := range linkHeader.FindAllStringSubmatch(strings.Join(values, ", "), 50) {
		for _, parameter := range strings.FieldsFunc(m[2], func(r rune) bool { return r == ';' || r == ',' }) {
			name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
			if !strings.EqualFold(strings.TrimSpace(name), "rel") {
				continue
			}
			for rel := range strings.FieldsSeq(strings.ToLower(strings.Trim(value, `"' `))) {
				switch {
				case rel == "next" && x.next == "":
					x.next = m[1]
				case rel == "prev", rel == "previous", rel == "first":
					paged = true
				}
			}
		}
	}
	x.last = paged && x.next == ""
	return x
}

// fingerprintOf is the fingerprint of an answer: of its body and of what its header says about the list in it.
func fingerprintOf(body []byte, header http.Header, seed uint64) string {
	if x := headerExtent(header); x != silent() {
		body = fmt.Appendf(slices.Clone(body), "%+v", x)
	}
	return fingerprint(body, seed)
}

func wholeNumber(v any) (int, bool) {
	switch v := v.(type) {
	case json.Number:
		n, err := v.Int64()
		return int(n), err == nil && n >= 0 && n < 1e6
	case float64:
		return int(v), v >= 0 && v < 1e6 && v == float64(int(v))
	case string:
		n, err := strconv.ParseUint(v, 10, 20)
		return int(n), err == nil && n < 1e6
	}
	return 0, false
}

// What lists call the members that say how they are cut, in lower case, letters only.
//
//nolint:gochecknoglobals // constant tables
var (
	pagingNames = set(`meta pagination paginationinfo pageinfo paging paginginfo page pager pageable paginator pagedata links info metadata resultinfo resultset listinfo`)
	totalNames  = set(`total totalcount totaljobs totaljobcount totalresults totalhits numfound totalelements totalrecords totalitems totalnumber nbhits recordstotal recordsfiltered
		totalrows totalresultcount totalpositions totalopenings totalvacancies counttotal totalentries totalmatches totalsize odatacount numberofresults numresults hitcount hitscount`)
	countNames = set(`count resultcount resultscount itemcount itemscount jobcount jobscount recordcount recordscount found numberofjobs`)
	pagesNames = set(`pages totalpages pagecount pagescount lastpage numpages nbpages totalpagecount numberofpages maxpage maxpages pagetotal pagestotal`)
	sizeNames  = set(`size limit pagesize perpage pagelimit hitsperpage itemsperpage resultsperpage maxresults`)
	atNames    = set(`currentpage pagenumber page`)
	moreNames  = set(`hasmore hasnext hasnextpage hasmorepages hasmoreresults hasmoreitems hasmorejobs hasmoredata morepages moreresults moreavailable more canloadmore`)
	lastNames  = set(`last islast lastpage islastpage isend endreached endoflist nomore`)
	cutNames   = set(`truncated istruncated incomplete incompleteresults`)
	nextNames  = set(`next nextpage nexturl nexturi nextlink nexthref nextpageurl nextpageuri nextpagelink odatanextlink nextpagenumber nextpagetoken nexttoken nextcursor nextoffset
		nextstart continuationtoken`)
	headerTotals = set(`wptotal total totalcount totalitems totalresults totalrecords paginationtotal paginationtotalcount`)
	headerPages  = set(`wptotalpages totalpages pagecount paginationpagecount paginationtotalpages paginationpages`)
	headerSizes  = set(`perpage pagesize paginationperpage paginationlimit`)
)
