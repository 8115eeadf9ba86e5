package page

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"

	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// Statement is what a page says about a role, or about itself, as data for machines.
type Statement struct {
	Postings []boardwatch.Posting
	company  string         // the one employer of all postings
	sameAs   string         // that employer's own address
	unsure   bool           // beside the postings stand entries that may be roles too
	total    int            // how many roles a list says it has
	numbers  map[int]string // the employer's own, of some of the postings
}

// Limits of structured data: blocks as deep or as many as these are no one's honest work.
const (
	maxNesting = 40
	maxObjects = 50_000
)

// Structured reads the page's JSON-LD and microdata.
func (d *Document) Structured() Statement {
	s := &Statement{}
	r := &reader{page: d, byID: make(map[string]map[string]any)}
	var roots []any
	for text := range d.linkedData() {
		v, err := decodeLoose(text)
		if err != nil {
			if p, ok := salvage(text); ok {
				s.Postings = append(s.Postings, p)
			}
			continue
		}
		roots = append(roots, v)
	}
	for _, v := range roots {
		r.index(v, 0)
	}
	for _, v := range roots {
		r.collect(v, 0, s)
	}
	d.microdata(s)
	s.tellApart(roleKey(d.Base))
	r.employer(s)
	return *s
}

// linkedData are the blocks of JSON-LD.
func (d *Document) linkedData() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, e := range d.scripts {
			if strings.HasPrefix(strings.ToLower(strings.TrimSpace(attr(e.node, "type"))), "application/ld+json") && !yield(rawText(e.node)) {
				return
			}
		}
	}
}

// reader walks decoded JSON-LD.
type reader struct {
	page      *Document
	byID      map[string]map[string]any
	objects   int
	copied    int
	employers []map[string]any
}

// index notes objects by their @id, for references.
func (r *reader) index(v any, depth int) {
	if r.objects++; depth > maxNesting || r.objects > maxObjects {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		if id, ok := v["@id"].(string); ok && len(v) > 1 && r.byID[id] == nil {
			r.byID[id] = v
		}
		for _, child := range v {
			r.index(child, depth+1)
		}
	case []any:
		for _, child := range v {
			r.index(child, depth+1)
		}
	}
}

// collect takes every JobPosting, however deep it lies.
func (r *reader) collect(v any, depth int, s *Statement) {
	if depth > maxNesting || len(s.Postings) >= MaxPostings {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		if isType(v["@type"], "JobPosting") {
			r.posting(v, s)
			return
		}
		if isType(v["@type"], "ItemList") {
			r.itemList(v, s)
		}
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			r.collect(v[k], depth+1, s)
		}
	case []any:
		for _, child := range v {
			r.collect(child, depth+1, s)
		}
	}
}

// itemList takes the entries of a list that say only where the roles are and what they are called. Entries that are postings
// are taken by themselves; what stands beside them in one list is a role too, or nobody knows what it is.
func (r *reader) itemList(v map[string]any, s *Statement) {
	var entries []boardwatch.Posting
	posted, likely, others, leading := 0, 0, 0, 0
	for _, item := range many(v["itemListElement"]) {
		o, ok := item.(map[string]any)
		if ok && r.isPosting(o) {
			posted++
			continue
		}
		u := Resolve(r.page.Base, cmp.Or(r.text(o["url"]), r.text(o["item"])))
		countIf(&leading, u != nil && JobLike(u, r.page.Base))
		switch p, signs := r.entry(o); signs {
		case 2:
			entries = append(entries, p)
		case 1:
			entries = append(entries, p)
			likely++
		default:
			others++
		}
	}
	if n, ok := wholeNumber(v["numberOfItems"]); ok && posted+leading > 0 && posted+leading >= likely+others-leading {
		s.total = max(s.total, n)
	}
	s.unsure = s.unsure || posted > 0 && others > 0
	if posted == 0 && likely+others > 0 || posted+len(entries) < 2 || len(s.Postings)+len(entries) > MaxPostings {
		return
	}
	s.Postings = append(s.Postings, entries...)
}

// isPosting reports whether an entry of a list is a posting, or holds one.
func (r *reader) isPosting(entry map[string]any) bool {
	if isType(entry["@type"], "JobPosting") {
		return true
	}
	item, ok := r.object(entry["item"])
	return ok && isType(item["@type"], "JobPosting")
}

// entry is an entry of a list as a role. signs is how many of its name and its address say that it is one.
func (r *reader) entry(o map[string]any) (p boardwatch.Posting, signs int) {
	address, isText := o["item"].(string)
	if !isText {
		address = r.text(o["url"])
	}
	title := r.text(o["name"])
	if inner, ok := r.object(o["item"]); ok && title == "" {
		address, title = r.text(inner["url"]), r.text(inner["name"])
	}
	u := Resolve(r.page.Base, address)
	if u == nil || !plausible(title) {
		return boardwatch.Posting{}, 0
	}
	p = boardwatch.Posting{Title: title}
	SetAddress(&p, u)
	countIf(&signs, JobLike(u, r.page.Base))
	countIf(&signs, namesRole(title))
	return p, signs
}

func isType(v any, name string) bool {
	switch v := v.(type) {
	case string:
		return v == name || strings.HasSuffix(v, "/"+name) || strings.HasSuffix(v, ":"+name)
	case []any:
		return slices.ContainsFunc(v, func(t any) bool { return isType(t, name) })
	}
	return false
}

func (r *reader) posting(v map[string]any, s *Statement) {
	p := boardwatch.Posting{Title: r.text(v["title"])}
	if p.Title == "" {
		p.Title = r.text(v["name"])
	}
	if p.Title == "" {
		return
	}
	p.Location = r.places(v)
	p.Department = r.departmentOf(v)
	p.Key = cmp.Or(r.identifier(v["identifier"]), r.text(v["@id"]))
	if s.numbers == nil {
		s.numbers = make(map[int]string)
	}
	s.numbers[len(s.Postings)] = p.Key
	if u := Resolve(r.page.Base, r.text(v["url"])); u != nil {
		SetAddress(&p, u)
	}
	whole := v
	if len(r.byID) > 0 {
		whole, _ = r.resolved(v, 0).(map[string]any)
	}
	facts, description := fact.Linked(whole)
	p.Facts = facts
	describe(&p, description, r.page.Base)
	if org, ok := r.object(v["hiringOrganization"]); ok {
		r.employers = append(r.employers, org)
	} else {
		r.employers = append(r.employers, map[string]any{"name": v["hiringOrganization"]})
	}
	s.Postings = append(s.Postings, p)
}

// tellApart takes away the addresses of postings that all lie on the page itself, unless each has a place of its own there: they are
// as many roles, which their numbers, titles and places tell apart.
func (s *Statement) tellApart(own string) {
	times, here := make(map[string]int), 0
	for _, p := range s.Postings {
		times[p.URL]++
		countIf(&here, p.URL != "" && p.Key == own)
	}
	for i := range s.Postings {
		switch p := &s.Postings[i]; {
		case here < 2 || p.URL == "" || p.Key != own:
		case times[p.URL] == 1 && strings.Contains(p.URL, "#"):
			p.Key = p.URL
		default:
			p.URL, p.Key = "", s.numbers[i]
		}
	}
}

// departmentOf is the part of the company that a posting names, or "".
func (r *reader) departmentOf(v map[string]any) string {
	if category := r.text(v["occupationalCategory"]); !strings.ContainsAny(category, "0123456789") { // else a code of a classification
		return category
	}
	return ""
}

// employer settles whose roles they are, when all postings agree.
func (r *reader) employer(s *Statement) {
	for i, org := range r.employers {
		name, same := r.text(org["name"]), r.text(org["sameAs"])
		if same == "" {
			same = r.text(org["url"])
		}
		if i == 0 {
			s.company, s.sameAs = name, same
			continue
		}
		if name != s.company {
			s.company = ""
		}
		if same != s.sameAs {
			s.sameAs = ""
		}
	}
}

// object is a value that is an object, or refers to one by its @id.
func (r *reader) object(v any) (map[string]any, bool) {
	switch v := v.(type) {
	case map[string]any:
		if id, ok := v["@id"].(string); ok && r.byID[id] != nil {
			return r.byID[id], true
		}
		return v, true
	case []any:
		if len(v) > 0 {
			return r.object(v[0])
		}
	}
	return nil, false
}

// resolved is a value with the objects that it refers to in their places, as long as there are not too many.
func (r *reader) resolved(v any, depth int) any {
	if r.copied++; depth > maxReferences || r.copied > 10*maxObjects {
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		o, _ := r.object(v)
		whole := make(map[string]any, len(o))
		for key, child := range o {
			whole[key] = r.resolved(child, depth+1)
		}
		return whole
	case []any:
		whole := make([]any, len(v))
		for i, child := range v {
			whole[i] = r.resolved(child, depth)
		}
		return whole
	}
	return v
}

// maxReferences is how deep the objects of a posting lie that are looked for where they are referred to.
const maxReferences = 3

// text is a value as plain text: entities decoded, tags and fillers dropped.
func (r *reader) text(v any) string {
	switch v := v.(type) {
	case string:
		for range 2 {
			v = html.UnescapeString(v)
		}
		v = squeeze(tags.ReplaceAllString(v, " "))
		switch strings.ToLower(v) {
		case "unavailable", "n/a", "null", "undefined", "none", "-":
			return ""
		}
		return v
	case json.Number:
		return v.String()
	case []any:
		if len(v) > 0 {
			return r.text(v[0])
		}
	case map[string]any:
		if o, ok := r.object(v); ok {
			for _, key := range [...]string{"name", "@value"} {
				if name, ok := o[key].(string); ok {
					return r.text(name)
				}
			}
		}
	}
	return ""
}

func (r *reader) identifier(v any) string {
	if o, ok := v.(map[string]any); ok {
		return r.text(o["value"])
	}
	return r.text(v)
}

// places are the posting's places, joined with "; ".
func (r *reader) places(v map[string]any) string {
	var all []string
	for _, l := range many(v["jobLocation"]) {
		for _, text := range r.placesOf(l) {
			if text != "" && !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	if len(all) > 0 || !strings.EqualFold(r.text(v["jobLocationType"]), "TELECOMMUTE") {
		return strings.Join(all, "; ")
	}
	for _, l := range many(v["applicantLocationRequirements"]) {
		if name := r.text(l); name != "" {
			all = append(all, name)
		}
	}
	if len(all) == 0 {
		return "Remote"
	}
	return "Remote (" + strings.Join(all, ", ") + ")"
}

func many(v any) []any {
	if l, ok := v.([]any); ok {
		return l
	}
	return []any{v}
}

// placesOf are the places that an entry of jobLocation names: one for each of its addresses, and else itself.
func (r *reader) placesOf(v any) []string {
	place, ok := r.object(v)
	if !ok {
		return []string{r.text(v)}
	}
	var all []string
	for _, address := range many(place["address"]) {
		text := r.text(address)
		if o, ok := r.object(address); ok {
			text = r.addressed(o)
		}
		if text != "" {
			all = append(all, text)
		}
	}
	if len(all) > 0 {
		return all
	}
	return []string{cmp.Or(r.addressed(place), r.text(place["name"]))}
}

// addressed is the place that the parts of an address name.
func (r *reader) addressed(address map[string]any) string {
	return joinAddress(func(key string) string { return r.text(address[key]) })
}

// joinAddress is the place that the parts of an address name together.
func joinAddress(said func(key string) string) string {
	var parts []string
	for _, key := range [...]string{"addressLocality", "addressRegion", "addressCountry"} {
		if text := said(key); text != "" && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}

var (
	tags          = lazyregexp.New(`</?[a-zA-Z][^>]{0,200}>`)
	trailingComma = lazyregexp.New(`,(\s*[}\]])`)
	simpleMember  = lazyregexp.New(`"(\w+)"\s*:\s*("(?:[^"\\]|\\.){0,300}"|[0-9.]+)`)
)

// decodeLoose decodes JSON as pages write it: in CDATA, in HTML comments, escaped, with trailing commas, with raw line
// breaks inside strings.
func decodeLoose(text string) (any, error) {
	text = strings.TrimPrefix(strings.TrimSpace(text), "\ufeff")
	v, err := decodeAll(text)
	if err == nil {
		return v, nil
	}
	for _, cut := range [...]string{"//<![CDATA[", "/*<![CDATA[*/", "<![CDATA[", "//]]>", "/*]]>*/", "]]>", "<!--", "-->"} {
		text = strings.ReplaceAll(text, cut, "")
	}
	if !strings.Contains(text, `"`) && (strings.Contains(text, "&quot;") || strings.Contains(text, "&#34;") || strings.Contains(text, "&#x22;")) {
		text = html.UnescapeString(text)
	}
	if v, again := decodeAll(trailingComma.ReplaceAllString(asJSON(text), "$1")); again == nil {
		return v, nil
	}
	return nil, err
}

// decodeAll decodes the values that stand one behind the other in a text, perhaps with commas between. Of several it makes a list. What
// follows and is none is left out.
func decodeAll(text string) (any, error) {
	var all []any
	for text != "" && len(all) < maxNesting {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			if len(all) == 0 {
				return nil, err
			}
			break
		}
		all = append(all, v)
		text = strings.TrimLeft(text[d.InputOffset():], ",; \r\n\t")
	}
	switch len(all) {
	case 0:
		return nil, io.EOF
	case 1:
		return all[0], nil
	}
	return all, nil
}

// salvage takes what the one posting in a block that cannot be decoded says in members that stand in it once.
func salvage(text string) (boardwatch.Posting, bool) {
	if strings.Count(text, "JobPosting") != 1 {
		return boardwatch.Posting{}, false
	}
	said := make(map[string]string)
	for _, m := range simpleMember.FindAllStringSubmatch(text, -1) {
		value, err := DecodeJSON([]byte(m[2]))
		if _, again := said[m[1]]; again || err != nil {
			said[m[1]] = ""
			continue
		}
		said[m[1]] = squeeze(html.UnescapeString(fmt.Sprint(value)))
	}
	title := said["title"]
	return boardwatch.Posting{Title: title, Facts: flatFacts(func(name string) string { return said[name] })}, title != ""
}

// asJSON leaves out comments and the backslashes before apostrophes, and escapes line breaks inside strings, where other control
// characters become blanks.
func asJSON(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	inside := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch rest := text[i:]; {
		case inside && c == '\\' && len(rest) > 1:
			if i++; text[i] != '\'' {
				b.WriteByte(c)
			}
			c = text[i]
		case c == '"':
			inside = !inside
		case inside && c == '\n':
			b.WriteByte('\\')
			c = 'n'
		case inside && c < 0x20:
			c = ' '
		case !inside && (strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*")):
			end := "\n"
			if rest[1] == '*' {
				end = "*/"
			}
			at := strings.Index(rest, end)
			if at < 0 {
				return b.String()
			}
			i += at + len(end) - 1
			c = ' '
		}
		b.WriteByte(c)
	}
	return b.String()
}
