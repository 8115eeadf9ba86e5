package ats

import (
	"context"
	"encoding/xml"
	"net/http"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// successFactors reads career sites of SAP SuccessFactors. A board is a whole host, most often one of the company's own,
// or a company on a host that many share: "career5.successfactors.eu/Northwind".
//
// The sites of a host are of several kinds: most have a feed of all their roles, the others are asked for the pages of their
// search, which shows a table, tiles, or nothing but a script that asks a service; failing that, their sitemap names the roles.
type successFactors struct{ namer }

func init() {
	register(successFactors{namer{employer: inTitle(sfAddress), declared: &declared{
		name: "successfactors",
		about: About{
			Name: "SAP SuccessFactors", Site: "sap.com",
			Addresses: []string{
				"career{n}.successfactors.com/career?company={company}", "career{n}.successfactors.eu/career?company={company}",
				"career{n}.sapsf.cn/career?company={company}",
				"performancemanager{n}.successfactors.com/career?company={company}",
				"{company}.jobs2web.com", "{company}.jobs.hr.cloud.sap", "{host}/job/{title}/{role}/",
			},
			Endpoint: "GET https://{host}/googlefeed.xml, else https://{host}/search/, else https://{host}/services/recruiting/v1/jobs or https://{host}/sitemap.xml; " +
				"GET https://{host}/career?company={company}&career_ns=job_listing_summary&resultType=XML",
			Reads:    "id, title, place, department where it is shown, address, company, total where it is shown",
			Evidence: Recording,
		},
		board: sfBoardIn,
		valid: func(board string) bool {
			_, ok := parseSFBoard(board)
			return ok
		},
		page: sfAddress,
	}}})
}

var (
	sfSharedHost = lazyregexp.New(`^(?:career|performancemanager|hcm)[a-z0-9-]{0,20}\.(?:successfactors|sapsf)\.(?:com|eu|cn)$`)
	sfSharedPath = lazyregexp.New(`(?i)^(?:career|careers|portalcareer|sfcareer)$`)
	sfCompany    = lazyregexp.New(`^[A-Za-z0-9_.-]{1,100}$`)
)

// sfDomains are those of the vendor below which every host is a site.
var sfDomains = []string{"jobs2web.com", "jobs2web.sapsf.cn", "jobs.hr.cloud.sap"}

// sfBoardIn finds boards in the addresses of companies on shared hosts, and in all addresses at hosts below the vendor's
// domains.
func sfBoardIn(a address) string {
	b := sfBoard{host: a.host}
	switch {
	case sfSharedHost.MatchString(a.host):
		if b.company = a.value("company"); b.company == "" || !sfSharedPath.MatchString(a.segment(0)) {
			return ""
		}
	case a.tenant(sfDomains...) == "" || strings.HasPrefix(a.host, "rmkcdn"):
		return ""
	}
	return b.String()
}

// sfBoard is a site, or a company on a shared host.
type sfBoard struct{ host, company string }

func parseSFBoard(board string) (sfBoard, bool) {
	host, company, _ := strings.Cut(board, "/")
	b := sfBoard{host, company}
	return b, b.valid() && b.String() == board
}

func (b sfBoard) valid() bool {
	if sfSharedHost.MatchString(b.host) {
		return sfCompany.MatchString(b.company)
	}
	return b.company == "" && isCompanyHost(b.host, sfDomains...)
}

func (b sfBoard) String() string {
	if b.company == "" {
		return b.host
	}
	return b.host + "/" + b.company
}

// sfAddress is the site's first page.
func sfAddress(board string) string {
	b, _ := parseSFBoard(board)
	if b.company != "" {
		return "https://" + b.host + "/career?company=" + b.company
	}
	return "https://" + b.host + "/"
}

// Read takes the feed where there is one, and asks for pages where there is none.
func (s successFactors) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	b, ok := parseSFBoard(board)
	if !ok {
		return failed(s, noName())
	}
	r := sfReader{successFactors: s, client: client, host: "https://" + b.host}
	if b.company != "" {
		return r.shared(ctx, b)
	}
	for _, feed := range []string{"/googlefeed.xml", "/sitemal.xml"} { // the second is spelt so
		reading, found, err := r.feed(ctx, feed)
		if err != nil {
			return failed(s, err)
		}
		if found {
			return finish(s, reading, nil)
		}
	}
	return r.search(ctx)
}

// sfReader reads one board once.
type sfReader struct {
	successFactors

	client Doer
	host   string // with its scheme
}

type sfFeed struct {
	XMLName xml.Name `xml:"rss"`
	Channel *struct {
		Items []sfItem `xml:"item"`
	} `xml:"channel"`
}

type sfItem struct {
	Title       string `xml:"title"`
	Link        string `xml:"link"`
	GUID        string `xml:"guid"`
	ID          string `xml:"id"`
	Location    string `xml:"location"`
	Employer    string `xml:"employer"`
	JobFunction string `xml:"job_function"`
	PubDate     said   `xml:"pubDate"`
	Expires     said   `xml:"expiration_date"`
	Description said   `xml:"description"`
}

// feed reads a feed, and reports whether there is one. One without roles counts for none: some sites have it though it
// is not in use.
func (r sfReader) feed(ctx context.Context, path string) (reading boardwatch.Reading, found bool, err error) {
	answered, err := send(ctx, r.client, http.MethodGet, r.host+path, "application/rss+xml, application/xml;q=0.9, */*;q=0.1", nil)
	if err != nil {
		return reading, false, err
	}
	if answered.status != http.StatusOK {
		return reading, false, answered.unlessAbsent()
	}
	var feed sfFeed
	if isHTML(answered.body) {
		return reading, false, nil
	}
	if err := decodeXML(answered.body, &feed); err != nil {
		return reading, false, err
	}
	if feed.Channel == nil || len(feed.Channel.Items) == 0 {
		return reading, false, nil
	}
	employers := make(map[string]bool)
	reading, err = listed(feed.Channel.Items, func(item sfItem) (boardwatch.Posting, bool) {
		if name := companyInPart(collapse(item.Employer)); name != "" {
			employers[name] = true
		}
		return item.posting(), true
	})
	if len(employers) == 1 {
		for name := range employers {
			reading.Company = name
		}
	}
	return reading, err == nil, err
}

// unlessAbsent is the answer's refusal, unless it says that there is nothing at this address of a host that is there.
func (a answer) unlessAbsent() error {
	from, to := a.redirect()
	if a.status == http.StatusNotFound || a.status == http.StatusGone || a.status >= 300 && a.status < 400 && from == to {
		return nil
	}
	return a.refusal()
}

func (i sfItem) posting() boardwatch.Posting {
	p := boardwatch.Posting{URL: strings.TrimSpace(i.Link), Department: collapse(unescape(i.JobFunction, 1))}
	p.URL, _, _ = strings.Cut(p.URL, "?")
	p.Key = firstText(sfRoleID(p.URL), i.ID, sfRoleID(i.GUID))
	p.Title, p.Location = sfTitle(collapse(unescape(i.Title, 1)), collapse(unescape(i.Location, 1)))
	if p.Department == "ATS_WEBFORM" {
		p.Department = ""
	}
	p.Facts.PostedAt, p.Facts.ValidThrough = date(i.PubDate), date(i.Expires)
	describe(&p, i.Description)
	return p
}

var (
	sfRole    = lazyregexp.New(`/job/(?:.*/)?([0-9]{3,})(?:-[A-Za-z_-]{2,10})?/?(?:[?#]|$)`)
	sfPlace   = lazyregexp.New(`^(.*\S)\s*\(([^()]+,[^()]+)\)$`)
	sfCountry = lazyregexp.New(`^(?:[A-Z]{2,3}|[0-9][0-9A-Z -]{2,9})$`)
)

// sfRoleID is a role's id in the address of its page. Whatever else stands there may change.
func sfRoleID(address string) string {
	return captured(sfRole, address)
}

// sfTitle parts a title from the place that feeds put behind it in brackets. Where no place is given besides, it is the
// one in the brackets, if it looks like one.
func sfTitle(title, location string) (string, string) {
	m := sfPlace.FindStringSubmatch(title)
	if m == nil {
		return title, location
	}
	inside := strings.Split(m[2], ",")
	for i := range inside {
		inside[i] = strings.TrimSpace(inside[i])
	}
	city, _, _ := strings.Cut(location, ",")
	switch {
	case location != "" && strings.EqualFold(inside[0], strings.TrimSpace(city)):
		return m[1], location
	case location == "" && slices.ContainsFunc(inside[1:], sfCountry.MatchString):
		return m[1], strings.Join(inside, ", ")
	}
	return title, location
}

// sfSite is what every page of a site has, and no other page.
const sfSite = `body.coreCSB, script[src*="/platform/js/j2w/"], script[src*="rmkcdn.successfactors."], link[href*="rmkcdn.successfactors."], ` +
	`script[src*="rmkcdn.jobs2web."], link[href*="rmkcdn.jobs2web."], script[src*=".jobs2web.com/"], [data-careersite-propertyid]`

// Embedded knows sites at addresses of companies' own by what the vendor puts into their pages.
func (successFactors) Embedded(page *goquery.Document) (board string, ok bool) {
	b := sfBoard{host: ownHost(page)}
	if !b.valid() || page.Find(sfSite).Length() == 0 {
		return "", false
	}
	return b.String(), true
}
