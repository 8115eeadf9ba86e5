package markdown

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxDepth is how many lists may lie in one another.
const maxDepth = 8

// The marks of a text that lie in one another, from the outermost.
const (
	linkMark = iota
	strongMark
	emphasisMark
	marks
)

// A gap is what stands between two texts.
type gap int

const (
	noGap gap = iota
	blank
	newLine // of a list, a row
	breakLine
	paragraph
)

// A writer writes Markdown while it reads HTML, in one pass: what Markdown has words for, the text of all other elements,
// and nothing of those that nobody reads. Gaps and marks are written when the text comes that needs them.
type writer struct {
	base    *url.URL
	limit   int // of what is written; a word goes beyond it
	out     []byte
	gap     gap
	lists   []list
	marker  bool // the next text begins an entry of the innermost list
	heading int

	strong, emphasis int           // how many of these elements are open
	link             string        // what ends the open one, with where it leads
	open             [marks]string // the marks that are written, each with what ends it
}

type list struct {
	ordered bool
	entries int
	width   int // of the marker before its latest entry
}

func (w *writer) read(document string) {
	z := html.NewTokenizer(strings.NewReader(document))
	hidden, depth := atom.Atom(0), 0 // the element that nobody reads, and how many of its kind are open
	for len(w.out) <= w.limit {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		if kind == html.TextToken {
			if hidden == 0 {
				w.text(html.UnescapeString(string(z.Text()))) // which some escape twice
			}
			continue
		}
		name, hasAttr := z.TagName()
		a := atom.Lookup(name)
		switch {
		case hidden != 0 && a == hidden && kind == html.StartTagToken:
			depth++
		case hidden != 0 && a == hidden && kind == html.EndTagToken:
			if depth--; depth == 0 {
				hidden = 0
			}
		case hidden != 0:
		case kind == html.StartTagToken && unread(a):
			hidden, depth = a, 1
		case kind == html.StartTagToken, kind == html.SelfClosingTagToken:
			if a == atom.A {
				if w.link = w.address(href(z, hasAttr)); w.link != "" {
					w.link = "](" + w.link + ")"
				}
			}
			w.tag(a, 1)
		case kind == html.EndTagToken:
			if a == atom.A {
				w.link = ""
			}
			w.tag(a, -1)
		}
	}
	w.close(0)
}

// unread reports whether an element holds nothing for readers.
func unread(a atom.Atom) bool {
	switch a {
	case atom.Script, atom.Style, atom.Svg, atom.Math, atom.Iframe, atom.Object, atom.Noscript, atom.Template, atom.Title, atom.Head,
		atom.Select, atom.Textarea, atom.Button, atom.Video, atom.Audio, atom.Canvas, atom.Noembed, atom.Noframes:
		return true
	}
	return false
}

func href(z *html.Tokenizer, more bool) string {
	for more {
		var key, value []byte
		if key, value, more = z.TagAttr(); string(key) == "href" {
			return string(value)
		}
	}
	return ""
}

// tag takes the beginning (by 1) or the end (by -1) of an element.
func (w *writer) tag(a atom.Atom, by int) {
	switch a {
	case atom.Strong, atom.B:
		w.strong = max(0, w.strong+by)
	case atom.Em, atom.I:
		w.emphasis = max(0, w.emphasis+by)
	case atom.Br:
		if w.gap >= breakLine {
			w.apart(paragraph)
		}
		w.apart(breakLine)
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		w.apart(paragraph)
		if w.heading = 0; by > 0 {
			w.heading = int(a.String()[1] - '0')
		}
	case atom.Ul, atom.Ol:
		w.list(a, by)
	case atom.Li:
		w.apart(newLine)
		if w.marker = by > 0 && len(w.lists) > 0; w.marker {
			w.lists[len(w.lists)-1].entries++
		}
	case atom.Tr, atom.Dt, atom.Dd:
		w.apart(breakLine)
	case atom.Td, atom.Th:
		w.apart(blank)
	case atom.P, atom.Div, atom.Section, atom.Article, atom.Header, atom.Footer, atom.Main, atom.Aside, atom.Nav, atom.Blockquote, atom.Pre, atom.Table,
		atom.Caption, atom.Dl, atom.Hr, atom.Figure, atom.Figcaption, atom.Address, atom.Details, atom.Summary, atom.Body, atom.Form, atom.Fieldset, atom.Legend:
		w.apart(paragraph)
	}
}

func (w *writer) list(a atom.Atom, by int) {
	switch {
	case by > 0 && len(w.lists) < maxDepth:
		w.lists = append(w.lists, list{ordered: a == atom.Ol})
	case by < 0 && len(w.lists) > 0:
		w.lists = w.lists[:len(w.lists)-1]
	}
	w.marker = false
	if w.apart(newLine); len(w.lists) <= 1 && (by < 0) == (len(w.lists) == 0) {
		w.apart(paragraph)
	}
}

// apart asks for a gap before the next text. Between a marker and the text of its entry there is none.
func (w *writer) apart(g gap) {
	if !w.marker || g == newLine {
		w.gap = max(w.gap, g)
	}
}

// text writes a text, whose white space is worth one blank.
func (w *writer) text(text string) {
	for text != "" {
		at := strings.IndexFunc(text, isBlank)
		if at == 0 {
			w.gap = max(w.gap, blank)
			text = strings.TrimLeftFunc(text, isBlank)
			continue
		}
		if at < 0 {
			at = len(text)
		}
		if word := strings.Map(visible, text[:at]); word != "" {
			w.word(word)
		}
		text = text[at:]
	}
}

func isBlank(r rune) bool { return unicode.IsSpace(r) || r == '\u200b' }

func (w *writer) word(word string) {
	wanted := [marks]string{}
	if w.link != "" {
		wanted[linkMark] = w.link
	}
	if w.strong > 0 && w.heading == 0 {
		wanted[strongMark] = "**"
	}
	if w.emphasis > 0 && w.heading == 0 {
		wanted[emphasisMark] = "*"
	}
	same := 0
	for same < marks && wanted[same] == w.open[same] && w.gap < newLine {
		same++
	}
	w.close(same)
	begins := w.space()
	for mark := same; mark < marks; mark++ {
		switch {
		case wanted[mark] == "":
		case mark == linkMark:
			w.out = append(w.out, '[')
		default:
			w.out = append(w.out, wanted[mark]...)
		}
		begins = begins && wanted[mark] == ""
		w.open[mark] = wanted[mark]
	}
	w.escape(word, begins)
}

// close ends the marks from one on.
func (w *writer) close(from int) {
	for mark := marks - 1; mark >= from; mark-- {
		w.out = append(w.out, w.open[mark]...)
		w.open[mark] = ""
	}
}

// space writes the gap, and reports whether a line begins.
func (w *writer) space() (begins bool) {
	g := w.gap
	w.gap = noGap
	if w.marker && len(w.lists) > 0 && w.lists[len(w.lists)-1].entries > 1 {
		g = min(g, newLine)
	}
	if w.heading > 0 && g == breakLine && !w.marker && len(w.out) > 0 && w.out[len(w.out)-1] != '\n' {
		g = blank
	}
	switch {
	case len(w.out) == 0:
	case g == noGap:
		return false
	case g == blank:
		w.out = append(w.out, ' ')
		return false
	case g == breakLine:
		w.out = append(w.out, "  \n"...)
	case g == newLine:
		w.out = append(w.out, '\n')
	case g == paragraph:
		w.out = append(w.out, "\n\n"...)
	}
	for i := range w.lists {
		l := &w.lists[i]
		if i < len(w.lists)-1 || !w.marker {
			w.out = append(w.out, "    "[:l.width]...)
			continue
		}
		marker := "- "
		if l.ordered {
			marker = strconv.Itoa(l.entries) + ". "
		}
		w.out, l.width = append(w.out, marker...), min(len(marker), 4)
	}
	w.marker = false
	if w.heading > 0 {
		w.out = append(append(w.out, "######"[:w.heading]...), ' ')
	}
	return w.heading == 0
}

// escape writes a word so that Markdown makes no more of it. begins says that it begins a line.
func (w *writer) escape(word string, begins bool) {
	for i, r := range word {
		inside := i > 0 && i+1 < len(word)
		switch {
		case r == '\\', r == '*', r == '`', r == '<', r == '_' && !inside, r == '&' && strings.IndexByte(word[i:min(len(word), i+12)], ';') > 0,
			(r == '[' || r == ']') && w.open[linkMark] != "", begins && i == 0 && (r == '#' || r == '>' || r == '=' || r == '~'):
			w.out = append(w.out, '\\')
		}
		w.out = utf8.AppendRune(w.out, r)
	}
}

// address is the complete address of a web page, without what tells visitors apart; empty if it is none.
func (w *writer) address(link string) string {
	u, err := url.Parse(strings.TrimSpace(link))
	if err != nil || len(link) > maxAddress || link == "" {
		return ""
	}
	if w.base != nil && w.base.Host != "" {
		u = w.base.ResolveReference(u)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return ""
	}
	if u.RawQuery != "" {
		kept := strings.Split(u.RawQuery, "&")
		n := 0
		for _, parameter := range kept {
			if name, _, _ := strings.Cut(strings.ToLower(parameter), "="); !tracks(name) {
				kept[n] = parameter
				n++
			}
		}
		u.RawQuery = strings.Join(kept[:n], "&")
	}
	return inMarkdown.Replace(strings.Map(visible, u.String()))
}

//nolint:gochecknoglobals // a constant table
var inMarkdown = strings.NewReplacer("(", "%28", ")", "%29", "<", "%3C", ">", "%3E", "[", "%5B", "]", "%5D", `\`, "%5C", " ", "%20", "*", "%2A", "`", "%60")

const maxAddress = 2000

// tracks reports whether a parameter of an address tells who followed it from where.
func tracks(name string) bool {
	switch name {
	case "gclid", "fbclid", "msclkid", "dclid", "mc_cid", "mc_eid", "_hsenc", "_hsmi", "igshid", "trk", "gh_src", "lever-source", "yclid", "li_fat_id":
		return true
	}
	return strings.HasPrefix(name, "utm_")
}
