package ats

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

func init() {
	register(&declared{
		name: "beesite",
		about: About{
			Name: "beesite (milch & zucker)", Site: "milchundzucker.de",
			Addresses: []string{"{board}.app.beesite.de/search"},
			Endpoint:  "GET https://{board}.app.beesite.de/search?data={query}",
			Reads:     "id, title, every place, address, total",
			Evidence:  Several,
		},
		board: tenantUnder("app.beesite.de"),
		valid: isTenant,
		page:  func(board string) string { return "https://" + board + ".app.beesite.de/" },
		pages: paged{size: 100},
		open:  inTurns(beesiteSearch),
	})
}

type beesiteItem struct {
	ID         id `json:"MatchedObjectId"`
	Descriptor struct {
		PositionID       id     `json:"PositionID"`
		PositionTitle    string `json:"PositionTitle"`
		PositionURI      string `json:"PositionURI"`
		PositionLocation []struct {
			CityName string `json:"CityName"`
		} `json:"PositionLocation"`
	} `json:"MatchedObjectDescriptor"`
}

// beesiteSearch asks for the roles from a place in the list on, the oldest first, so that new ones do not move the others.
func beesiteSearch(ctx context.Context, client Doer, board string, at turn) (page, error) {
	query, err := json.Marshal(map[string]any{
		"LanguageCode": "EN",
		"SearchParameters": map[string]any{
			"FirstItem": at.rows + 1, "CountItem": 100,
			"Sort":                    []any{map[string]any{"Criterion": "PublicationStartDate", "Direction": "ASC"}},
			"MatchedObjectDescriptor": []string{"PositionID", "PositionTitle", "PositionURI", "PositionLocation.CityName"},
		},
		"SearchCriteria": []any{},
	})
	if err != nil {
		return page{}, fmt.Errorf("encode query: %w", err)
	}
	var found struct {
		SearchResult struct {
			Total count             `json:"SearchResultCountAll"`
			Items []json.RawMessage `json:"SearchResultItems"`
		} `json:"SearchResult"`
	}
	if err := getJSON(ctx, client, "https://"+board+".app.beesite.de/search?data="+url.QueryEscape(string(query)), &found); err != nil {
		return page{}, err
	}
	return pageOf(found.SearchResult.Items, found.SearchResult.Total, beesiteItem.posting)
}

func (i beesiteItem) posting() (boardwatch.Posting, bool) {
	var places []string
	for _, l := range i.Descriptor.PositionLocation {
		places = append(places, unescape(l.CityName, 1))
	}
	return boardwatch.Posting{
		Key: firstText(string(i.ID), string(i.Descriptor.PositionID)), Title: beesiteMarks.ReplaceAllString(unescape(i.Descriptor.PositionTitle, 1), " "),
		Location: joinPlaces(places...), URL: i.Descriptor.PositionURI,
	}, true
}

// beesiteMarks are the marks of HTML that titles may have.
var beesiteMarks = lazyregexp.New(`<[^>]*>`)
