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

// personio reads the career sites of Personio, which answer below personio.de, personio.com or both.
type personio struct{ vendor }

func init() {
	register(personio{vendor{
		name: "personio",
		about: About{
			Name: "Personio", Site: "personio.com",
			Addresses: []string{"{company}.jobs.personio.de", "{company}.jobs.personio.com", "{company}-jobs.personio.de"},
			Endpoint:  "GET https://{company}.jobs.personio.de/xml?language=en",
			Reads:     "id, title, offices, department, address, company; where the feed is off, what the site's search or page shows",
			Evidence:  Recording,
		},
		match: matchPersonio,
	}})
}

// personioDomains are asked in this order at first.
var personioDomains = [...]string{"jobs.personio.de", "jobs.personio.com"}

// matchPersonio knows everything below a company's host, the old form of hosts included.
func matchPersonio(a address) (board string, ok bool) {
	board, ok = a.tenant(personioDomains[:]...), true
	if board == "" {
		board, ok = strings.CutSuffix(a.tenant("personio.de", "personio.com"), "-jobs")
	}
	return board, ok && isPersonioCompany(board)
}

var isPersonioCompany = isTenant

// CareersURL is the company's page on the first of the domains.
func (personio) CareersURL(board string) string {
	return "https://" + board + "." + personioDomains[0] + "/"
}

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

// Read takes the whole list in one answer of the domain that has the board. Companies can switch the feed off while their site
// stays up; what the site's own search and page show tells a live board from none.
func (p personio) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !isPersonioCompany(board) {
		return failed(p, noName())
	}
	var fault error // of the transport, on a domain where the board may well be
	for _, domain := range placesOf(client, p, board, personioDomains[:]) {
		reading, err := personioSite{client, "https://" + board + "." + domain}.read(ctx)
		if err == nil {
			rememberPlace(client, p, board, domain)
		}
		_, answered := errors.AsType[*systemError](err)
		switch {
		case isUnknown(err):
		case err == nil, answered, ctx.Err() != nil, errors.Is(err, ErrUnchanged), isTooLarge(err):
			return finish(p, reading, err)
		case fault == nil:
			fault = err
		}
	}
	if fault != nil {
		return failed(p, fault)
	}
	return failed(p, noBoard("it is on none of its hosts"))
}

// personioSite is a company's site on one of the domains.
type personioSite struct {
	client Doer
	root   string
}

func (s personioSite) read(ctx context.Context) (boardwatch.Reading, error) {
	feed, err := send(ctx, s.client, http.MethodGet, s.root+"/xml?language=en", "application/xml, text/xml", nil)
	switch {
	case err != nil:
		return boardwatch.Reading{}, err
	case feed.status == http.StatusNotFound:
		return s.withoutFeed(ctx)
	case feed.status != http.StatusOK:
		return boardwatch.Reading{}, feed.refusal()
	}
	var list personioFeed
	if err := decodeXML(feed.body, &list); err != nil {
		return boardwatch.Reading{}, err
	}
	var companies []string
	reading, err := listed(list.Positions, func(p personioPosition) (boardwatch.Posting, bool) {
		companies = append(companies, p.Subcompany)
		return s.posting(p), true
	})
	reading.Company = onlyText(companies)
	return reading, err
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
func (s personioSite) withoutFeed(ctx context.Context) (boardwatch.Reading, error) {
	var rows []json.RawMessage
	search, err := send(ctx, s.client, http.MethodGet, s.root+"/search.json?language=en", "application/json", nil)
	switch {
	case err != nil:
		return boardwatch.Reading{}, err
	case search.status == http.StatusTooManyRequests || search.status >= http.StatusInternalServerError:
		return boardwatch.Reading{}, search.refusal()
	case search.status == http.StatusOK && search.decode(&rows) == nil && rows != nil:
		return s.rows(rows)
	}
	page, err := getDocument(ctx, s.client, s.root+"/?language=en")
	if err != nil {
		return boardwatch.Reading{}, err
	}
	if boxes := page.Find(`a[class*="job-box"][href*="/job/"]`); boxes.Length() > 0 {
		return cards(boxes, s.box)
	}
	if err := stateIn(strings.ReplaceAll(scriptsOf(page), `\"`, `"`), `"jobs":`, &rows); err != nil {
		return boardwatch.Reading{}, err
	}
	return s.rows(rows)
}

// rows are roles as the search finds them, and as the page's scripts hold them.
func (s personioSite) rows(rows []json.RawMessage) (boardwatch.Reading, error) {
	type job struct {
		ID         id     `json:"id"`
		Name       string `json:"name"`
		Office     string `json:"office"`
		Department string `json:"department"`
	}
	return listing(rows, func(j job) (boardwatch.Posting, bool) {
		return s.posting(personioPosition{ID: string(j.ID), Name: j.Name, Office: j.Office, Department: j.Department}), true
	})
}

var personioLink = lazyregexp.New(`/job/([0-9]+)`)

// box is a role as the page shows it: its title, and below it one line that says place and department.
func (s personioSite) box(box *goquery.Selection) (boardwatch.Posting, bool) {
	position := personioPosition{Name: textOf(box.Find("h3").First()), Office: textOf(box.Find(`[class*="jobMetaText"]`).First())}
	if m := personioLink.FindStringSubmatch(box.AttrOr("href", "")); m != nil {
		position.ID = m[1]
	}
	return s.posting(position), true
}

// Company is the name in the title of the company's page.
func (p personio) Company(ctx context.Context, client Doer, board string) (name string, err error) {
	if !isPersonioCompany(board) {
		return "", namelessBoard(p)
	}
	for _, domain := range personioDomains {
		name, err = employerOnPage(ctx, client, p, board, "https://"+board+"."+domain+"/?language=en")
		if !isUnknown(err) {
			break
		}
	}
	return name, err
}
