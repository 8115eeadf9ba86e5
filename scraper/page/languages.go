package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A page in two languages may hold every text in both, beside one another, and show one at a time. Only the texts in the language of
// the page count, or those in the first language where the page names another.

// otherLanguages are the children of an element that say again in another language what those before them say; nil when there are none.
func (b *builder) otherLanguages(n *html.Node) map[*html.Node]bool {
	if n.FirstChild == nil || n.FirstChild == n.LastChild {
		return nil
	}
	var marked []*html.Node
	var codes []string
	var times map[string]int
	for c := range n.ChildNodes() {
		if c.Type != html.ElementNode || c.DataAtom == atom.Li || c.DataAtom == atom.Tr || c.DataAtom == atom.Option || c.DataAtom == atom.A {
			continue
		}
		if code := languageMark(c); code != "" {
			if times == nil {
				times = make(map[string]int)
			}
			marked, codes = append(marked, c), append(codes, code)
			times[code]++
		}
	}
	if len(times) < 2 || len(times)*times[codes[0]] != len(marked) {
		return nil
	}
	kept := codes[0]
	if times[b.language] > 0 {
		kept = b.language
	}
	others := make(map[*html.Node]bool)
	for i, c := range marked {
		if times[codes[i]] != times[kept] || c.Data != marked[0].Data {
			return nil
		}
		if codes[i] != kept {
			others[c] = true
		}
	}
	return others
}

// languageMark is the language that an element is marked with: by its lang, or by a class such as "lang-sv" or "i18n_de".
func languageMark(n *html.Node) string {
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "lang", "data-lang", "data-language", "data-locale":
			return languageCode(a.Val)
		case "class":
			for token := range strings.FieldsSeq(a.Val) {
				if code := languageClass(token); code != "" {
					return code
				}
			}
		}
	}
	return ""
}

// languageClass is the language that a class names: "lang--en", "lang_de", "fr-text", "en".
func languageClass(token string) string {
	const code = 2
	n := len(token)
	switch {
	case n == code:
		return languageCode(token)
	case n < code+2:
	case isClassSign(token[n-code-1]) && languagePrefixes[strings.ToLower(strings.TrimRight(token[:n-code], "-_:"))]:
		return languageCode(token[n-code:])
	case isClassSign(token[code]) && languagePrefixes[strings.ToLower(strings.TrimLeft(token[code:], "-_:"))]:
		return languageCode(token[:code])
	}
	return ""
}

func isClassSign(c byte) bool { return c == '-' || c == '_' || c == ':' }

func languageCode(text string) string {
	code, _, _ := strings.Cut(strings.ToLower(text), "-")
	if languageCodes[code] {
		return code
	}
	return ""
}

var (
	languagePrefixes = set("lang language locale i18n text txt t tr translation only trans content")
	languageCodes    = set(`ar az be bg bn bs ca cs cy da de el en es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka kk ko lb lt lv mk ms mt nb nl
		nn no pl pt ro ru sk sl sq sr sv th tr uk ur uz vi zh`)
)
