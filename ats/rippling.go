package ats

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// rippling reads ats.rippling.com. Its lists have a row for every place of a role.
type rippling struct{ namer }

func init() {
	register(rippling{namer{employer: ripplingEmployer, declared: &declared{
		name: "rippling",
		about: About{
			Name: "Rippling", Site: "rippling.com",
			Addresses: []string{
				"ats.rippling.com/{board}/jobs", "ats.rippling.com/en-US/{board}/jobs", "ats.{region}.rippling.com/{board}/jobs",
				"api.rippling.com/platform/api/ats/v1/board/{board}/jobs",
			},
			Endpoint: "GET https://api.rippling.com/platform/api/ats/v1/board/{board}/jobs",
			Reads:    "id, title, every place, department, address; company from the page of one role",
			Evidence: Recording,
		},
		board: ripplingBoard,
		valid: isRipplingBoard,
		page:  func(board string) string { return "https://ats.rippling.com/" + board + "/jobs" },
	}}})
}

const ripplingAPI = "https://api.rippling.com/platform/api/ats/"

var (
	ripplingLocale  = lazyregexp.New(`(?i)^[a-z]{2}-(?:[a-z]{2}|419|hans|hant)$`)
	ripplingHost    = lazyregexp.New(`^ats(?:\.[a-z]{2,3}[0-9]{0,2})?\.rippling\.com$`)
	ripplingVersion = lazyregexp.New(`^v[0-9]$`)
)

// ripplingBoard finds boards in the addresses of pages and roles, with and without a language, of every region, and of the
// API.
func ripplingBoard(a address) (board string) {
	switch path := a.path(); {
	case a.host == "api.rippling.com" || a.host == "ats.rippling.com" && nth(path, 0) == "api":
		for i, segment := range path {
			if segment == "board" && i > 0 && ripplingVersion.MatchString(path[i-1]) {
				board = nth(path, i+1)
			}
		}
	case ripplingHost.MatchString(a.host):
		inLanguage := len(path) > 1 && ripplingLocale.MatchString(path[0])
		if inLanguage {
			path = path[1:]
		}
		if second := nth(path, 1); second == "jobs" || second == "" && (inLanguage || nth(path, 0) != "jobs") {
			board = nth(path, 0)
		}
	}
	return strings.ToLower(board)
}

func isRipplingBoard(token string) bool {
	switch token {
	case "api", "_next", "static", "assets", "platform", "embed", "login", "health", "favicon":
		return false
	}
	return isToken(token) && token == strings.ToLower(token)
}

type ripplingJob struct {
	UUID       id     `json:"uuid"`
	Name       string `json:"name"`
	URL        string `json:"url"`
	Department struct {
		Label string `json:"label"`
	} `json:"department"`
	WorkLocation struct {
		Label string `json:"label"`
	} `json:"workLocation"`
}

func (j ripplingJob) posting() (boardwatch.Posting, bool) {
	return boardwatch.Posting{
		Key: string(j.UUID), Title: j.Name, Location: collapse(j.WorkLocation.Label), Department: j.Department.Label, URL: j.URL,
	}, true
}

// Read takes the whole list in one answer. Where that knows no such board, the newer list, which comes in pages, has the
// last word.
func (r rippling) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !isRipplingBoard(board) {
		return failed(r, noName())
	}
	rows, err := ripplingList(ctx, client, board)
	if isUnknown(err) {
		return r.readPages(ctx, client, board)
	}
	if err != nil {
		return failed(r, err)
	}
	reading, err := listing(rows, ripplingJob.posting)
	return finish(r, reading, err)
}

func ripplingList(ctx context.Context, client Doer, board string) (rows []json.RawMessage, err error) {
	err = getJSON(ctx, client, ripplingAPI+"v1/board/"+board+"/jobs", &rows)
	return rows, err
}

type ripplingRow struct {
	ID         id      `json:"id"`
	Name       string  `json:"name"`
	URL        string  `json:"url"`
	Department someone `json:"department"`
	Locations  []struct {
		Name          string `json:"name"`
		City          said   `json:"city"`
		CountryCode   said   `json:"countryCode"`
		WorkplaceType said   `json:"workplaceType"`
	} `json:"locations"`
	Language said `json:"language"`
}

func (r ripplingRow) posting() (boardwatch.Posting, bool) {
	places := make([]string, len(r.Locations))
	stated := make([]boardwatch.Place, len(r.Locations))
	p := boardwatch.Posting{Key: string(r.ID), Title: r.Name, Department: r.Department.Name, URL: r.URL}
	for i, l := range r.Locations {
		places[i], stated[i] = l.Name, statedPlace(l.Name, l.City, l.CountryCode)
		p.Facts.Mode = cmp.Or(p.Facts.Mode, fact.Mode(string(l.WorkplaceType)))
	}
	p.Location, p.Facts.Language = joinPlaces(places...), fact.Language(string(r.Language))
	fact.Places(&p.Facts, stated...)
	return p, true
}

// readPages reads the newer list, page after page.
func (r rippling) readPages(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	return paged{}.read(ctx, r, func(at turn) (page, error) {
		var list struct {
			Items      []json.RawMessage `json:"items"`
			TotalItems count             `json:"totalItems"`
		}
		address := fmt.Sprintf("%sv2/board/%s/jobs?page=%d&pageSize=50", ripplingAPI, board, at.page)
		if err := getJSON(ctx, client, address, &list); err != nil {
			return page{}, err
		}
		return pageOf(list.Items, list.TotalItems, ripplingRow.posting)
	})
}

// ripplingEmployer is the employer's name on the page of the board's first role.
func ripplingEmployer(ctx context.Context, client Doer, board string) (string, error) {
	rows, err := ripplingList(ctx, client, board)
	if err != nil {
		return "", err
	}
	if len(rows) == 0 {
		return "", didf("shows no role that could name the company")
	}
	var first ripplingJob
	if err := decodeJSON(rows[0], &first); err != nil {
		return "", err
	}
	if !isUUID(string(first.UUID)) {
		return "", didf("returned a role without an id")
	}
	var role struct {
		CompanyName string `json:"companyName"`
	}
	if err := getJSON(ctx, client, ripplingAPI+"v1/board/"+board+"/jobs/"+string(first.UUID), &role); err != nil {
		return "", err
	}
	return collapse(role.CompanyName), nil
}
