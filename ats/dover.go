package ats

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
)

func init() {
	register(&declared{
		name: "dover",
		about: About{
			Name: "Dover", Site: "dover.com",
			Addresses: []string{"app.dover.com/jobs/{board}", "app.dover.com/apply/{board}/{role}", "app.dover.com/api/v1/careers-page-slug/{board}"},
			Endpoint:  "GET https://app.dover.com/api/v1/careers-page/{id}/jobs",
			Reads:     "id, title, every place, address, company",
			Evidence:  Recording,
		},
		board: func(a address) string {
			if a.host != "app.dover.com" {
				return ""
			}
			return firstText(a.below("jobs"), a.below("apply"), a.below("api", "v1", "careers-page-slug"))
		},
		valid: isToken,
		page:  doverPage,
		open:  doverJobs,
	})
}

func doverPage(board string) string { return "https://app.dover.com/jobs/" + board }

type doverJob struct {
	ID            id     `json:"id"`
	Title         string `json:"title"`
	WorkplaceType string `json:"workplace_type"`
	IsPublished   any    `json:"is_published"`
	IsSample      any    `json:"is_sample"`
	Locations     []struct {
		Name           string `json:"name"`
		LocationOption struct {
			DisplayName string `json:"display_name"`
			City        said   `json:"city"`
			Country     said   `json:"country"`
		} `json:"location_option"`
	} `json:"locations"`
}

// doverList is a page of the list, or the rows alone.
type doverList struct {
	Count   count             `json:"count"`
	Next    string            `json:"next"`
	Results []json.RawMessage `json:"results"`
}

// UnmarshalJSON takes either.
func (l *doverList) UnmarshalJSON(document []byte) error {
	if bytes.HasPrefix(document, []byte("[")) {
		return json.Unmarshal(document, &l.Results)
	}
	type plain doverList
	return json.Unmarshal(document, (*plain)(l))
}

// doverJobs asks what the careers page's id is, and then for its roles. New accounts have roles that are samples.
func doverJobs(ctx context.Context, client Doer, board string) func(turn) (page, error) {
	company := ""
	next := ""
	return func(at turn) (page, error) {
		if at.page == 0 {
			var site struct {
				ID   string `json:"id"`
				Name string `json:"name"`
			}
			if err := getJSON(ctx, client, "https://app.dover.com/api/v1/careers-page-slug/"+board, &site); err != nil {
				return page{}, err
			}
			if !isToken(site.ID) {
				return page{}, didf("answered without the id of the careers page")
			}
			company, next = site.Name, "https://app.dover.com/api/v1/careers-page/"+site.ID+"/jobs"
		}
		var list doverList
		if err := getJSON(ctx, client, next, &list); err != nil {
			return page{}, err
		}
		p, err := pageOf(list.Results, list.Count, func(j doverJob) (boardwatch.Posting, bool) { return j.posting(board) })
		if err != nil {
			return page{}, err
		}
		p.Company, p.last = company, list.Next == ""
		if !p.last {
			if next, err = doverNext(list.Next); err != nil {
				return page{}, err
			}
		}
		return p, nil
	}
}

// doverNext is where the next page is, when that is where lists are.
func doverNext(link string) (string, error) {
	u, err := url.Parse(link)
	if err != nil || u.User != nil || u.Host != "app.dover.com" || !strings.HasPrefix(u.Path, "/api/v1/careers-page/") {
		return "", didf("says that its next page is elsewhere")
	}
	u.Scheme, u.Fragment = "https", ""
	return u.String(), nil
}

func (j doverJob) posting(board string) (boardwatch.Posting, bool) {
	var places []string
	var stated []boardwatch.Place
	for _, l := range j.Locations {
		name := firstText(l.Name, l.LocationOption.DisplayName)
		places, stated = append(places, name), append(stated, statedPlace(name, l.LocationOption.City, l.LocationOption.Country))
	}
	p := boardwatch.Posting{
		Key: string(j.ID), Title: j.Title, Location: joinPlaces(places...),
		URL: "https://app.dover.com/apply/" + board + "/" + url.PathEscape(string(j.ID)),
	}
	orRemote(&p, strings.EqualFold(j.WorkplaceType, "remote"))
	p.Facts.Mode = fact.Mode(j.WorkplaceType)
	fact.Places(&p.Facts, stated...)
	return p, !isYes(j.IsSample) && !isNo(j.IsPublished)
}
