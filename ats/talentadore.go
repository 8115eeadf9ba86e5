package ats

import (
	"context"
	"encoding/json"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

const talentadoreFeeds = "https://ats.talentadore.com/positions/"

// talentadore is declared, and known by the feed that companies put into their pages.
type talentadore struct{ *declared }

func init() {
	register(talentadore{&declared{
		name: "talentadore",
		about: About{
			Name: "TalentAdore", Site: "talentadore.com",
			Addresses: []string{"ats.talentadore.com/positions/{feed}/json"},
			Endpoint:  "GET " + talentadoreFeeds + "{feed}/json?v=2",
			Reads:     "id, title, place, address",
			Evidence:  Several,
		},
		board: func(a address) string {
			if a.host != "ats.talentadore.com" {
				return ""
			}
			return a.below("positions")
		},
		valid: isToken,
		page:  func(board string) string { return talentadoreFeeds + board },
		open:  inOne(talentadoreRoles),
	}})
}

type talentadoreJob struct {
	Token   id     `json:"job_token"`
	Name    string `json:"name"`
	Link    string `json:"link"`
	City    string `json:"city"`
	County  string `json:"county"`
	Country string `json:"country"`
}

func talentadoreRoles(ctx context.Context, client Doer, board string) (page, error) {
	var feed struct {
		Jobs []json.RawMessage `json:"jobs"`
	}
	if err := getJSON(ctx, client, talentadoreFeeds+board+"/json?v=2", &feed); err != nil {
		return page{}, err
	}
	return pageOf(feed.Jobs, 0, func(j talentadoreJob) (boardwatch.Posting, bool) {
		return boardwatch.Posting{Key: string(j.Token), Title: j.Name, Location: place(j.City, j.County, j.Country), URL: j.Link}, true
	})
}

var talentadoreFeed = lazyregexp.New(`//ats\.talentadore\.com/positions/([A-Za-z0-9_-]+)`)

// Embedded knows the feed in the vendor's element, or in a script.
func (talentadore) Embedded(page *goquery.Document) (board string, ok bool) {
	text := scriptsOf(page)
	page.Find("[data-url]").Each(func(_ int, element *goquery.Selection) {
		text += "\n" + element.AttrOr("data-url", "")
	})
	return onlyMatch(text, isToken, talentadoreFeed)
}
