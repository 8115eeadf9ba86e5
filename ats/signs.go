package ats

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// signs is what the answers of one reading say about their list beside its rows, in fields that the adapter does not know:
// that a page follows, a total, an error. Systems change, and a list that is cut is not whole because its adapter never had to
// look there. A field is known if the type that the answer is decoded into names it.
type signs struct{ lists map[string]*listSigns }

// listSigns is what the answers of one address say. Each field names the field that says so.
type listSigns struct {
	answers, rows int
	total, pages  int    // as many as there are, it says
	goesOn        string // by the last answer, another one follows
	wrong         string // there was an error
	silent        string // it does not say how many rows there are, though it always does
	none          string // there are none, beside rows
}

type signsKey struct{}

// Read reads the whole board as the adapter does, and listens to what the answers say beside their rows: a list of which they
// say that it is not whole is partial.
func Read(ctx context.Context, a Adapter, client Doer, board string) (boardwatch.Reading, error) {
	heard := &signs{lists: make(map[string]*listSigns)}
	reading, err := a.Read(context.WithValue(ctx, signsKey{}, heard), client, board)
	if err != nil || reading.Health != boardwatch.HealthOK || len(reading.Skipped) > 0 {
		return reading, err
	}
	return heard.doubt(a, reading), nil
}

// signsOf is what was heard in a reading so far. Outside of Read nobody listens.
func signsOf(ctx context.Context) *signs {
	heard, _ := ctx.Value(signsKey{}).(*signs)
	return heard
}

var (
	digitsInside = lazyregexp.New(`\d+`)
	roleCount    = lazyregexp.New(`total|count|hits|items`) // in a field of type count
)

// unheard is the context of requests whose answers say nothing of the list.
func unheard(ctx context.Context) context.Context {
	return context.WithValue(ctx, signsKey{}, (*signs)(nil))
}

// list is what was heard of an address. Its query, and numbers in its path, only tell the pages of a list apart.
func (s *signs) list(address string) *listSigns {
	place, _, _ := strings.Cut(address, "?")
	place = digitsInside.ReplaceAllString(place, "0")
	if s.lists[place] == nil {
		s.lists[place] = &listSigns{}
	}
	return s.lists[place]
}

// begin takes in the header of an answer.
func (s *signs) begin(address string, header http.Header) {
	if s == nil {
		return
	}
	l := s.list(address)
	l.goesOn = ""
	if slices.ContainsFunc(header.Values("Link"), func(link string) bool { return strings.Contains(link, `rel="next"`) }) {
		l.goesOn = "Link"
	}
	for _, name := range []string{"X-Total", "X-Total-Count", "X-WP-Total"} {
		total, _ := strconv.Atoi(header.Get(name))
		l.total = max(l.total, total)
	}
}

// hear takes in a document that was decoded into what into points at.
func (s *signs) hear(address string, document []byte, into any) {
	if s == nil {
		return
	}
	seen := look{counts: make(map[string]bool)}
	rows := seen.at(document, reflect.TypeOf(into), "")
	l := s.list(address)
	l.answers++
	l.rows += rows
	l.total, l.pages = max(l.total, seen.total), max(l.pages, seen.pages)
	l.goesOn, l.wrong = cmp.Or(seen.goesOn, l.goesOn), cmp.Or(seen.wrong, l.wrong)
	if l.answers > 1 || !seen.list {
		return // only a first page says how many there are on every system
	}
	for _, name := range countsIn(reflect.TypeOf(into), "") {
		if _, there := seen.counts[name]; !there {
			l.silent = name
		}
	}
	for name, zero := range seen.counts {
		if zero && rows > 0 {
			l.none = name
		}
	}
}

// A look is what one answer shows.
type look struct {
	listSigns

	list   bool            // it has a list that the adapter knows
	counts map[string]bool // the counts in it that the adapter knows, and whether they are zero
}

// at goes through what surrounds the rows of a document, and returns how many rows its longest list has. The path names the
// object that it is.
func (l *look) at(document []byte, into reflect.Type, path string) (rows int) {
	var list []json.RawMessage
	if json.Unmarshal(document, &list) == nil {
		return len(list) // without anything around it that could say how many there are
	}
	known, plain := fieldsOf(into)
	var fields map[string]json.RawMessage
	if !plain || strings.Count(path, ".") > 3 || json.Unmarshal(document, &fields) != nil {
		return 0
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		value := fields[name]
		field, isKnown := known[strings.ToLower(name)]
		switch {
		case value[0] == '[' && isKnown:
			rows, l.list = max(rows, l.at(value, nil, path)), true
		case value[0] == '{' && (isKnown || slices.Contains(surroundings, plainName(name))):
			rows = max(rows, l.at(value, field.Type, path+strings.ToLower(name)+"."))
		case isKnown && field.counts && string(value) != "null":
			l.counts[path+strings.ToLower(name)] = strings.Trim(string(value), `"`) == "0"
		case !isKnown:
			l.judge(name, value)
		}
	}
	return rows
}

// surroundings are objects, not named by an adapter, in which systems tell of their pages.
var surroundings = strings.Fields("meta metadata pagination paging pageinfo pager page links cursors")

// The names, in small letters only, by which systems tell what a list lacks, and the values that say so.
var (
	followsBy  = strings.Fields("next nextpage nextpagetoken nexttoken nextcursor nexturl nextpageurl nextlink odatanextlink nextoffset nextstart continuation continuationtoken cursor")
	goesOnBy   = strings.Fields("hasmore hasnext hasnextpage hasmorepages more moreavailable moreresults truncated istruncated partial incomplete incompleteresults")
	endsHereBy = strings.Fields("last islast lastpage islastpage complete iscomplete")
	pagesBy    = strings.Fields("pages totalpages pagecount pagestotal numpages numberofpages nbpages lastpage")
	totalBy    = strings.Fields("total totalcount totalresults totalhits totalelements totalrecords totalitems totaljobs recordstotal numfound nbhits count")
	wrongBy    = strings.Fields("error errors errormessage exception fault")
	rightBy    = strings.Fields("success ok")
)

// judge takes in a field that the adapter does not know.
func (l *listSigns) judge(name string, value []byte) {
	plain, says := plainName(name), strings.Trim(string(value), `"`)
	number, _ := strconv.Atoi(says)
	var said any
	empty := json.Unmarshal(value, &said) == nil && isNothing(said)
	named := func(names []string) bool { return slices.Contains(names, plain) }
	switch {
	case named(followsBy) && !empty, named(goesOnBy) && says == "true", named(endsHereBy) && says == "false":
		l.goesOn = name
	case named(pagesBy):
		l.pages = max(l.pages, number)
	case named(totalBy):
		l.total = max(l.total, number)
	case named(wrongBy) && !empty, named(rightBy) && says == "false":
		l.wrong = name
	}
}

// isNothing reports whether a value of JSON says nothing: it is empty, or all that is in it.
func isNothing(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		if message, ok := v["message"]; ok {
			return isNothing(message)
		}
		for _, inside := range v {
			if !isNothing(inside) {
				return false
			}
		}
		return true
	case []any:
		return !slices.ContainsFunc(v, func(inside any) bool { return !isNothing(inside) })
	default:
		return v == nil || v == false || v == "" || v == 0.0
	}
}

// plainName is a field's name without what vendors write differently.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// A knownField is a field that an adapter's type names.
type knownField struct {
	Type   reflect.Type
	counts bool // it says how many roles there are
	always bool // in every first answer: otherwise its tag says omitempty
}

// fieldsOf are the fields of a type by their names in JSON, in small letters. A type that is no struct takes whatever there
// is. Without a type nothing is known.
func fieldsOf(t reflect.Type) (known map[string]knownField, plain bool) {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil {
		return nil, true
	}
	if t.Kind() != reflect.Struct {
		return nil, false
	}
	known = make(map[string]knownField)
	for _, field := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && name == "" {
			continue // its fields are visible
		}
		if name == "" {
			name = field.Name
		}
		of := field.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		plain := plainName(name)
		counts := of == reflect.TypeFor[count]() && roleCount.MatchString(plain) && !strings.Contains(plain, "page")
		known[strings.ToLower(name)] = knownField{field.Type, counts, counts && options != "omitempty"}
	}
	return known, true
}

// countsIn are the paths of the counts that a type names.
func countsIn(t reflect.Type, path string) (names []string) {
	known, plain := fieldsOf(t)
	if t == nil || !plain || strings.Count(path, ".") > 3 {
		return nil
	}
	for name, field := range known {
		if field.always {
			names = append(names, path+name)
		}
		names = append(names, countsIn(field.Type, path+name+".")...)
	}
	return names
}

// doubt is the reading of a whole list with what its answers say against that.
func (s *signs) doubt(a Adapter, reading boardwatch.Reading) boardwatch.Reading {
	partial := func(cause cause.Cause, format string, args ...any) {
		reading.Health, reading.Cause = boardwatch.HealthPartial, cause
		reading.Reason = a.Name() + " " + fmt.Sprintf(format, args...)
	}
	keys := make(map[string]bool)
	for _, p := range reading.Postings {
		keys[p.Key] = true
	}
	if reading.Claimed >= 0 && reading.Claimed < len(keys) {
		partial(cause.Unsure, "says that there are %d roles, but lists %d", reading.Claimed, len(keys))
	}
	for _, address := range slices.Sorted(maps.Keys(s.lists)) {
		switch l := s.lists[address]; {
		case l.wrong != "":
			partial(cause.ListError, "reports an error beside its list (%s)", l.wrong)
		case l.goesOn != "":
			partial(cause.Truncated, "says that its list goes on (%s)", l.goesOn)
		case l.pages > l.answers:
			partial(cause.PageMissing, "says that its list has %d pages, of which %d were read", l.pages, l.answers)
		case l.silent != "":
			partial(cause.Unsure, "does not say how many roles there are, as it always does (%s)", l.silent)
		case l.none != "":
			partial(cause.Unsure, "says that there are no roles (%s), but lists %d", l.none, l.rows)
		case l.answers > 0 && l.total > l.rows:
			reading.Claimed = max(reading.Claimed, len(keys)+l.total-l.rows)
		}
	}
	return reading
}
