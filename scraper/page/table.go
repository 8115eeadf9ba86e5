package page

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// slots are the places on cards of one kind at which texts without a label stand. What stands at the same place of most
// cards is of the same kind, so the cards explain one another.
type slots struct {
	page   *Document
	spots  map[slotKey]*spot
	order  []*spot
	titles map[*element]bool // of the cards: none of them is a heading above another
	above  map[*candidate]caption
	// filters are the names of departments on the controls that filter the cards, by what scripts call them.
	filters map[string]string
	// headed says that the headings above the cards name groups of them.
	headed bool
}

// slotKey is a place on a card: how the text is written, and which of those written so it is.
type slotKey struct {
	sign   *sign
	nth    int
	line   int    // of a text in lines
	label  string // folded, in front of it; a text with a label is the same on whatever line it stands
	late   bool   // behind the description, where places stand, but names of departments are tasks and skills
	column int    // of a text in parts, from 1; 0 for the text as a whole
}

// spot is such a place, and what stands there.
type spot struct {
	slotKey

	next    *spot             // of the next text that is written so
	columns [maxColumns]*spot // of the parts of its texts
	parted  *columnTally      // nil while none of its texts falls into parts
	places  int               // texts that name places
	groups  int               // texts that name departments
	terms   int               // texts that say something else
	all     int
	on      []*candidate // whose cards have a text there
	// ofPlaces and ofGroups say what the texts are together.
	ofPlaces, ofGroups bool
}

// slot is a text at its place.
type slot struct {
	*spot

	said *phrase
}

func (s *slots) spot(key slotKey) *spot {
	at := s.spots[key]
	if at == nil {
		at = &spot{slotKey: key}
		s.spots[key] = at
		s.order = append(s.order, at)
	}
	return at
}

// after is the place of the next text that is written as the one at this place.
func (s *slots) after(at *spot) *spot {
	if at.next == nil {
		key := at.slotKey
		key.nth++
		at.next = s.spot(key)
	}
	return at.next
}

// columnAt is the place of one part of the texts at this place.
func (s *slots) columnAt(at *spot, n int) *spot {
	if at.columns[n] == nil {
		key := at.slotKey
		key.column = n + 1
		at.columns[n] = s.spot(key)
	}
	return at.columns[n]
}

const (
	longText = 160 // the length from which a text on a card is prose
	maxSlots = 60  // on one card
)

// fillSlots looks at all cards of a group together.
func (d *Document) fillSlots(g *group) {
	s := &slots{page: d, spots: make(map[slotKey]*spot), titles: make(map[*element]bool, 2*len(g.items))}
	headings := make(map[string]bool)
	if len(g.items) > 1 {
		d.cards(g) // what was taken for titles too no longer stands in their way
	}
	s.above, s.filters = g.captions(), g.filters()
	for _, c := range g.items {
		c.slots, c.beside = s, s.unlabelled(c)
		s.titles[c.element] = true
		for e, box := c.element, c.box(); e != box; e = e.parent {
			s.titles[e.parent] = true
		}
	}
	s.partColumns(g)
	for _, c := range g.items {
		for _, b := range c.beside {
			b.all, b.on = b.all+1, append(b.on, c)
			countIf(&b.places, b.said.placeIn() != "")
			countIf(&b.groups, b.said.namesGroup())
			countIf(&b.terms, !b.said.namesGroup() && (b.said.isTerms() || b.said.namesRole() || strings.Count(b.said.text, " ") > 4))
		}
		if h := c.groupName(); h != "" {
			headings[h] = true
		}
	}
	for _, at := range s.order {
		at.ofPlaces = at.all > 0 && at.places*3 >= at.all
		at.ofGroups = !at.late && at.groups > 0 && at.groups*4 >= at.all && at.terms*4 <= at.all && at.places*4 <= at.all && !at.ofPlaces
	}
	for _, at := range s.order {
		at.ofGroups = at.ofGroups && (at.groups*4 >= at.all*3 || !at.areTasks())
	}
	s.nameGroups(g)
	s.headed = len(headings) > 1
	for h := range headings {
		s.headed = s.headed || d.phraseOf(h).namesDepartment()
	}
}

// unlabelled lists the short texts of a card beside its title, with where they stand.
func (s *slots) unlabelled(c *candidate) (texts []slot) {
	d, late := s.page, false
	for _, e := range d.between(c.card.from, c.card.to) {
		if e.hidden || !e.own || c.wholly(e) {
			continue
		}
		if e.longer(longText) && !e.contains(c.element) {
			late = true // the description has begun
			continue
		}
		for i, l := range d.textsIn(e, c) {
			texts = s.note(texts, c, e, slotKey{line: i, late: late}, l)
		}
	}
	for i, l := range c.looseLines() {
		texts = s.note(texts, c, c.base.parent, slotKey{line: i, late: late}, l)
	}
	return texts
}

// note adds a line of an element on a card to the texts of the card.
func (s *slots) note(texts []slot, c *candidate, e *element, key slotKey, l line) []slot {
	d, text := s.page, strings.Trim(l.text, " |·•,;–—-")
	key.sign = e.signature()
	if strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") {
		text = strings.TrimSpace(text[1 : len(text)-1])
	}
	if n := utf8.RuneCountInString(text); n < 2 || n > 80 {
		return texts
	}
	said := e.saying(text)
	if said.folded == d.fold(c.title) {
		return texts
	}
	if l.label != "" {
		key = slotKey{sign: key.sign, label: d.fold(l.label)}
	}
	at := s.spot(key)
	for i := range texts {
		if texts[i].spot != at {
			continue
		}
		if len(texts) >= maxSlots {
			texts[i].said = said
			return texts
		}
		at = s.after(at)
	}
	return append(texts, slot{at, said})
}

// textsIn are the lines of e, the candidate's title left out. Places that stand on lines of their own are one text, parted by
// semicolons.
func (d *Document) textsIn(e *element, c *candidate) []line {
	if text := e.visibleText(); len(e.kids) == 0 && !strings.ContainsFunc(text, func(r rune) bool { return r == ':' || r == '：' || isPictogram(r) }) {
		return []line{{text: text}}
	}
	lines := e.linesBeside(c, nil)
	if len(lines) < 2 {
		return lines
	}
	places := make([]string, 0, len(lines))
	for _, l := range lines {
		if l.label != "" || !d.looksLikePlace(l.text) {
			return lines
		}
		places = append(places, l.text)
	}
	return []line{{text: strings.Join(places, "; ")}}
}

// namesGroup reports whether the text names a part of a company and no kind of contract.
func (p *phrase) namesGroup() bool {
	return p.is(knowsGroup, func() bool { return (p.namesDepartment() || namesPart(p.folded)) && !p.isContract() })
}

// place is the place at one of the card's places for places, and how the work is done when that is all they say.
func (s *slots) place(c *candidate) (place, mode string) {
	for _, b := range c.at(func(at *spot) bool { return at.ofPlaces }) {
		p := b.said.placeIn()
		switch {
		case workMode()[Fold(p)]:
			mode = cmp.Or(mode, p)
			continue
		case p != "":
			return p, mode
		case mode != "":
			continue
		}
		if !b.said.isContract() && !isPostal(b.said.text) && !b.said.saysTerms() {
			return b.said.text, mode
		}
	}
	return "", mode
}

// headingPlace is the place that the heading of the card's group names.
func (s *slots) headingPlace(c *candidate) string {
	for _, h := range append([]string{s.above[c].text}, c.groupHeadings()...) {
		if h != "" && s.page.looksLikePlace(h) {
			return h
		}
	}
	for o := c.section; o != nil; o = o.parent {
		if o.kind == open {
			return placeInProse(o.heading) // "Open positions in Berlin"
		}
	}
	return ""
}

// workMode are the words for how a role is done that stand in for its place.
var workMode = sync.OnceValue(func() map[string]bool { return phrasesIn(vocabulary()["work mode"]) })

// group is the department on the card, or in the heading above.
func (s *slots) group(c *candidate) string {
	for _, b := range c.at(func(at *spot) bool { return at.ofGroups }) {
		if !b.said.isContract() && !b.said.namesRole() || b.said.namesDepartment() {
			return b.said.text
		}
	}
	if name := s.filterOf(c); name != "" {
		return name
	}
	if h := c.groupName(); s.headed && h != "" && !s.page.phraseOf(h).isContract() {
		return h
	}
	if h := s.above[c].text; !s.page.looksLikePlace(h) && s.page.kindOf(h) != open {
		return h
	}
	return ""
}

// at lists the texts at the card's places of a kind, in a fixed order.
func (c *candidate) at(isOf func(*spot) bool) []slot {
	var found []slot
	for _, b := range c.beside {
		if isOf(b.spot) {
			found = append(found, b)
		}
	}
	slices.SortFunc(found, func(a, b slot) int {
		return cmp.Or(strings.Compare(a.sign.text, b.sign.text), cmp.Compare(a.nth, b.nth), cmp.Compare(a.line, b.line), strings.Compare(a.label, b.label), cmp.Compare(a.column, b.column))
	})
	return found
}

// groupName is the nearest heading above the card that names a group of roles, and not where they are; "" when there is none.
func (c *candidate) groupName() string {
	for _, h := range c.groupHeadings() {
		if !c.element.page.looksLikePlace(h) {
			return h
		}
	}
	return ""
}

// groupHeadings are the headings above the card that name groups of roles, the nearest first: "Berlin" under "Engineering".
func (c *candidate) groupHeadings() []string {
	var headings []string
	for s := c.section; s != nil && (s.level > 1 || c.slots.page.sections().tops > 2); s = s.parent {
		if s.element.index >= c.card.from && s.element.index < c.card.to && s.element.tag != atom.Section || c.slots.titles[s.element] {
			continue
		}
		if s.kind != plain || s.level == boldLevel && len(s.heading) > 40 {
			return headings
		}
		if heading := withoutCount(s.element.textWithout(func(e *element) bool { return e.hidden })); heading != "" {
			headings = append(headings, heading)
		}
	}
	return headings
}

// showsTerms reports whether the card says something that cards of roles say: a place, or a kind of work. The card must be laid.
func (d *Document) showsTerms(c *candidate) bool {
	if c.terms == unasked {
		c.terms = no
		if d.findsTerms(c) {
			c.terms = yes
		}
	}
	return c.terms == yes
}

func (d *Document) findsTerms(c *candidate) bool {
	for _, e := range d.between(c.card.from, c.card.to) {
		if e.hidden || !e.own || e.contains(c.element) || e.longer(80) {
			continue
		}
		text := e.visibleText()
		if text == "" {
			continue
		}
		if e.named&placeName != 0 {
			return true
		}
		if said := e.said(); !e.longer(60) && (said.looksLikePlace() || said.saysTerms()) || d.isField(e) {
			return true
		}
	}
	return false
}

// isField reports whether the page says by a label, or by the heading of a column, that the text of e is a place or a department.
func (d *Document) isField(e *element) bool {
	if e.tag == atom.Td || e.tag == atom.Dd {
		return d.isFieldLabel(d.columnOf(e))
	}
	return d.saysField(e.said())
}

// saysField reports whether a text is a label and the place or the department behind it: "Team: Care".
func (d *Document) saysField(p *phrase) bool {
	return p.is(knowsField, func() bool {
		label, value, found := cutLabel(p.text)
		return found && value != "" && d.isFieldLabel(label)
	})
}

// maxColumns is in how many parts a text beside a title may fall.
const maxColumns = 5

// columnTally is what the cards show of the parts of the texts at one of their places.
type columnTally struct {
	all    int // texts
	parted [maxColumns + 1]int
	places [maxColumns + 1][maxColumns]int // by how many parts there are, and which
	groups int                             // first parts, before a comma, that name departments
}

// partColumns parts texts like "Berlin – Engineering" where the cards show that the parts are of different kinds: at one
// place of most cards there are equally many, and in one column of them alone most are places.
func (s *slots) partColumns(g *group) {
	parted := false
	for _, c := range g.items {
		for _, b := range c.beside {
			parts := b.said.columns()
			if b.parted == nil && len(parts) > 0 {
				b.parted, parted = &columnTally{}, true
			}
			if b.parted != nil {
				b.parted.add(s.page, b.said, parts)
			}
		}
	}
	if !parted {
		return
	}
	for _, c := range g.items {
		for _, b := range c.beside {
			if b.parted != nil {
				b.parted.all++
			}
		}
	}
	for _, c := range g.items {
		c.beside = s.inColumns(c.beside)
	}
}

func (t *columnTally) add(d *Document, said *phrase, parts []string) {
	t.parted[len(parts)]++
	for i, part := range parts {
		countIf(&t.places[len(parts)][i], d.looksLikePlace(part))
	}
	countIf(&t.groups, len(parts) == 2 && said.partsAtComma() && d.phraseOf(parts[0]).namesGroup())
}

// inColumns are the texts of one card, parted where the cards show that they are to be.
func (s *slots) inColumns(beside []slot) []slot {
	var parted []slot
	for i, b := range beside {
		parts := b.said.columns()
		if t := b.parted; len(parts) == 0 || !t.parts(len(parts)) || b.said.partsAtComma() && !t.departmentsFirst() {
			if parted != nil {
				parted = append(parted, b)
			}
			continue
		}
		if parted == nil {
			parted = append(make([]slot, 0, len(beside)+len(parts)), beside[:i]...)
		}
		for n, part := range parts {
			parted = append(parted, slot{s.columnAt(b.spot, n), s.page.phraseOf(part)})
		}
	}
	if parted == nil {
		return beside
	}
	return parted
}

// parts reports whether texts in n parts are to be parted.
func (t *columnTally) parts(n int) bool {
	if t.parted[n]*3 < t.all*2 {
		return false
	}
	places := 0
	for _, found := range t.places[n][:n] {
		countIf(&places, found*2 >= t.parted[n])
	}
	return places == 1
}

// departmentsFirst reports whether what stands before the commas are departments: "Platform, Lyon". Other texts have a town there.
func (t *columnTally) departmentsFirst() bool {
	return t.places[2][0] == 0 && t.groups*4 >= t.parted[2]
}

// columns is a text in parts.
type columns struct {
	sign  string // what keeps them apart
	parts []string
}

// partsAtComma reports whether nothing but commas keeps the parts of the text apart.
func (p *phrase) partsAtComma() bool { return p.columns() != nil && p.parted.sign == "," }

// columns are the parts of the text that signs with space around them, upright strokes and dots, or its first comma keep apart; nil
// when there is one part, or too many.
func (p *phrase) columns() []string {
	if p.once(knowsColumns) {
		p.parted = columnsOf(p.text)
	}
	if p.parted == nil {
		return nil
	}
	return p.parted.parts
}

func columnsOf(text string) *columns {
	sign := columnSign(text)
	var parts []string
	switch sign {
	case "":
		return nil
	case ",":
		parts = strings.SplitN(text, sign, 2)
	default:
		parts = strings.Split(text, sign)
	}
	if len(parts) > maxColumns {
		return nil
	}
	for i := range parts {
		if parts[i] = strings.TrimSpace(parts[i]); parts[i] == "" {
			return nil
		}
	}
	return &columns{sign, parts}
}

// columnSign is the sign that keeps the parts of a text apart, or "".
func columnSign(text string) string {
	for _, sign := range [...]string{"|", "·", "•", "⋅", "∙", "◦", "›", "»", "→", "／", " – ", " — ", " - ", " // ", " / ", " :: ", ","} {
		if strings.Contains(text, sign) {
			return sign
		}
	}
	return ""
}
