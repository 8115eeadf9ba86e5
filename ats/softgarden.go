package ats

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// softgarden reads the career sites of softgarden: newer ones by their feed, older ones, below softgarden.io, by their page,
// which holds all roles. The board is the whole host, which may be a company's own.
type softgarden struct{ *declared }

func init() {
	register(softgarden{&declared{
		name: "softgarden",
		about: About{
			Name: "softgarden", Site: "softgarden.com",
			Addresses: []string{"{company}.career.softgarden.de", "{company}.softgarden.io/de/vacancies", "{company}.career.softgarden.de/jobs.feed.json"},
			Endpoint:  "GET https://{host}/jobs.feed.json",
			Reads:     "id, title, every place, address, total, company",
			Evidence:  Several,
		},
		board: hostUnder("career.softgarden.de", "softgarden.io"),
		valid: isSoftgardenHost,
		page:  func(board string) string { return "https://" + board + "/" },
	}})
}

// isSoftgardenHost reports whether a host can be a board: one below the vendor's domains, or a company's own.
func isSoftgardenHost(host string) bool {
	a := address{host: host}
	if a.under("softgarden.de", "softgarden.io", "softgarden.com") || host == "softgarden.de" || host == "softgarden.io" || host == "softgarden.com" {
		label := a.tenant("career.softgarden.de", "softgarden.io")
		switch label {
		case "", "tracker", "matomo", "certificate", "jobdb", "mediaassets", "dev", "career":
			return false
		}
		return true
	}
	return isHost(host)
}

// Read takes the whole list from the feed, or from the page of an older site.
func (s softgarden) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !isSoftgardenHost(board) {
		return failed(s, noName())
	}
	answered, err := send(ctx, client, http.MethodGet, s.CareersURL(board)+"jobs.feed.json", "application/json", nil)
	switch {
	case err != nil:
		return failed(s, err)
	case answered.status == http.StatusNotFound && strings.HasSuffix(board, ".softgarden.io"):
		return s.readPage(ctx, client, board)
	case answered.status == http.StatusNotFound:
		return failed(s, noBoard("its feed is not found"))
	}
	var feed struct {
		NumberOfItems *count            `json:"numberOfItems"`
		Elements      []json.RawMessage `json:"dataFeedElement"`
	}
	if err := answered.decode(&feed); err != nil {
		return failed(s, err)
	}
	company := ""
	reading, err := listing(feed.Elements, func(element softgardenElement) (boardwatch.Posting, bool) {
		element.Item = withoutDashes(element.Item)
		job := linkedPostingOf(element.Item)
		company = firstText(company, unescape(job.Company, 1))
		job.ID = linkedText(element.Item["identifier"], "value") // its name is the company's
		return softgardenPosting(job), true
	})
	reading.Company = company
	if feed.NumberOfItems != nil {
		reading.Claimed = int(*feed.NumberOfItems)
	}
	return finish(s, reading, err)
}

type softgardenElement struct {
	Item map[string]any `json:"item"`
}

// softgardenPosting is one role of the feed. It says nothing of departments.
func softgardenPosting(job linkedPosting) boardwatch.Posting {
	p := job.posting()
	p.Title, p.Location, p.Department = unescape(p.Title, 1), unescape(p.Location, 1), ""
	return p
}

// withoutDashes is an object of the feed with nothing in place of "-", which stands there for what is missing.
func withoutDashes(object map[string]any) map[string]any {
	clean := make(map[string]any, len(object))
	for name, value := range object {
		clean[name] = withoutDash(value)
	}
	return clean
}

func withoutDash(value any) any {
	switch value := value.(type) {
	case string:
		if strings.TrimSpace(value) == "-" {
			return ""
		}
	case map[string]any:
		return withoutDashes(value)
	case []any:
		clean := make([]any, len(value))
		for i, v := range value {
			clean[i] = withoutDash(v)
		}
		return clean
	}
	return value
}

var softgardenIDs = lazyregexp.New(`\bcomplete_job_id_list\s*=\s*(?:jobs_selected\s*=\s*)?\[([0-9,\s]*)\]`)

// readPage takes the list from the page of an older site. The page counts its roles itself.
func (s softgarden) readPage(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	answered, err := sendOnHost(ctx, client, s.CareersURL(board)+"de/vacancies")
	if err != nil {
		return failed(s, err)
	}
	content, err := answered.page()
	if err != nil {
		return failed(s, err)
	}
	ids := softgardenIDs.FindSubmatch(content)
	if ids == nil {
		return failed(s, didf("answered with a page without the roles' data"))
	}
	document, err := parseWholePage(content)
	if err != nil {
		return failed(s, err)
	}
	reading, err := cards(document.Find(`.matchElement[id^="job_id_"]`), func(card *goquery.Selection) (boardwatch.Posting, bool) {
		title := card.Find(".matchValue.title").First()
		return boardwatch.Posting{
			Key: strings.TrimPrefix(card.AttrOr("id", ""), "job_id_"), Title: textOf(title), Location: textOf(card.Find(".matchValue.ProjectGeoLocationCity").First()),
			Department: textOf(card.Find(".matchValue.jobcategory").First()), URL: linkOf(title.Find("a").First(), "href", answered.address),
		}, true
	})
	reading.Claimed = len(strings.FieldsFunc(string(ids[1]), func(r rune) bool { return r < '0' || r > '9' }))
	reading.Company = strings.TrimPrefix(companyInTitle(document), "Karriere bei ")
	return finish(s, reading, err)
}

// Embedded knows sites at addresses of the companies' own: pages of softgarden that lead to their own feed.
func (softgarden) Embedded(page *goquery.Document) (board string, ok bool) {
	host := ownHost(page)
	if host == "" || !isSoftgardenHost(host) {
		return "", false
	}
	feed := false
	page.Find(`link[href*="jobs.feed.json"], a[href*="jobs.feed.json"]`).Each(func(_ int, link *goquery.Selection) {
		to, err := page.Url.Parse(strings.TrimSpace(link.AttrOr("href", "")))
		feed = feed || err == nil && strings.EqualFold(to.Hostname(), host) && to.Path == "/jobs.feed.json"
	})
	return host, feed
}
