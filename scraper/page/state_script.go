package page

import (
	"html"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
	"github.com/boardwatch/boardwatch/internal/match"
	"github.com/boardwatch/boardwatch/internal/script"
)

// Limits of the data that a page carries beside its text.
const (
	maxBlocks     = 400
	minBlock      = 40 // shorter ones hold no role
	maxAttributes = 2_000
)

// embedded finds the roles in the state that frameworks leave in a page: JSON in script elements, values assigned in
// scripts, JSON in attributes. When the page shows roles, only data that knows one of them is looked at.
func (d *Document) embedded(shown []boardwatch.Posting) Stated {
	b := &blocks{page: d.Base, marks: marksOf(shown)}
	b.look(d)
	return b.result()
}

// look goes through everything of the page that may carry data.
func (b *blocks) look(d *Document) {
	for _, e := range d.laden {
		if b.count > maxBlocks {
			break
		}
		if e.tag == atom.Script {
			if c := e.node.FirstChild; c != nil && len(c.Data) >= minBlock && len(c.Data) <= script.MaxSize {
				b.script(strings.ToLower(attr(e.node, "type")), attr(e.node, "id"), c.Data)
			}
			continue
		}
		for _, a := range e.node.Attr {
			if len(a.Val) >= minBlock && a.Key != "style" && a.Key != "class" {
				b.attribute(e.node.Data, a.Key, a.Val)
			}
		}
	}
	b.flight()
}

// blocks gathers what the data of one page says.
type blocks struct {
	page     *url.URL
	found    []Stated
	pushes   strings.Builder // the parts of a stream, put together
	count    int
	searched int         // attributes evaluated
	each     func(v any) // is handed all values, in which no roles are looked for then; nil as a rule
	marks    []string    // texts of which data that matters holds one; none when any data may matter
}

// marksOf are parts of the first titles that stand in data as they are, however that is escaped.
func marksOf(shown []boardwatch.Posting) []string {
	var marks []string
	for _, p := range shown[:min(len(shown), 5)] {
		longest := ""
		for part := range strings.FieldsFuncSeq(p.Title, func(r rune) bool { return r >= 0x80 || strings.ContainsRune(`"'&<>\/`, r) }) {
			if len(part) > len(longest) {
				longest = part
			}
		}
		if len(longest) < 4 {
			return nil
		}
		marks = append(marks, strings.TrimSpace(longest))
	}
	return marks
}

// matters reports whether a text may hold the list of roles.
func (b *blocks) matters(text string) bool {
	if b.each != nil {
		return true
	}
	if len(b.marks) == 0 {
		return workMark.MatchString(text) && titleMark.MatchString(text)
	}
	return slices.ContainsFunc(b.marks, func(mark string) bool { return strings.Contains(text, mark) })
}

// read looks for roles in one value.
func (b *blocks) read(v any) {
	b.count++
	if b.each != nil {
		b.each(v)
		return
	}
	if s := rolesInValue(v, b.page); len(s.Postings) > 0 {
		b.found = append(b.found, s)
	}
}

// result is the longest list found, and those beside it that say the same or more about the same roles are one with it.
func (b *blocks) result() Stated {
	best := Stated{Extent: Silent()}
	for _, s := range b.found {
		if len(s.Postings) > len(best.Postings) {
			best = s
		}
	}
	return best
}

// script looks into one script element.
func (b *blocks) script(kind, id, text string) {
	switch {
	case strings.Contains(kind, "ld+json"), strings.Contains(kind, "importmap"), strings.Contains(kind, "speculationrules"):
		return
	case strings.Contains(kind, "json"):
		if b.matters(text) || id == "__NUXT_DATA__" {
			b.json(id, text)
		}
	case kind == "" || strings.Contains(kind, "javascript") || kind == "module" || strings.Contains(kind, "ecmascript") || strings.Contains(kind, "babel"):
		switch {
		case strings.Contains(text, "__next_f"):
			b.push(text)
		case strings.Contains(text, "streamController.enqueue"):
			b.stream(text)
		case b.matters(text):
			b.assigned(text)
		}
	}
}

// titleMark and workMark are words without which a text can hold no list of roles. Looking for them costs little, and most
// scripts of most pages hold none.
var (
	titleMark = match.New(`title|Title|name|Name|text|headline|position|role|bezeichnung|intitule|titulo|titel`)
	workMark  = match.New(`Job|job|JOB|Position|position|Opening|opening|Vacanc|vacanc|Posting|posting|Roles|roles|Opportunit|opportunit|Requisition|requisition|Stellen|stellen|Offres|offres|Vacante|vacante|Vagas|vagas|Vacature|vacature|Location|location|Department|department|Employment|employment|Standort|standort|Career|career`)
)

// json looks into a block of JSON.
func (b *blocks) json(id, text string) {
	v, err := DecodeJSON([]byte(text))
	if err != nil {
		unescaped := html.UnescapeString(angular.Replace(text))
		if v, err = DecodeJSON([]byte(unescaped)); err != nil {
			return
		}
	}
	if list, ok := v.([]any); ok && (id == "__NUXT_DATA__" || isFlattened(list)) {
		v = unflatten(list)
	}
	b.read(Unflatten(v))
}

// angular undoes the escapes of old versions of Angular's transferred state.
var angular = strings.NewReplacer("&q;", `"`, "&a;", "&", "&s;", "'", "&l;", "<", "&g;", ">")

// assigned looks into the values that a script assigns, passes to a function, or returns.
func (b *blocks) assigned(text string) {
	s := script.New(text)
	tries := 0
	for at := 0; at < len(text) && !s.Spent() && tries < 2_000; {
		start := nextValue(text, at)
		if start < 0 {
			return
		}
		tries++
		v, end, err := s.Value(start)
		if err != nil || end <= start {
			at = start + 1
			continue
		}
		if at = end; end-start >= minBlock && isCompound(v) {
			if list, ok := v.([]any); ok && b.each == nil {
				if name := nameBefore(text, start); name != "" {
					v = map[string]any{name: list}
				}
			}
			b.read(v)
		}
	}
}

func isCompound(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// nextValue is where the next expression begins that may be data: an object, a list, a function called at once, or a
// call of JSON.parse. It is -1 when there is none.
func nextValue(text string, at int) int {
	for i := at; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			if precededByData(text, i) {
				return i
			}
		case '(':
			if strings.HasPrefix(text[i:], "(function(") || strings.HasPrefix(text[i:], "(function (") || strings.HasPrefix(text[i:], "((") {
				if before(text, i) != 0 {
					return i
				}
			}
		case 'J':
			if strings.HasPrefix(text[i:], "JSON.parse(") {
				return i
			}
		}
	}
	return -1
}

// nameBefore is the name of what the value at i is assigned to, "" when there is none: "jobs" for "this.jobs = [".
func nameBefore(text string, i int) string {
	head, assigned := strings.CutSuffix(strings.TrimRight(text[max(0, i-60):i], " \n\t\r"), "=")
	if !assigned {
		return ""
	}
	head = strings.TrimRight(head, " \n\t\r")
	return head[strings.LastIndexFunc(head, func(r rune) bool { return r >= utf8.RuneSelf || !isWordByte(byte(r)) && r != '_' && r != '$' })+1:] //nolint:gosec // an ASCII rune
}

// before is the last character in front of i that is no white space.
func before(text string, i int) byte {
	for i--; i >= 0; i-- {
		if c := text[i]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c
		}
	}
	return 0
}

func precededByData(text string, i int) bool {
	switch before(text, i) {
	case '=', '(', ',', ':':
		return true
	case 'n':
		return strings.HasSuffix(strings.TrimRight(text[max(0, i-16):i], " \n\t\r"), "return")
	}
	return false
}

// attribute looks into the value of an attribute: JSON, or a value of JavaScript where a framework takes one.
func (b *blocks) attribute(tag, key, value string) {
	value = strings.TrimSpace(value)
	if strings.HasPrefix(value, "{&") || strings.HasPrefix(value, "[{&") || strings.HasPrefix(value, "[&") || strings.HasPrefix(value, "&") {
		value = html.UnescapeString(value)
	}
	if b.searched > maxAttributes || value == "" || value[0] != '{' && value[0] != '[' || !b.matters(value) {
		return
	}
	b.searched++
	v, err := DecodeJSON([]byte(value))
	if err != nil {
		s := script.New(value)
		if v, _, err = s.Value(0); err != nil {
			return
		}
	}
	if tag == "astro-island" && key == "props" {
		v = unwrap(v, 0)
	}
	b.read(v)
}

// pushed is one part of the stream in which Next.js sends what it drew on the server.
var pushed = lazyregexp.New(`__next_f(?:=[^;]{0,60}?)?\)?\.push\(`)

// push collects the parts of the stream; an object may be split over two of them.
func (b *blocks) push(text string) {
	s := script.New(text)
	for _, at := range pushed.FindAllStringIndex(text, -1) {
		v, _, err := s.Value(at[1])
		list, ok := v.([]any)
		if err != nil || !ok || len(list) < 2 || b.pushes.Len() > script.MaxSize {
			continue
		}
		if part, ok := list[1].(string); ok {
			b.pushes.WriteString(part)
		}
	}
}

// flight looks into the collected stream.
func (b *blocks) flight() {
	text := b.pushes.String()
	if text == "" || !b.matters(text) {
		return
	}
	rows := flightRows(text)
	r := &flightReader{rows: rows, steps: maxObjects}
	for _, id := range r.rows.order {
		known := len(b.found)
		r.dangling = false
		if b.read(r.resolve(r.rows.byID[id], 0)); r.dangling && len(b.found) > known {
			b.found[known].More = true // the stream broke off
		}
		if b.count > maxBlocks {
			return
		}
	}
}

// stream looks into the stream of React Router: lists of values that point at one another.
func (b *blocks) stream(text string) {
	const mark = "streamController.enqueue("
	var whole strings.Builder
	s := script.New(text)
	for at := strings.Index(text, mark); at >= 0; {
		v, end, err := s.Value(at + len(mark))
		if part, ok := v.(string); ok && err == nil && whole.Len() < script.MaxSize {
			whole.WriteString(part)
		}
		next := strings.Index(text[max(end, at+len(mark)):], mark)
		if next < 0 {
			break
		}
		at = max(end, at+len(mark)) + next
	}
	if !b.matters(whole.String()) {
		return
	}
	var values []any
	for line := range strings.SplitSeq(whole.String(), "\n") {
		if i := strings.IndexByte(line, '['); i > 0 && i < 12 {
			line = line[i:] // the answer to a promise
		}
		v, err := DecodeJSON([]byte(line))
		list, ok := v.([]any)
		if err != nil || !ok || len(list) == 0 {
			continue
		}
		root := len(values)
		values = append(values, list...)
		u := &unflattener{values: values, done: make(map[int]any)}
		b.read(u.at(root, 0))
	}
}

// RolesInScript are the roles in a script that assigns or passes on a value. Addresses in it are relative to the page's.
func RolesInScript(text []byte, address *url.URL) Stated {
	b := &blocks{page: address}
	b.assigned(string(text[:min(len(text), script.MaxSize)]))
	return b.result()
}

// RolesInPageData are the roles in JSON that a page loads in place of its own state. Addresses in it are relative to the
// page's.
func RolesInPageData(text []byte, address *url.URL) Stated {
	b := &blocks{page: address}
	b.json("", string(text))
	return b.result()
}
