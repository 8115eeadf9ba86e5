package ats

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

const sfOrder = "q=&sortColumn=referencedate&sortDirection=desc&startrow="

// search reads what the site's search shows.
func (r sfReader) search(ctx context.Context) (boardwatch.Reading, error) {
	first, err := getDocument(ctx, r.client, r.host+"/search/?"+sfOrder+"0")
	if err != nil {
		return failed(r.successFactors, err)
	}
	switch {
	case first.Find("body.unify").Length() > 0:
		return r.service(ctx, first)
	case first.Find(sfTiles).Length() > 0:
		return r.pages(ctx, sfResults(first, sfTiles), func(start int) (sfPage, error) {
			content, err := getPage(ctx, r.client, fmt.Sprintf("%s/tile-search-results/?%s%d", r.host, sfOrder, start))
			if err != nil {
				return sfPage{}, err
			}
			more, err := parsePage(content)
			if err != nil {
				return sfPage{}, err
			}
			return sfResults(more, sfTiles), nil
		})
	case first.Find(sfRows).Length() > 0:
		return r.pages(ctx, sfResults(first, sfRows), func(start int) (sfPage, error) {
			more, err := getDocument(ctx, r.client, fmt.Sprintf("%s/search/?%s%d", r.host, sfOrder, start))
			if err != nil {
				return sfPage{}, err
			}
			return sfResults(more, sfRows), nil
		})
	}
	if sfEmpty(first) {
		reading, err := cards(first.Find(sfRows), r.row)
		return finish(r.successFactors, reading, err)
	}
	return r.sitemap(ctx)
}

const (
	sfRows  = "#searchresults tr.data-row, table.searchResults tr.data-row"
	sfTiles = "li.job-tile"
)

var (
	sfTotalLabel = lazyregexp.New(`([0-9]{1,3}(?:[., \x{a0}\x{202f}][0-9]{3})+|[0-9]+)\D*$`)
	sfTotal      = lazyregexp.New(`jobRecordsFound["']?\s*:\s*(?:parseInt\()?["']?([0-9]+)`)
)

// sfPage is one page of results.
type sfPage struct {
	rows  *goquery.Selection
	total int // 0 when the page says nothing
	more  int // where a later page begins, by the links on this one; 0 without any
}

func sfResults(document *goquery.Document, rows string) sfPage {
	p := sfPage{rows: document.Find(rows), total: sfCount(document)}
	document.Find(`a[href*="startrow="]`).Each(func(_ int, link *goquery.Selection) {
		if u, err := url.Parse(link.AttrOr("href", "")); err == nil {
			start, _ := strconv.Atoi(u.Query().Get("startrow")) // 0 when it is no number
			p.more = max(p.more, start)
		}
	})
	return p
}

// sfCount is how many roles the page says that there are: in the label above them, "Results 1 - 25 of 112", or for its
// script.
func sfCount(document *goquery.Document) int {
	said := captured(sfTotal, scriptsOf(document))
	if label := textOf(document.Find(".paginationLabel, #tile-search-results-label").First()); said == "" && label != "" {
		if m := sfTotalLabel.FindStringSubmatch(label); m != nil {
			said = strings.NewReplacer(".", "", ",", "", " ", "", "\u00a0", "", "\u202f", "").Replace(m[1])
		}
	}
	total, _ := strconv.Atoi(said) // digits, or nothing
	return total
}

// sfEmpty reports whether a page of results says that there are none.
func sfEmpty(document *goquery.Document) bool {
	if sfCount(document) > 0 || document.Find(sfSite+", #searchresults, #job-tile-list").Length() == 0 {
		return false
	}
	said := document.Find("#attention, #content, #search-wrapper, .searchResultsShell, #searchresults, .job-tile-result-container")
	return document.Find("#noresults, #noresults-message").Length() > 0 || noRoles.MatchString(textOf(said))
}

// pages reads a list in pages, the first of which is there already. Where the next one begins, the rows so far tell.
func (r sfReader) pages(ctx context.Context, first sfPage, ask func(start int) (sfPage, error)) (boardwatch.Reading, error) {
	shortened, promised := make(map[string]bool), first.more
	reading, err := paged{most: 500}.read(ctx, r.successFactors, func(at turn) (page, error) {
		results, err := first, error(nil)
		if at.page > 0 {
			results, err = ask(at.rows)
		}
		if err != nil {
			return page{}, err
		}
		p, err := pageOfCards(results.rows, first.total, func(row *goquery.Selection) (boardwatch.Posting, bool) {
			posting, listed := r.row(row)
			shortened[posting.Key] = sfMore.MatchString(textOf(row))
			return posting, listed
		})
		if p.rows == 0 && at.page > 0 && (at.rows < first.total || promised >= at.rows) {
			return page{}, didf("shows no roles there, though it says that there are more")
		}
		promised = max(promised, results.more)
		p.last = first.total == 0 && promised <= at.rows
		return p, err
	})
	if err == nil && reading.Health.Read() {
		r.lookUp(ctx, reading.Postings, func(p boardwatch.Posting) bool { return shortened[p.Key] })
	}
	return reading, err
}

var (
	sfTileID = lazyregexp.New(`\bjob-id-([0-9]+)\b`)
	sfMore   = lazyregexp.New(`\+\s*[0-9]+ [^\s+]+…`)
)

// row reads a row of the table, or a tile. Both show what they have twice, for wide and for narrow windows.
func (r sfReader) row(row *goquery.Selection) (boardwatch.Posting, bool) {
	link := row.Find("a.jobTitle-link").First()
	p := boardwatch.Posting{Title: textOf(link), URL: linkOf(link, "href", r.host+"/search/")}
	if p.URL == "" {
		p.URL = linkOf(row, "data-url", r.host+"/search/")
	}
	p.URL, _, _ = strings.Cut(p.URL, "?")
	if m := sfTileID.FindStringSubmatch(row.AttrOr("class", "")); m != nil {
		p.Key = m[1]
	} else {
		p.Key = sfRoleID(p.URL)
	}
	p.Location = firstText(sfCell(row, ".jobLocation"), sfSection(row, "location"), sfSection(row, "city"))
	p.Department = firstText(sfCell(row, ".jobDepartment"), sfSection(row, "dept"), sfSection(row, "department"))
	p.Facts.PostedAt = date(said(firstText(sfCell(row, ".jobDate"), sfSection(row, "date"))))
	return p, true
}

// sfCell is what a cell says, without "+2 more".
func sfCell(row *goquery.Selection, class string) string {
	said := ""
	row.Find(class).EachWithBreak(func(_ int, cell *goquery.Selection) bool {
		cell = cell.Clone()
		cell.Find("small, .nobr").Remove()
		said = textOf(cell)
		return said == ""
	})
	return said
}

// sfSection is a labelled value of a tile.
func sfSection(row *goquery.Selection, name string) string {
	section := row.Find(fmt.Sprintf(`[id$="-desktop-section-%s"], .section-field.%s`, name, name)).First()
	return sfCell(section, "div")
}

// lookUp asks for the pages of roles of which the list shows only a part.
func (r sfReader) lookUp(ctx context.Context, postings []boardwatch.Posting, lacks func(boardwatch.Posting) bool) {
	details{
		adapter: r.successFactors,
		board:   strings.TrimPrefix(r.host, "https://"),
		lacks:   func(p boardwatch.Posting) bool { return strings.HasPrefix(p.URL, r.host+"/") && lacks(p) },
		fetch: func(ctx context.Context, p *boardwatch.Posting) error {
			document, err := getDocument(ctx, r.client, p.URL)
			if err != nil {
				return err
			}
			return sfRolePage(document, p)
		},
	}.fill(ctx, r.client, postings)
}

// sfRolePage adds what the page of a role says to it.
func sfRolePage(document *goquery.Document, p *boardwatch.Posting) error {
	title := textOf(document.Find(`[itemprop="title"], [data-careersite-propertyid="title"]`).First())
	if title == "" {
		return didf("shows a page that is not a role")
	}
	var places []string
	document.Find(".jobGeoLocation").Each(func(_ int, place *goquery.Selection) { places = append(places, textOf(place)) })
	if len(places) == 0 {
		places = []string{firstText(
			textOf(document.Find(`[data-careersite-propertyid="location"]`).First()), document.Find(`[itemprop="jobLocation"] [itemprop="streetAddress"]`).AttrOr("content", ""),
		)}
	}
	p.Title = title
	p.Location = firstText(joinPlaces(places...), p.Location)
	p.Department = firstText(textOf(document.Find(`[data-careersite-propertyid="department"]`).First()), p.Department)
	return nil
}
