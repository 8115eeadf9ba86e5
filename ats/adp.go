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
type adp struct{ namer }

func init() {
	register(adp{namer{employer: adpEmployer, declared: &declared{
		name: "adp",
		about: About{
			Name: "ADP Workforce Now and MyJobs", Site: "adp.com",
			Addresses: []string{"workforcenow.adp.com/mascsr/default/mdf/recruitment/recruitment.html?cid={client}&ccId={center}", "myjobs.adp.com/{name}"},
			Endpoint:  "GET https://workforcenow.adp.com/mascsr/default/careercenter/public/events/staffing/v1/job-requisitions?cid={client}&ccId={center}",
			Reads:     "id, title, places, home department, address, total; of MyJobs the company too",
			Evidence:  Several,
		},
		board: adpBoard,
		valid: func(board string) bool {
			_, ok := parseADPCenter(board)
			return ok || isADPSite(board)
		},
		page: adpPage,
	}}})
}

const (
	adpHost    = "workforcenow.adp.com"
	adpCenters = "https://" + adpHost + "/mascsr/default/mdf/recruitment/recruitment.html"
	adpList    = "https://" + adpHost + "/mascsr/default/careercenter/public/events/staffing/v1/job-requisitions"
)

// adpBoard finds career centers in the addresses of their pages and lists, and sites of MyJobs.
func adpBoard(a address) string {
	switch {
	case a.host == adpHost && strings.EqualFold(a.segment(0), "mascsr"):
		return a.value("cid") + "/" + a.value("ccId")
	case a.host == adpSitesHost && a.segment(0) == "public":
		return a.below("public", "staffing", "v1", "career-site")
	case a.host == adpSitesHost:
		return a.segment(0)
	}
	return ""
}

// adpCenter is a career center of a client.
type adpCenter struct{ client, center string }

var adpCenterForm = lazyregexp.New(`^[0-9]{1,32}_[0-9]{1,12}$`)

func parseADPCenter(board string) (adpCenter, bool) {
	client, center, _ := strings.Cut(board, "/")
	return adpCenter{client, center}, isUUID(client) && adpCenterForm.MatchString(center)
}

func (c adpCenter) page() string {
	return adpCenters + "?cid=" + c.client + "&ccId=" + c.center + "&lang=en_US"
}

func adpPage(board string) string {
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
			Meta            struct {
				TotalNumber *count `json:"totalNumber"`
			} `json:"meta"`
		}
		address := fmt.Sprintf("%s?cid=%s&ccId=%s&lang=en_US&locale=en_US&$top=100&$skip=%d", adpList, c.client, c.center, at.rows+1)
		if err := getJSON(ctx, client, address, &list); err != nil {
			return page{}, err
		}
		return pageOfTotal(list.JobRequisitions, list.Meta.TotalNumber, func(job adpJob) (boardwatch.Posting, bool) { return job.posting(c), true })
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

// adpEmployer is the name in the title of a center's page, or what MyJobs says of a site.
func adpEmployer(ctx context.Context, client Doer, board string) (string, error) {
	if !isADPSite(board) {
		return inTitle(adpPage)(ctx, client, board)
	}
	site, err := adpSiteOf(ctx, client, board)
	return strings.TrimSpace(site.ClientName), err
}
