package scraper

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/scraper/page"
)

// knob is a member of a question for data that says which part of the list is wanted: a parameter of the address, or a
// member of the body.
type knob struct {
	kind  knobKind
	rank  int    // knobs of one kind in the order in which they are to be tried
	value string // as the question has it
	set   func(value string) (address, body string)
}

type knobKind int

const (
	noKnob     knobKind = iota
	pageKnob            // counts pages
	offsetKnob          // counts entries
	cursorKnob          // takes what the last answer gave
	limitKnob           // how many entries a page has
)

// What questions call their knobs, in lower case, letters only, the surest name first.
//
//nolint:gochecknoglobals // constant tables
var (
	pageKnobs   = rankOf(`pagenumber pageno pagenum pageindex currentpage page paged pg p`)
	offsetKnobs = rankOf(`offset pageoffset skip startrow startindex startat firstresult start from first`)
	cursorKnobs = rankOf(`cursor after pagetoken nextpagetoken nextcursor nexttoken continuationtoken token pagecursor`)
	limitKnobs  = rankOf(`limit pagesize perpage pagelimit hitsperpage itemsperpage resultsperpage jobsperpage maxresults size rows take top count num length max first`)
)

// number is the knob's value; -1 when it is not a whole number.
func (k *knob) number() int {
	n, err := strconv.Atoi(k.value)
	if err != nil || n < 0 {
		return -1
	}
	return n
}

// asks is how many times a question was put, and what it brought: enough to turn a knob to what comes next.
type asks struct {
	pages, entries int
	cursor         string
}

// turn is the question for the part after those that were had. ok is false when there is none.
func (k *knob) turn(a asks) (address, body string, ok bool) {
	switch n := k.number(); {
	case k.kind == pageKnob:
		address, body = k.set(strconv.Itoa(n + a.pages))
	case k.kind == offsetKnob:
		address, body = k.set(strconv.Itoa(n + a.entries))
	case a.cursor == "":
		return "", "", false
	default:
		address, body = k.set(a.cursor)
	}
	return address, body, true
}

// knobs are the knobs of a question: those to turn in the order in which they are to be tried, and how many entries it
// asks for, 0 when it does not say. A page is tried before an offset, because a question that holds both counts by it.
func (c *shortcut) knobs() (turns []*knob, limit int) {
	var all []*knob
	all = append(all, c.queryKnobs()...)
	all = append(all, c.bodyKnobs()...)
	for _, k := range all {
		if k.kind == limitKnob && k.number() > 0 && (limit == 0 || k.number() < limit) {
			limit = k.number()
		}
	}
	for _, k := range all {
		switch {
		case k.kind == limitKnob:
		case k.kind == cursorKnob || k.number() >= 0:
			turns = append(turns, k)
		}
	}
	slices.SortStableFunc(turns, func(a, b *knob) int { return cmp.Or(int(a.kind)-int(b.kind), a.rank-b.rank) })
	return turns, limit
}

// late reports whether a question asks for a later part of a list.
func late(turns []*knob) bool {
	return slices.ContainsFunc(turns, func(k *knob) bool {
		return k.kind == pageKnob && k.number() > 1 || k.kind == offsetKnob && k.number() > 1 || k.kind == cursorKnob && k.value != ""
	})
}

// kindOfKnob is what a member of a question is by its name and value.
func kindOfKnob(name, value string) (knobKind, int) {
	name = page.Letters(name)
	isNumber := value != "" && strings.Trim(value, "0123456789") == "" && len(value) < 8
	for _, known := range [...]struct {
		kind  knobKind
		names map[string]int
	}{{pageKnob, pageKnobs}, {offsetKnob, offsetKnobs}, {cursorKnob, cursorKnobs}, {limitKnob, limitKnobs}} {
		rank, ok := known.names[name]
		switch {
		case !ok, known.kind != cursorKnob && !isNumber:
		case name == "first" && known.kind == offsetKnob && value != "0":
			// the first so many, as GraphQL writes it
		default:
			return known.kind, rank
		}
	}
	return noKnob, 0
}

// queryKnobs are those in the address.
func (c *shortcut) queryKnobs() []*knob {
	u, err := url.Parse(c.URL)
	if err != nil {
		return nil
	}
	return valueKnobs(u.Query(), func(query url.Values) (string, string) {
		next := *u
		next.RawQuery = query.Encode()
		return next.String(), c.Body
	})
}

// bodyKnobs are those in the body: JSON, or a form.
func (c *shortcut) bodyKnobs() []*knob {
	text := strings.TrimSpace(c.Body)
	switch {
	case text == "":
		return nil
	case text[0] == '{':
		v, err := page.DecodeJSON([]byte(text))
		if err != nil {
			return nil
		}
		return c.memberKnobs(v, nil)
	case strings.ContainsAny(text, "<\n "):
		return nil
	}
	form, err := url.ParseQuery(text)
	if err != nil {
		return nil
	}
	return valueKnobs(form, func(form url.Values) (string, string) { return c.URL, form.Encode() })
}

func valueKnobs(values url.Values, write func(url.Values) (address, body string)) []*knob {
	var found []*knob
	for _, name := range slices.Sorted(maps.Keys(values)) {
		kind, rank := kindOfKnob(name, values.Get(name))
		if kind == noKnob {
			continue
		}
		found = append(found, &knob{kind, rank, values.Get(name), func(value string) (string, string) {
			turned := maps.Clone(values)
			turned.Set(name, value)
			return write(turned)
		}})
	}
	return found
}

// maxKnobDepth is how deep in a body knobs are looked for: variables, and an object of them.
const maxKnobDepth = 3

// memberKnobs are those in a body in JSON, at any of its first levels. path leads to v.
func (c *shortcut) memberKnobs(v any, path []string) []*knob {
	o, ok := v.(map[string]any)
	if !ok || len(path) >= maxKnobDepth {
		return nil
	}
	var found []*knob
	for _, name := range slices.Sorted(maps.Keys(o)) {
		at := append(slices.Clip(path), name)
		value, quoted := o[name].(string)
		if number, ok := o[name].(json.Number); ok {
			value = number.String()
		} else if !quoted && o[name] != nil {
			found = append(found, c.memberKnobs(o[name], at)...)
			continue
		}
		kind, rank := kindOfKnob(name, value)
		if kind == noKnob && len(path) > 0 { // {"page": {"number": 1}}
			kind, rank = kindOfKnob(path[len(path)-1]+name, value)
		}
		if kind == noKnob {
			continue
		}
		found = append(found, &knob{kind, rank, value, func(value string) (string, string) {
			return c.URL, turnedBody(c.Body, at, value, quoted || kind == cursorKnob)
		}})
	}
	return found
}

// turnedBody is a body in JSON with another value at the end of the path.
func turnedBody(body string, path []string, value string, quoted bool) string {
	v, err := page.DecodeJSON([]byte(body))
	if err != nil {
		return body // cannot be: it was decoded before
	}
	o, ok := v.(map[string]any)
	for _, name := range path[:len(path)-1] {
		if ok {
			o, ok = o[name].(map[string]any)
		}
	}
	if !ok {
		return body
	}
	if o[path[len(path)-1]] = json.Number(value); quoted {
		o[path[len(path)-1]] = value
	}
	text, err := json.Marshal(v)
	if err != nil {
		return body
	}
	return string(text)
}

func rankOf(text string) map[string]int {
	m := make(map[string]int)
	for name := range strings.FieldsSeq(text) {
		m[name] = len(m)
	}
	return m
}
