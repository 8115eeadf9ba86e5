package ats

import (
	"context"
	"encoding/xml"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func init() {
	register(&declared{
		name: "eploy",
		about: About{
			Name: "Eploy", Site: "eploy.com",
			Addresses: []string{"{company}.eploy.net", "{company}.eploy.net/vacancies/{role}"},
			Endpoint:  "GET https://{company}.eploy.net/feeds/datafeed.ashx?Format=xml",
			Reads:     "id, title, place, position, address, company, total",
			Evidence:  Single,
		},
		board: hostUnder("eploy.net"),
		valid: isHostUnder("eploy.net"),
		page:  func(board string) string { return "https://" + board + "/" },
		open:  inOne(eployRoles),
	})
}

type eployItem struct {
	ID       string `xml:"VacancyID"`
	Title    string `xml:"Title"`
	Link     string `xml:"Link"`
	Location string `xml:"Location"`
	Position string `xml:"Position"`
	Industry string `xml:"Industry"`
	Company  string `xml:"Company"`
}

func (i eployItem) employer() string { return i.Company }

func eployRoles(ctx context.Context, client Doer, board string) (page, error) {
	var feed struct {
		XMLName xml.Name    `xml:"Vacancies"`
		Count   string      `xml:"Count,attr"`
		Items   []eployItem `xml:"Item"`
	}
	if err := getXML(ctx, client, "https://"+board+"/feeds/datafeed.ashx?Format=xml", &feed); err != nil {
		return page{}, err
	}
	total, err := strconv.Atoi(feed.Count)
	if err != nil {
		total = 0
	}
	return pageOfRows(feed.Items, total, func(item eployItem) (boardwatch.Posting, bool) {
		return boardwatch.Posting{
			Key: strings.TrimSpace(item.ID), Title: item.Title, Location: item.Location, Department: firstText(item.Position, item.Industry),
			URL: strings.TrimSpace(item.Link),
		}, true
	})
}
