package wall

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// evidence is what an answer holds that may betray a wall. Comments are left out, and texts are decoded: some vendors write
// theirs in numeric entities.
type evidence struct {
	status int
	header http.Header
	at     *url.URL

	title     string
	ids       map[string]bool // of elements, and their classes
	script    string          // of inline scripts
	addresses string          // of scripts, frames, forms, styles and refreshes, one on each line
	text      string          // visible text
	runes     int             // length of text
}

const (
	maxBytes = 128 << 10 // of an answer that are read
	maxText  = 1500      // a page that shows more than this is no wall
)

func evidenceOf(status int, header http.Header, at *url.URL, body []byte) *evidence {
	e := &evidence{status: status, header: header, at: at, ids: make(map[string]bool)}
	e.look(body[:min(len(body), maxBytes)])
	e.runes = utf8.RuneCountInString(e.text)
	return e
}

// look reads the page token by token: building its tree would cost more.
func (e *evidence) look(body []byte) {
	var title, script, addresses, text strings.Builder
	into := &text
	z := html.NewTokenizer(bytes.NewReader(body))
	for {
		switch z.Next() {
		case html.ErrorToken:
			e.title, e.script, e.addresses, e.text = strings.TrimSpace(title.String()), script.String(), addresses.String(), text.String()
			return
		case html.TextToken:
			if t := strings.Join(strings.Fields(string(z.Text())), " "); t != "" && into != nil {
				into.WriteString(t + " ")
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			switch atom.Lookup(name) {
			case atom.Title:
				into = &title
			case atom.Script:
				into = &script
			case atom.Style:
				into = nil
			default:
				into = &text
			}
			e.attributes(z, &addresses)
		case html.EndTagToken:
			into = &text
		default:
		}
	}
}

func (e *evidence) attributes(z *html.Tokenizer, addresses *strings.Builder) {
	for {
		key, value, more := z.TagAttr()
		switch string(key) {
		case "id", "class":
			for name := range strings.FieldsSeq(string(value)) {
				e.ids[name] = true
			}
		case "src", "href", "action", "content":
			addresses.WriteString(string(value) + "\n")
		}
		if !more {
			return
		}
	}
}

// bare reports whether the page shows little text. Marks that healthy pages may hold too count only on bare pages.
func (e *evidence) bare() bool { return e.runes <= maxText }

func (e *evidence) titled(title string) bool {
	return strings.Contains(strings.ToLower(e.title), title)
}

func (e *evidence) says(words ...string) bool {
	text := strings.ToLower(e.text)
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func (e *evidence) runs(script string) bool { return strings.Contains(e.script, script) }

func (e *evidence) leads(address string) bool { return strings.Contains(e.addresses, address) }

// head is a header's value in lower case.
func (e *evidence) head(name string) string {
	return strings.ToLower(strings.TrimSpace(e.header.Get(name)))
}

// on reports whether the host or path of the answer contains part.
func (e *evidence) on(part string) bool {
	return e.at != nil && strings.Contains(e.at.Host+e.at.Path, part)
}
