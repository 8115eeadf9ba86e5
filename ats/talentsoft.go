package ats

import (
	"context"
	"encoding/xml"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// Talentsoft has a feed for each language. The French one is asked for: most of its sites have no other.
func init() {
	register(&declared{
		name: "talentsoft",
		about: About{
			Name: "Talentsoft", Site: "talentsoft.com",
			Addresses: []string{"{company}-recrute.talent-soft.com", "{company}-recrute.talent-soft.com/offre-de-emploi/{role}"},
			Endpoint:  "GET https://{company}-recrute.talent-soft.com/handlers/offerRss.ashx?LCID=1036",
			Reads:     "reference, title, address",
			Evidence:  Single,
		},
		board: hostUnder("talent-soft.com"),
		valid: isHostUnder("talent-soft.com"),
		page:  func(board string) string { return "https://" + board + "/" },
		open:  inOne(talentsoftRoles),
	})
}

// An rssItem is one entry of a feed.
type rssItem struct {
	Title       string `xml:"title"`
	Link        string `xml:"link"`
	GUID        string `xml:"guid"`
	Description string `xml:"description"`
}

var (
	talentsoftReference = lazyregexp.New(`^\s*([A-Za-z0-9_]+-\d+)\s+-\s+`)
	talentsoftInLink    = lazyregexp.New(`(?i)[?&]reference=([A-Za-z0-9_-]+)|_(\d+)\.aspx`)
)

func talentsoftRoles(ctx context.Context, client Doer, board string) (page, error) {
	var feed struct {
		XMLName xml.Name `xml:"rss"`
		Channel *struct {
			Items []rssItem `xml:"item"`
		} `xml:"channel"`
	}
	if err := getXML(ctx, client, "https://"+board+"/handlers/offerRss.ashx?LCID=1036", &feed); err != nil {
		return page{}, err
	}
	if feed.Channel == nil {
		return page{}, didf("answered with a feed without a channel")
	}
	return pageOfRows(feed.Channel.Items, 0, func(item rssItem) (boardwatch.Posting, bool) {
		p := boardwatch.Posting{Title: item.Title, URL: strings.TrimSpace(item.Link)}
		if m := talentsoftReference.FindStringSubmatch(item.Title); m != nil {
			p.Key, p.Title = m[1], item.Title[len(m[0]):]
		} else if m := talentsoftInLink.FindStringSubmatch(item.Link); m != nil {
			p.Key = firstText(m[1], m[2])
		}
		return p, true
	})
}
