package ats

import (
	"context"
	"html"
	"iter"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// Embed is a board that a page shows.
type Embed struct{ System, Board string }

// maxFrames is how many frames of a page are looked at, each address once.
const maxFrames = 500

// Embeds are the boards that a page of a company shows, of one system after another: in a frame, or by an embed that an adapter
// knows. base is the page's own address; it becomes the page's Url. A board may come twice. When the context ends, no more come.
func Embeds(ctx context.Context, page *goquery.Document, base *url.URL, adapters []Adapter) iter.Seq[Embed] {
	page.Url = base
	return func(yield func(Embed) bool) {
		frames := framesOf(page, base)
		for _, a := range adapters {
			if ctx.Err() != nil {
				return
			}
			for _, u := range frames {
				if board, ok := a.Match(u); ok && !yield(Embed{a.Name(), board}) {
					return
				}
			}
			if e, is := a.(Embedder); is {
				if board, ok := e.Embedded(page); ok && !yield(Embed{a.Name(), board}) {
					return
				}
			}
		}
	}
}

// framesOf are where the page's frames lead.
func framesOf(page *goquery.Document, base *url.URL) []*url.URL {
	var frames []*url.URL
	seen := make(map[string]bool)
	page.Find("iframe").EachWithBreak(func(_ int, frame *goquery.Selection) bool {
		src := strings.TrimSpace(frame.AttrOr("src", frame.AttrOr("data-src", "")))
		if src == "" || seen[src] {
			return true
		}
		seen[src] = true
		if u, err := base.Parse(src); err == nil {
			frames = append(frames, u)
		}
		return len(seen) < maxFrames
	})
	return frames
}

// ownHost is the host of the page itself, for systems whose boards live at addresses of the companies' own. It is empty
// unless the page has an address on the web.
func ownHost(page *goquery.Document) string {
	a, ok := parseAddress(page.Url)
	if !ok || !isHost(a.host) {
		return ""
	}
	return a.host
}

// scriptsOf is what a page's scripts say and where they come from, one per line.
func scriptsOf(page *goquery.Document) string {
	var b strings.Builder
	page.Find("script").Each(func(_ int, script *goquery.Selection) {
		b.WriteString(html.UnescapeString(script.AttrOr("src", "")))
		b.WriteByte('\n')
		b.WriteString(unescapeScript.Replace(script.Text()))
		b.WriteByte('\n')
	})
	return b.String()
}

// unescapeScript undoes the ways in which addresses are written inside JSON and scripts.
var unescapeScript = strings.NewReplacer(`\/`, `/`, `\u002F`, `/`, `\u002f`, `/`, `\u0026`, `&`, `&amp;`, `&`)

// onlyMatch is the token that the forms capture in text, when they agree on one.
func onlyMatch(text string, valid func(string) bool, forms ...*lazyregexp.Regexp) (token string, ok bool) {
	for _, form := range forms {
		for _, m := range form.FindAllStringSubmatch(text, -1) {
			if !valid(m[1]) {
				continue
			}
			if token != "" && token != m[1] {
				return "", false
			}
			token = m[1]
		}
	}
	return token, token != ""
}
