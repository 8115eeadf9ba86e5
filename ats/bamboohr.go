package ats

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// bambooHR reads the careers pages of BambooHR's customers. A host that has none sends people elsewhere.
type bambooHR struct{ namer }

func init() {
	register(bambooHR{namer{employer: bambooHREmployer, declared: &declared{
		name: "bamboohr",
		about: About{
			Name: "BambooHR", Site: "bamboohr.com",
			Addresses: []string{"{company}.bamboohr.com/careers", "{company}.bamboohr.com/jobs", "{company}.bamboohr.com/jobs/embed2.php"},
			Endpoint:  "GET https://{company}.bamboohr.com/careers/list",
			Reads:     "id, title, place, department, address; the company's name is asked for",
			Evidence:  Recording,
		},
		board: bambooHRBoard,
		valid: isBambooHRCompany,
		page:  func(board string) string { return bambooHRRoot(board) + "/careers" },
	}}})
}

// bambooHRBoard finds boards in the addresses of careers pages, roles, lists, and the parts of an embed. The rest of a
// customer's host is for employees.
func bambooHRBoard(a address) string {
	switch first := strings.ToLower(a.segment(0)); {
	case first == "", first == "careers", first == "jobs", first == "js" && a.segment(1) == "embed.js":
		return a.tenant("bamboohr.com")
	}
	return ""
}

func isBambooHRCompany(label string) bool {
	return isLabel(label) && !isVendorLabel(label) && !bambooHRAssets.MatchString(label)
}

var bambooHRAssets = lazyregexp.New(`^(?:images|static|resources|cdn)[0-9]+$`)

func bambooHRRoot(board string) string { return "https://" + board + ".bamboohr.com" }

type bambooHRJob struct {
	ID              id     `json:"id"`
	JobOpeningName  string `json:"jobOpeningName"`
	DepartmentLabel string `json:"departmentLabel"`
	Location        struct {
		City  string `json:"city"`
		State string `json:"state"`
	} `json:"location"`
	ATSLocation struct {
		City     string `json:"city"`
		State    string `json:"state"`
		Province string `json:"province"`
		Country  string `json:"country"`
	} `json:"atsLocation"`

	EmploymentStatusLabel said `json:"employmentStatusLabel"`
	IsRemote              said `json:"isRemote"`
	LocationType          said `json:"locationType"`
}

// Read takes the whole list in one answer. Where there is none, the list that companies embed is read.
func (b bambooHR) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !isBambooHRCompany(board) {
		return failed(b, noName())
	}
	answered, err := askBambooHR(ctx, client, board, "/careers/list", "application/json")
	if err != nil {
		return failed(b, err)
	}
	var list struct {
		Meta   json.RawMessage   `json:"meta"`
		Result []json.RawMessage `json:"result"`
	}
	err = answered.decode(&list)
	if answered.status == http.StatusNotFound || answered.status == http.StatusOK && isPage(answered.body) {
		if reading, elsewhere := b.embedded(ctx, client, board); !isRefusal(elsewhere) {
			return finish(b, reading, elsewhere)
		}
	}
	if err != nil {
		return failed(b, err)
	}
	reading, err := listing(list.Result, func(job bambooHRJob) (boardwatch.Posting, bool) {
		return job.posting(board), true
	})
	var meta struct {
		TotalCount *count `json:"totalCount"`
	}
	if json.Unmarshal(list.Meta, &meta) == nil && meta.TotalCount != nil {
		reading.Claimed = int(*meta.TotalCount)
	}
	return finish(b, reading, err)
}

// askBambooHR takes any answer but a redirect: wherever it leads, to the vendor's own pages or to a login, there is no board.
func askBambooHR(ctx context.Context, client Doer, board, path, accept string) (answer, error) {
	answered, err := send(ctx, client, http.MethodGet, bambooHRRoot(board)+path, accept, nil)
	if err == nil && answered.status >= 300 && answered.status < 400 {
		return answer{}, noBoard(fmt.Sprintf("it redirects (%d)", answered.status))
	}
	return answered, err
}

// isRefusal reports whether err is something that a system did, and no fault of the transport.
func isRefusal(err error) bool {
	_, ok := errors.AsType[*systemError](err)
	return ok
}

// bambooHRModes are the modes of work that a list has numbers for.
var bambooHRModes = map[said]said{"0": "on site", "1": "remote", "2": "hybrid"}

func (j bambooHRJob) posting(board string) boardwatch.Posting {
	p := boardwatch.Posting{
		Key: string(j.ID), Title: j.JobOpeningName, Department: j.DepartmentLabel, Location: placeAsGiven(j.Location.City, j.Location.State),
		URL: bambooHRRoot(board) + "/careers/" + url.PathEscape(string(j.ID)),
	}
	if l := j.ATSLocation; p.Location == "" {
		p.Location = placeAsGiven(l.City, firstText(l.State, l.Province), l.Country)
	}
	p.Facts.Mode = modeOr(j.IsRemote, bambooHRModes[j.LocationType])
	employment(&p.Facts, j.EmploymentStatusLabel)
	fact.Places(&p.Facts, statedPlace(p.Location, said(firstText(j.Location.City, j.ATSLocation.City)), said(j.ATSLocation.Country)))
	return p
}

var bambooHRPosition = lazyregexp.New(`(?:^bhrPositionID_|/(?:careers|jobs)/(?:view\.php)?\??(?:id=)?)([0-9]+)`)

// embedded reads the list that companies put into their own pages.
func (b bambooHR) embedded(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	answered, err := askBambooHR(ctx, client, board, "/jobs/embed2.php", "text/html")
	switch {
	case err != nil:
		return boardwatch.Reading{}, err
	case answered.status != http.StatusOK:
		return boardwatch.Reading{}, answered.refusal()
	}
	page, err := parsePage(answered.body)
	if err != nil {
		return boardwatch.Reading{}, err
	}
	if page.Find(`[class*="BambooHR-ATS"]`).Length() == 0 {
		return boardwatch.Reading{}, didf("answered with a page without its list")
	}
	return cards(page.Find("li.BambooHR-ATS-Jobs-Item"), func(item *goquery.Selection) (boardwatch.Posting, bool) {
		link := item.Find("a[href]").First()
		m := bambooHRPosition.FindStringSubmatch(firstText(item.AttrOr("id", ""), link.AttrOr("href", "")))
		if m == nil {
			return boardwatch.Posting{}, true
		}
		job := bambooHRJob{ID: id(m[1]), JobOpeningName: textOf(link)}
		job.DepartmentLabel = textOf(item.Closest(".BambooHR-ATS-Department-Item").Find(".BambooHR-ATS-Department-Header").First())
		job.Location.City = textOf(item.Find(".BambooHR-ATS-Location").First())
		return job.posting(board), true
	})
}

// bambooHREmployer is the name that the careers page has for its company.
func bambooHREmployer(ctx context.Context, client Doer, board string) (string, error) {
	answered, err := askBambooHR(ctx, client, board, "/careers/company-info", "application/json")
	if err != nil {
		return "", err
	}
	var about struct {
		Result someone `json:"result"`
	}
	if err := answered.decode(&about); err != nil {
		return "", err
	}
	return strings.TrimSpace(about.Result.Name), nil
}

var (
	bambooHRDomain = lazyregexp.New(`(?i)^(?:https?:)?(?://)?([a-z0-9-]+)\.bamboohr\.com/?$`)
	bambooHRScript = lazyregexp.New(`(?i)\b([a-z0-9-]+)\.bamboohr\.com/(?:js/embed\.js|jobs/embed2\.php)`)
)

// Embedded knows the element that the vendor's script fills, which names the company, or else the script beside it.
func (bambooHR) Embedded(page *goquery.Document) (board string, ok bool) {
	element := page.Find("#BambooHR")
	if element.Length() == 0 {
		return "", false
	}
	if m := bambooHRDomain.FindStringSubmatch(element.AttrOr("data-domain", "")); m != nil {
		board = strings.ToLower(m[1])
		return board, isBambooHRCompany(board)
	}
	return onlyMatch(strings.ToLower(scriptsOf(page)), isBambooHRCompany, bambooHRScript)
}
