package ats

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Traffit is told in headers which page is wanted, and says in others how many roles there are.
func init() {
	register(&declared{
		name: "traffit",
		about: About{
			Name: "Traffit", Site: "traffit.com",
			Addresses: []string{"{company}.traffit.com", "{company}.traffit.com/career", "{company}.traffit.com/public/job_posts/published"},
			Endpoint:  "GET https://{company}.traffit.com/public/job_posts/published, X-Request-Current-Page: 1",
			Reads:     "id, title, place, branch, address, total",
			Evidence:  Several,
		},
		board: tenantUnder("traffit.com"),
		valid: isTenantBut("knowledge"),
		page:  func(board string) string { return "https://" + board + ".traffit.com/career/" },
		open:  inTurns(traffitPage),
	})
}

const traffitSize = 100

type traffitJob struct {
	ID      id              `json:"id"`
	URL     string          `json:"url"`
	Awarded any             `json:"awarded"`
	Options json.RawMessage `json:"options"` // an object; a list when there are none
	Advert  struct {
		Name   string `json:"name"`
		Values []struct {
			FieldID string          `json:"field_id"`
			Value   json.RawMessage `json:"value"`
		} `json:"values"`
	} `json:"advert"`
}

func traffitPage(ctx context.Context, client Doer, board string, at turn) (page, error) {
	client = with(client, "X-Request-Page-Size", strconv.Itoa(traffitSize), "X-Request-Current-Page", strconv.Itoa(at.page+1))
	answered, err := send(ctx, client, http.MethodGet, "https://"+board+".traffit.com/public/job_posts/published", "application/json", nil)
	if err != nil {
		return page{}, err
	}
	var rows []json.RawMessage
	if err := answered.decode(&rows); err != nil {
		return page{}, err
	}
	total, err := strconv.Atoi(answered.header.Get("X-Result-Total-Count"))
	if err != nil {
		total = 0
	}
	return pageOf(rows, count(total), traffitJob.posting)
}

// posting is one role. What an advert says of itself stands in a list of fields; the place is JSON inside one of them.
func (j traffitJob) posting() (boardwatch.Posting, bool) {
	p := boardwatch.Posting{Key: string(j.ID), Title: j.Advert.Name, URL: j.URL}
	for _, field := range j.Advert.Values {
		if field.FieldID == "geolocation" {
			p.Location = traffitPlace(field.Value)
		}
	}
	var options struct {
		Branches any `json:"branches"`
	}
	if json.Unmarshal(j.Options, &options) == nil {
		p.Department = linkedText(options.Branches, "name")
	}
	return p, j.Awarded == nil || j.Awarded == "" || isNo(j.Awarded)
}

func traffitPlace(value json.RawMessage) string {
	var quoted string
	if json.Unmarshal(value, &quoted) == nil {
		value = json.RawMessage(quoted)
	}
	var geo struct {
		Locality string `json:"locality"`
		Region   string `json:"region1"`
		Country  string `json:"country"`
	}
	if json.Unmarshal(value, &geo) != nil {
		return ""
	}
	return place(geo.Locality, geo.Region, geo.Country)
}
