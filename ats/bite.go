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

const (
	biteScripts = "https://cs-assets.b-ite.com/"
	biteSearch  = "https://jobs.b-ite.com/api/v1/postings/search"
)

// bite is declared, and known by the element in which companies show their roles. It has no pages of its own for people.
type bite struct{ *declared }

func init() {
	register(bite{&declared{
		name: "bite",
		about: About{
			Name: "BITE (b-ite)", Site: "b-ite.com",
			Addresses: []string{"cs-assets.b-ite.com/{customer}/jobs-api/{listing}.min.js"},
			Endpoint:  "GET " + biteScripts + "{customer}/jobs-api/{listing}.min.js, then POST " + biteSearch,
			Reads:     "id, title, place, address, total",
			Evidence:  Single,
		},
		board: func(a address) string {
			listing, ok := strings.CutSuffix(a.segment(2), ".min.js")
			if a.host != "cs-assets.b-ite.com" || a.segment(1) != "jobs-api" || !ok {
				return ""
			}
			return a.segment(0) + "/" + listing
		},
		valid: biteBoard.MatchString,
		page:  biteScript,
		open:  biteRoles,
	}})
}

var (
	biteBoard = lazyregexp.New(`^[A-Za-z0-9_-]{1,64}/[A-Za-z0-9_-]{1,64}$`)
	biteKey   = lazyregexp.New(`"([0-9a-f]{40})"`)
	biteRole  = lazyregexp.New(`/jobposting/([0-9a-f]{40,42})`)
)

func biteScript(board string) string {
	customer, listing, _ := strings.Cut(board, "/")
	return biteScripts + customer + "/jobs-api/" + listing + ".min.js"
}

type biteJob struct {
	Identification id     `json:"identification"`
	Title          string `json:"title"`
	URL            string `json:"url"`
	Address        struct {
		City    string `json:"city"`
		Country string `json:"country"`
	} `json:"address"`
}

// biteRoles takes the key of the list from the script first.
func biteRoles(ctx context.Context, client Doer, board string) func(turn) (page, error) {
	key := ""
	return func(at turn) (page, error) {
		if key == "" {
			script, err := send(ctx, client, http.MethodGet, biteScript(board), "*/*", nil)
			if err != nil {
				return page{}, err
			}
			if script.status != http.StatusOK {
				return page{}, script.refusal()
			}
			m := biteKey.FindSubmatch(script.body)
			if m == nil {
				return page{}, didf("returned a script without the key of its list")
			}
			key = string(m[1])
		}
		return bitePage(ctx, client, key, at)
	}
}

func bitePage(ctx context.Context, client Doer, key string, at turn) (page, error) {
	const size = 100
	question := map[string]any{"key": key, "channel": 0, "locale": "de", "page": map[string]int{"num": size, "offset": at.rows}}
	var list struct {
		JobPostings []json.RawMessage `json:"jobPostings"`
		Page        struct {
			Total count `json:"total"`
		} `json:"page"`
	}
	if err := postJSON(ctx, client, biteSearch, question, &list); err != nil {
		return page{}, whoseBoardIs(err)
	}
	return pageOf(list.JobPostings, list.Page.Total, func(j biteJob) (boardwatch.Posting, bool) {
		return boardwatch.Posting{
			Key: firstText(captured(biteRole, j.URL), string(j.Identification)), Title: j.Title,
			Location: place(j.Address.City, strings.ToUpper(j.Address.Country)), URL: j.URL,
		}, true
	})
}

// Embedded knows the vendor's element, which names the list.
func (bite) Embedded(page *goquery.Document) (board string, ok bool) {
	page.Find("[data-bite-jobs-api-listing]").Each(func(_ int, element *goquery.Selection) {
		named := strings.Replace(element.AttrOr("data-bite-jobs-api-listing", ""), ":", "/", 1)
		switch {
		case !biteBoard.MatchString(named):
		case board == "":
			board, ok = named, true
		default:
			ok = ok && named == board
		}
	})
	if !ok {
		return "", false
	}
	return board, true
}
