package ats

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// trakstar reads Trakstar Hire, once Recruiterbox, whose boards live at both names. Both have one API.
type trakstar struct{ vendor }

func init() {
	register(trakstar{vendor{
		name: "trakstar",
		about: About{
			Name: "Trakstar Hire (Recruiterbox)", Site: "trakstar.com",
			Addresses: []string{"{company}.hire.trakstar.com", "{company}.recruiterbox.com/jobs/{role}", "jsapi.recruiterbox.com/v1/openings?client_name={company}"},
			Endpoint:  "GET https://jsapi.recruiterbox.com/v1/openings?client_name={company}&offset=0&limit=100",
			Reads:     "id, title, place, department, address, total",
			Evidence:  Several,
		},
		match: matchTrakstar,
		page:  func(board string) string { return "https://" + board + ".hire.trakstar.com/" },
	}})
}

// matchTrakstar knows everything at a company's host, and the API.
func matchTrakstar(a address) (board string, ok bool) {
	board = a.tenant("hire.trakstar.com", "recruiterbox.com")
	if a.host == "jsapi.recruiterbox.com" && a.below("v1") == "openings" {
		board = strings.ToLower(a.value("client_name"))
	}
	return board, isTrakstarBoard(board)
}

var isTrakstarBoard = isTenantBut("jsapi", "apiv1", "apiv2", "hire", "developers", "secure", "accounts", "insights")

type trakstarJob struct {
	ID       id     `json:"id"`
	Title    string `json:"title"`
	Hosted   string `json:"hosted_url"`
	Team     string `json:"team"`
	Location struct {
		City    string `json:"city"`
		State   string `json:"state"`
		Country string `json:"country"`
	} `json:"location"`
	AllowsRemote bool `json:"allows_remote"`
}

// Read asks for page after page. A page in the middle may be one row short.
func (t trakstar) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !isTrakstarBoard(board) {
		return failed(t, noName())
	}
	return paged{}.read(ctx, t, func(at turn) (page, error) {
		address := fmt.Sprintf("https://jsapi.recruiterbox.com/v1/openings?client_name=%s&offset=%d&limit=100", board, at.rows)
		answered, err := send(ctx, client, http.MethodGet, address, "application/json", nil)
		if err != nil {
			return page{}, err
		}
		if answered.status == http.StatusBadRequest && bytes.Contains(answered.body, []byte(`"client_name"`)) {
			return page{}, noBoard("it knows no client of this name")
		}
		var list struct {
			Meta struct {
				Total *count `json:"total"`
			} `json:"meta"`
			Objects []json.RawMessage `json:"objects"`
		}
		if err := answered.decode(&list); err != nil {
			return page{}, err
		}
		if list.Meta.Total == nil {
			return page{}, didf("answered without a total")
		}
		return pageOf(list.Objects, *list.Meta.Total, func(job trakstarJob) (boardwatch.Posting, bool) { return job.posting(t.CareersURL(board)), true })
	})
}

func (j trakstarJob) posting(page string) boardwatch.Posting {
	p := boardwatch.Posting{
		Key: string(j.ID), Title: j.Title, Location: placeAsGiven(j.Location.City, j.Location.State, j.Location.Country), Department: j.Team,
		URL: firstText(webAddress(j.Hosted), page+"jobs/"+url.PathEscape(string(j.ID))),
	}
	if p.Location == "" && j.AllowsRemote {
		p.Location = "Remote"
	}
	return p
}

// Company is the name in the title of the company's page.
func (t trakstar) Company(ctx context.Context, client Doer, board string) (string, error) {
	if !isTrakstarBoard(board) {
		return "", namelessBoard(t)
	}
	return employerOnPage(ctx, client, t, board, t.CareersURL(board))
}
