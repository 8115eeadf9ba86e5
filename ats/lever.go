package ats

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// lever reads jobs.lever.co and jobs.eu.lever.co. The two regions know nothing of each other's boards.
type lever struct{ namer }

func init() {
	register(lever{namer{employer: leverEmployer, declared: &declared{
		name: "lever",
		about: About{
			Name: "Lever", Site: "lever.co",
			Addresses: []string{"jobs.lever.co/{board}", "jobs.eu.lever.co/{board}", "api.lever.co/v0/postings/{board}", "api.eu.lever.co/v0/postings/{board}"},
			Endpoint:  "GET https://api.lever.co/v0/postings/{board}?mode=json",
			Reads:     "id, title, places, department or team, address",
			Evidence:  Recording,
			Pace: Pace{
				Every:  500 * time.Millisecond,
				Source: "The vendor's description of the interface (github.com/lever/postings-api) allows two applications a second and names no limit for reading.",
			},
		},
		board: func(a address) string {
			switch a.host {
			case "jobs.lever.co", "jobs.eu.lever.co":
				return a.segment(0)
			case "api.lever.co", "api.eu.lever.co":
				return a.below("v0", "postings")
			}
			return ""
		},
		valid: isLeverBoard,
		page:  func(board string) string { return "https://jobs.lever.co/" + board },
		open:  inOne(leverPostings),
	}}})
}

// leverRegions are what stands before "lever.co", in the order in which they are asked at first.
var leverRegions = [...]string{"", "eu."}

var isLeverBoard = isTokenBut("img", "css", "js", "fonts", "assets", "static", "v0", "v1", "api")

type leverPosting struct {
	ID         id     `json:"id"`
	Text       string `json:"text"`
	HostedURL  string `json:"hostedUrl"`
	Categories struct {
		Location     string   `json:"location"`
		AllLocations []string `json:"allLocations"`
		Team         string   `json:"team"`
		Department   string   `json:"department"`
		Commitment   said     `json:"commitment"`
	} `json:"categories"`

	CreatedAt     said `json:"createdAt"`
	Country       said `json:"country"`
	WorkplaceType said `json:"workplaceType"`
	SalaryRange   loose[struct {
		Min      said `json:"min"`
		Max      said `json:"max"`
		Currency said `json:"currency"`
		Interval said `json:"interval"`
	}] `json:"salaryRange"`
	Description said `json:"description"`
	Lists       loose[[]struct {
		Text    said `json:"text"`
		Content said `json:"content"`
	}] `json:"lists"`
	PayText    said `json:"salaryDescription"`
	Additional said `json:"additional"`
}

func leverPostings(ctx context.Context, client Doer, board string) (page, error) {
	var rows []json.RawMessage
	err := leverInRegion(client, board, func(region string) error {
		return getJSON(ctx, client, "https://api."+region+"lever.co/v0/postings/"+board+"?mode=json", &rows)
	})
	if err != nil {
		return page{}, err
	}
	return pageOf(rows, 0, leverPosting.posting)
}

// leverInRegion asks each region until one knows the board.
func leverInRegion(client Doer, board string, ask func(region string) error) error {
	var err error
	for _, region := range placesOf(client, "lever", board, leverRegions[:]) {
		if err = ask(region); !isUnknown(err) {
			if err == nil {
				rememberPlace(client, "lever", board, region)
			}
			return err
		}
	}
	return err
}

func (p leverPosting) posting() (boardwatch.Posting, bool) {
	c := p.Categories
	posting := boardwatch.Posting{
		Key: string(p.ID), Title: p.Text, URL: p.HostedURL, Department: c.Department,
		Location: joinPlaces(append([]string{c.Location}, c.AllLocations...)...),
	}
	if strings.TrimSpace(posting.Department) == "" {
		posting.Department = c.Team
	}
	pay := p.SalaryRange.is
	posting.Facts = boardwatch.Facts{
		PostedAt: date(p.CreatedAt), Mode: fact.Mode(string(p.WorkplaceType)), Pay: statedPay(pay.Min, pay.Max, pay.Currency, pay.Interval, ""),
	}
	employment(&posting.Facts, c.Commitment)
	places := []boardwatch.Place{statedPlace(c.Location, "", p.Country)}
	for _, l := range c.AllLocations {
		places = append(places, statedPlace(l, "", "")) // the country is that of the first
	}
	fact.Places(&posting.Facts, places...)
	parts := []said{p.Description}
	for _, l := range p.Lists.is {
		parts = append(parts, section(l.Text, "<ul>"+l.Content+"</ul>"))
	}
	describe(&posting, append(parts, p.PayText, p.Additional)...)
	return posting, true
}

// leverEmployer is the title of the board's page.
func leverEmployer(ctx context.Context, client Doer, board string) (string, error) {
	var content []byte
	err := leverInRegion(client, board, func(region string) (err error) {
		content, err = getPage(ctx, client, "https://jobs."+region+"lever.co/"+board)
		return err
	})
	if err != nil {
		return "", err
	}
	title, err := pageTitle(content)
	if err != nil {
		return "", err
	}
	name := leverTitleTail.ReplaceAllString(title, "")
	if name == "" {
		return "", errors.New("its page has no title")
	}
	return name, nil
}

var (
	leverTitleTail = lazyregexp.New(`(?i)( [-–|])? (jobs|careers)$`)
	leverCall      = lazyregexp.New(`(?i)\bapi(?:\.eu)?\.lever\.co/v0/postings/([A-Za-z0-9._-]+)`)
	leverOptions   = lazyregexp.New(`\bleverJobsOptions\s*=\s*\{[^}]*\baccountName["']?\s*:\s*["']([A-Za-z0-9._-]+)["']`)
)

// Embedded knows pages whose script asks the API, and the script that many use for it.
func (lever) Embedded(page *goquery.Document) (board string, ok bool) {
	return onlyMatch(scriptsOf(page), isLeverBoard, leverCall, leverOptions)
}
