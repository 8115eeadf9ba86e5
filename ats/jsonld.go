package ats

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
)

// A linkedPosting is a JobPosting of schema.org as pages carry it for search engines, texts with their entities as they
// stand there.
type linkedPosting struct {
	ID       string // identifier, or its value
	Title    string
	URL      string
	Company  string
	Category string // occupationalCategory or industry, whichever is there
	Places   []string
	Facts    boardwatch.Facts
	Text     said // its description
}

// posting is the role as a board shows it. Remote ones without a place have "Remote".
func (l linkedPosting) posting() boardwatch.Posting {
	p := boardwatch.Posting{Key: l.ID, Title: l.Title, Location: joinPlaces(l.Places...), Department: l.Category, URL: l.URL}
	orRemote(&p, l.Facts.Mode == boardwatch.ModeRemote)
	p.Facts = l.Facts
	describe(&p, l.Text)
	return p
}

// linkedPostings are the roles of a page's JSON-LD in their order, wherever in it they stand: alone, in lists, in @graph, in an
// ItemList. Blocks that are no JSON are passed over.
func linkedPostings(page *goquery.Document) []linkedPosting {
	var found []linkedPosting
	page.Find(`script[type="application/ld+json"]`).Each(func(_ int, script *goquery.Selection) {
		var block any
		if json.Unmarshal(cleanLinked(script.Text()), &block) == nil {
			found = appendLinked(found, block)
		}
	})
	return found
}

// cleanLinked makes JSON of what templates make of it: control characters inside texts, a comment around the block.
func cleanLinked(block string) []byte {
	block = strings.TrimSpace(block)
	block = strings.TrimSuffix(strings.TrimPrefix(block, "<!--"), "-->")
	block = strings.TrimSuffix(strings.TrimSpace(block), ";")
	return []byte(strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, block))
}

func appendLinked(found []linkedPosting, value any) []linkedPosting {
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			found = appendLinked(found, v)
		}
	case map[string]any:
		if isLinkedType(value["@type"], "JobPosting") {
			return append(found, linkedPostingOf(value))
		}
		for _, name := range []string{"@graph", "itemListElement", "item", "mainEntity"} {
			found = appendLinked(found, value[name])
		}
	}
	return found
}

func isLinkedType(types any, name string) bool {
	switch types := types.(type) {
	case string:
		return types == name || strings.HasSuffix(types, "/"+name)
	case []any:
		for _, t := range types {
			if isLinkedType(t, name) {
				return true
			}
		}
	}
	return false
}

func linkedPostingOf(object map[string]any) linkedPosting {
	l := linkedPosting{
		ID:       linkedText(object["identifier"], "value", "name", "@id"),
		Title:    firstText(linkedText(object["title"]), linkedText(object["name"])),
		URL:      linkedText(object["url"], "@id"),
		Company:  linkedText(object["hiringOrganization"], "name"),
		Category: firstText(linkedText(object["occupationalCategory"], "name"), linkedText(object["industry"], "name")),
	}
	facts, description := fact.Linked(object)
	l.Facts, l.Text = facts, said(description)
	places, isList := object["jobLocation"].([]any)
	if !isList {
		places = []any{object["jobLocation"]}
	}
	for _, p := range places {
		if s := linkedPlace(p); s != "" {
			l.Places = append(l.Places, s)
		}
	}
	return l
}

// linkedPlace is a Place in the usual order: city, region, country; its name or plain text where it has no address.
func linkedPlace(value any) string {
	object, ok := value.(map[string]any)
	if !ok {
		return collapse(linkedText(value))
	}
	address, ok := object["address"].(map[string]any)
	if !ok {
		return collapse(firstText(linkedText(object["address"]), linkedText(object["name"])))
	}
	s := place(linkedText(address["addressLocality"], "name"), linkedText(address["addressRegion"], "name"), linkedText(address["addressCountry"], "name"))
	return firstText(s, collapse(linkedText(address["name"])), collapse(linkedText(object["name"])))
}

// linkedText is a value as text: itself, the first of a list, or the first of an object's named parts that is there.
func linkedText(value any, parts ...string) string {
	switch value := value.(type) {
	case string:
		return value
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	case []any:
		for _, v := range value {
			if s := linkedText(v, parts...); s != "" {
				return s
			}
		}
	case map[string]any:
		for _, part := range parts {
			if s := linkedText(value[part]); s != "" {
				return s
			}
		}
	}
	return ""
}
