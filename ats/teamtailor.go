package ats

import (
	"cmp"
	"context"
	"encoding/json"
	"encoding/xml"
	"net/http"
	"strconv"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// teamtailor reads the career sites of Teamtailor, which live below teamtailor.com, in some regions one label deeper, or on
// a host of the company's own. The board is the whole host.
type teamtailor struct{ *declared }

func init() {
	register(teamtailor{&declared{
		name: "teamtailor",
		about: About{
			Name: "Teamtailor", Site: "teamtailor.com",
			Addresses: []string{"{company}.teamtailor.com", "{company}.na.teamtailor.com", "{company}.teamtailor.com/jobs.rss"},
			Endpoint:  "GET https://{host}/jobs.rss?offset=0&per_page=100",
			Reads:     "id, title, places, department, address, company",
			Evidence:  Recording,
		},
		board: func(a address) string {
			if !a.under("teamtailor.com") {
				return ""
			}
			return a.host
		},
		valid: isTeamtailorHost,
		page:  func(board string) string { return "https://" + board + "/jobs" },
	}})
}

var teamtailorRegion = lazyregexp.New(`^(?:na|eu|au|us|uk|ap)$`)

// isTeamtailorHost reports whether a host can be a board: one below teamtailor.com, with or without its region, or a
// company's own.
func isTeamtailorHost(host string) bool {
	labels, below := strings.CutSuffix(host, ".teamtailor.com")
	if !below {
		return isHost(host) && host != "teamtailor.com"
	}
	company, region, regional := strings.Cut(labels, ".")
	return isLabel(company) && !isVendorLabel(company) && !teamtailorRegion.MatchString(company) && (!regional || teamtailorRegion.MatchString(region))
}

type teamtailorFeed struct {
	XMLName xml.Name `xml:"rss"`
	Channel *struct {
		Title string           `xml:"title"`
		Items []teamtailorItem `xml:"item"`
	} `xml:"channel"`
}

type teamtailorItem struct {
	GUID       string `xml:"guid"`
	Title      string `xml:"title"`
	Link       string `xml:"link"`
	Remote     string `xml:"remoteStatus"`
	Department string `xml:"department"`
	PubDate    said   `xml:"pubDate"`
	Text       said   `xml:"description"`
	Locations  []struct {
		Name    string `xml:"name"`
		City    string `xml:"city"`
		Country string `xml:"country"`
	} `xml:"locations>location"`
}

const teamtailorPage = 100

// Read asks for page after page of the feed. A site that has none may have the same roles as JSON.
func (t teamtailor) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !isTeamtailorHost(board) {
		return failed(t, noName())
	}
	first, err := t.ask(ctx, client, board, 0)
	if err != nil {
		return failed(t, err)
	}
	if first.status == http.StatusNotFound {
		return t.readJSON(ctx, client, board)
	}
	whole := "" // the first role of a feed that takes no notice of how it was asked
	return paged{size: teamtailorPage, most: 100}.read(ctx, t, func(at turn) (page, error) {
		answered, err := first, error(nil)
		if at.page > 0 {
			answered, err = t.ask(ctx, client, board, at.rows)
		}
		if err != nil {
			return page{}, err
		}
		if answered.status != http.StatusOK {
			return page{}, answered.refusal()
		}
		var feed teamtailorFeed
		if err := decodeXML(answered.body, &feed); err != nil {
			return page{}, err
		}
		if feed.Channel == nil {
			return page{}, didf("answered with a feed without a channel")
		}
		items := feed.Channel.Items
		if at.page == 1 && whole != "" && len(items) > 0 && items[0].key() == whole {
			return page{last: true}, nil
		}
		if len(items) > teamtailorPage {
			whole = items[0].key()
		}
		reading, err := listed(items, teamtailorItem.posting)
		reading.Company = feed.Channel.Title
		return page{Reading: reading, rows: len(items)}, err
	})
}

// ask asks for a part of the feed, twice if need be: now and then it answers 400 for no reason.
func (teamtailor) ask(ctx context.Context, client Doer, board string, offset int) (answer, error) {
	address := "https://" + board + "/jobs.rss?offset=" + strconv.Itoa(offset) + "&per_page=" + strconv.Itoa(teamtailorPage)
	answered, err := send(ctx, client, http.MethodGet, address, "application/rss+xml, application/xml", nil)
	if err == nil && answered.status == http.StatusBadRequest {
		return send(ctx, client, http.MethodGet, address, "application/rss+xml, application/xml", nil)
	}
	return answered, err
}

func (i teamtailorItem) key() string { return firstText(i.GUID, teamtailorID(i.Link)) }

func (i teamtailorItem) posting() (boardwatch.Posting, bool) {
	places := make([]string, len(i.Locations))
	stated := make([]boardwatch.Place, len(i.Locations))
	for n, l := range i.Locations {
		places[n] = firstText(l.City, l.Name, l.Country)
		stated[n] = statedPlace(places[n], said(l.City), said(l.Country))
	}
	p := boardwatch.Posting{
		Key: strings.TrimSpace(i.key()), Title: i.Title, Location: joinPlaces(places...), Department: i.Department, URL: strings.TrimSpace(i.Link),
	}
	orRemote(&p, i.Remote == "fully")
	p.Facts.PostedAt, p.Facts.Mode = date(i.PubDate), fact.Mode(i.Remote)
	fact.Places(&p.Facts, stated...)
	describe(&p, i.Text)
	return p, true
}

var teamtailorLink = lazyregexp.New(`/jobs/([0-9]+)`)

// teamtailorID is the number of a role in its address, or empty.
func teamtailorID(link string) string {
	return captured(teamtailorLink, link)
}

type teamtailorEntry struct {
	ID         id             `json:"id"`
	Title      string         `json:"title"`
	URL        string         `json:"url"`
	JobPosting map[string]any `json:"_jobposting"`
}

// readJSON takes the same roles from the JSON feed, which has no departments.
func (t teamtailor) readJSON(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	var feed struct {
		Title   string            `json:"title"`
		NextURL string            `json:"next_url"`
		Items   []json.RawMessage `json:"items"`
	}
	answered, err := send(ctx, client, http.MethodGet, "https://"+board+"/jobs.json", "application/json", nil)
	switch {
	case err != nil:
		return failed(t, err)
	case answered.status == http.StatusNotFound:
		return failed(t, noBoard("it answered 404"))
	}
	if err := answered.decode(&feed); err != nil {
		return failed(t, err)
	}
	reading, err := listing(feed.Items, teamtailorEntry.posting)
	reading.Company = feed.Title
	if feed.NextURL != "" {
		reading.Health, reading.Cause, reading.Reason = boardwatch.HealthPartial, cause.Truncated, "teamtailor shows only a part of the roles in its JSON feed"
	}
	return finish(t, reading, err)
}

func (e teamtailorEntry) posting() (boardwatch.Posting, bool) {
	several, isList := e.JobPosting["jobLocation"].([]any)
	if !isList {
		several = []any{e.JobPosting["jobLocation"]}
	}
	var places []string
	for _, l := range several {
		object, _ := l.(map[string]any)
		address, _ := object["address"].(map[string]any)
		places = append(places, firstText(linkedText(address["addressLocality"]), linkedText(address["addressCountry"], "name")))
	}
	p := boardwatch.Posting{Key: cmp.Or(string(e.ID), teamtailorID(e.URL)), Title: e.Title, Location: joinPlaces(places...), URL: e.URL}
	facts, description := fact.Linked(e.JobPosting)
	orRemote(&p, facts.Mode == boardwatch.ModeRemote)
	p.Facts, p.Facts.Requisition = facts, "" // the vendor's own number stands there
	describe(&p, said(description))
	return p, true
}

// Embedded knows the career sites that companies have on hosts of their own: made of the vendor's parts, and with its feed.
func (teamtailor) Embedded(page *goquery.Document) (board string, ok bool) {
	const assets = "teamtailor-cdn.com"
	feed := page.Find(`link[rel="alternate"][type="application/rss+xml"][href*="/jobs.rss"]`)
	if feed.Length() == 0 || page.Find(`[src*="`+assets+`"], [href*="`+assets+`"], [content*="`+assets+`"]`).Length() == 0 {
		return "", false
	}
	host := ownHost(page)
	return host, host != "" && isTeamtailorHost(host)
}
