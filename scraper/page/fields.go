package page

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/internal/match"
)

var (
	headingWords = set(`title titel titolo titulo titre name nombre nome heading headline header uberschrift subtitle jobtitle job-title betreff nome`)
	badgeWords   = set(`badge tag tags label chip pill type employment contract salary date posted apply meta new count`)
	otherWords   = set(`author testimonial testimonials quote person people member members team staff employee bio product products post
		blog news article-date benefit benefits value values perk perks faq feature features step steps event events partner
		partners client clients customer services price pricing menu date posted time type contract salary tag tags badge filter filters`)
	jobNames   = wordsIn("job class")
	placeNames = wordsIn("place class")
	groupNames = wordsIn("department class")

	placeLabel = sayings("place label")
	groupLabel = sayings("department label")

	// placeLabelWords and groupLabelWords make labels together with words that say nothing of their own: "Duty station",
	// "Business unit". labelFillers are those.
	placeLabelWords = wordsIn("place label word")
	groupLabelWords = wordsIn("department label word")
	labelFillers    = wordsIn("label filler")

	titleLabel = sayings("title label")

	codeLabel = sayings("code label")
	// townBlocks are numbered parts of towns, which stand in addresses only.
	townBlocks = sayings("block")
	codeForm   = match.New(`^[\p{L}\d][\p{L}\d./_-]{1,39}$`)

	// terms are the words for kinds of work, which stand on the cards of roles and hardly anywhere else.
	terms = sayings("terms of work")
	// contract is a text that says only how long or how much is worked, or when it was posted.
	contract = match.Of(func() string { return `^(?:\d.*|.*[€$£].*)$|` + oneOf("contract") })

	usState = match.New(`,\s*(A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]|ON|BC|QC|AB|MB|NS|NSW|VIC|QLD|UK|US|USA)\b`)
	// remote is a text that says, in whatever language, that the work is done from anywhere, and no more than where that is, or
	// that it is done so in part.
	remote = match.Of(func() string {
		return `^(?:100 ?% ?)?` + oneOf("remote") + `(?: ?[(（,;].{0,40})?$|` + oneOf("remote region")
	})
)

// place is where the role of a card is, or "": what the page calls a place counts before what looks like one, and what stands
// on the card before what stands in the title, above the card or in its description.
func (d *Document) place(c *candidate, lines []line) string {
	if text := labelledLine(lines, isPlaceLabel, d); text != "" {
		return text
	}
	if text := d.marked(c, placeName, isPlaceLabel); text != "" {
		return d.beforeTerms(text)
	}
	for _, l := range lines {
		if l.pin && l.label == "" && !longer(l.text, 100) && !d.phraseOf(l.text).isContract() {
			return cmp.Or(d.phraseOf(l.text).placeIn(), l.text)
		}
	}
	place, mode := c.slots.place(c)
	if place != "" {
		return place
	}
	return cmp.Or(labelledLine(d.closedLines(c), isPlaceLabel, d), d.placeInData(c), d.phraseOf(c.title).placeAtEnd(), c.slots.headingPlace(c), d.placeDescribed(lines), mode)
}

// beforeTerms is a place without the kind of work that stands behind it: "Pier 4 · Full-time".
func (d *Document) beforeTerms(place string) string {
	at := 0
	for part := range strings.FieldsFuncSeq(place, func(r rune) bool { return r == '·' || r == '|' || r == '•' }) {
		if said := d.phraseOf(strings.TrimSpace(part)); at > 0 && (said.isContract() || said.saysTerms()) {
			before, _, _ := strings.Cut(place, part)
			return strings.TrimRight(before, " ·|•")
		}
		at++
	}
	return place
}

// maxAround is how many elements around the only role are looked at.
const maxAround = 2_000

// placeAround is the place that a label names further around the only role of the page, as far as the part of the page under its
// heading goes.
func (d *Document) placeAround(c *candidate) string {
	level := c.element.level
	if level == 0 && c.section != nil {
		level = c.section.level
	}
	for e := c.base.parent; e != nil && e != d.body && e.end-e.index <= maxAround && !e.hasHeadingAbove(level, c.element); e = e.parent {
		around := *c
		around.card = span{e.index, e.end}
		if text := labelledLine(d.lines(&around), isPlaceLabel, d); text != "" {
			return text
		}
	}
	return ""
}

// hasHeadingAbove reports whether e holds a heading, besides one element, that is as high as a level or higher.
func (e *element) hasHeadingAbove(level int8, besides *element) bool {
	for _, o := range e.page.within(e) {
		if o.level > 0 && o.level < max(level, besides.level+1) && o != besides && !o.hidden {
			return true
		}
	}
	return false
}

// labelledLine is the text of the first line that has such a label.
func labelledLine(lines []line, isLabel func(folded string) bool, d *Document) string {
	for _, l := range lines {
		if l.label != "" && l.text != "" && isLabel(d.fold(l.label)) && !longer(l.text, 100) {
			return strings.TrimRight(l.text, "。 ")
		}
	}
	return ""
}

// placeInData is the place that an attribute of the card names, or "".
func (d *Document) placeInData(c *candidate) string {
	for _, e := range d.between(c.card.from, c.card.to) {
		if e.with&placeAttribute == 0 {
			continue
		}
		for _, key := range [...]string{"data-location", "data-city", "data-office"} {
			v := attr(e.node, key)
			if isASCII(v) && v == strings.ToLower(v) {
				continue // for scripts, not for people
			}
			if d.phraseOf(v).placeIn() != "" {
				return v
			}
		}
	}
	return ""
}

// placeDescribed is the place that the beginning of the card's running text says the work is in.
func (d *Document) placeDescribed(lines []line) string {
	for _, l := range lines {
		if l.label == "" && longer(l.text, 30) {
			first, _, _ := strings.Cut(l.text, ". ")
			return placeInProse(first)
		}
	}
	return ""
}

// marked is the text of the first element on the card whose class, attribute or column says that it is what is looked for.
func (d *Document) marked(c *candidate, names facts, isLabel func(folded string) bool) string {
	for _, e := range d.between(c.card.from, c.card.to) {
		if e.hidden || e != c.element && c.inTitle(e) {
			continue
		}
		if text, ok := d.labelled(e, c, names, isLabel); ok {
			return text
		}
	}
	return ""
}

// labelled is the text of e when its class, its column or an attribute says that it is what is looked for.
func (d *Document) labelled(e *element, c *candidate, names facts, isLabel func(folded string) bool) (string, bool) {
	if e.from == e.to && e.shows() || e.longer(longText) || e.contains(c.element) {
		return "", false
	}
	text := e.visibleText()
	if text == "" {
		return "", false
	}
	if e.named&names != 0 && !e.hasHeading() && !e.said().isContract() && e.folded() != d.fold(c.title) && !isPostal(text) {
		return joinParts(e), true
	}
	if e.tag == atom.Td || e.tag == atom.Th || e.tag == atom.Dd || e.parent == c.base {
		if isLabel(Fold(d.columnOf(e))) {
			return joinParts(e), true
		}
	}
	for _, name := range [...]string{"data-label", "data-title", "data-th", "data-column"} { // what a style sheet writes before a cell on phones
		if said := attr(e.node, name); said != "" && isLabel(Fold(said)) {
			return text, true
		}
	}
	return "", false
}

// isPlaceLabel reports whether a folded text says that what follows is a place.
func isPlaceLabel(folded string) bool {
	return placeLabel.MatchString(folded) || isMadeOf(folded, placeLabelWords())
}

// isGroupLabel reports whether a folded text says that what follows is a department.
func isGroupLabel(folded string) bool {
	return groupLabel.MatchString(folded) || isMadeOf(folded, groupLabelWords())
}

// isMadeOf reports whether a folded text is made of such words, at least one, and of fillers.
func isMadeOf(folded string, words map[string]bool) bool {
	if len(folded) > longestLabel {
		return false
	}
	n := 0
	for word := range strings.FieldsFuncSeq(folded, partsWords) {
		switch {
		case words[word]:
			n++
		case !labelFillers()[word]:
			return false
		}
	}
	return n > 0
}

func (e *element) hasHeading() bool { return e.level > 0 || e.heading() != nil }

// wideColon is the colon of scripts whose letters are wide.
const wideColon = "："

// cutLabel parts "Location: Berlin".
func cutLabel(text string) (label, value string, found bool) {
	start := text[:min(len(text), longestLabel+len(wideColon))]
	if strings.IndexByte(start, ':') < 0 && strings.IndexByte(start, wideColon[0]) < 0 {
		return "", "", false
	}
	label, value, found = strings.Cut(text, ":")
	if !found {
		label, value, found = strings.Cut(text, wideColon)
	}
	if !found || len(label) > longestLabel {
		return "", "", false
	}
	return strings.TrimSpace(label), strings.TrimSpace(value), true
}

// columnOf is the heading of the column, or of the definition, that a cell stands in.
func (d *Document) columnOf(cell *element) string {
	if cell.tag == atom.Dd {
		if cell.nth == 0 {
			return ""
		}
		return cell.parent.kids[cell.nth-1].visibleText()
	}
	row := cell.parent
	if row == nil {
		return ""
	}
	head, column := d.headOf(row), cell.column()
	if head == nil || head == row || column >= len(head.kids) {
		return ""
	}
	if head.kids[column].tag == atom.Th || head.parent.tag == atom.Thead || head.isHead(len(row.kids)) {
		return squeeze(rawText(head.kids[column].node))
	}
	return ""
}

// headOf is the row that may hold the headings of a row's columns, in a table or in blocks that make one; nil when there is none.
func (d *Document) headOf(row *element) *element {
	if table := row.closest(atom.Table); table != nil {
		first, known := d.firsts[table]
		if !known {
			if d.firsts == nil {
				d.firsts = make(map[*element]*element)
			}
			first = table.below(atom.Tr)
			d.firsts[table] = first
		}
		return first
	}
	if row.parent == nil || row.parent.parent == nil || len(row.kids) < 2 {
		return nil
	}
	if first := row.parent.kids[0]; first != row && first.isHead(len(row.kids)) {
		return first
	}
	if at := row.parent.column(); at > 0 {
		return row.parent.parent.kids[at-1]
	}
	return nil
}

// isHead reports whether an element with so many parts holds headings of columns, by what they say.
func (e *element) isHead(columns int) bool {
	if len(e.kids) != columns || columns < 2 || e.hidden || e.longer(longText) {
		return false
	}
	titles, fields, bold := 0, 0, 0
	for _, k := range e.kids {
		folded := k.folded()
		countIf(&titles, titleLabel.MatchString(folded))
		countIf(&fields, isPlaceLabel(folded) || isGroupLabel(folded))
		countIf(&bold, k.isBold())
	}
	return titles > 0 && (fields > 0 || bold == columns)
}

// isBold reports whether all that e shows is in bold.
func (e *element) isBold() bool {
	return len(e.kids) == 1 && (e.kids[0].tag == atom.B || e.kids[0].tag == atom.Strong) && sameText(e, e.kids[0])
}

// column is the position of a cell in its row.
func (e *element) column() int { return int(e.nth) }

// onlyHeads reports whether a row holds the headings of columns only.
func (e *element) onlyHeads() bool {
	for _, k := range e.kids {
		if k.tag != atom.Th {
			return false
		}
	}
	return len(e.kids) > 1
}

// joinParts is the element's text, its parts joined as several places when they are list items of their own.
func joinParts(e *element) string {
	if len(e.kids) > 1 && !e.own {
		var parts []string
		for _, k := range e.kids {
			if k.tag != atom.Li && k.tag != atom.Div && k.tag != atom.P {
				return strings.Trim(e.visibleText(), " |·•,-–")
			}
			if t := k.visibleText(); t != "" && !contract.MatchString(Fold(t)) {
				parts = append(parts, t)
			}
		}
		return strings.Join(parts, "; ")
	}
	return strings.Trim(e.visibleText(), " |·•,-–")
}

// group is the department of a card's role, or "".
func (d *Document) group(c *candidate, lines []line) string {
	for _, e := range d.between(c.card.from, c.card.to) {
		if v := e.ownGroup(); v != "" {
			return cmp.Or(c.slots.filters[Fold(v)], v)
		}
	}
	text := cmp.Or(labelledLine(lines, isGroupLabel, d), d.marked(c, groupName, isGroupLabel), labelledLine(d.closedLines(c), isGroupLabel, d))
	if text != "" && !d.looksLikePlace(text) {
		return text
	}
	return c.slots.group(c)
}

// ownGroup is the department that an attribute of e names, or "".
func (e *element) ownGroup() string {
	if e.with&groupAttribute == 0 {
		return ""
	}
	for _, key := range [...]string{"data-department", "data-team"} {
		if v := attr(e.node, key); v != "" && len(v) < 100 {
			return v
		}
	}
	return ""
}

// code is the card's own number of the role, or "".
func (d *Document) code(c *candidate) string {
	for _, e := range d.between(c.card.from, c.card.to) {
		if !e.own || e.contains(c.element) {
			continue
		}
		if key, value, found := cutLabel(e.visibleText()); found && codeLabel.MatchString(d.fold(key)) && codeForm.MatchString(value) {
			return value
		}
	}
	return ""
}

// looksLikePlace reports whether a text without a label is a place.
func looksLikePlace(text string) bool {
	return (&phrase{text: text, folded: Fold(text)}).looksLikePlace()
}

// namesState reports whether a text names a state or a country by its code, behind a comma: "Austin, TX".
func namesState(text string) bool {
	return strings.IndexByte(text, ',') >= 0 && usState.MatchString(text)
}

func (p *phrase) isPlace() bool {
	text, folded := p.text, p.folded
	n := utf8.RuneCountInString(text)
	switch {
	case n < 2 || n > 80:
		return false
	case renownOf(folded) == knownName: // "St. Gallen"
		return true
	case strings.ContainsAny(text, ".!?:;@") && !strings.Contains(text, "St."):
		return false
	}
	if namesState(text) || remote.MatchString(folded) {
		return true
	}
	for part := range strings.FieldsFuncSeq(folded, partsPlaces) {
		part = strings.TrimSpace(part)
		if isKnownPlace(part) {
			return !p.namesRole() // "Customer Success Manager, EMEA"
		}
		if before, after, found := strings.Cut(part, " - "); found && (isKnownPlace(before) || isKnownPlace(after)) {
			return true
		}
	}
	return false
}

func partsPlaces(r rune) bool { return strings.ContainsRune(",/|&()、;", r) }

// isPostal reports whether a text is a street address rather than the name of a place.
func isPostal(text string) bool {
	digits := 0
	for i := range len(text) {
		if isDigit(text[i]) {
			digits++
		}
	}
	return digits >= 2 && utf8.RuneCountInString(text) > 8 || townBlocks.MatchString(text)
}

// withoutCount takes the number of roles off the heading of a group: "Sales (3)", "Sales 3", "Sales - 1 position".
func withoutCount(heading string) string {
	if !hasDigit(heading) {
		return heading
	}
	inside, bracketed := strings.CutSuffix(heading, ")")
	word := inside
	if !bracketed {
		word = strings.TrimRightFunc(heading, unicode.IsLetter)
	}
	counted := strings.TrimRight(word, " ")
	rest := strings.TrimRight(counted, "0123456789")
	switch {
	case rest == counted:
		return heading
	case bracketed:
		if before, opened := strings.CutSuffix(rest, "("); opened && counted == inside {
			return strings.TrimSpace(before)
		}
		return heading
	case word == heading && counted == heading:
		return strings.TrimSpace(rest)
	case word == heading || counted == word:
		return heading // a space at the end, or a word such as "B2B"
	}
	rest = strings.TrimRight(rest, " ")
	if sign, size := utf8.DecodeLastRuneInString(rest); strings.ContainsRune("-–—:·", sign) {
		rest = rest[:len(rest)-size]
	}
	return strings.TrimSpace(rest)
}

// namesDepartment reports whether a folded text names a part of a company.
func namesDepartment(folded string) bool {
	folded = withoutCount(folded)
	if departments()[folded] {
		return true
	}
	hits, all := 0, 0
	for w := range strings.FieldsFuncSeq(folded, partsWords) {
		if conjunctions()[w] || departmentFillers()[w] {
			continue
		}
		all++
		if departments()[w] {
			hits++
		}
	}
	return all > 0 && all <= 5 && hits*2 >= all && hits > 0
}

var (
	// departments are the words that name parts of a company.
	departments = wordsIn("department")
	// departmentFillers stand between them.
	departmentFillers = wordsIn("department filler")
)
