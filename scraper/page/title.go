package page

import (
	"math"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// inProse reports whether the element is running text in which a link or a bold word is no title of its own.
func (e *element) inProse() bool {
	for ; e != nil; e = e.parent {
		if e.own && e.level > 0 {
			return true // part of a heading's own text
		}
		if e.own && e.tag != atom.Li && e.tag != atom.Div && e.tag != atom.Td {
			return e.words > 60 || e.tag == atom.A || e.tag == atom.Button
		}
		if !isInline(e.tag) {
			return e.words > 60
		}
	}
	return false
}

// inSentence reports whether words of its parent stand on both sides of e and go on as one sentence: "become the trusted advisor
// families remember".
func (e *element) inSentence() bool {
	before, after := e.node.PrevSibling, e.node.NextSibling
	if before == nil || after == nil || before.Type != html.TextNode || after.Type != html.TextNode {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(before.Data, unicode.IsSpace))
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(after.Data, unicode.IsSpace))
	return unicode.IsLower(last) && unicode.IsLower(first)
}

// leadsIn reports whether e is the bold beginning of a point in a list of openings that goes on with running text: a title with a colon
// behind it, in pages that are written as plain text.
func (e *element) leadsIn() bool {
	if e.tag != atom.Strong && e.tag != atom.B || e.parent == nil || !e.parent.own || !e.parent.ownAfter(e) {
		return false
	}
	li := e.closest(atom.Li)
	if li == nil || li != e.parent && (e.parent.tag != atom.P || e.parent.parent != li) || !e.parent.longer(len(e.visibleText())+shortestDuties) {
		return false
	}
	if !endsInColon(e.visibleText()) && !e.isParted() {
		return false
	}
	return e.page.sections().at(e).about() == open
}

// isParted reports whether the text behind e begins with a sign that ends a title.
func (e *element) isParted() bool {
	n := e.node.NextSibling
	if n == nil || n.Type != html.TextNode {
		return false
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(n.Data, unicode.IsSpace))
	return strings.ContainsRune(".:–—-", first)
}

// shortestDuties is how long running text behind a title is at least; less is the value of a field.
const shortestDuties = 25

// endsInColon reports whether a text ends with a colon.
func endsInColon(text string) bool {
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, wideColon)
}

// startsLine reports whether e begins one of several short lines that breaks keep apart: such lines are no running text, however
// many they are.
func (e *element) startsLine() bool {
	for n := e.node.PrevSibling; n != nil && n.DataAtom != atom.Br; n = n.PrevSibling {
		if n.Type == html.ElementNode || n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" {
			return false
		}
	}
	behind, n := 0, e.node.NextSibling
	for ; n != nil && n.DataAtom != atom.Br; n = n.NextSibling {
		if n.Type == html.TextNode {
			behind += len(strings.TrimSpace(n.Data))
		}
	}
	return n != nil && behind <= 60
}

// ownText is the text directly in the element, without its children's.
func (e *element) ownText() string {
	if len(e.kids) == 0 && e.shows() {
		return e.visibleText()
	}
	var b strings.Builder
	for c := e.node.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return squeeze(b.String())
}

// anchor is the link whose text e is, or that is all of e's text; nil when there is none.
func (e *element) anchor() *element {
	if a := e.closest(atom.A); a != nil {
		return a
	}
	for _, k := range e.kids {
		if k.tag == atom.A && !k.hidden && len(k.visibleText())*2 > len(e.visibleText()) {
			return k
		}
		if a := k.below(atom.A); a != nil && sameText(e, k) {
			return a
		}
	}
	return nil
}

// find is the first element inside e that is so, in document order; nil when there is none.
func (e *element) find(is func(*element) bool) *element {
	for _, k := range e.kids {
		if is(k) {
			return k
		}
		if found := k.find(is); found != nil {
			return found
		}
	}
	return nil
}

func (e *element) below(tag atom.Atom) *element {
	return e.find(func(k *element) bool { return k.tag == tag })
}

func (e *element) heading() *element {
	return e.find(func(k *element) bool { return k.level > 0 && !k.hidden })
}

// titleOf is the text of e that may be a title: without badges, and, when e is more than a line, its first line.
func titleOf(e *element) string {
	if len(e.kids) > 0 && e.level == 0 && !e.ownFirst() && (e.heading() != nil || e.lines() > 1) {
		return "" // the heading, or a line, inside speaks for itself
	}
	if e.level == 0 && !isInline(e.tag) && e.hasBlock() {
		text, _ := e.lineOne()
		return e.page.withoutLabel(text)
	}
	title := e.page.withoutLabel(trimTitle(e.titleAlone()))
	if e.level == 1 {
		return title // the title of the page may seek somebody for what it describes
	}
	return e.page.withoutSeeking(title)
}

// withoutLabel is a title without the word before it that says that it is one: "Position: Welder".
func (d *Document) withoutLabel(title string) string {
	label, value, found := cutLabel(title)
	if !found {
		if label, value, found = strings.Cut(title, " – "); !found {
			label, value, found = strings.Cut(title, " - ")
		}
	}
	if found && value != "" && !longer(label, longestPart) && titleLabel.MatchString(d.fold(label)) {
		return trimTitle(value)
	}
	return title
}

// lineBreak stands for <br> in titleText.
const lineBreak = "\x00"

// titleAlone is the text of e without badges, on one line.
func (e *element) titleAlone() string {
	return squeeze(strings.ReplaceAll(e.titleText(), lineBreak, " "))
}

// titleText is the text of e without badges, as far as it is a title. Parts in elements of their own are kept apart by a
// space, unless a sign ties them together.
func (e *element) titleText() string {
	if len(e.kids) == 0 && !e.hidden && !e.icon {
		return e.visibleText()
	}
	if k := e.onlyPart(); k != nil {
		return k.titleText()
	}
	t := &titleReader{root: e, end: noEnd}
	t.read(e)
	return squeeze(t.text.String())
}

// onlyPart is the element that all of e's text stands in, if that is no badge; nil when there is none.
func (e *element) onlyPart() *element {
	if len(e.kids) != 1 || e.own || e.hidden || e.icon || e.kids[0].hidden || e.kids[0].icon || isBadge(e.kids[0]) {
		return nil
	}
	return e.kids[0]
}

// titleEnd is the place in the page's text at which the title that e shows is over; noEnd when all of e is the title.
func (e *element) titleEnd() offset {
	if len(e.kids) == 0 || e.hidden || e.icon {
		return noEnd
	}
	if e.level == 0 && !isInline(e.tag) && e.hasBlock() {
		_, end := e.lineOne()
		return end
	}
	if k := e.onlyPart(); k != nil && isInline(k.tag) {
		return k.titleEnd()
	}
	t := &titleReader{root: e, end: noEnd}
	t.read(e)
	return t.end
}

const noEnd = math.MaxInt32

// titleReader puts a title together until something else begins: a place, a kind of work, a department, an invitation.
type titleReader struct {
	root *element
	text strings.Builder
	end  offset // where in the page's text something else begins
}

func (t *titleReader) read(e *element) {
	next := 0
	for c := e.node.FirstChild; c != nil && t.end == noEnd; c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			if next > 0 && t.endsBefore(c.Data, e.kids[next-1].to, true) {
				t.end = e.kids[next-1].to
				return
			}
			t.text.WriteString(c.Data)
		case html.ElementNode:
			if next >= len(e.kids) {
				return
			}
			t.element(e.kids[next])
			next++
		default:
		}
	}
}

func (t *titleReader) element(k *element) {
	if k.hidden || k.icon || isBadge(k) {
		t.text.WriteByte(' ')
		return
	}
	part := k.visibleText()
	pressed := k.tag == atom.A || k.tag == atom.Button
	if k.tag != atom.Br && t.endsBefore(part, k.to, k.parent.own && !pressed) {
		t.end = k.from
		return
	}
	if keptApart(t.text.String(), part) {
		t.text.WriteByte(' ')
	}
	t.read(k)
	if k.tag == atom.Br {
		t.text.WriteString(lineBreak)
	}
}

// endsBefore reports whether the title, as far as it is read, ends before a text that is written apart from it; mixed says
// that it stands beside text that is in no element of its own. The text after it, which begins at a place in the page's, must
// not go on with the title.
func (t *titleReader) endsBefore(text string, after offset, mixed bool) bool {
	if t.text.Len() == 0 || longer(text, longText) {
		return false
	}
	title := strings.TrimSpace(strings.ReplaceAll(t.text.String(), lineBreak, " "))
	text = strings.Trim(squeeze(text), " |·•,;–—-()[]")
	if title == "" || text == "" {
		return false
	}
	d := t.root.page
	named := d.namesRole(title)
	if !named && (d.namesRole(text) || d.phraseOf(title).namesDepartment()) {
		return false // "Marketing" above "Intern"
	}
	if said := d.phraseOf(text); !said.standsBeside(named, mixed) && !said.listsTerms() {
		return false
	}
	return named || after >= t.root.to || !d.namesRole(d.text[after:t.root.to])
}

// listsTerms reports whether a text is a row of short words that signs keep apart, of which one says how or where the work is done:
// "Harbour quarter · Hybrid · Full-time".
func (p *phrase) listsTerms() bool {
	n, terms := 0, 0
	for part := range strings.FieldsFuncSeq(p.text, func(r rune) bool { return r == '·' || r == '|' || r == '•' || r == '∙' || r == '⋅' }) {
		said := &phrase{text: strings.TrimSpace(part), folded: Fold(part)}
		if said.namesRole() && !said.saysTerms() || strings.Count(said.folded, " ") > 3 {
			return false
		}
		n++
		countIf(&terms, said.isContract() || said.saysTerms() || said.looksLikePlace())
	}
	return n > 1 && terms > 0
}

// standsBeside reports whether a text says of a role where it is, how much is worked, for whom or what to do next, and nothing
// else. Beside text that names no role yet, or that is in no element of its own, the name of a department is a part of the
// title: "Head of <b>Sales</b>".
func (p *phrase) standsBeside(named, mixed bool) bool {
	if named && !mixed && (p.callsToAct() || applyButton.MatchString(p.folded)) && !p.namesRole() {
		return true
	}
	for _, a := range p.placeRuns() {
		said := &phrase{text: p.text[a.from:a.to], folded: Fold(p.text[a.from:a.to])}
		switch {
		case a.says(), a.nature == townPart && named && !mixed:
		case a.nature != otherPart || said.namesRole():
			return false
		case said.isContract(), said.saysTerms() && strings.Count(said.folded, " ") < 4:
		case said.namesDepartment() && named && !mixed:
		default:
			return false
		}
	}
	return true
}

// keptApart reports whether a space belongs between a text and that of an element after it: unless a sign ties them together.
func keptApart(text, part string) bool {
	before, _ := utf8.DecodeLastRuneInString(text)
	after, _ := utf8.DecodeRuneInString(part)
	return text != "" && part != "" && !strings.ContainsRune("(/-*_:'’&@", before) && !strings.ContainsRune(",.;:)/-*_'’&%", after)
}

// lines counts the blocks with text inside e.
func (e *element) lines() int {
	n := 0
	for _, k := range e.kids {
		switch {
		case k.hidden:
		case !isInline(k.tag) && k.visibleText() != "":
			n += max(1, k.lines())
		default:
			n += k.lines()
		}
	}
	return n
}

// ownFirst reports whether e begins with text of its own.
func (e *element) ownFirst() bool {
	for c := e.node.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			return false
		}
		if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
			return true
		}
	}
	return false
}

// hasBlock reports whether the element holds more than one line.
func (e *element) hasBlock() bool {
	for _, k := range e.kids {
		if !k.hidden && (k.tag == atom.Br || !isInline(k.tag)) {
			return true
		}
	}
	return false
}

// lineOne is the text before the first break or block, and the place in the page's text where that stands; noEnd when there is
// none after the text.
func (e *element) lineOne() (text string, end offset) {
	var b strings.Builder
	next := 0
	for c := e.node.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
		if c.Type != html.ElementNode {
			continue
		}
		if next >= len(e.kids) {
			break
		}
		k := e.kids[next]
		next++
		if k.tag == atom.Br || !isInline(k.tag) {
			if strings.TrimSpace(b.String()) != "" {
				return trimTitle(squeeze(b.String())), k.from
			}
			continue
		}
		if !k.hidden && !isBadge(k) {
			b.WriteString(k.visibleText())
		}
	}
	return trimTitle(squeeze(b.String())), noEnd
}

// isBadge reports whether an element inside a title is a label, not part of the name.
func isBadge(e *element) bool {
	if e.tag == atom.Button {
		return e.parent == nil || !sameText(e.parent, e) // the heading of a panel is a button as a whole
	}
	if e.parent != nil && e.parent.own && e.page.looksLikePlace(strings.Trim(e.visibleText(), "() ")) {
		return true // "Engineer <small>Berlin</small>"
	}
	return e.named&(badgeName|placeName|groupName) != 0
}

// titleTails are what pages add to a title.
var titleTails = [...]string{
	"(opens in new window)", "(opens in a new tab)", "opens in a new tab", "opens in new window", "View & Apply", "Apply Now", "Apply now", "Apply",
	"View Listing", "Read more",
}

// fileNote matches what a link to a file says about it behind the title.
var fileNote = lazyregexp.New(`(?i)\s*[(\[](?:pdf|docx?|odt)\b[^()\[\]]{0,30}[)\]]$`)

// announcements are words that pages put before a title or behind it, with a sign between, to draw attention to it: "New!", "Hot:".
var announcements = sync.OnceValue(func() map[string]bool { return phrasesIn(vocabulary()["announcement"]) })

// announcing are the signs that stand between.
const announcing = "!:：！–—-|*()[]【】（） "

// withoutAnnouncement is a title without such words around it.
func withoutAnnouncement(s string) string {
	if len(s) > 600 {
		return s
	}
	if at := strings.IndexAny(s, "!:：！–—|*)]】）"); at > 0 && announcements()[Fold(strings.Trim(s[:at], announcing))] {
		if rest := strings.TrimLeft(s[at:], announcing); rest != "" {
			s = rest
		}
	}
	end := strings.TrimRight(s, announcing)
	if at := strings.LastIndexAny(end, " –—|*([【（"); at > 0 && (len(end) < len(s) || strings.ContainsRune("-–—|*([【（", lastRune(strings.TrimRight(end[:at+1], " ")))) {
		if announcements()[Fold(strings.Trim(end[at:], announcing))] {
			s = strings.TrimRight(s[:at], announcing)
		}
	}
	return s
}

// trimTitle takes off what pages add to a title.
func trimTitle(s string) string {
	s = withoutAnnouncement(s)
	for _, mark := range [...]string{" #", " ¶", "¶"} {
		s = strings.TrimSuffix(s, mark) // the link of a heading to itself
	}
	s = strings.Trim(s, " \t|·•»›❯❱→>-–—,;")
	if strings.HasSuffix(s, ")") || strings.HasSuffix(s, "]") {
		if at := fileNote.FindStringIndex(s); at != nil && at[0] > 0 {
			s = s[:at[0]]
		}
	}
	for _, tail := range titleTails {
		if cut, ok := strings.CutSuffix(s, tail); ok && cut != "" && strings.HasSuffix(cut, " ") {
			s = strings.TrimRight(cut, " |·•»›→>-–—,;")
		}
	}
	return s
}

// plausible reports whether a text can be a title at all.
func plausible(s string) bool { return (&phrase{text: s, folded: Fold(s)}).plausible() }

func (p *phrase) isTitle() bool {
	s := p.text
	n := utf8.RuneCountInString(s)
	if n < 2 || n > 140 || len(s) < 3 || !isLetter(s[0]) && !strings.ContainsFunc(s, unicode.IsLetter) {
		return false
	}
	if holdsMailbox(s) || countDigits(s) >= leastPhone || strings.Contains(s, "{{") || strings.Contains(s, " → ") {
		return false
	}
	if last, _ := utf8.DecodeLastRuneInString(s); endsSentence(last) && !strings.HasSuffix(s, "Inc.") && !strings.HasSuffix(s, "etc.") {
		return p.seeksOne() && last == '!' || p.namesRole() && (strings.HasSuffix(s, ".") && n <= 40 && !p.beginsIdly() || last == '!' && n <= 50)
	}
	if strings.ContainsAny(s, ".!?") && sentences.MatchString(s) && !p.isShortened() {
		return false
	}
	if p.callsToAct() || p.invites() || p.negates() && deniesRoles(p.folded) {
		return false
	}
	return !p.beginsIdly() || p.namesRole()
}

// leastPhone is how many digits a telephone number has at least that no number of an advert has.
const leastPhone = 10

func countDigits(s string) int {
	n := 0
	for i := range len(s) {
		countIf(&n, isDigit(s[i]))
	}
	return n
}

// holdsMailbox reports whether a text holds an address for letters: "Write to jobs@northwind.example".
func holdsMailbox(s string) bool {
	before, after, found := strings.Cut(s, "@")
	domain, _, _ := strings.Cut(after, " ")
	return found && before != "" && !strings.HasSuffix(before, " ") && strings.Contains(strings.TrimRight(domain, "."), ".")
}

// isShortened reports whether nothing but shortened words makes the text look like sentences: "Asst. Librarian", "Techn. Zeichner /
// techn. Systemplaner".
func (p *phrase) isShortened() bool {
	if strings.ContainsAny(p.text, "!?") || longer(p.text, longestWithStops) || p.beginsIdly() {
		return false
	}
	before, rest, found := strings.Cut(p.text, ". ")
	for first := true; found; first = false {
		word := before[strings.LastIndexAny(before, " /(,&-")+1:]
		begins := first && word == before && !longer(word, longestShortened)
		if next, _ := utf8.DecodeRuneInString(rest); unicode.IsUpper(next) && !begins && (!p.holdsShortened(word) || beginsSentence(rest)) {
			return false
		}
		before, rest, found = strings.Cut(rest, ". ")
	}
	return true
}

// beginsSentence reports whether a text begins as sentences do, and titles hardly ever.
func beginsSentence(text string) bool {
	p := &phrase{text: text, folded: Fold(text)}
	return p.beginsIdly() || p.callsToAct() || p.invites()
}

const (
	longestWithStops = 90 // of a title with shortened words
	longestShortened = 5  // letters of a shortened word that begins a text
	longestInside    = 6  // letters of one inside a text
	longestMarked    = 10 // letters of one in a text that is marked as a title
)

// holdsShortened reports whether a word inside the text that a stop follows is written small and breaks off as shortened words do:
// "techn", "stellv". In a text that says which genders are meant any small word may be one.
func (p *phrase) holdsShortened(word string) bool {
	letters := []rune(word)
	if len(letters) < 2 || unicode.IsUpper(letters[0]) {
		return false
	}
	if len(letters) <= longestMarked && marksGender(p.text) {
		return true
	}
	end := Fold(string(letters[len(letters)-2:]))
	return len(letters) <= longestInside && isASCII(end) && !strings.ContainsAny(end, "aeiouy")
}

// beginsIdly reports whether the first word of the text begins hardly any title.
func (p *phrase) beginsIdly() bool {
	first, _, _ := strings.Cut(p.folded, " ")
	return idleWords()[strings.TrimRight(first, ",:'’")] && !strings.HasPrefix(p.text, "IT ")
}

func endsSentence(r rune) bool { return strings.ContainsRune(".?!:…。？！：", r) }
