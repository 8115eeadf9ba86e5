package ats

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func init() {
	register(&declared{
		name: "jobscore",
		about: About{
			Name: "JobScore", Site: "jobscore.com",
			Addresses: []string{"careers.jobscore.com/careers/{board}", "careers.jobscore.com/careers/{board}/jobs/{role}", "careers.jobscore.com/jobs/{board}/feed.json"},
			Endpoint:  "GET https://careers.jobscore.com/jobs/{board}/feed.json?sort=date&limit=1000",
			Reads:     "id, title, place, department, address, company",
			Evidence:  Several,
		},
		board: func(a address) string {
			if a.host != "careers.jobscore.com" {
				return ""
			}
			return firstText(a.below("careers"), a.below("jobs"))
		},
		valid: isToken,
		page:  func(board string) string { return "https://careers.jobscore.com/careers/" + board },
		pages: paged{size: jobscoreMost, most: 1},
		open:  inTurns(jobscoreFeed),
	})
}

type jobscoreJob struct {
	ID         id     `json:"id"`
	Title      string `json:"title"`
	DetailURL  string `json:"detail_url"`
	City       string `json:"city"`
	State      string `json:"state"`
	Country    string `json:"country"`
	Location   string `json:"location"`
	Department string `json:"department"`
	Remote     string `json:"remote"`
}

// jobscoreMost is how many roles a feed is asked for: more than any board has shown. A feed of as many may have been cut.
const jobscoreMost = 1000

func jobscoreFeed(ctx context.Context, client Doer, board string, _ turn) (page, error) {
	var feed struct {
		CompanyName string            `json:"company_name"`
		Jobs        []json.RawMessage `json:"jobs"`
	}
	address := fmt.Sprintf("https://careers.jobscore.com/jobs/%s/feed.json?sort=date&limit=%d", board, jobscoreMost)
	if err := getJSON(ctx, client, address, &feed); err != nil {
		return page{}, err
	}
	p, err := pageOf(feed.Jobs, 0, jobscoreJob.posting)
	p.Company = feed.CompanyName
	return p, err
}

func (j jobscoreJob) posting() (boardwatch.Posting, bool) {
	p := boardwatch.Posting{
		Key: string(j.ID), Title: j.Title, Department: j.Department, URL: j.DetailURL,
		Location: firstText(placeAsGiven(j.City, j.State, j.Country), collapse(j.Location)),
	}
	orRemote(&p, strings.HasPrefix(strings.ToLower(strings.TrimSpace(j.Remote)), "yes"))
	return p, true
}
