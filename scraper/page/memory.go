package page

import (
	"bytes"
	"errors"
	"io"
	"unsafe"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/internal/turn"
)

// MaxMemory is how much memory reading one page may take, in bytes, as Memory estimates it.
const MaxMemory = 64 << 20

// ErrTooLarge is the error of Memory for a page that would take more than MaxMemory, or no end of time.
var ErrTooLarge = errors.New("the page has too many elements")

// What reading takes for each part of a page, in bytes: the parser's tree, our list of elements, and what is noted about
// them while roles are looked for. BenchmarkMemory compares the estimate with what is really taken.
const (
	nodeMemory    = int64(unsafe.Sizeof(html.Node{})) + 8 // as it is allocated
	elementMemory = nodeMemory + int64(unsafe.Sizeof(element{})) + 52
	textMemory    = nodeMemory + 16
	attrMemory    = 2 * int64(unsafe.Sizeof(html.Attribute{})) // lists of attributes grow by doubling
	tagMemory     = 24                                         // of any tag, also one that makes no element: the time that it takes
	byteMemory    = 4                                          // of the bytes of a page: its text in the tree, and as it is shown
	objectMemory  = 500                                        // of an object in data, once decoded
	linkMemory    = 1600                                       // more, of a link: it may be a role
	headMemory    = 300                                        // more, of a heading
	bigMemory     = 6                                          // more, of the bytes of a text that is longer than bigText: buffers, and data in it
	bigText       = 64 << 10
	smallText     = 1 << 10
)

// maxTagAttributes is how many attributes one tag may have. The tokenizer keeps a list of them that only grows, and clears it
// at each tag.
const maxTagAttributes = 500

// Memory estimates what parsing a page and looking for roles on it takes, without building anything. It is not less than
// what the page can make the parser build: tags that are missing are counted, and open formatting counts again in every block,
// whether the parser repeats it there or not.
func Memory(work *turn.Work, body []byte) (int64, error) {
	m := &measure{body: body, need: int64(len(body)) * byteMemory}
	z := html.NewTokenizer(&stepping{work, m})
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		m.token(z, kind)
		m.at += len(z.Raw())
		if m.need > MaxMemory || m.tooMany {
			return m.need, ErrTooLarge
		}
	}
	if m.tooMany || z.Err() != io.EOF { //nolint:errorlint // the tokenizer passes on what Read says
		return m.need, ErrTooLarge
	}
	m.data(body[min(m.at, len(body)):]) // of a tag or comment without an end
	if m.ambiguous {
		m.need += crudeMemory(body)
	}
	if m.need > MaxMemory {
		return m.need, ErrTooLarge
	}
	return m.need, nil
}

// measure feeds a page to the tokenizer and adds up what the tokens will take.
type measure struct {
	body []byte
	need int64

	at      int // where the current token begins
	given   int // how much the tokenizer was given
	tag     tagScan
	tooMany bool // attributes in one tag

	blocks  int      // that have begun or ended
	filled  int      // how many had when the last text came
	formats []format // formatting that nothing has ended
	repeats int64    // what it takes to open all of it again

	foreign   int  // how deep in SVG or MathML
	ambiguous bool // the parser may see other tokens than these
}

// format is an open formatting element. The parser opens it again in each block that begins before it is closed.
type format struct {
	tag    atom.Atom
	text   string // as it is written
	need   int64
	blocks int // that had begun or ended before
}

// chunk is how much the tokenizer is given at a time: it has no limit of attributes, so none are read that were not looked
// at first.
const chunk = 1 << 10

// Read gives the tokenizer the next part of the page, unless the tag that it is reading has too many attributes.
func (m *measure) Read(p []byte) (int, error) {
	if m.given >= len(m.body) {
		return 0, io.EOF
	}
	if m.tag.at != m.at {
		m.tag = tagScan{at: m.at}
	}
	if m.tag.scan(m.body[m.at:m.given]); m.tag.attributes > maxTagAttributes {
		m.tooMany = true
		return 0, ErrTooLarge
	}
	n := copy(p[:min(len(p), chunk)], m.body[m.given:])
	m.given += n
	return n, nil
}

// tagScan counts the attributes of a tag as it comes, part by part.
type tagScan struct {
	at         int // where the tag begins
	scanned    int
	attributes int
	in         byte // a quote; '=' before a value, 'v' in one without quotes, 'a' in a name, ' ' after one, 'n' in the tag's own, '>' at its end
}

func (s *tagScan) scan(tag []byte) {
	if s.scanned == 0 {
		name, ok := bytes.CutPrefix(tag, []byte("<"))
		if name = bytes.TrimPrefix(name, []byte("/")); !ok || len(name) == 0 || !isLetter(name[0]) {
			return
		}
		s.in = 'n'
	}
	for _, c := range tag[s.scanned:] {
		s.next(c)
	}
	s.scanned = len(tag)
}

func (s *tagScan) next(c byte) {
	gap := isSpace(c) || c == '/'
	if c == '>' && s.in != '"' && s.in != '\'' {
		s.in = '>'
	}
	switch s.in {
	case '>': // the tag has ended, or is none: a text may begin like one
	case '"', '\'':
		if c == s.in {
			s.in = ' '
		}
	case '=':
		switch {
		case c == '"' || c == '\'':
			s.in = c
		case !isSpace(c):
			s.in = 'v'
		}
	case 'v', 'n':
		if isSpace(c) || c == '/' && s.in == 'n' {
			s.in = ' '
		}
	case 'a':
		switch {
		case c == '=':
			s.in = '='
		case gap:
			s.in = ' '
		}
	default:
		switch {
		case c == '=' && s.attributes > 0:
			s.in = '='
		case !gap:
			s.attributes++
			s.in = 'a'
		}
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' }

func (m *measure) token(z *html.Tokenizer, kind html.TokenType) {
	switch kind {
	case html.TextToken:
		m.repeat()
		m.need += textMemory
		m.data(z.Raw())
	case html.CommentToken, html.DoctypeToken:
		m.need += textMemory
		m.ambiguous = m.ambiguous || m.foreign > 0 && bytes.HasPrefix(z.Raw(), []byte("<![CDATA["))
	case html.StartTagToken, html.SelfClosingTagToken:
		m.start(z, kind)
	case html.EndTagToken:
		name, _ := z.TagName()
		m.need += tagMemory
		m.end(atom.Lookup(name))
	default:
	}
}

// data counts a long text, which may be data, and is then decoded.
func (m *measure) data(text []byte) {
	if len(text) < smallText {
		return
	}
	if len(text) > bigText {
		m.need += bigMemory * int64(len(text))
	}
	for i := bytes.IndexByte(text, '{'); i >= 0 && i+1 < len(text); {
		if text[i+1] != '}' {
			m.need += objectMemory
		}
		next := bytes.IndexByte(text[i+1:], '{')
		if next < 0 {
			return
		}
		i += 1 + next
	}
}

func (m *measure) start(z *html.Tokenizer, kind html.TokenType) {
	raw := string(z.Raw()) // the names and values are changed in place
	name, more := z.TagName()
	tag := atom.Lookup(name)
	taken, attrs := int64(0), 0
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		attrs++
		taken += attrMemory + int64(len(value))
		m.data(value)
		if atom.Lookup(key) == 0 {
			taken += int64(len(key)) + 16
		}
	}
	m.tooMany = m.tooMany || attrs > maxTagAttributes
	m.need += tagMemory + taken + elementMemory*(1+implied(tag))
	switch {
	case tag == atom.A:
		m.need += linkMemory
	case headingLevel(tag) > 0:
		m.need += headMemory
	}
	switch {
	case tag == atom.Svg || tag == atom.Math:
		m.foreign++
		if kind == html.SelfClosingTagToken {
			m.foreign--
		}
	case m.foreign > 0:
		m.ambiguous = m.ambiguous || m.markupIn(name, z)
	case isFormatting(tag):
		m.format(tag, raw, elementMemory+taken)
	case isVoid(tag), isInline(tag), tag == 0:
		m.repeat()
	default:
		m.blocks++
	}
}

// markupIn reports whether the raw text of an element has markup in it, which in SVG the parser takes for such.
func (m *measure) markupIn(name []byte, z *html.Tokenizer) bool {
	switch string(name) {
	case "iframe", "noembed", "noframes", "noscript", "plaintext", "script", "style", "textarea", "title", "xmp":
	default:
		return false
	}
	after := m.body[min(m.at+len(z.Raw()), len(m.body)):]
	i := bytes.IndexByte(after, '<')
	return i >= 0 && !bytes.HasPrefix(bytes.ToLower(after[i:min(i+2+len(name), len(after))]), append([]byte("</"), name...))
}

// format opens formatting. The parser keeps three that are written alike.
func (m *measure) format(tag atom.Atom, text string, need int64) {
	m.repeat()
	alike, first := 0, -1
	for i, f := range m.formats {
		if f.text == text {
			if alike++; alike == 1 {
				first = i
			}
		}
	}
	if tag == atom.A || tag == atom.Nobr { // begins by ending the one before
		m.unformat(tag)
	}
	if alike >= 3 {
		m.formats = append(m.formats[:first], m.formats[first+1:]...)
		m.repeats -= need
	}
	m.formats = append(m.formats, format{tag, text, need, m.blocks})
	m.repeats += need
}

// repeat counts the open formatting again if a block has begun or ended: the parser may have closed it there and open it again.
func (m *measure) repeat() {
	if m.blocks != m.filled {
		m.need += m.repeats
	}
	m.filled = m.blocks
}

func (m *measure) end(tag atom.Atom) {
	switch {
	case tag == atom.Svg || tag == atom.Math:
		m.foreign = max(0, m.foreign-1)
	case m.foreign > 0:
	case isFormatting(tag):
		m.unformat(tag)
	default:
		if m.blocks++; tag == atom.P || tag == atom.Br {
			m.need += elementMemory // without a beginning it makes an empty element
		}
	}
}

// unformat ends formatting. Where blocks are in between, the parser copies it and what stands around it, for up to eight
// elements of the kind.
func (m *measure) unformat(tag atom.Atom) {
	last, kind := -1, 0
	for i, f := range m.formats {
		if f.tag == tag {
			last = i
			kind++
		}
	}
	if last < 0 {
		return
	}
	f := m.formats[last]
	if f.blocks != m.blocks {
		m.need += int64(min(kind, 8)) * 4 * f.need
	}
	m.formats = append(m.formats[:last], m.formats[last+1:]...)
	m.repeats -= f.need
}

// implied is how many elements the parser may add so that a tag can stand where it does.
func implied(tag atom.Atom) int64 {
	switch tag {
	case atom.Td, atom.Th:
		return 2
	case atom.Tr, atom.Col:
		return 1
	}
	return 0
}

func isFormatting(tag atom.Atom) bool {
	switch tag {
	case atom.A, atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.Nobr, atom.S, atom.Small, atom.Strike, atom.Strong,
		atom.Tt, atom.U:
		return true
	}
	return false
}

func isVoid(tag atom.Atom) bool {
	switch tag {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Image, atom.Img, atom.Input, atom.Keygen, atom.Link,
		atom.Meta, atom.Param, atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}

// crudeMemory is what a page can take at most, whatever its bytes are taken for.
func crudeMemory(body []byte) (need int64) {
	for i, c := range body {
		switch {
		case c == '<' && i+1 < len(body) && isLetter(body[i+1]):
			need += elementMemory + textMemory
		case c == '<':
			need += 2 * textMemory
		case c == '=' || isSpace(c) || c == '/':
			need += attrMemory
		}
	}
	return need
}
