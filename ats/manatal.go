package ats

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
)

const manatalPages = "https://www.careers-page.com/"

// Manatal has had three lists over the years, and boards that only one of them knows. They are asked in turn.
func init() {
	register(&declared{
		name: "manatal",
		about: About{
			Name: "Manatal", Site: "manatal.com",
			Addresses: []string{"www.careers-page.com/{company}", "{company}.careers-page.com", "www.careers-page.com/{company}/job/{role}"},
			Endpoint:  "GET " + manatalPages + "api/v1.0/c/{company}/jobs/?page=1",
			Reads:     "id, title, place, address, total",
			Evidence:  Recording,
		},
		board: func(a address) string {
			switch a.host {
			case "www.careers-page.com", "careers-page.com":
				return firstText(a.below("api", "v1.0", "c"), a.segment(0))
			case "api.careers-page.com":
				return a.below("open", "v1", "career-pages")
			case "core.api.manatal.com":
				return a.below("open", "v3", "career-page")
			}
			return a.tenant("careers-page.com")
		},
		valid: isTokenBut("www", "api", "customer", "assets", "job", "jobs", "login", "static"),
		page:  func(board string) string { return manatalPages + board },
		open:  manatalRoles,
	})
}

// A manatalList is one of the three.
type manatalList struct {
	page func(board string, number int) string
	role func(board string, j manatalJob) string
}

var manatalLists = [...]manatalList{
	{
		func(board string, number int) string {
			return fmt.Sprintf("%sapi/v1.0/c/%s/jobs/?page=%d&page_size=50&ordering=-is_pinned_in_career_page,-last_published_at", manatalPages, board, number)
		},
		func(board string, j manatalJob) string { return j.byHash(board) },
	},
	{
		func(board string, number int) string {
			return fmt.Sprintf("https://api.careers-page.com/open/v1/career-pages/%s/job-posts?page=%d&size=250", board, number)
		},
		func(board string, j manatalJob) string {
			if !isLabel(board) || !isToken(string(j.ID)) {
				return ""
			}
			return "https://" + board + ".careers-page.com/jobs/" + string(j.ID)
		},
	},
	{
		func(board string, number int) string {
			return fmt.Sprintf("https://core.api.manatal.com/open/v3/career-page/%s/jobs/?page=%d", board, number)
		},
		func(board string, j manatalJob) string { return j.byHash(board) },
	},
}

type manatalJob struct {
	ID              id     `json:"id"`
	Hash            string `json:"hash"`
	PositionName    string `json:"position_name"`
	Title           string `json:"title"`
	LocationDisplay string `json:"location_display"`
	City            string `json:"city"`
	State           string `json:"state"`
	Country         string `json:"country"`

	ContractDetails said `json:"contract_details"`
	IsRemote        said `json:"is_remote"`
	LastPublishedAt said `json:"last_published_at"`
	Description     said `json:"description"`
}

func (j manatalJob) byHash(board string) string {
	if !isToken(j.Hash) {
		return ""
	}
	return manatalPages + board + "/job/" + j.Hash
}

// manatalRoles asks the first list that knows the board. One that cannot be reached at all says nothing about the others,
// and its error stands only when none of them knows better.
func manatalRoles(ctx context.Context, client Doer, board string) func(turn) (page, error) {
	chosen := 0
	return func(at turn) (page, error) {
		p, err := manatalLists[chosen].ask(ctx, client, board, at)
		var unreached error
		for at.page == 0 && err != nil && ctx.Err() == nil && chosen+1 < len(manatalLists) {
			_, answered := errors.AsType[*systemError](err)
			switch {
			case answered && !isMissing(err), errors.Is(err, ErrUnchanged):
				return p, err
			case !answered:
				unreached = cmp.Or(unreached, err)
			}
			chosen++
			p, err = manatalLists[chosen].ask(ctx, client, board, at)
		}
		if err != nil && unreached != nil {
			return page{}, unreached
		}
		return p, err
	}
}

func (l manatalList) ask(ctx context.Context, client Doer, board string, at turn) (page, error) {
	var list struct {
		Count   count             `json:"count,omitempty"`
		Results []json.RawMessage `json:"results"`
		Next    any               `json:"next"`
		Total   count             `json:"total,omitempty"`
		Items   []json.RawMessage `json:"items"`
		Pages   count             `json:"pages"`
	}
	if err := getJSON(ctx, client, l.page(board, at.page+1), &list); err != nil {
		return page{}, err
	}
	rows, total, more := list.Results, list.Count, list.Next != nil
	if rows == nil {
		rows, total, more = list.Items, list.Total, at.page+1 < int(list.Pages)
	}
	p, err := pageOf(rows, total, func(j manatalJob) (boardwatch.Posting, bool) {
		p := boardwatch.Posting{
			Key: firstText(string(j.ID), j.Hash), Title: firstText(j.PositionName, j.Title), URL: l.role(board, j),
			Location: firstText(j.LocationDisplay, place(j.City, j.State, j.Country)),
		}
		p.Facts.PostedAt, p.Facts.Mode = date(j.LastPublishedAt), remoteIf(j.IsRemote)
		employment(&p.Facts, j.ContractDetails)
		fact.Places(&p.Facts, statedPlace(p.Location, said(j.City), said(j.Country)))
		describe(&p, j.Description)
		return p, true
	})
	p.last = !more
	return p, err
}
