package ats

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// adp reads two products of one vendor: the career centers of Workforce Now, here, and MyJobs, in adp_myjobs.go. The board of
// the one is a client and a career center, that of the other a name.
type adp struct{ vendor }

func init() {
	register(adp{vendor{
		name: "adp",
		about: About{
			Name: "ADP Workforce Now and MyJobs", Site: "adp.com",
			Addresses: []string{"workforcenow.adp.com/mascsr/default/mdf/recruitment/recruitment.html?cid={client}&ccId={center}", "myjobs.adp.com/{name}"},
			Endpoint:  "GET https://workforcenow.adp.com/mascsr/default/careercenter/public/events/staffing/v1/job-requisitions?cid={client}&ccId={center}",
			Reads:     "id, title, places, home department, address, total; of MyJobs the company too",
			Evidence:  Several,
		},
		match: matchAdp,
	}})
}

const (
	adpHost    = "workforcenow.adp.com"
	adpCenters = "https://" + adpHost + "/mascsr/default/mdf/recruitment/recruitment.html"
	adpList    = "https://" + adpHost + "/mascsr/default/careercenter/public/events/staffing/v1/job-requisitions"
)

// matchAdp knows career centers, by their pages and their lists, and sites of MyJobs.
func matchAdp(a address) (board string, ok bool) {
	switch a.host {
	case adpHost:
		if !strings.EqualFold(a.segment(0), "mascsr") {
			return "", false
		}
		c := adpCenter{a.value("cid"), a.value("ccId")}
		return c.client + "/" + c.center, c.valid()
	case adpSitesHost:
		board = a.segment(0)
		if board == "public" {
			board = a.below("public", "staffing", "v1", "career-site")
		}
		return board, isADPSite(board)
	}
	return "", false
}

// adpCenter is a career center of a client.
type adpCenter struct{ client, center string }

var adpCenterForm = lazyregexp.New(`^[0-9]{1,32}_[0-9]{1,12}$`)

func parseADPCenter(board string) (adpCenter, bool) {
	client, center, _ := strings.Cut(board, "/")
	c := adpCenter{client, center}
	return c, c.valid()
}

func (c adpCenter) valid() bool { return isUUID(c.client) && adpCenterForm.MatchString(c.center) }

func (c adpCenter) page() string {
	return adpCenters + "?cid=" + c.client + "&ccId=" + c.center + "&lang=en_US"
}

// CareersURL is the center's or the site's page.
func (adp) CareersURL(board string) string {
	if c, ok := parseADPCenter(board); ok {
		return c.page()
	}
	return adpSites + board
}

// Read asks for page after page. The first row has the number one.
func (a adp) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if isADPSite(board) {
		return a.readSite(ctx, client, board)
	}
	c, ok := parseADPCenter(board)
	if !ok {
		return failed(a, noName())
	}
	client = with(client, "X-Requested-With", "XMLHttpRequest", "X-Forwarded-Host", adpHost)
	return paged{}.read(ctx, a, func(at turn) (page, error) {
		var list struct {
			JobRequisitions []json.RawMessage `json:"jobRequisitions"`
			Meta            *struct {
				TotalNumber *count `json:"totalNumber"`
			} `json:"meta"`
		}
		address := fmt.Sprintf("%s?cid=%s&ccId=%s&lang=en_US&locale=en_US&$top=100&$skip=%d", adpList, c.client, c.center, at.rows+1)
		if err := getJSON(ctx, client, address, &list); err != nil {
			return page{}, err
		}
		if list.Meta == nil || list.Meta.TotalNumber == nil {
			return page{}, didf("answered without a total")
		}
		return pageOf(list.JobRequisitions, *list.Meta.TotalNumber, func(job adpJob) (boardwatch.Posting, bool) { return job.posting(c), true })
	})
}

type adpJob struct {
	ItemID           id         `json:"itemID"`
	RequisitionTitle string     `json:"requisitionTitle"`
	Locations        []adpPlace `json:"requisitionLocations"`
	CustomFieldGroup struct {
		StringFields []struct {
			NameCode    adpCode `json:"nameCode"`
			StringValue string  `json:"stringValue"`
		} `json:"stringFields"`
	} `json:"customFieldGroup"`
}

type adpPlace struct {
	NameCode adpCode `json:"nameCode"`
	Address  struct {
		CityName    string  `json:"cityName"`
		Region      adpCode `json:"countrySubdivisionLevel1"`
		Country     adpCode `json:"country"`
		CountryCode adpCode `json:"countryCode"`
	} `json:"address"`
}

type adpCode struct {
	CodeValue string `json:"codeValue"`
	ShortName string `json:"shortName"`
	LongName  string `json:"longName"`
}

// UnmarshalJSON takes a code with its names, or the code alone.
func (c *adpCode) UnmarshalJSON(document []byte) error {
	if strings.HasPrefix(string(document), `"`) {
		return json.Unmarshal(document, &c.CodeValue)
	}
	type named adpCode
	return json.Unmarshal(document, (*named)(c))
}

func (c adpCode) text() string { return firstText(c.LongName, c.ShortName, c.CodeValue) }

// name is the place as the employer calls it, without the blanks that the vendor leaves where a part is missing.
func (p adpPlace) name() string {
	return strings.Trim(strings.ReplaceAll(collapse(firstText(p.NameCode.ShortName, p.NameCode.LongName)), " ,", ","), ", ")
}

func (p adpPlace) address() string {
	return placeAsGiven(p.Address.CityName, p.Address.Region.text(), firstText(p.Address.Country.text(), p.Address.CountryCode.text()))
}

func (j adpJob) posting(c adpCenter) boardwatch.Posting {
	places := make([]string, len(j.Locations))
	for i, l := range j.Locations {
		places[i] = firstText(l.name(), l.address())
	}
	p := boardwatch.Posting{
		Key: string(j.ItemID), Title: unescape(j.RequisitionTitle, 1), Location: unescape(joinPlaces(places...), 1),
		URL: c.page() + "&jobId=" + url.QueryEscape(string(j.ItemID)),
	}
	for _, field := range j.CustomFieldGroup.StringFields {
		if field.NameCode.CodeValue == "HomeDepartment" {
			p.Department = field.StringValue
		}
	}
	return p
}

// Company is the name in the title of a center's page.
func (a adp) Company(ctx context.Context, client Doer, board string) (string, error) {
	if isADPSite(board) {
		site, err := a.site(ctx, client, board)
		if err != nil {
			return "", fmt.Errorf("name of adp board %s: %w", board, err)
		}
		return strings.TrimSpace(site.ClientName), nil
	}
	c, ok := parseADPCenter(board)
	if !ok {
		return "", namelessBoard(a)
	}
	return employerOnPage(ctx, client, a, board, c.page())
}
