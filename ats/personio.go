package ats

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// Personio's career sites answer below personio.de, personio.com or both.
func init() {
	register(namer{employer: personioEmployer, declared: &declared{
		name: "personio",
		about: About{
			Name: "Personio", Site: "personio.com",
			Addresses: []string{"{company}.jobs.personio.de", "{company}.jobs.personio.com", "{company}-jobs.personio.de"},
			Endpoint:  "GET https://{company}.jobs.personio.de/xml?language=en",
			Reads:     "id, title, offices, department, address, company; where the feed is off, what the site's search or page shows",
			Evidence:  Recording,
		},
		board: func(a address) string {
			if board := a.tenant(personioDomains[:]...); board != "" {
				return board
			}
			if company, ok := strings.CutSuffix(a.tenant("personio.de", "personio.com"), "-jobs"); ok {
				return company
			}
			return ""
		},
		valid: isTenant,
		page:  func(board string) string { return "https://" + board + "." + personioDomains[0] + "/" },
		open:  inOne(personioPositions),
	}})
}

// personioDomains are asked in this order at first.
var personioDomains = [...]string{"jobs.personio.de", "jobs.personio.com"}

type personioFeed struct {
	XMLName   xml.Name           `xml:"workzag-jobs"`
	Positions []personioPosition `xml:"position"`
}

type personioPosition struct {
	ID         string   `xml:"id"`
	Name       string   `xml:"name"`
	Office     string   `xml:"office"`
	Additional []string `xml:"additionalOffices>office"`
	Department string   `xml:"department"`
	Subcompany string   `xml:"subcompany"`

	EmploymentType said `xml:"employmentType"`
	Schedule       said `xml:"schedule"`
	CreatedAt      said `xml:"createdAt"`
	Descriptions   []struct {
		Name  said `xml:"name"`
		Value said `xml:"value"`
	} `xml:"jobDescriptions>jobDescription"`
}

// personioPositions takes the list of the domain that has the board. Companies can switch the feed off while their site
// stays up; the site's own search and page then tell a live board from none.
func personioPositions(ctx context.Context, client Doer, board string) (page, error) {
	var fault error // of the transport, on a domain where the board may well be
	for _, domain := range placesOf(client, "personio", board, personioDomains[:]) {
		p, err := personioSite{client, "https://" + board + "." + domain}.read(ctx)
		if err == nil {
			rememberPlace(client, "personio", board, domain)
		}
		_, answered := errors.AsType[*systemError](err)
		switch {
		case isUnknown(err):
		case err == nil, answered, ctx.Err() != nil, errors.Is(err, ErrUnchanged), isTooLarge(err):
			return p, err
		case fault == nil:
			fault = err
		}
	}
	if fault != nil {
		return page{}, fault
	}
	return page{}, noBoard("it is on none of its hosts")
}

// personioSite is a company's site on one of the domains.
type personioSite struct {
	client Doer
	root   string
}

func (s personioSite) read(ctx context.Context) (page, error) {
	feed, err := send(ctx, s.client, http.MethodGet, s.root+"/xml?language=en", "application/xml, text/xml", nil)
	switch {
	case err != nil:
		return page{}, err
	case feed.status == http.StatusNotFound:
		return s.withoutFeed(ctx)
	case feed.status != http.StatusOK:
		return page{}, feed.refusal()
	}
	var list personioFeed
	if err := decodeXML(feed.body, &list); err != nil {
		return page{}, err
	}
	var companies []string
	roles, err := pageOfRows(list.Positions, 0, func(p personioPosition) (boardwatch.Posting, bool) {
		companies = append(companies, p.Subcompany)
		return s.posting(p), true
	})
	roles.Company = onlyText(companies)
	return roles, err
}

func (s personioSite) posting(p personioPosition) boardwatch.Posting {
	id := strings.TrimSpace(p.ID)
	role := boardwatch.Posting{
		Key: id, Title: p.Name, Location: joinPlaces(append([]string{p.Office}, p.Additional...)...), Department: p.Department,
		URL: s.root + "/job/" + url.PathEscape(id),
	}
	role.Facts.PostedAt = date(p.CreatedAt)
	kind := p.EmploymentType
	if kind == "permanent" || kind == "" { // says less than the hours
		kind = firstSaid(p.Schedule, kind)
	}
	employment(&role.Facts, kind)
	var parts []said
	for _, d := range p.Descriptions {
		parts = append(parts, section(d.Name, d.Value))
	}
	describe(&role, parts...)
	return role
}

// onlyText is the text that all of them are, or empty.
func onlyText(texts []string) string {
	for _, s := range texts {
		if s != texts[0] {
			return ""
		}
	}
	return firstText(texts...)
}

// withoutFeed reads what the site's search finds, or else what its page shows.
func (s personioSite) withoutFeed(ctx context.Context) (page, error) {
	var rows []json.RawMessage
	search, err := send(ctx, s.client, http.MethodGet, s.root+"/search.json?language=en", "application/json", nil)
	switch {
	case err != nil:
		return page{}, err
	case search.status == http.StatusTooManyRequests || search.status >= http.StatusInternalServerError:
		return page{}, search.refusal()
	case search.status == http.StatusOK && search.decode(&rows) == nil && rows != nil:
		return s.rows(rows)
	}
	document, err := getDocument(ctx, s.client, s.root+"/?language=en")
	if err != nil {
		return page{}, err
	}
	if boxes := document.Find(`a[class*="job-box"][href*="/job/"]`); boxes.Length() > 0 {
		return pageOfCards(boxes, 0, s.box)
	}
	if err := stateIn(strings.ReplaceAll(scriptsOf(document), `\"`, `"`), `"jobs":`, &rows); err != nil {
		return page{}, err
	}
	return s.rows(rows)
}

// rows are roles as the search finds them, and as the page's scripts hold them.
func (s personioSite) rows(rows []json.RawMessage) (page, error) {
	type job struct {
		ID         id     `json:"id"`
		Name       string `json:"name"`
		Office     string `json:"office"`
		Department string `json:"department"`
	}
	return pageOf(rows, 0, func(j job) (boardwatch.Posting, bool) {
		return s.posting(personioPosition{ID: string(j.ID), Name: j.Name, Office: j.Office, Department: j.Department}), true
	})
}

var personioLink = lazyregexp.New(`/job/([0-9]+)`)

// box is a role as the page shows it: its title, and below it one line that says place and department.
func (s personioSite) box(box *goquery.Selection) (boardwatch.Posting, bool) {
	return s.posting(personioPosition{
		ID: captured(personioLink, box.AttrOr("href", "")), Name: textOf(box.Find("h3").First()), Office: textOf(box.Find(`[class*="jobMetaText"]`).First()),
	}), true
}

// personioEmployer is the name in the title of the company's page.
func personioEmployer(ctx context.Context, client Doer, board string) (name string, err error) {
	for _, domain := range personioDomains {
		page := func(string) string { return "https://" + board + "." + domain + "/?language=en" }
		if name, err = inTitle(page)(ctx, client, board); !isUnknown(err) {
			break
		}
	}
	return name, err
}
