package ats

import (
	"context"
	"encoding/xml"
	"fmt"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// ReachMee wants four things to name a board: the number of the host, the installation, the site, and the customer.
func init() {
	register(&declared{
		name: "reachmee",
		about: About{
			Name: "ReachMee", Site: "reachmee.com",
			Addresses: []string{"site{number}.reachmee.com/Public/rssfeed/external.ashx?id={site}&InstallationID={installation}&CustomerName={customer}"},
			Endpoint:  "GET https://site{number}.reachmee.com/Public/rssfeed/external.ashx?id={site}&InstallationID={installation}&CustomerName={customer}&lang=UK",
			Reads:     "id, title, areas and country, unit, address",
			Evidence:  Single,
		},
		board: func(a address) string {
			number, ok := strings.CutPrefix(a.tenant("reachmee.com"), "site")
			if !ok || !strings.EqualFold(strings.Join(a.path(), "/"), "public/rssfeed/external.ashx") {
				return ""
			}
			return strings.Join([]string{number, a.value("InstallationID"), a.value("id"), a.value("CustomerName")}, "/")
		},
		valid: reachmeeBoard.MatchString,
		page:  reachmeeFeed,
		open:  inOne(reachmeeRoles),
	})
}

var reachmeeBoard = lazyregexp.New(`^\d{1,5}/I\d{1,6}/\d{1,6}/[A-Za-z0-9_-]{1,64}$`)

func reachmeeFeed(board string) string {
	parts := strings.Split(board, "/")
	return fmt.Sprintf("https://site%s.reachmee.com/Public/rssfeed/external.ashx?id=%s&InstallationID=%s&CustomerName=%s&lang=UK",
		parts[0], parts[2], parts[1], url.QueryEscape(parts[3]))
}

type reachmeeItem struct {
	rssItem

	ID             string `xml:"CommAdSeqNo"`
	Area1          string `xml:"Area1"`
	Area2          string `xml:"Area2"`
	Country        string `xml:"country"`
	Org1           string `xml:"Org1"`
	Org2           string `xml:"Org2"`
	OccupationArea string `xml:"occupationArea"`
}

var reachmeeInLink = lazyregexp.New(`[?&]rmjob=(\d+)`)

func reachmeeRoles(ctx context.Context, client Doer, board string) (page, error) {
	var feed struct {
		XMLName xml.Name `xml:"rss"`
		Channel *struct {
			Items []reachmeeItem `xml:"item"`
		} `xml:"channel"`
	}
	if err := getXML(ctx, client, reachmeeFeed(board), &feed); err != nil {
		return page{}, err
	}
	if feed.Channel == nil {
		return page{}, didf("answered with a feed without a channel")
	}
	return pageOfRows(feed.Channel.Items, 0, func(item reachmeeItem) (boardwatch.Posting, bool) {
		p := boardwatch.Posting{
			Key: strings.TrimSpace(item.ID), Title: item.Title, Location: place(item.Area1, item.Area2, item.Country), URL: strings.TrimSpace(item.Link),
			Department: firstText(item.Org1, item.Org2, item.OccupationArea),
		}
		if m := reachmeeInLink.FindStringSubmatch(item.Link); p.Key == "" && m != nil {
			p.Key = m[1]
		}
		return p, true
	})
}
