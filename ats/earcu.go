package ats

import (
	"context"
	"encoding/xml"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// eArcu has its feed under the path of the site's roles, or at its top.
func init() {
	register(&declared{
		name: "earcu",
		about: About{
			Name: "eArcu", Site: "earcu.com",
			Addresses: []string{"{company}.earcu.com", "{company}.earcu.com/jobs/vacancy/{title}/{role}/description/"},
			Endpoint:  "GET https://{company}.earcu.com/jobs/allvacancies/",
			Reads:     "id, title, every place, function, address",
			Evidence:  Single,
		},
		board: hostUnder("earcu.com"),
		valid: isHostUnder("earcu.com"),
		page:  func(board string) string { return "https://" + board + "/jobs/" },
		open:  inOne(earcuRoles),
	})
}

type earcuPosition struct {
	Title     string   `xml:"JobTitle"`
	URL       string   `xml:"DescriptionURL"`
	Reference string   `xml:"VacancyRef"`
	Function  string   `xml:"JobFunction"`
	Locations []string `xml:"Locations>Location"`
}

type earcuFeed struct {
	XMLName   xml.Name
	Positions []earcuPosition `xml:"position"`
}

var earcuID = lazyregexp.New(`/(\d+)/description/?$`)

func earcuRoles(ctx context.Context, client Doer, board string) (page, error) {
	var feed earcuFeed
	err := getXML(ctx, client, "https://"+board+"/jobs/allvacancies/", &feed)
	if err != nil && ctx.Err() == nil && isMissing(err) {
		feed = earcuFeed{}
		err = getXML(ctx, client, "https://"+board+"/allvacancies/", &feed)
	}
	if err != nil {
		return page{}, err
	}
	if !strings.EqualFold(feed.XMLName.Local, "positions") {
		return page{}, didf("answered with a document that is not a list of positions")
	}
	return pageOfRows(feed.Positions, 0, func(position earcuPosition) (boardwatch.Posting, bool) {
		p := boardwatch.Posting{
			Key: strings.TrimSpace(position.Reference), Title: position.Title, Location: joinPlaces(position.Locations...),
			Department: position.Function, URL: strings.TrimSpace(position.URL),
		}
		p.Key = firstText(captured(earcuID, p.URL), p.Key)
		return p, true
	})
}
