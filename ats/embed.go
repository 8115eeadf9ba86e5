package ats

import (
	"html"
	"regexp"
	"strings"

	"github.com/PuerkitoBio/goquery"
)

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
