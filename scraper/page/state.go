package page

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
)

// Stated is what data for programs says about the roles of a board: the state of an application that stands in a page, or
// the answer that an application asked for.
type Stated struct {
	Postings []boardwatch.Posting
	Rows     []string // identities of all records of the list, of those too that are not open
	Longest  int      // how many entries its longest list has
	Entries  int      // how many entries all its lists have together
	Path     string   // where in the value the list lies
	None     bool     // it holds a list that is named for roles and is empty, and states no other number
	Zero     bool     // it says beside that list that there are no roles
	Capped   bool     // it holds more than is taken from it

	Extent
}

// RolesInJSON finds the list of roles in a JSON value, wherever in it that lies. Addresses are made absolute with base.
// Menus, articles, people and products, which look alike, are left out; no roles found proves nothing unless none is set.
func RolesInJSON(raw []byte, base *url.URL) Stated {
	v, err := DecodeJSON(raw)
	if err != nil {
		return Stated{Extent: Silent()}
	}
	return rolesInValue(Unflatten(v), base)
}

// DecodeJSON decodes one JSON value, numbers as they are written.
func DecodeJSON(raw []byte) (any, error) {
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return v, nil
}

// rolesInValue is rolesInJSON for a value that is decoded: of maps, lists, strings, numbers, booleans and nil.
func rolesInValue(v any, base *url.URL) Stated {
	w := &stateWalk{base: base, byShape: make(map[string]*shelf), seen: make(map[uintptr]bool), lists: make(map[string]int)}
	w.walk(v, trace{extent: Silent()}, 0)
	return w.result()
}

// stateWalk is one search through a value.
type stateWalk struct {
	base     *url.URL
	objects  int
	seen     map[uintptr]bool
	shelves  []*shelf
	byShape  map[string]*shelf
	lists    map[string]int // how many entries the lists at one place have
	unfolded int            // texts decoded
	empty    bool           // a list named for roles is empty
	zero     bool           // and the object that it lies in says that there are none
	capped   bool
	reader   reader // for texts
}

// shelf holds the records that lie at one place of the value, its lists' positions left out, and how sure it is that
// they are roles.
type shelf struct {
	path    string
	records []*record
	extent  Extent
	score   float64
}

// trace is the way to a value.
type trace struct {
	path   string           // the keys on the way, positions in lists as "*"
	name   string           // the nearest key that is a word
	owners []map[string]any // the objects on the way, innermost last
	extent Extent           // what the objects on the way say about how far their list goes
}

func (t trace) into(key string, owner map[string]any) trace {
	t.path += "." + key
	t.name = key
	t.owners = append(slices.Clip(t.owners), owner)
	return t
}

// walk visits every object once, up to the limits.
func (w *stateWalk) walk(v any, t trace, depth int) {
	if depth > maxNesting || w.objects > maxObjects {
		w.capped = true
		return
	}
	switch v := v.(type) {
	case map[string]any:
		at := reflect.ValueOf(v).Pointer()
		if w.objects++; !w.seen[at] { // a value of a script may hold itself
			w.seen[at] = true
			w.object(v, t, depth)
		}
	case []any:
		w.objects++
		w.list(v, t, depth)
	case string:
		w.nested(v, t, depth)
	}
}

// nested looks into a text that is JSON itself, such as the answer to a request that was made on the server.
func (w *stateWalk) nested(text string, t trace, depth int) {
	if len(text) < minBlock || text[0] != '{' && text[0] != '[' || w.unfolded > maxNested || !workMark.MatchString(text) {
		return
	}
	w.unfolded++
	if v, err := DecodeJSON([]byte(text)); err == nil {
		w.walk(v, t, depth+1)
	}
}

func (w *stateWalk) list(v []any, t trace, depth int) {
	if len(v) == 0 && stateNames[Letters(t.name)] {
		w.empty, w.zero = true, w.zero || t.extent.Total == 0
	}
	t.path += ".*"
	w.lists[t.path] += len(v)
	for _, child := range v {
		if o, ok := child.(map[string]any); ok {
			w.shelve(o, t)
		}
		w.walk(child, t, depth+1)
	}
}

// object visits the members of an object. Members that are records themselves stand in a store keyed by id.
func (w *stateWalk) object(v map[string]any, t trace, depth int) {
	t.extent = t.extent.And(extentOf(v))
	for _, key := range slices.Sorted(maps.Keys(v)) {
		next := t.into(key, v)
		switch child := v[key].(type) {
		case map[string]any:
			at := next
			if o, ok := child["node"].(map[string]any); ok && len(child) <= 2 { // an edge of a connection
				child = o
			}
			if isStoreKey(key) || hasTypeName(child) {
				at = t
				at.path += ".*"
				at.owners = next.owners
			}
			w.shelve(child, at)
			w.walk(child, at, depth+1)
		case []any, string:
			w.walk(child, next, depth+1)
		}
	}
}

// maxNested is how many texts of one value are decoded.
const maxNested = 50

// isStoreKey reports whether a key is the id of what lies under it.
func isStoreKey(key string) bool {
	return strings.ContainsAny(key, ":0123456789") || len(key) > 30
}

func hasTypeName(o map[string]any) bool {
	_, ok := o["__typename"].(string)
	return ok
}

// shelve keeps an object that may be a role.
func (w *stateWalk) shelve(o map[string]any, t trace) {
	if inner := entryOf(o); inner != nil {
		o = inner
	}
	r := w.record(o, t)
	if r == nil {
		return
	}
	s := w.byShape[t.path]
	if s == nil {
		s = &shelf{path: t.path, extent: Silent()}
		w.byShape[t.path] = s
		w.shelves = append(w.shelves, s)
	}
	s.extent = s.extent.And(t.extent)
	if len(s.records) >= MaxPostings {
		w.capped = true
		return
	}
	s.records = append(s.records, r)
}

// entryOf is the object inside a wrapper that content systems put around each entry; nil when there is none.
func entryOf(o map[string]any) map[string]any {
	for _, key := range [...]string{"node", "fields", "attributes", "_source", "document", "data", "item", "job", "position", "vacancy"} {
		inner, ok := o[key].(map[string]any)
		if !ok || titleKeyOf(o) != "" || titleKeyOf(inner) == "" {
			continue
		}
		joined := maps.Clone(inner)
		for k, v := range o {
			if _, taken := joined[k]; !taken && k != key {
				joined[k] = v
			}
		}
		return joined
	}
	return nil
}

// result is the list of roles: the surest shelf, and those beside it that are made alike.
func (w *stateWalk) result() Stated {
	s := Stated{Extent: Silent(), Capped: w.capped}
	var best *shelf
	for _, h := range w.shelves {
		h.judge(w.base)
		if h.score >= stateThreshold && (best == nil || h.rank() > best.rank()) {
			best = h
		}
	}
	if best == nil {
		s.None = w.empty && !slices.ContainsFunc(w.shelves, func(h *shelf) bool { return h.extent.Claimed() > 0 })
		s.Zero = s.None && w.zero
		return s
	}
	s.Path = best.path
	seen, listed := make(map[string]bool), make(map[string]bool)
	for _, h := range w.shelves {
		if h != best && (h.score < stateThreshold || !h.like(best)) {
			continue
		}
		s.Extent = s.And(h.extent)
		entries := max(len(h.records), w.lists[h.path])
		s.Longest, s.Entries = max(s.Longest, entries), s.Entries+entries
		for _, r := range h.records {
			id := r.identity()
			if !seen[id] {
				seen[id] = true
				s.Rows = append(s.Rows, id)
			}
			if r.listed && !listed[id] {
				listed[id] = true
				r.addFacts(w.base)
				s.Postings = append(s.Postings, r.posting)
			}
		}
	}
	if len(s.Postings) > MaxPostings {
		s.Postings, s.Capped = s.Postings[:MaxPostings], true
	}
	return s
}

// fills reports whether the list is as long as the data says that a page of it may be, and nothing says that it ends there.
func (s Stated) fills() bool {
	return s.Size > 0 && s.Entries == s.Size && !s.Last && s.Total < 0 && s.Pages != 1
}

// rank orders shelves: what is sure, and longer lists before shorter ones.
func (h *shelf) rank() float64 { return h.score + float64(min(len(h.records), 40))/20 }

// like reports whether the records of both are made alike, so that they are parts of one list.
func (h *shelf) like(o *shelf) bool {
	a, b := h.records[0].keys, o.records[0].keys
	same := 0
	for key := range a {
		if b[key] {
			same++
		}
	}
	return same*3 >= 2*max(len(a), len(b))
}

// stateThreshold is the score from which the records of one place are taken for roles.
const stateThreshold = 2.5

// judge scores how surely the records are roles.
func (h *shelf) judge(page *url.URL) {
	var names, paths, work, place, address, other float64
	for _, r := range h.records {
		countIf(&names, namesRole(r.posting.Title))
		countIf(&paths, r.address != nil && JobLike(r.address, page))
		countIf(&work, r.work > 0)
		countIf(&place, r.posting.Location != "")
		countIf(&address, r.id != "" || r.address != nil)
		countIf(&other, r.foreign || r.address != nil && otherMatter(r.address) && !JobLike(r.address, page))
	}
	h.nameGroups()
	n := float64(len(h.records))
	h.score = 2*names/n + 1.5*paths/n + 1.2*work/n + 0.6*place/n + 0.4*address/n - 3*other/n
	if h.records[0].titled {
		h.score++ // the key itself says that it is the title of a role
	}
	switch nearestName(h.path) {
	case open:
		h.score += 1.6
	case aside:
		h.score -= 3
	case closed:
		h.score -= 6
	default:
	}
	if address == 0 {
		h.score--
	}
	if work == 0 && place == 0 && (paths < n/2 || names < n/2) {
		h.score = min(h.score, stateThreshold-1) // a title and an address are not enough
	}
	if len(h.records) == 1 && h.score < stateThreshold+1.2 {
		h.score = min(h.score, stateThreshold-1)
	}
}

// nameGroups takes the names of the objects around the lists for departments, when there are several of them.
func (h *shelf) nameGroups() {
	names := make(map[string]bool)
	for _, r := range h.records {
		names[r.group] = true
	}
	for _, r := range h.records {
		if len(names) > 1 && r.posting.Department == "" && !looksLikePlace(r.group) {
			r.posting.Department = r.group
		}
	}
}

// nearestName is what the nearest word on the way says that lies there.
func nearestName(path string) kind {
	keys := strings.Split(path, ".")
	for _, key := range slices.Backward(keys) {
		switch name := Letters(key); {
		case name == "" || key == "*":
		case otherNames[name]:
			return aside
		case closedNames[name]:
			return closed
		case stateNames[name]:
			return open
		case !neutralNames[name] && hasWord(key, stateNames) && !hasWord(key, otherNames):
			return open
		case !neutralNames[name] && hasWord(key, otherNames):
			return aside
		}
	}
	return plain
}

// Letters is a key as the tables write it: lower case, letters only.
func Letters(key string) string { return fact.Letters(key) }
