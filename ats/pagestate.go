package ats

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// getDocument requests a page of HTML that shows roles, and parses it. A page without an end is cut off, and may lack roles.
func getDocument(ctx context.Context, client Doer, address string) (*goquery.Document, error) {
	content, err := getPage(ctx, client, address)
	if err != nil {
		return nil, err
	}
	return parseWholePage(content)
}

// parseWholePage is parsePage for whole pages that show roles: one without an end is an error. Parts of pages have no
// recognisable end.
func parseWholePage(content []byte) (*goquery.Document, error) {
	if htmlBegin.Match(content) && !htmlEnd.Match(content) {
		return nil, didf("returned a page that is cut off (%d bytes)", len(content))
	}
	return parsePage(content)
}

var (
	htmlBegin = lazyregexp.New(`(?i)<(?:!doctype\s+html|html)\b`)
	htmlEnd   = lazyregexp.New(`(?i)</(?:body|html)\s*>`)
)

// parsePage parses HTML. Every text is a page.
func parsePage(content []byte) (*goquery.Document, error) {
	page, err := goquery.NewDocumentFromReader(bytes.NewReader(content))
	if err != nil {
		return nil, fmt.Errorf("parse page: %w", err)
	}
	return page, nil
}

// pageTitle is the text of a page's title element, or empty.
func pageTitle(content []byte) (string, error) {
	page, err := parsePage(content)
	if err != nil {
		return "", err
	}
	return textOf(page.Find("title").First()), nil
}

// textOf is the text of an element as people see it, white space collapsed.
func textOf(element *goquery.Selection) string { return collapse(element.Text()) }

// noRoles matches how lists in the most common languages say that they have no roles.
var noRoles = lazyregexp.New(`(?i)(?:\b(?:no|0|zero)|(?:\bnot|n['’]t) (?:currently )?(?:have )?any) ` +
	`(?:(?:active|advertised|available|current|currently|job|live|matching|new|open|search|suitable|vacant) ){0,3}` +
	`(?:announcements?|jobs?|openings?|opportunit(?:y|ies)|positions?|postings?|requisitions?|results?|roles?|vacanc(?:y|ies))\b|` +
	`(?:\bnot|n['’]t) (?:actively |currently )?(?:advertising|hiring|recruiting)\b|` +
	`\bkeine (?:\pL+ ){0,2}(?:ergebnisse|jobs|positionen|stellen\pL*|treffer)\b|\baucune? (?:\pL+ ){0,2}(?:emplois?|offres?|postes?|résultats?)\b|` +
	`\b(?:no hay|ninguna?) (?:\pL+ ){0,2}(?:empleos?|ofertas?|puestos?|resultados?|vacantes?)\b|\b(?:não há|nenhuma?) (?:\pL+ ){0,2}(?:oportunidades?|resultados?|vagas?)\b|` +
	`\b(?:nessun[ao]?|non ci sono) (?:\pL+ ){0,2}(?:annunci\pL*|offert[ae]|posizion[ei]|risultat[oi])\b|\bgeen (?:\pL+ ){0,2}(?:functies|resultaten|vacatures)\b`)

// saysNoRoles reports whether the visible text of a page says that there are no roles.
func saysNoRoles(page *goquery.Document) bool {
	body := page.Find("body").Clone()
	body.Find("script, style, template, noscript").Remove()
	return noRoles.MatchString(textOf(body))
}

// linkOf is the address in an element's attribute, resolved against that of its page, or empty.
func linkOf(element *goquery.Selection, attribute, base string) string {
	reference := strings.TrimSpace(element.AttrOr(attribute, ""))
	from, err := url.Parse(base)
	if err != nil || reference == "" {
		return ""
	}
	to, err := from.Parse(reference)
	if err != nil {
		return ""
	}
	return webAddress(to.String())
}

// firstOfEach keeps the first element with text for each key. An element without a key is left out.
func firstOfEach(elements *goquery.Selection, key func(*goquery.Selection) string) *goquery.Selection {
	seen := make(map[string]bool)
	return elements.FilterFunction(func(_ int, element *goquery.Selection) bool {
		k := key(element)
		fresh := k != "" && !seen[k] && textOf(element) != ""
		seen[k] = seen[k] || fresh
		return fresh
	})
}

// nextData decodes what Next.js puts into a page, into what into points at.
func nextData(page *goquery.Document, into any) error {
	return stateIn(page.Find("script#__NEXT_DATA__").First().Text(), "", into)
}

// stateIn decodes the JSON that follows marker in the text of a page or of a script: `window.pageData =`, `"jobs":`. A page
// without the marker, or with something else behind it, is not the page that was promised.
func stateIn(text, marker string, into any) error {
	_, after, ok := strings.Cut(text, marker)
	document := leadingJSON(after)
	if !ok || document == "" {
		return didf("answered with a page without the roles' data")
	}
	return decodeJSON([]byte(document), into)
}

// stateOf decodes the JSON in an element's attribute: the value of a hidden field, or data-something.
func stateOf(element *goquery.Selection, attribute string, into any) error {
	value, ok := element.Attr(attribute)
	if !ok {
		return didf("answered with a page without the roles' data")
	}
	return decodeJSON([]byte(value), into)
}

// leadingJSON is the object or list that a text begins with, as far as its closing bracket; empty when there is none.
// Blanks, "=", ":" and "(" may stand before it.
func leadingJSON(text string) string {
	text = strings.TrimLeft(text, " \t\r\n=:(")
	if text == "" || text[0] != '{' && text[0] != '[' {
		return ""
	}
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return text[:i+1]
			}
		}
	}
	return ""
}

// unquoted is the text that a JSON string stands for: for state that is JSON inside a string of JSON.
func unquoted(document string) (string, error) {
	var text string
	if err := json.Unmarshal([]byte(document), &text); err != nil {
		return "", didf("returned JSON that is broken or cut off (%d bytes)", len(document))
	}
	return text, nil
}
