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

// comeet reads www.comeet.com, now Spark Hire Recruit. A board consists of the company's slug and its uid. Its page has the
// roles; where it does not, it has the token that the API asks for.
type comeet struct{ *declared }

func init() {
	register(comeet{&declared{
		name: "comeet",
		about: About{
			Name: "Comeet (Spark Hire Recruit)", Site: "comeet.com",
			Addresses: []string{"www.comeet.com/jobs/{company}/{uid}", "www.comeet.com/jobs/{company}/{uid}/{title}/{role}"},
			Endpoint:  "GET https://www.comeet.com/jobs/{company}/{uid}",
			Reads:     "id, title, place, department, address, company",
			Evidence:  Several,
		},
		board: func(a address) string { // the API's addresses do not contain the slug
			switch a.host {
			case "www.comeet.com", "comeet.com", "www.comeet.co", "comeet.co":
				return a.below("jobs") + "/" + a.segment(2)
			}
			return ""
		},
		valid: isComeetBoard,
		page:  comeetPage,
		open:  inOne(comeetJobs),
	}})
}

func comeetPage(board string) string { return "https://www.comeet.com/jobs/" + board }

var comeetUID = lazyregexp.New(`^[0-9A-Fa-f]{1,4}\.[0-9A-Fa-f]{3}$`)

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

// comeetJobs takes the list from the board's page, or from the API with the token of the page.
func comeetJobs(ctx context.Context, client Doer, board string) (page, error) {
	content, err := getPage(ctx, client, comeetPage(board))
	if err != nil {
		return page{}, err
	}
	text := string(content)
	rows, err := comeetRows(ctx, client, board, text)
	if err != nil {
		return page{}, err
	}
	p, err := pageOf(rows, 0, func(job comeetJob) (boardwatch.Posting, bool) { return job.posting(), true })
	p.Company = firstText(comeetName(text), p.Company)
	return p, err
}

// comeetRows are the roles that the page holds, or the API. The token is not kept, because the company can replace it.
func comeetRows(ctx context.Context, client Doer, board, page string) (rows []json.RawMessage, err error) {
	if at := comeetPositions.FindStringIndex(page); at != nil {
		return rows, stateIn(page[at[1]:], "", &rows)
	}
	token := captured(comeetToken, page)
	if token == "" {
		return nil, didf("answered with a page without the roles' data")
	}
	_, uid, _ := strings.Cut(board, "/")
	address := "https://www.comeet.co/careers-api/2.0/company/" + uid + "/positions?token=" + token + "&details=true"
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
	var company someone
	if stateIn(page[at[1]:], "", &company) != nil {
		return ""
	}
	return company.Name
}

func (j comeetJob) employer() string { return j.CompanyName }

// posting is one role. Its page is the company's own where it has one.
func (j comeetJob) posting() boardwatch.Posting {
	l := j.Location
	p := boardwatch.Posting{
		Key: string(j.UID), Title: j.Name, Department: j.Department, Location: collapse(firstText(l.Name, place(l.City, l.State, l.Country))),
		URL: firstText(webAddress(j.ActivePage), webAddress(j.HostedPage), webAddress(j.RecruitPage)),
	}
	orRemote(&p, l.IsRemote || strings.EqualFold(j.WorkplaceType, "remote"))
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
