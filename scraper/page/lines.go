package page

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// line is a stretch of a card's text that says one thing: what stands between breaks, pictures and labels.
type line struct {
	label string // what the page says the text is: "Location"
	pin   bool   // a picture before the text says that it is a place
	text  string
}

// lines are the lines of the card beside its title.
func (d *Document) lines(c *candidate) (all []line) {
	for _, e := range d.between(c.card.from, c.card.to) {
		if e.hidden || e.icon || e.chrome && !c.base.contains(e) || !e.flows() || e.index > c.card.from && isInline(e.tag) && e.parent.flows() || c.wholly(e) {
			continue
		}
		from := len(all)
		all = e.linesBeside(c, all)
		if len(all) != from+1 || e.contains(c.element) {
			continue
		}
		if l := &all[from]; l.label == "" && len(l.text) <= longestLabel && d.isFieldLabel(l.text) {
			l.label, l.text = l.text, e.valueAfter(c)
		}
	}
	return append(all, c.looseLines()...)
}

// closedLines are the lines with labels in the parts of the card that open when somebody asks for them: a panel under a title.
func (d *Document) closedLines(c *candidate) []line {
	var labelled []line
	for _, e := range d.between(c.card.from, c.card.to) {
		if !e.hidden || e.parent.hidden || isUnseen(e.node) {
			continue
		}
		b := &lineBreaker{card: c, closed: true}
		b.flow(e)
		b.end()
		for _, l := range b.all {
			if l.label != "" {
				labelled = append(labelled, l)
			}
		}
	}
	return labelled
}

// looseLines are the lines that stand in no element of their own behind the title, in a list without entries.
func (c *candidate) looseLines() []line {
	if !c.flat || c.base.parent == nil || !c.base.parent.own {
		return nil
	}
	b := &lineBreaker{card: c}
	kids := c.base.parent.kids
	next := c.base.column() + 1
	for n := c.base.node.NextSibling; n != nil; n = n.NextSibling {
		switch n.Type {
		case html.TextNode:
			b.write(n.Data)
		case html.ElementNode:
			if next >= len(kids) || kids[next].index >= c.card.to {
				b.end()
				return b.all
			}
			b.element(kids[next])
			next++
		default:
		}
	}
	b.end()
	return b.all
}

// linesBeside adds the lines of e, without the candidate's title, to others.
func (e *element) linesBeside(c *candidate, lines []line) []line {
	prose := e.longer(longText)
	if (len(e.kids) == 0 || prose && !e.hasBlock()) && !e.contains(c.element) && (prose || !strings.ContainsFunc(e.visibleText(), isPictogram)) {
		return addLine(lines, line{text: trimBeside(e.visibleText())})
	}
	b := &lineBreaker{card: c, all: lines}
	b.flow(e)
	b.end()
	return b.all
}

// besideLine are the signs that part lines from one another and labels from what they are about.
const besideLine = " |·•,;–—-：:"

// trimBeside is a text without such signs around it.
func trimBeside(text string) string { return strings.Trim(text, besideLine) }

// addLine adds a line if it says anything.
func addLine(lines []line, l line) []line {
	if l.text == "" {
		return lines
	}
	if l.label == "" {
		if label, value, found := cutLabel(l.text); found && value != "" {
			l.label, l.text = label, value
		}
	}
	return append(lines, l)
}

// wholly reports whether all that e shows is a part of the candidate's title.
func (c *candidate) wholly(e *element) bool { return c.inTitle(e) && e.to <= c.titleEnd() }

// inTitle reports whether e is a part of the candidate's title, or what that is written in.
func (c *candidate) inTitle(e *element) bool {
	return c.element.contains(e) && e.from < c.titleEnd() && (e == c.element || !isBadge(e))
}

// titleEnd is the place in the page's text at which the candidate's title is over.
func (c *candidate) titleEnd() offset {
	if c.end == 0 {
		c.end = c.element.titleEnd()
	}
	return c.end
}

// flows reports whether e has a text, or elements inside a line, of its own.
func (e *element) flows() bool {
	if e.own {
		return true
	}
	for _, k := range e.kids {
		if isInline(k.tag) && (k.shows() || k.icon) {
			return true
		}
	}
	return false
}

// valueAfter is the text of the block that follows a block which is a label.
func (e *element) valueAfter(c *candidate) string {
	for _, k := range e.parent.kids[e.nth+1:] {
		if k.index >= c.card.to {
			break
		}
		if k.hidden {
			continue
		}
		if c.inTitle(k) || k.contains(c.element) || k.longer(longText) {
			return ""
		}
		return k.visibleText()
	}
	return ""
}

// lineBreaker takes an element's text apart into lines.
type lineBreaker struct {
	card   *candidate
	closed bool // what is hidden is looked at
	all    []line
	now    line
	text   strings.Builder
}

// longestLabel is the length of the longest label.
const longestLabel = 40

// isFieldLabel reports whether a text says what the text after it is.
func (d *Document) isFieldLabel(text string) bool {
	return d.phraseOf(strings.TrimRight(text, " :：")).labelsField()
}

// flow adds the text of e and of what stands inside its lines.
func (b *lineBreaker) flow(e *element) {
	next, at := 0, e.from
	for n := e.node.FirstChild; n != nil; n = n.NextSibling {
		switch n.Type {
		case html.TextNode:
			if !b.card.element.contains(e) || at >= b.card.titleEnd() {
				b.write(n.Data)
			}
		case html.ElementNode:
			if next >= len(e.kids) {
				return
			}
			k := e.kids[next]
			next++
			b.element(k)
			at = k.to
		default:
		}
	}
}

func (b *lineBreaker) element(k *element) {
	switch {
	case k.isPicture():
		b.end()
		b.now.pin = k.isPin()
	case k.hidden && (!b.closed || isUnseen(k.node)):
		b.text.WriteByte(' ')
	case b.card.wholly(k):
		b.end()
	case k == b.card.element:
		b.end()
		b.flow(k)
	case k.tag == atom.Br:
		b.end()
	case b.isLabel(k):
		b.end()
		b.now.label = strings.TrimRight(b.textOf(k), " :：")
	case !isInline(k.tag) && !b.closed:
		b.end()
	case !isInline(k.tag):
		b.end()
		b.flow(k)
		b.end()
	case k.contains(b.card.element):
		b.flow(k)
	default:
		b.text.WriteByte(' ')
		b.flow(k)
		b.text.WriteByte(' ')
	}
}

// isLabel reports whether k is a word in the line that says what the text after it is. Without a colon it begins the line, or stands
// behind a sign: otherwise it is a part of a sentence.
func (b *lineBreaker) isLabel(k *element) bool {
	text := b.textOf(k)
	if longer(text, longestLabel) || !isInline(k.tag) && !k.hidden {
		return false
	}
	if strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：") {
		return true
	}
	before := strings.TrimSpace(b.text.String())
	return (before == "" || strings.ContainsRune(besideLine, lastRune(before))) && k.page.isFieldLabel(text)
}

func lastRune(text string) rune {
	r, _ := utf8.DecodeLastRuneInString(text)
	return r
}

// textOf is the text of an element, shown or, in a closed panel, not.
func (b *lineBreaker) textOf(k *element) string {
	if k.hidden {
		return squeeze(rawText(k.node))
	}
	return k.visibleText()
}

// write adds text, and ends the line at signs that stand for pictures.
func (b *lineBreaker) write(text string) {
	for text != "" {
		at := strings.IndexFunc(text, isPictogram)
		if at < 0 {
			break
		}
		b.text.WriteString(text[:at])
		b.end()
		r, size := utf8.DecodeRuneInString(text[at:])
		b.now.pin = isPinSign(r)
		text = text[at+size:]
	}
	b.text.WriteString(text)
}

// end ends the line. A label or a picture waits for the text that it stands before.
func (b *lineBreaker) end() {
	b.now.text = trimBeside(squeeze(b.text.String()))
	b.text.Reset()
	if b.now.text == "" {
		return
	}
	b.all = addLine(b.all, b.now)
	b.now = line{}
}

// isPictogram reports whether a character is a small picture.
func isPictogram(r rune) bool {
	return r >= 0x2000 && (r >= 0x1F300 && r <= 0x1FAFF || r >= 0x2600 && r <= 0x27BF || r == '⚲' || r == '⏰' || r == '⌚' || r == '⏱')
}

func isPinSign(r rune) bool { return strings.ContainsRune("📍📌🌍🌎🌏🗺🏢⚲", r) }

// isPicture reports whether an element shows a picture, or the name of one.
func (e *element) isPicture() bool {
	switch e.tag {
	case atom.Svg, atom.Img, atom.Picture:
		return true
	case atom.I, atom.Span, atom.Em, atom.B:
		return e.icon || !e.longer(0) && e.hasPinName()
	}
	return e.icon || e.node.Data == "ion-icon" || e.node.Data == "iconify-icon"
}

// isPin reports whether a picture is that of a place: by its class, its address, its title or its name in a font.
func (e *element) isPin() bool {
	if e.hasPinName() {
		return true
	}
	for _, k := range e.page.within(e) {
		if k.hasPinName() || k.node.Data == "title" && namesPin(rawText(k.node)) {
			return true
		}
	}
	return e.tag != atom.Svg && e.tag != atom.Picture && namesPin(rawText(e.node))
}

func (e *element) hasPinName() bool {
	for i := range e.node.Attr {
		switch a := &e.node.Attr[i]; a.Key {
		case "class", "id", "alt", "title", "aria-label", "name", "icon", "data-icon", "data-lucide", "href", "xlink:href":
			if namesPin(a.Val) {
				return true
			}
		case "src":
			if namesPin(a.Val[strings.LastIndexByte(a.Val, '/')+1:]) {
				return true
			}
		}
	}
	return false
}

func namesPin(name string) bool {
	return eachWord(name, func(word string) bool { return pinNames()[word] })
}

// pinNames are what pictures of places are called.
var pinNames = wordsIn("pin class")
