package ats

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

func init() {
	register(&declared{
		name: "talentreef",
		about: About{
			Name: "TalentReef", Site: "talentreef.com",
			Addresses: []string{"apply.jobappnetwork.com/clients/{client}/posting/{role}"},
			Endpoint:  "POST https://prod-kong.internal.talentreef.com/apply/proxy-es/search-en-us/posting/_search",
			Reads:     "id, title, place, address, total",
			Evidence:  Single,
		},
		board: func(a address) string {
			if a.host != "apply.jobappnetwork.com" {
				return ""
			}
			return a.below("clients")
		},
		valid: isNumber,
		page:  talentreefPage,
		pages: paged{size: 100},
		open:  inTurns(talentreefPostings),
	})
}

func talentreefPage(board string) string { return "https://apply.jobappnetwork.com/clients/" + board }

type talentreefHit struct {
	Source struct {
		JobID        id     `json:"jobId"`
		Title        string `json:"title"`
		PositionType string `json:"positionType"`
		Address      struct {
			City    string `json:"city"`
			State   string `json:"stateOrProvince"`
			Country string `json:"country"`
		} `json:"address"`
	} `json:"_source"`
}

// talentreefPostings asks the search, in the words of its engine, for what is meant for people outside. It answers the same for
// a client that it does not know and for one without roles.
func talentreefPostings(ctx context.Context, client Doer, board string, at turn) (page, error) {
	var found struct {
		Hits struct {
			Total count             `json:"total"`
			Hits  []json.RawMessage `json:"hits"`
		} `json:"hits"`
	}
	err := postJSON(ctx, client, "https://prod-kong.internal.talentreef.com/apply/proxy-es/search-en-us/posting/_search", map[string]any{
		"query": map[string]any{"bool": map[string]any{"filter": []any{
			map[string]any{"term": map[string]any{"clientId": json.Number(board)}},
			map[string]any{"term": map[string]any{"internalOrExternal": "externalOnly"}},
		}}},
		"from": at.rows, "size": 100,
	}, &found)
	if err != nil {
		return page{}, err
	}
	if found.Hits.Hits != nil && len(found.Hits.Hits) == 0 && at.page == 0 {
		return page{}, &systemError{cause: cause.NoList, did: "shows no roles, as it does for clients that it does not know"}
	}
	return pageOf(found.Hits.Hits, found.Hits.Total, func(h talentreefHit) (boardwatch.Posting, bool) {
		j := h.Source
		return boardwatch.Posting{
			Key: string(j.JobID), Title: firstText(j.Title, j.PositionType), Location: placeAsGiven(j.Address.City, j.Address.State, j.Address.Country),
			URL: talentreefPage(board) + "/posting/" + url.PathEscape(string(j.JobID)) + "/",
		}, true
	})
}
