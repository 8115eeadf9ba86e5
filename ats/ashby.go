package ats

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// ashby reads jobs.ashbyhq.com. A board's name is an organisation's, in its own case and with blanks.
type ashby struct{ namer }

func init() {
	register(ashby{namer{employer: ashbyEmployer, declared: &declared{
		name: "ashby",
		about: About{
			Name: "Ashby", Site: "ashbyhq.com",
			Addresses: []string{"jobs.ashbyhq.com/{board}", "api.ashbyhq.com/posting-api/job-board/{board}"},
			Endpoint:  "GET https://api.ashbyhq.com/posting-api/job-board/{board}?includeCompensation=true",
			Reads:     "id, title, places, department or team, address",
			Evidence:  Recording,
		},
		board: func(a address) string {
			switch a.host {
			case "jobs.ashbyhq.com":
				return a.segment(0)
			case "api.ashbyhq.com":
				return a.below("posting-api", "job-board")
			}
			return ""
		},
		valid: isAshbyBoard,
		page:  ashbyPage,
	}}})
}

func ashbyPage(board string) string { return ashbyPages + url.PathEscape(board) }

const (
	ashbyPages = "https://jobs.ashbyhq.com/"
	ashbyAPI   = "https://api.ashbyhq.com/posting-api/job-board/"
	ashbyGraph = ashbyPages + "api/non-user-graphql?op=ApiJobBoardWithTeams"
)

func isAshbyBoard(name string) bool {
	switch name {
	case "api", "_next", "assets", "static", "embed":
		return false
	}
	return name == strings.Join(strings.Fields(name), " ") && isToken(strings.ReplaceAll(name, " ", "-"))
}

type ashbyJob struct {
	ID                 id     `json:"id"`
	Title              string `json:"title"`
	Department         string `json:"department"`
	Team               string `json:"team"`
	Location           string `json:"location"`
	SecondaryLocations []struct {
		Location string              `json:"location"`
		Address  loose[ashbyAddress] `json:"address"`
	} `json:"secondaryLocations"`
	IsListed any    `json:"isListed"`
	JobURL   string `json:"jobUrl"`

	Address         loose[ashbyAddress] `json:"address"`
	EmploymentType  said                `json:"employmentType"`
	WorkplaceType   said                `json:"workplaceType"`
	IsRemote        said                `json:"isRemote"`
	PublishedAt     said                `json:"publishedAt"`
	UpdatedAt       said                `json:"updatedAt"`
	DescriptionHTML said                `json:"descriptionHtml"`
	Compensation    loose[ashbyPay]     `json:"compensation"`
	ShowsPay        any                 `json:"shouldDisplayCompensationOnJobPostings"`
}

type ashbyAddress struct {
	PostalAddress struct {
		City    said `json:"addressLocality"`
		Country said `json:"addressCountry"`
	} `json:"postalAddress"`
}

type ashbyPay struct {
	Summary    said `json:"scrapeableCompensationSalarySummary"`
	Components []struct {
		Type     said `json:"compensationType"`
		Interval said `json:"interval"`
		Currency said `json:"currencyCode"`
		Min      said `json:"minValue"`
		Max      said `json:"maxValue"`
	} `json:"summaryComponents"`
}

// pay is the salary among what a company offers.
func (p ashbyPay) pay() boardwatch.Pay {
	for _, c := range p.Components {
		if c.Type == "Salary" {
			return statedPay(c.Min, c.Max, c.Currency, c.Interval, p.Summary)
		}
	}
	return statedPay("", "", "", "", p.Summary)
}

// Read takes the whole list in one answer. A company can switch that list off while its page stays up; the page's own
// list then tells a live board from none.
func (a ashby) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !isAshbyBoard(board) {
		return failed(a, noName())
	}
	var list struct {
		Jobs []json.RawMessage `json:"jobs"`
	}
	err := getJSON(ctx, client, ashbyAPI+url.PathEscape(board)+"?includeCompensation=true", &list)
	if isUnknown(err) {
		return a.readPage(ctx, client, board)
	}
	if err != nil {
		return failed(a, err)
	}
	reading, err := listing(list.Jobs, ashbyJob.posting)
	return finish(a, reading, err)
}

func (j ashbyJob) posting() (boardwatch.Posting, bool) {
	if isNo(j.IsListed) {
		return boardwatch.Posting{}, false
	}
	at := j.Address.is.PostalAddress
	places, stated := []string{j.Location}, []boardwatch.Place{statedPlace(j.Location, at.City, at.Country)}
	for _, l := range j.SecondaryLocations {
		at := l.Address.is.PostalAddress
		places, stated = append(places, l.Location), append(stated, statedPlace(l.Location, at.City, at.Country))
	}
	p := boardwatch.Posting{Key: string(j.ID), Title: j.Title, Location: joinPlaces(places...), Department: j.Department, URL: j.JobURL}
	if strings.TrimSpace(p.Department) == "" {
		p.Department = j.Team
	}
	p.Facts = boardwatch.Facts{
		PostedAt: date(j.PublishedAt), UpdatedAt: date(j.UpdatedAt), Mode: modeOr(j.IsRemote, j.WorkplaceType),
	}
	if !isNo(j.ShowsPay) {
		p.Facts.Pay = j.Compensation.is.pay()
	}
	employment(&p.Facts, j.EmploymentType)
	fact.Places(&p.Facts, stated...)
	describe(&p, j.DescriptionHTML)
	return p, true
}

const ashbyQuery = `query ApiJobBoardWithTeams($organizationHostedJobsPageName: String!) {
  jobBoard: jobBoardWithTeams(organizationHostedJobsPageName: $organizationHostedJobsPageName) {
    teams { id name parentTeamId }
    jobPostings { id title teamId locationName secondaryLocations { locationName } }
  }
}`

type ashbyQuestion struct {
	OperationName string            `json:"operationName"`
	Variables     map[string]string `json:"variables"`
	Query         string            `json:"query"`
}

type ashbyAnswer struct {
	Data struct {
		JobBoard json.RawMessage `json:"jobBoard"` // null says that there is no such board
	} `json:"data"`
	Errors []struct {
		Message string `json:"message"`
	} `json:"errors"`
}

type ashbyState struct {
	Teams       []ashbyTeam       `json:"teams"`
	JobPostings []json.RawMessage `json:"jobPostings"`
}

type ashbyTeam struct {
	ID           string `json:"id"`
	Name         string `json:"name"`
	ParentTeamID string `json:"parentTeamId"`
}

type ashbyPagePosting struct {
	ID                 id     `json:"id"`
	Title              string `json:"title"`
	TeamID             string `json:"teamId"`
	LocationName       string `json:"locationName"`
	SecondaryLocations []struct {
		LocationName string `json:"locationName"`
	} `json:"secondaryLocations"`
}

// readPage asks for the list as the board's own page does.
func (a ashby) readPage(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	question := ashbyQuestion{
		OperationName: "ApiJobBoardWithTeams",
		Variables:     map[string]string{"organizationHostedJobsPageName": board},
		Query:         ashbyQuery,
	}
	var said ashbyAnswer
	err := postJSON(ctx, client, ashbyGraph, question, &said)
	if e, ok := errors.AsType[*systemError](err); ok && !e.unknown {
		e.did = "has no public list of this board (404), and when asked as its page asks, it " + e.did
	}
	if err != nil {
		return failed(a, err)
	}
	if len(said.Errors) > 0 {
		return failed(a, didf("answered its page with an error: %s", said.Errors[0].Message))
	}
	if string(said.Data.JobBoard) == "null" {
		return failed(a, noBoard("neither its list nor its page knows it"))
	}
	var state ashbyState
	if err := decodeJSON(said.Data.JobBoard, &state); err != nil {
		return failed(a, err)
	}
	departments := ashbyDepartments(state.Teams)
	reading, err := listing(state.JobPostings, func(p ashbyPagePosting) (boardwatch.Posting, bool) {
		places := []string{p.LocationName}
		for _, l := range p.SecondaryLocations {
			places = append(places, l.LocationName)
		}
		return boardwatch.Posting{
			Key: string(p.ID), Title: p.Title, Location: joinPlaces(places...), Department: departments[p.TeamID],
			URL: ashbyPage(board) + "/" + url.PathEscape(string(p.ID)),
		}, true
	})
	return finish(a, reading, err)
}

// ashbyDepartments is the name of each team's department: the team at the top of its branch.
func ashbyDepartments(teams []ashbyTeam) map[string]string {
	byID := make(map[string]ashbyTeam, len(teams))
	for _, t := range teams {
		byID[t.ID] = t
	}
	names := make(map[string]string, len(teams))
	for _, t := range teams {
		top := t
		for range teams { // a branch is no longer than there are teams, whatever the ids say
			parent, ok := byID[top.ParentTeamID]
			if !ok {
				break
			}
			top = parent
		}
		names[t.ID] = top.Name
	}
	return names
}

// ashbyEmployer is what precedes "Jobs" in the title of the board's page.
func ashbyEmployer(ctx context.Context, client Doer, board string) (string, error) {
	content, err := getPage(ctx, client, ashbyPage(board))
	if err != nil {
		return "", err
	}
	title, err := pageTitle(content)
	if err != nil {
		return "", err
	}
	name, ok := strings.CutSuffix(title, " Jobs")
	if !ok || name == "" {
		return "", errors.New("the title of its page names no company")
	}
	return name, nil
}

var (
	ashbyScript = lazyregexp.New(`(?i)\bjobs\.ashbyhq\.com/([A-Za-z0-9._%-]+)/embed\b`)
	ashbyCall   = lazyregexp.New(`(?i)\bapi\.ashbyhq\.com/posting-api/job-board/([A-Za-z0-9._%-]+)`)
)

// Embedded knows the vendor's script together with the element that it fills, and pages whose own script asks the API.
func (ashby) Embedded(page *goquery.Document) (board string, ok bool) {
	scripts := scriptsOf(page)
	form := ashbyCall
	if page.Find("#ashby_embed").Length() > 0 && ashbyScript.MatchString(scripts) {
		form = ashbyScript
	}
	escaped, ok := onlyMatch(scripts, func(s string) bool {
		name, err := url.PathUnescape(s)
		return err == nil && isAshbyBoard(name)
	}, form)
	if !ok {
		return "", false
	}
	board, err := url.PathUnescape(escaped)
	return board, err == nil
}
