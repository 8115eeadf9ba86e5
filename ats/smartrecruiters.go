package ats

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// smartRecruiters reads jobs.smartrecruiters.com. Its list answers for companies that do not exist as it does for those
// without roles.
type smartRecruiters struct{ namer }

func init() {
	register(smartRecruiters{namer{employer: smartRecruitersEmployer, declared: &declared{
		name: "smartrecruiters",
		about: About{
			Name: "SmartRecruiters", Site: "smartrecruiters.com",
			Addresses: []string{
				"careers.smartrecruiters.com/{company}", "jobs.smartrecruiters.com/{company}", "jobs.smartrecruiters.com/oneclick-ui/company/{company}",
				"api.smartrecruiters.com/v1/companies/{company}/postings",
			},
			Endpoint: "GET https://api.smartrecruiters.com/v1/companies/{company}/postings?limit=100&offset=0",
			Reads:    "id, title, place, department, address, company; an empty list counts only when the company's page is there",
			Evidence: Recording,
			Pace: Pace{
				Every: 200 * time.Millisecond, AtOnce: 4,
				Source: "The vendor allows ten requests a second, eight of them at once (developers.smartrecruiters.com/docs/rate-limiting). Half of that is used.",
			},
		},
		board: smartRecruitersBoard,
		valid: isSmartRecruitersBoard,
		page:  func(board string) string { return smartRecruitersPages + board },
	}}})
}

const (
	smartRecruitersAPI   = "https://api.smartrecruiters.com/v1/companies/"
	smartRecruitersRoles = "https://jobs.smartrecruiters.com/"
	smartRecruitersPages = "https://careers.smartrecruiters.com/"
)

// smartRecruitersBoard finds boards in the addresses of companies and roles, old links to roles, one-click applications,
// referrals, and the API.
func smartRecruitersBoard(a address) string {
	switch a.host {
	case "careers.smartrecruiters.com", "jobs.smartrecruiters.com":
		return firstText(a.below("oneclick-ui", "company"), a.below("external-referrals", "company"), a.segment(0))
	case "www.smartrecruiters.com":
		if smartRecruitersRole.MatchString(a.segment(1)) {
			return a.segment(0)
		}
	case "api.smartrecruiters.com":
		return a.below("v1", "companies")
	}
	return ""
}

var smartRecruitersRole = lazyregexp.New(`^[0-9]{6,18}(?:-|$)`)

func isSmartRecruitersBoard(token string) bool {
	switch strings.ToLower(token) {
	case "oneclick-ui", "sr-jobs", "ni", "api", "v1", "assets", "static", "error", "errors":
		return false
	}
	return isToken(token)
}

type smartRecruitersJob struct {
	ID       id     `json:"id"`
	Name     string `json:"name"`
	Location struct {
		City    string `json:"city"`
		Region  string `json:"region"`
		Country string `json:"country"`
		Remote  said   `json:"remote"`
		Hybrid  said   `json:"hybrid"`
	} `json:"location"`
	Department struct {
		Label string `json:"label"`
	} `json:"department"`
	Company    someone `json:"company"`
	Visibility string  `json:"visibility"`

	RefNumber    said `json:"refNumber"`
	ReleasedDate said `json:"releasedDate"`
	Type         loose[struct {
		Label said `json:"label"`
	}] `json:"typeOfEmployment"`
	Language loose[struct {
		Code said `json:"code"`
	}] `json:"language"`
}

func (j smartRecruitersJob) employer() string { return j.Company.Name }

// Read asks for page after page. An empty list is believed when the company has a page.
func (s smartRecruiters) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !isSmartRecruitersBoard(board) {
		return failed(s, noName())
	}
	reading, err := paged{most: 500}.read(ctx, s, func(at turn) (page, error) {
		var list struct {
			TotalFound count             `json:"totalFound"`
			Content    []json.RawMessage `json:"content"`
		}
		address := smartRecruitersAPI + board + "/postings?limit=100&offset=" + strconv.Itoa(at.rows)
		if err := getJSON(ctx, client, address, &list); err != nil {
			return page{}, err
		}
		return pageOf(list.Content, list.TotalFound, func(job smartRecruitersJob) (boardwatch.Posting, bool) {
			return job.posting(board), job.Visibility == "" || job.Visibility == "PUBLIC"
		})
	})
	if err == nil && reading.Health == boardwatch.HealthOK && reading.Claimed < 0 && len(reading.Postings) == 0 {
		if err := s.confirm(ctx, client, board); err != nil {
			return failed(s, err)
		}
	}
	return reading, err
}

func (j smartRecruitersJob) posting(board string) boardwatch.Posting {
	p := boardwatch.Posting{
		Key: string(j.ID), Title: j.Name, Location: placeAsGiven(j.Location.City, j.Location.Region, j.Location.Country), Department: j.Department.Label,
		URL: smartRecruitersRoles + board + "/" + url.PathEscape(string(j.ID)),
	}
	p.Facts = boardwatch.Facts{
		PostedAt: date(j.ReleasedDate), Mode: remoteIf(j.Location.Remote), Requisition: collapse(string(j.RefNumber)), Language: fact.Language(string(j.Language.is.Code)),
	}
	if isYes(string(j.Location.Hybrid)) {
		p.Facts.Mode = boardwatch.ModeHybrid
	}
	employment(&p.Facts, j.Type.is.Label)
	fact.Places(&p.Facts, statedPlace(p.Location, said(j.Location.City), said(j.Location.Country)))
	return p
}

// confirm checks whether the company has a page of its own, which names it.
func (s smartRecruiters) confirm(ctx context.Context, client Doer, board string) error {
	_, err := s.Company(ctx, client, board)
	if isUnknown(err) {
		return noBoard("its list is empty, and the company has no page")
	}
	if e, ok := errors.AsType[*systemError](err); ok {
		e.did = "lists no roles, as it does for companies that do not exist, and when asked for this company's page, it " + e.did
	}
	return err
}

// smartRecruitersEmployer is the name in the title of the company's page.
func smartRecruitersEmployer(ctx context.Context, client Doer, board string) (string, error) {
	answered, err := send(ctx, client, http.MethodGet, smartRecruitersPages+board, "text/html", nil)
	switch {
	case err != nil:
		return "", err
	case answered.status == http.StatusNotFound || answered.status == http.StatusGone:
		return "", noBoard(fmt.Sprintf("it answered %d", answered.status))
	case answered.status != http.StatusOK:
		// Companies may send people to pages of their own: that tells nothing of the board.
		err := answered.refusal()
		if e, ok := errors.AsType[*systemError](err); ok {
			e.unknown = false
		}
		return "", err
	}
	page, err := parsePage(answered.body)
	if err != nil {
		return "", err
	}
	name := companyInTitle(page)
	if name == "" || strings.EqualFold(name, "SmartRecruiters") {
		return "", didf("shows a page that names no company")
	}
	return name, nil
}

var smartRecruitersCall = lazyregexp.New(`(?i)\bapi\.smartrecruiters\.com/v1/companies/([A-Za-z0-9._-]+)/postings`)

// Embedded knows pages whose own script asks the API.
func (smartRecruiters) Embedded(page *goquery.Document) (board string, ok bool) {
	return onlyMatch(scriptsOf(page), isSmartRecruitersBoard, smartRecruitersCall)
}
