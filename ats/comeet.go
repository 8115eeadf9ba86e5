package ats

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// comeet reads www.comeet.com, now Spark Hire Recruit. A board is told by its slug and the company's uid. Its page has the
// roles; where it does not, it has the token that the API asks for.
type comeet struct{ vendor }

func init() {
	register(comeet{vendor{
		name: "comeet",
		about: About{
			Name: "Comeet (Spark Hire Recruit)", Site: "comeet.com",
			Addresses: []string{"www.comeet.com/jobs/{company}/{uid}", "www.comeet.com/jobs/{company}/{uid}/{title}/{role}"},
			Endpoint:  "GET https://www.comeet.com/jobs/{company}/{uid}",
			Reads:     "id, title, place, department, address, company",
			Evidence:  Several,
		},
		match: matchComeet,
		page:  func(board string) string { return "https://www.comeet.com/jobs/" + board },
	}})
}

var comeetUID = lazyregexp.New(`^[0-9A-Fa-f]{1,4}\.[0-9A-Fa-f]{3}$`)

// matchComeet knows boards and their roles. The API's addresses do not say the slug.
func matchComeet(a address) (board string, ok bool) {
	if a.host != "www.comeet.com" && a.host != "comeet.com" && a.host != "www.comeet.co" && a.host != "comeet.co" {
		return "", false
	}
	slug := a.below("jobs")
	board = slug + "/" + a.segment(2)
	return board, isComeetBoard(board)
}

func isComeetBoard(board string) bool {
	slug, uid, _ := strings.Cut(board, "/")
	return isToken(slug) && comeetUID.MatchString(uid)
}

type comeetJob struct {
	UID        id     `json:"uid"`
	Name       string `json:"name"`
	Department string `json:"department"`
	Location   struct {
		Name     string `json:"name"`
		City     string `json:"city"`
		State    string `json:"state"`
		Country  string `json:"country"`
		IsRemote bool   `json:"is_remote"`
	} `json:"location"`
	WorkplaceType string `json:"workplace_type"`
	ActivePage    string `json:"url_active_page"`
	HostedPage    string `json:"url_comeet_hosted_page"`
	RecruitPage   string `json:"url_recruit_hosted_page"`
	CompanyName   string `json:"company_name"`

	EmploymentType said `json:"employment_type"`
	TimeUpdated    said `json:"time_updated"`
	Details        loose[[]struct {
		Name  said `json:"name"`
		Value said `json:"value"`
	}] `json:"details"`
}

var (
	comeetPositions = lazyregexp.New(`\bCOMPANY_POSITIONS_DATA\s*=`)
	comeetCompany   = lazyregexp.New(`\bCOMPANY_DATA\s*=`)
	comeetToken     = lazyregexp.New(`["']?\btoken["']?\s*[:=]\s*["']([0-9A-Za-z]{20,128})["']`)
)

// Read takes the list from the board's page, or from the API with the token of the page.
func (c comeet) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !isComeetBoard(board) {
		return failed(c, noName())
	}
	content, err := getPage(ctx, client, c.CareersURL(board))
	if err != nil {
		return failed(c, err)
	}
	text := string(content)
	rows, err := c.rows(ctx, client, board, text)
	if err != nil {
		return failed(c, err)
	}
	company := comeetName(text)
	reading, err := listing(rows, func(job comeetJob) (boardwatch.Posting, bool) {
		company = firstText(company, job.CompanyName)
		return job.posting(), true
	})
	reading.Company = company
	return finish(c, reading, err)
}

// rows are the roles that the page holds. Its token lasts until the company has another one made, so that it is never kept.
func (comeet) rows(ctx context.Context, client Doer, board, page string) (rows []json.RawMessage, err error) {
	if at := comeetPositions.FindStringIndex(page); at != nil {
		return rows, stateIn(page[at[1]:], "", &rows)
	}
	token := comeetToken.FindStringSubmatch(page)
	if token == nil {
		return nil, didf("answered with a page without the roles' data")
	}
	_, uid, _ := strings.Cut(board, "/")
	address := "https://www.comeet.co/careers-api/2.0/company/" + uid + "/positions?token=" + token[1] + "&details=true"
	if err := getJSON(ctx, client, address, &rows); err != nil {
		return nil, asListFault(err)
	}
	return rows, nil
}

// comeetName is the company's name as its board has it, or empty.
func comeetName(page string) string {
	at := comeetCompany.FindStringIndex(page)
	if at == nil {
		return ""
	}
	var company struct {
		Name string `json:"name"`
	}
	if stateIn(page[at[1]:], "", &company) != nil {
		return ""
	}
	return company.Name
}

// posting is one role. Its page is the company's own where it has one.
func (j comeetJob) posting() boardwatch.Posting {
	l := j.Location
	p := boardwatch.Posting{
		Key: string(j.UID), Title: j.Name, Department: j.Department, Location: collapse(firstText(l.Name, place(l.City, l.State, l.Country))),
		URL: firstText(webAddress(j.ActivePage), webAddress(j.HostedPage), webAddress(j.RecruitPage)),
	}
	if p.Location == "" && (l.IsRemote || strings.EqualFold(j.WorkplaceType, "remote")) {
		p.Location = "Remote"
	}
	p.Facts.UpdatedAt, p.Facts.Mode = date(j.TimeUpdated), modeOr(flag(l.IsRemote), said(j.WorkplaceType))
	employment(&p.Facts, j.EmploymentType)
	fact.Places(&p.Facts, statedPlace(p.Location, said(l.City), said(l.Country)))
	var parts []said
	for _, d := range j.Details.is {
		parts = append(parts, section(d.Name, d.Value))
	}
	describe(&p, parts...)
	return p
}

var comeetLink = lazyregexp.New(`(?i:www\.comeet\.com?)/jobs/([A-Za-z0-9._-]+/[0-9A-Fa-f]{1,4}\.[0-9A-Fa-f]{3})\b`)

// Embedded knows pages with the roles in their script, when those lead to the company's board.
func (comeet) Embedded(page *goquery.Document) (board string, ok bool) {
	return onlyMatch(scriptsOf(page), isComeetBoard, comeetLink)
}
