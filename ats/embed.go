package ats

import (
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"
)

// Embedded finds the board that a page of a company shows: in a frame, or by an embed that an adapter knows. base is the
// page's own address; it becomes the page's Url. A page that shows two boards is not decided.
func Embedded(page *goquery.Document, base *url.URL, adapters []Adapter) (system, board string, ok bool) {
	page.Url = base
	type found struct{ system, board string }
	var boards []found
	add := func(f found) {
		if !slices.Contains(boards, f) {
			boards = append(boards, f)
		}
	}
	page.Find("iframe").Each(func(_ int, frame *goquery.Selection) {
		src := frame.AttrOr("src", frame.AttrOr("data-src", ""))
		u, err := base.Parse(strings.TrimSpace(src))
		if err != nil || src == "" {
			return
		}
		if system, board, ok := Match(u, adapters); ok {
			add(found{system, board})
		}
	})
	for _, a := range adapters {
		if e, is := a.(Embedder); is {
			if board, ok := e.Embedded(page); ok {
				add(found{a.Name(), board})
			}
		}
	}
	if len(boards) != 1 {
		return "", "", false
	}
	return boards[0].system, boards[0].board, true
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
func onlyMatch(text string, valid func(string) bool, forms ...*regexp.Regexp) (token string, ok bool) {
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
