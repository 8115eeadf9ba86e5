package ats

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// A board of iCIMS is a whole host: companies have several portals, whose names have
// nothing in common but the end.
func init() {
	register(namer{employer: icimsEmployer, declared: &declared{
		name: "icims",
		about: About{
			Name: "iCIMS", Site: "icims.com",
			Addresses: []string{
				"careers-{company}.icims.com", "{portal}-{company}.icims.com/jobs/search", "{portal}-{company}.icims.com/jobs/{role}/job",
			},
			Endpoint: "GET https://{host}/jobs/search?ss=1&in_iframe=1&pr=0",
			Reads:    "id, title, places, department or category where they are shown, address, number of pages; company from the page of one role",
			Evidence: Recording,
		},
		board: func(a address) string { return a.host },
		valid: isICIMSBoard,
		page:  func(board string) string { return "https://" + board + "/jobs/search?ss=1" },
		pages: paged{most: 500, repeats: true},
		open:  icimsJobs,
	}})
}

func isICIMSBoard(host string) bool {
	label := address{host: host}.tenant("icims.com")
	return label != "" && !strings.HasPrefix(label, "login") && !strings.HasPrefix(label, "cdn") && label != "media" && label != "developer-community"
}

const (
	icimsDate  = "1/2/2006 3:04 PM"
	icimsCards = "li.iCIMS_JobCardItem"
	icimsLeast = 20 // no portal shows fewer roles on a page that is full
)

// icimsJobs requests page after page in their order, because the portal keeps the next one in its session.
func icimsJobs(ctx context.Context, client Doer, board string) func(at turn) (page, error) {
	l := icimsList{board: board, seen: make(map[string]bool)}
	return func(at turn) (page, error) {
		document, err := getDocument(ctx, client, l.address(at.page))
		if err != nil {
			return page{}, err
		}
		return l.page(document, at.page)
	}
}

// icimsList is a portal's list as far as it was read.
type icimsList struct {
	board string
	pages int // as many as the portal said that there are
	seen  map[string]bool
}

func (l *icimsList) address(page int) string {
	return fmt.Sprintf("https://%s/jobs/search?ss=1&in_iframe=1&pr=%d", l.board, page)
}

var (
	icimsMarker = lazyregexp.New(`\b(?i:page|seite|página|pagina|sida|side|strona)\s+([0-9]{1,4})\s+(?i:of|von|sur|de|di|van|av|af|z)\s+([0-9]{1,4})\b`)
	icimsLink   = lazyregexp.New(`[?&]pr=([0-9]{1,4})(?:&|#|$)`)
)

// page reads one page. What it says of itself must fit: sessions sometimes give the page next to the one asked for.
func (l *icimsList) page(document *goquery.Document, number int) (page, error) {
	current, pages := icimsPages(document)
	l.pages = max(l.pages, pages)
	rows := icimsRows(document)
	silent := current == 0 && l.pages == 1 // nothing is said of pages: there may be one
	switch {
	case rows.Length() == 0 && document.Find(`[class*="iCIMS_ListingsPage"], [class*="iCIMS_JobsTable"]`).Length() == 0:
		return page{}, didf("shows a page that is not a list of roles")
	case current > 0 && current != number+1:
		return page{}, didf("returned page %d instead", current)
	case rows.Length() == 0 && document.Find(`a[href*="/jobs/"]`).FilterFunction(isICIMSRole).Length() > 0:
		return page{}, didf("shows roles, but no list of them")
	case rows.Length() == 0 && (number > 0 || l.pages > 1) && !silent:
		return page{}, didf("shows no roles there, though it says that it has %d pages", l.pages)
	}
	p, err := pageOfCards(rows, 0, l.posting)
	if err != nil {
		return p, err
	}
	fresh := false
	for _, posting := range p.Postings {
		fresh = fresh || !l.seen[posting.Key]
		l.seen[posting.Key] = true
	}
	if rows.Length() > 0 && !fresh && current == 0 {
		return page{}, didf("shows nothing new")
	}
	p.last = number+1 >= l.pages && (!silent || rows.Length() < icimsLeast)
	return p, nil
}

// icimsPages is which page this is, 0 when it does not say so, and how many there are.
func icimsPages(document *goquery.Document) (current, pages int) {
	pages = 1
	if m := icimsMarker.FindStringSubmatch(icimsText(document)); m != nil {
		current, _ = strconv.Atoi(m[1]) // digits, as the form says
		pages, _ = strconv.Atoi(m[2])
	}
	document.Find(`a[href*="pr="], option[value*="pr="], link[href*="pr="]`).Each(func(_ int, link *goquery.Selection) {
		if m := icimsLink.FindStringSubmatch(link.AttrOr("href", link.AttrOr("value", ""))); m != nil {
			index, _ := strconv.Atoi(m[1])
			pages = max(pages, index+1)
		}
	})
	return current, pages
}

// icimsText is what a page says, a blank between any two of its parts: numbers of pages stand side by side.
func icimsText(document *goquery.Document) string {
	var said strings.Builder
	document.Find("body *").Not("script, style").Contents().Each(func(_ int, part *goquery.Selection) {
		if goquery.NodeName(part) == "#text" {
			said.WriteString(part.Text())
			said.WriteByte(' ')
		}
	})
	return said.String()
}

// icimsRows are the cards of roles, or the rows of older tables.
func icimsRows(document *goquery.Document) *goquery.Selection {
	if items := document.Find(icimsCards); items.Length() > 0 {
		return items
	}
	return document.Find(".iCIMS_JobsTable > .row, .iCIMS_JobsTable tr").FilterFunction(func(_ int, row *goquery.Selection) bool {
		return row.Find("a.iCIMS_Anchor").Length() > 0
	})
}

var icimsRole = lazyregexp.New(`/jobs/([0-9]+)/`)

// isICIMSRole reports whether a link leads to a role.
func isICIMSRole(_ int, link *goquery.Selection) bool {
	return icimsRole.MatchString(link.AttrOr("href", ""))
}

func (l *icimsList) posting(card *goquery.Selection) (boardwatch.Posting, bool) {
	anchor := card.Find(`a.iCIMS_Anchor[href*="/jobs/"], a[href*="/jobs/"]`).First()
	p := boardwatch.Posting{URL: linkOf(anchor, "href", l.address(0))}
	p.URL, _, _ = strings.Cut(p.URL, "?")
	p.Key = captured(icimsRole, p.URL)
	if p.Title = textOf(anchor.Find("h1, h2, h3, h4").First()); p.Title == "" {
		plain := anchor.Clone()
		plain.Find(".sr-only, .field-label").Remove()
		p.Title = textOf(plain)
	}
	fields := icimsFields(card)
	p.Location = icimsPlaces(fields.value(icimsPlaceLabel))
	p.Department = firstText(fields.value(icimsDepartmentLabel), fields.value(icimsCategoryLabel))
	p.Facts.Requisition = fields.value(icimsNumberLabel)
	employment(&p.Facts, said(fields.value(icimsTypeLabel)))
	p.Facts.PostedAt = fact.Date(firstText(card.Find(`span[title]`).First().AttrOr("title", ""), fields.value(icimsDateLabel)), icimsDate, fact.American)
	return p, true
}

// icimsField is one of the labelled values of a card. Which ones there are, and what they are called, each company decides.
type icimsField struct{ label, value string }

type icimsFieldList []icimsField

var (
	icimsPlaceLabel      = lazyregexp.New(`(?i)\blocations?\b|standort|arbeitsort|\blieux?\b|ubicaci|localit|localiza|vestiging|\bsede\b`)
	icimsDepartmentLabel = lazyregexp.New(`(?i)\bdepartment\b|abteilung|département|departamento|afdeling`)
	icimsNumberLabel     = lazyregexp.New(`(?i)^(?:job |req(?:uisition)? )?id$|^(?:job|req(?:uisition)?) (?:number|#)$`)
	icimsTypeLabel       = lazyregexp.New(`(?i)^(?:position|employment|job|contract) type$|^type$|^(?:employment|full/part) (?:status|time)$`)
	icimsDateLabel       = lazyregexp.New(`(?i)^(?:date )?posted(?: date)?$|^posting date$`)
	icimsCategoryLabel   = lazyregexp.New(`(?i)\bcategor(?:y|ies)\b|\bjob family\b|kategorie|catégorie|categor[íi]a`)
)

func icimsFields(card *goquery.Selection) icimsFieldList {
	var fields icimsFieldList
	card.Find(".field-label, dt").Each(func(_ int, label *goquery.Selection) {
		value := label.Next()
		if term := label.Closest("dt"); term.Length() > 0 {
			value = term.Next()
		}
		if text := textOf(value); text != "" && !value.Is("h1, h2, h3, h4, a") {
			fields = append(fields, icimsField{textOf(label), text})
		}
	})
	return fields
}

// value is that of the first field whose label is meant.
func (l icimsFieldList) value(label *lazyregexp.Regexp) string {
	for _, f := range l {
		if label.MatchString(f.label) {
			return f.value
		}
	}
	return ""
}

// icimsPlaces are the places of a role, which stand in one text. Where one lacks a part, a word stands for it.
func icimsPlaces(text string) string {
	places := strings.Split(text, " | ")
	for i, place := range places {
		if strings.Trim(strings.ToUpper(place), " -,") == "UNAVAILABLE" {
			places[i] = ""
		}
	}
	return joinPlaces(places...)
}

// icimsEmployer is the employer's name on the page of the portal's first role.
func icimsEmployer(ctx context.Context, client Doer, board string) (string, error) {
	l := icimsList{board: board}
	document, err := getDocument(ctx, client, l.address(0))
	if err != nil {
		return "", err
	}
	first, _ := l.posting(icimsRows(document).First())
	if u, err := url.Parse(first.URL); err != nil || first.Key == "" || u.Host != board {
		return "", didf("shows no role that could name the company")
	}
	role, err := getDocument(ctx, client, first.URL+"?in_iframe=1")
	if err != nil {
		return "", err
	}
	for _, posting := range linkedPostings(role) {
		if name := collapse(unescape(posting.Company, 1)); name != "" {
			return name, nil
		}
	}
	return "", didf("shows a role that names no company")
}
