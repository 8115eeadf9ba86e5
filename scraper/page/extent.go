package page

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// Extent is what an answer says about how far its list goes.
type Extent struct {
	Total int    // how many roles the whole list has; -1 when it does not say
	Count int    // how many roles the list has, or only this page of it; -1 when it does not say
	Pages int    // how many pages the list has; 0 when it does not say
	Size  int    // how many entries a full page has; 0 when it does not say
	At    int    // which page this is; -1 when it does not say
	More  bool   // it says that another page follows
	Last  bool   // it says that no page follows
	Next  string // the address of the page that follows, as it is written
	Token string // what the page that follows is to be asked for with
	Forks bool   // several addresses follow, each of another part
}

// Silent is the extent of an answer that says nothing.
func Silent() Extent { return Extent{Total: -1, Count: -1, At: -1} }

// And is what two parts of one answer say together. Where they contradict each other, the longer list counts.
func (x Extent) And(y Extent) Extent {
	x.Forks = x.Forks || y.Forks || x.Next != "" && y.Next != "" && x.Next != y.Next
	x.Total, x.Count, x.Pages = max(x.Total, y.Total), max(x.Count, y.Count), max(x.Pages, y.Pages)
	x.Size, x.At = max(x.Size, y.Size), max(x.At, y.At)
	x.More, x.Last = x.More || y.More, x.Last || y.Last
	if x.Next == "" {
		x.Next = y.Next
	}
	if x.Token == "" {
		x.Token = y.Token
	}
	return x
}

// String is the extent as part of a fingerprint.
func (x Extent) String() string {
	return fmt.Sprintf("{total:%d count:%d pages:%d size:%d at:%d more:%t last:%t next:%s token:%s forks:%t}",
		x.Total, x.Count, x.Pages, x.Size, x.At, x.More, x.Last, x.Next, x.Token, x.Forks)
}

// Claimed is the largest number of roles that the answer names for its list; -1 when it names none.
func (x Extent) Claimed() int {
	total := max(x.Total, x.Count)
	if x.Pages > 1 && x.Size > 0 {
		total = max(total, (x.Pages-1)*x.Size+1)
	}
	return total
}

// GoesOn reports whether the answer says that its list is longer than what was read: so many roles on so many pages.
// A list that says into how many pages of which size it is cut may hold them all.
func (x Extent) GoesOn(roles, pages int) bool {
	if x.More || x.Next != "" || x.Forks || x.Claimed() > roles {
		return true
	}
	return x.Pages > max(pages, x.At) && x.Size == 0
}

// extentOf is what an object says about the list that lies in it: itself, or under a key that speaks of pages.
func extentOf(o map[string]any) Extent {
	x := Silent()
	x.look(o, false, 0)
	return x
}

// look takes in what the members of an object say. paging tells that the object speaks of nothing but pages.
func (x *Extent) look(o map[string]any, paging bool, depth int) {
	for _, key := range slices.Sorted(maps.Keys(o)) {
		v, name := o[key], Letters(key)
		if inner, ok := v.(map[string]any); ok && depth < 2 && pagingNames[name] {
			x.look(inner, true, depth+1)
		}
		x.take(name, v, paging)
	}
}

// take takes in one member.
func (x *Extent) take(name string, v any, paging bool) {
	n, isNumber := wholeNumber(v)
	switch {
	case totalNames[name]:
		if o, ok := v.(map[string]any); ok { // as Elasticsearch writes it
			n, isNumber = wholeNumber(o["value"])
		}
		if isNumber {
			x.Total = max(x.Total, n)
		}
	case isNumber && countNames[name]:
		x.Count = max(x.Count, n)
	case isNumber && pagesNames[name]:
		x.Pages = max(x.Pages, n)
	case isNumber && sizeNames[name]:
		x.Size = max(x.Size, n)
	case isNumber && atNames[name]:
		x.At = max(x.At, n)
	case moreNames[name]:
		yes, said := truth(v)
		x.More, x.Last = x.More || said && yes, x.Last || said && !yes
	case lastNames[name]:
		yes, said := truth(v)
		x.More, x.Last = x.More || said && !yes, x.Last || said && yes
	case cutNames[name]:
		yes, said := truth(v)
		x.More = x.More || said && yes
	case name == "endcursor":
		x.Token, _ = v.(string)
	case nextNames[name]:
		x.follow(v, paging || name != "next")
	}
}

// follow takes in what an answer says of the page that follows: its address, its number, a token to ask for it with, or
// that there is none. A member that is just called "next" may speak of something else.
func (x *Extent) follow(v any, sure bool) {
	if n, ok := wholeNumber(v); ok {
		x.More = x.More || n > 0
		return
	}
	switch v := v.(type) {
	case nil:
		x.Last = true
	case bool:
		x.More, x.Last = x.More || v, x.Last || !v
	case string:
		switch {
		case v == "" || v == "null":
			x.Last = true
		case isAddress(v) && (sure || furtherPart.MatchString(v)):
			x.Next = v
		case sure:
			x.More, x.Token = true, v
		}
	case map[string]any:
		for _, key := range [...]string{"href", "url", "link"} {
			if text, ok := v[key].(string); ok && text != "" && (sure || furtherPart.MatchString(text)) {
				x.Next = text
				return
			}
		}
		x.More = x.More || sure && len(v) > 0
	}
}

// isAddress reports whether a text may be an address rather than a token.
func isAddress(text string) bool {
	return strings.HasPrefix(text, "http") || strings.HasPrefix(text, "/") || strings.HasPrefix(text, "?")
}

// furtherPart is an address that asks for a further part of a list.
var furtherPart = lazyregexp.New(`(?i)[?&](?:page|p|pg|offset|cursor|start|skip|after|from|next|token)[a-z_]*(?:\[[a-z]+\]|%5b[a-z]+%5d)?=.|/page[/-]?\d`)

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

// HeaderExtent is what the header of an answer says about the list in its body.
func HeaderExtent(header map[string][]string) Extent {
	x := Silent()
	for name, values := range header {
		known := strings.TrimPrefix(Letters(name), "x")
		text := strings.TrimSpace(values[0])
		switch n, err := strconv.Atoi(text); {
		case known == "pagination" && strings.HasPrefix(text, "{"):
			if v, err := DecodeJSON([]byte(text)); err == nil {
				if o, ok := v.(map[string]any); ok {
					x.look(o, true, 1)
				}
			}
		case known == "contentrange":
			if _, total, ok := strings.Cut(text, "/"); ok {
				x.take("total", total, true)
			}
		case headerTotals[known] && err == nil:
			x.Total = max(x.Total, n)
		case headerPages[known] && err == nil:
			x.Pages = max(x.Pages, n)
		case headerSizes[known] && err == nil:
			x.Size = max(x.Size, n)
		case known == "nextpage" || known == "hasmore" || known == "hasnext" || known == "hasnextpage":
			x.take(known, text, true)
		}
	}
	return x.And(linkExtent(header["Link"]))
}

var linkHeader = lazyregexp.New(`<([^<>]*)>([^<>]*)`)

// linkExtent is what a Link header says. One that names other pages of the list, and none that follows, is that of the last.
func linkExtent(values []string) Extent {
	x := Silent()
	paged := false
	for _, m := range linkHeader.FindAllStringSubmatch(strings.Join(values, ", "), 50) {
		for _, parameter := range strings.FieldsFunc(m[2], func(r rune) bool { return r == ';' || r == ',' }) {
			name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
			if !strings.EqualFold(strings.TrimSpace(name), "rel") {
				continue
			}
			for rel := range strings.FieldsSeq(strings.ToLower(strings.Trim(value, `"' `))) {
				switch {
				case rel == "next" && x.Next == "":
					x.Next = m[1]
				case rel == "prev", rel == "previous", rel == "first":
					paged = true
				}
			}
		}
	}
	x.Last = paged && x.Next == ""
	return x
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
var (
	pagingNames = set(`meta pagination paginationinfo pageinfo paging paginginfo page pager pageable paginator pagedata links info metadata resultinfo resultset listinfo`)
	totalNames  = set(`total totalcount totaljobs totaljobcount totalresults totalhits numfound totalelements totalrecords totalitems totalnumber nbhits recordstotal recordsfiltered
		totalrows totalresultcount totalpositions totalopenings totalvacancies counttotal totalentries totalmatches totalsize odatacount numberofresults numresults hitcount hitscount`)
	countNames = set(`count resultcount resultscount itemcount itemscount jobcount jobscount recordcount recordscount found numberofjobs`)
	pagesNames = set(`pages totalpages pagecount pagescount lastpage numpages nbpages totalpagecount numberofpages maxpage maxpages pagetotal pagestotal`)
	sizeNames  = set(`size limit pagesize perpage postsperpage pagelimit hitsperpage itemsperpage resultsperpage maxresults`)
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
